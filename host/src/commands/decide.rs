//! `lockstep decide`

use std::io::{self, BufRead as _, Write};
use std::thread;

use anyhow::{Context as _, bail};
use host::backend::{Answer, Spec};
use host::event::{Event, Round, Sink as _};
use host::games::tetris::features::Features;
use host::games::tetris::golden;
use host::games::tetris::{Linear, Placement, Position, Score, Search, Tetris};
use host::report::terminal::Terminal;
use host::session::Session;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;

use super::options::ControllerChoice;
use super::{Interrupt, Outcome, header, listen, open, refuse_lookahead};

#[derive(clap::Args)]
pub struct Args {
    /// The backend; with several they are compared and the first one's answers
    /// are written
    #[arg(long = "backend", value_name = "BACKEND", default_values = ["software"])]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: ControllerChoice,
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
    let controller = args.controller.load()?;
    let software_only = args.backends.iter().all(|b| b.to_string() == "software");
    if args.all && !software_only {
        bail!("--all: only software tells every placement; leave --backend out");
    }
    let linear = controller.linear().filter(|_| args.all);
    if args.all && linear.is_none() {
        bail!(
            "--all: {} is a program and weighs no features; name a linear controller",
            controller.name
        );
    }
    if linear.is_some_and(|linear| linear.search != Search::ONE) {
        bail!("--all: it lists what each placement scores by itself; leave --depth out");
    }
    let interrupt = listen();
    let mut session = Session::new(open(&args.backends).await?, || false);
    session.configure(&controller).await?;
    let mut shown = Terminal::new(divergences(quiet), false, None);
    // Tells the names of the backends; the positions are not known beforehand.
    let header = header(&session, controller.clone(), None, None);
    if args.backends.len() > 1 {
        shown.take(&Event::<Tetris>::Started(&header))?;
    }

    let without = session.without_lookahead().map(str::to_owned);
    let mut input = Input::new(interrupt, without, session.batch());
    let mut out = io::stdout().lock();
    let mut outcome = Outcome::Agreed;
    loop {
        let (batch, end) = input.positions().await;
        if let Some(linear) = linear {
            for (_, position) in &batch {
                write(&mut out, &all(position, linear))?;
            }
        } else if !decide(&mut session, &batch, &mut out, &mut shown).await? {
            outcome = Outcome::Diverged;
        }
        out.flush()?;
        match end {
            None => {}
            Some(End::Input) => return Ok(outcome),
            Some(End::Interrupted) => return Ok(Outcome::Interrupted),
            Some(End::Broken(error)) => return Err(error),
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

/// Why no more positions come.
enum End {
    /// The input has ended.
    Input,
    /// The user stopped it.
    Interrupted,
    /// A line is not a position.
    Broken(anyhow::Error),
}

/// Positions from standard input, read on a thread of its own: waiting for a
/// line must not keep an interrupt from being heard.
struct Input {
    lines: mpsc::Receiver<io::Result<Vec<u8>>>,
    line: u64,
    interrupt: Interrupt,
    /// Name of a backend that cannot use a known next piece.
    without_lookahead: Option<String>,
    /// Positions at a time.
    most: usize,
}

impl Input {
    fn new(interrupt: Interrupt, without_lookahead: Option<String>, most: usize) -> Self {
        let (send, lines) = mpsc::channel(256);
        thread::spawn(move || {
            for line in io::stdin().lock().split(b'\n') {
                if send.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            lines,
            line: 0,
            interrupt,
            without_lookahead,
            most,
        }
    }

    /// The next positions with their line numbers: the one that is waited for
    /// and those that have arrived with it.
    async fn positions(&mut self) -> (Vec<(u64, Position)>, Option<End>) {
        let mut batch = Vec::new();
        while batch.len() < self.most {
            let line = if batch.is_empty() {
                tokio::select! {
                    biased;
                    _ = self.interrupt.wait_for(|raised| *raised) => {
                        return (batch, Some(End::Interrupted));
                    }
                    line = self.lines.recv() => line,
                }
            } else {
                match self.lines.try_recv() {
                    Ok(line) => Some(line),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => None,
                }
            };
            let Some(line) = line else {
                return (batch, Some(End::Input));
            };
            self.line += 1;
            match self.parse(line) {
                Ok(Some(position)) => batch.push((self.line, position)),
                Ok(None) => {}
                Err(error) => {
                    let error = error.context(format!("standard input, line {}", self.line));
                    return (batch, Some(End::Broken(error)));
                }
            }
        }
        (batch, None)
    }

    /// The position on a line, `None` when it is blank.
    fn parse(&self, line: io::Result<Vec<u8>>) -> anyhow::Result<Option<Position>> {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let position: Position = serde_json::from_slice(&line).context(
            "not a position; expected {\"board\":[20 numbers, row 0 first],\"piece\":\"T\"}",
        )?;
        let without = self.without_lookahead.as_deref();
        refuse_lookahead(without, &position).map_err(anyhow::Error::msg)?;
        Ok(Some(position))
    }
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

fn all(position: &Position, controller: &Linear) -> AllLine {
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
    let best = golden::best(&position.board, position.piece, position.next, controller);
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
