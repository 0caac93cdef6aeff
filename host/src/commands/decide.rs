//! `lockstep decide`

use std::io::{self, BufRead as _, BufReader, Read, Write};

use anyhow::{Context as _, bail};
use host::backend::{Answer, Spec};
use host::event::{Event, Round, Sink as _};
use host::games::tetris::features::Features;
use host::games::tetris::golden;
use host::games::tetris::{Controller, Placement, Position, Score, Tetris};
use host::report::terminal::Terminal;
use host::session::Session;
use serde::Serialize;

use super::{Outcome, header, interruptible, open};

/// Positions asked at a time when so many lines are there already.
const BATCH: usize = 64;

#[derive(clap::Args)]
pub struct Args {
    /// The backend; with several they are compared and the first one's answers
    /// are written
    #[arg(long = "backend", value_name = "BACKEND", default_values = ["software"])]
    backends: Vec<Spec>,
    /// A preset (dellacherie, el-tetris, bcts, dt-10, dt-20, lowest) or a file
    #[arg(long, value_name = "NAME", default_value = "dt-20")]
    controller: String,
    /// Write every legal placement with its features and score (software only)
    #[arg(long)]
    all: bool,
}

/// One line of output.
#[derive(Serialize)]
struct Line {
    legal: bool,
    rotation: Option<usize>,
    column: Option<usize>,
    row: Option<usize>,
    cells: Vec<[usize; 2]>,
    score: Option<Score>,
    rows_cleared: Option<usize>,
    cycles: Option<u32>,
}

/// One line of output with `--all`.
#[derive(Serialize)]
struct AllLine {
    placements: Vec<Scored>,
    /// Index of the best placement; none when none is legal.
    best: Option<usize>,
}

#[derive(Serialize)]
struct Scored {
    rotation: usize,
    column: usize,
    row: usize,
    cells: Vec<[usize; 2]>,
    features: Features,
    score: Score,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = Controller::load(&args.controller)?;
    let software_only = args.backends.iter().all(|b| b.to_string() == "software");
    if args.all && !software_only {
        bail!("--all: only software tells every placement; leave --backend out");
    }
    let mut session = interruptible(open(&args.backends).await?);
    session.configure(&controller).await?;
    let mut shown = Terminal::new(divergences(quiet), false, None);
    // Tells the names of the backends; the positions are not known beforehand.
    let header = header(&session, controller.clone(), None, None);
    if args.backends.len() > 1 {
        shown.take(&Event::<Tetris>::Started(&header))?;
    }

    let mut input = BufReader::new(io::stdin().lock());
    let mut out = io::stdout().lock();
    let mut line = 0;
    let mut outcome = Outcome::Agreed;
    loop {
        let (batch, broken) = positions(&mut input, &mut line);
        if args.all {
            for (_, position) in &batch {
                write(&mut out, &all(position, &controller))?;
            }
        } else if !decide(&mut session, &batch, &mut out, &mut shown).await? {
            outcome = Outcome::Diverged;
        }
        out.flush()?;
        if let Some(error) = broken {
            return Err(error);
        }
        if batch.is_empty() {
            return Ok(outcome);
        }
    }
}

fn divergences(quiet: bool) -> Box<dyn Write> {
    if quiet {
        Box::new(io::sink())
    } else {
        Box::new(anstream::stderr())
    }
}

/// The next positions with their line numbers: the one that is waited for and
/// those that have arrived with it. Also why there are no more, if that is an
/// error. Advances the line number.
fn positions(
    input: &mut BufReader<impl Read>,
    line: &mut u64,
) -> (Vec<(u64, Position)>, Option<anyhow::Error>) {
    let mut batch = Vec::new();
    while batch.is_empty() || (batch.len() < BATCH && input.buffer().contains(&b'\n')) {
        let mut text = String::new();
        *line += 1;
        let number = *line;
        match input.read_line(&mut text) {
            Ok(0) => break,
            Ok(_) if text.trim().is_empty() => continue,
            Ok(_) => {}
            Err(e) => {
                let error = anyhow::Error::new(e).context(format!("standard input, line {number}"));
                return (batch, Some(error));
            }
        }
        let parsed = serde_json::from_str::<Position>(&text).with_context(|| {
            format!(
                "standard input, line {number}: not a position; expected \
                 {{\"board\":[20 numbers, row 0 first],\"piece\":\"T\"}}"
            )
        });
        match parsed {
            Ok(position) => batch.push((number, position)),
            Err(error) => return (batch, Some(error)),
        }
    }
    (batch, None)
}

/// Asks a batch and writes the first backend's answers; whether all agreed.
async fn decide(
    session: &mut Session<Tetris>,
    batch: &[(u64, Position)],
    out: &mut impl Write,
    shown: &mut Terminal<Box<dyn Write>>,
) -> anyhow::Result<bool> {
    let positions: Vec<Position> = batch.iter().map(|(_, p)| p.clone()).collect();
    let rows = session.ask(&positions).await?;
    let mut agreed = true;
    for ((number, position), answers) in batch.iter().zip(&rows) {
        let Some(first) = answers.first() else {
            continue;
        };
        write(out, &answered(position, first))?;
        let mismatches = host::session::compare(&first.decision, answers);
        if !mismatches.is_empty() {
            agreed = false;
            shown.take(&Event::Decided(Round {
                game: 0,
                step: number - 1,
                position,
                recorded: None,
                answers,
                mismatches: &mismatches,
            }))?;
        }
    }
    Ok(agreed)
}

fn answered(position: &Position, answer: &Answer<Tetris>) -> Line {
    let placement = answer.decision;
    let get = |field: fn(&Placement) -> usize| placement.as_ref().map(field);
    Line {
        legal: placement.is_some(),
        rotation: get(|p| p.rotation),
        column: get(|p| p.column),
        row: get(|p| p.row),
        cells: placement.map_or(Vec::new(), |p| p.cells(position.piece)),
        score: placement.map(|p| p.score),
        rows_cleared: get(|p| p.rows_cleared),
        cycles: answer.cycles,
    }
}

fn all(position: &Position, controller: &Controller) -> AllLine {
    let candidates = golden::placements(&position.board, position.piece);
    let placements: Vec<Scored> = candidates
        .map(|c| {
            let score = controller.score(&c.features);
            let placement = Placement {
                rotation: c.rotation,
                column: c.column,
                row: c.row,
                rows_cleared: c.features.rows_cleared as usize,
                score,
            };
            Scored {
                rotation: c.rotation,
                column: c.column,
                row: c.row,
                cells: placement.cells(position.piece),
                features: c.features,
                score,
            }
        })
        .collect();
    let best = golden::best(&position.board, position.piece, controller);
    let best = best.and_then(|(b, _)| {
        let same = |s: &Scored| (s.rotation, s.column) == (b.rotation, b.column);
        placements.iter().position(same)
    });
    AllLine { placements, best }
}

fn write(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
