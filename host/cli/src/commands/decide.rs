//! `lockstep decide`

mod trace;

use std::io::{self, BufRead as _, Read as _, Write};
use std::thread;

use anyhow::{anyhow, bail};
use lockstep::backend::Kind;
use lockstep::record::reason;
use lockstep::session::Answers;
use lockstep::{Answer, Event, Identity, Round, Session, Sink as _, Spec, Stop};
use lockstep_games::tetris::features::Features;
use lockstep_games::tetris::{Linear, Placement, Position, Score, Search, Tetris, decide, golden};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;

use super::Outcome;
use super::backends::{backend, configure, header, open, openers};
use super::interrupt::listen;
use super::options::ControllerChoice;
use super::output::plain;
use super::wait::wait;
use crate::failure::is_interrupt;
use crate::views::terminal::Terminal;
use crate::views::width;

pub const EXAMPLES: &str = "\
Examples:
  echo '{\"size\":\"10x4\",\"board\":[15,0,0,0],\"piece\":\"T\"}' | lockstep decide
  lockstep decide --backend software --backend sim < positions.jsonl
  lockstep decide --all --controller bcts < positions.jsonl
  lockstep decide --trace --backend software --backend sim < positions.jsonl";

#[derive(clap::Args)]
pub struct Args {
    /// The backend; with several they are compared and the first one's answers
    /// are written
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend, default_values = ["software"])]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: ControllerChoice,
    /// Write every legal placement with its features and score (software only)
    #[arg(long)]
    all: bool,
    /// Write every placement with its features and score as the backend itself weighs it;
    /// with several backends, the first of these in which one differs
    #[arg(long, conflicts_with = "all")]
    trace: bool,
    /// With --trace: a line of JSON a position instead of text
    #[arg(long, requires = "trace")]
    json: bool,
}

/// What is written of a position.
#[derive(Clone, Copy)]
enum What<'a> {
    Decisions,
    /// All placements as this controller weighs them.
    All(&'a Linear),
    Traces {
        json: bool,
    },
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
    cycles: Option<u64>,
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
    let golden = |spec| openers().kind(spec) == Some(Kind::Golden);
    let software_only = args.backends.iter().all(golden);
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
    let stop = listen();
    let backends = open(&args.backends, quiet, &stop).await?;
    let mut session = Session::new(backends, stop.clone());
    configure(&mut session, &controller, quiet, &stop).await?;
    let mut shown = Terminal::new(divergences(quiet), width(), false, None);
    // Tells the names of the backends; the positions are not known beforehand.
    let header = header(&session, controller.clone(), None, None);
    if args.backends.len() > 1 {
        shown.take(&Event::<Tetris>::Started(header))?;
    }

    let mut input = Input::new(stop, session.identities(), session.batch());
    let what = match linear {
        _ if args.trace => What::Traces { json: args.json },
        Some(linear) => What::All(linear),
        None => What::Decisions,
    };
    let answered = answer(&mut session, &mut input, what, quiet, &mut shown).await;
    shown.take(&Event::<Tetris>::Ended {
        interrupted: matches!(answered, Ok(Outcome::Interrupted)),
        error: answered.as_ref().err().map(ToString::to_string),
        links: session.links(),
    })?;
    answered
}

/// Answers positions until there are no more.
async fn answer(
    session: &mut Session<Tetris>,
    input: &mut Input,
    what: What<'_>,
    quiet: bool,
    shown: &mut Terminal<Box<dyn Write>>,
) -> anyhow::Result<Outcome> {
    let mut out = plain();
    let mut outcome = Outcome::Agreed;
    loop {
        let (batch, end) = input.positions().await;
        let positions: Vec<Position> = batch.iter().map(|(_, p)| p.clone()).collect();
        let agreed = match what {
            What::All(linear) => {
                if !list(&batch, linear, &input.stop, &mut out).await? {
                    return Ok(Outcome::Interrupted);
                }
                true
            }
            What::Decisions => {
                let asked = session.ask(&positions);
                let rows = wait("deciding", quiet, &input.stop, asked).await;
                let rows = match rows {
                    Err(error) if is_interrupt(&error) => return Ok(Outcome::Interrupted),
                    rows => rows?,
                };
                tell(&batch, &rows, &mut out, shown)?
            }
            What::Traces { json } => {
                let asked = session.trace(&positions);
                let rows = wait("deciding", quiet, &input.stop, asked).await;
                let rows = match rows {
                    Err(error) if is_interrupt(&error) => return Ok(Outcome::Interrupted),
                    rows => rows?,
                };
                trace::tell(&batch, &rows, &session.identities(), json, &mut out)?
            }
        };
        if !agreed {
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

/// Longest line of input, in bytes.
const MAX_LINE: usize = 1 << 20;

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
    stop: Stop,
    /// Who is to decide them.
    backends: Vec<Identity>,
    /// Positions at a time.
    most: usize,
}

impl Input {
    fn new(stop: Stop, backends: Vec<Identity>, most: usize) -> Self {
        let (send, lines) = mpsc::channel(64);
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = Vec::new();
                let read = input
                    .by_ref()
                    .take(MAX_LINE as u64 + 2)
                    .read_until(b'\n', &mut line);
                let line = match read {
                    Ok(0) => break,
                    Ok(_)
                        if line.trim_ascii_end().len() > MAX_LINE || line.len() > MAX_LINE + 1 =>
                    {
                        Err(io::Error::other(format!(
                            "longer than {MAX_LINE} bytes, which no position is"
                        )))
                    }
                    Ok(_) => Ok(line),
                    Err(error) => Err(error),
                };
                let last = line.is_err();
                if send.blocking_send(line).is_err() || last {
                    break;
                }
            }
        });
        Self {
            lines,
            line: 0,
            stop,
            backends,
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
                    () = self.stop.wait() => {
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
        let position: Position = serde_json::from_slice(&line).map_err(|error| {
            anyhow!(
                "not a position; expected {{\"board\":[20 numbers, row 0 first],\"piece\":\"T\"}}: {}",
                reason(&error)
            )
        })?;
        lockstep::session::check::<Tetris>(&self.backends, &position)?;
        Ok(Some(position))
    }
}

/// Writes the first backend's answers to a batch; whether all agreed.
fn tell(
    batch: &[(u64, Position)],
    rows: &[Answers<Tetris>],
    out: &mut impl Write,
    shown: &mut Terminal<Box<dyn Write>>,
) -> anyhow::Result<bool> {
    let mut agreed = true;
    for ((number, position), row) in batch.iter().zip(rows) {
        let Some(first) = row.answers.first() else {
            continue;
        };
        write(out, &answered(position, first))?;
        let mismatches = row.mismatches();
        if !mismatches.is_empty() {
            agreed = false;
            shown.take(&Event::Decided(Round {
                game: 1,
                step: *number,
                line: None,
                position: position.clone(),
                recorded: None,
                asked: row.asked.clone(),
                answers: row.answers.clone(),
                mismatches,
                score: None,
                outcome: None,
            }))?;
        }
    }
    Ok(agreed)
}

/// Writes all placements of a batch; `false` when the user stopped it.
async fn list(
    batch: &[(u64, Position)],
    controller: &Linear,
    stop: &Stop,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    for (_, position) in batch {
        // Lets the interrupt be heard.
        tokio::task::yield_now().await;
        if stop.requested() {
            return Ok(false);
        }
        write(out, &all(position, controller))?;
    }
    Ok(true)
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
            let placement = Placement::of(&c, score);
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
    let best = decide::best(&position.board, position.piece, position.next, controller);
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
