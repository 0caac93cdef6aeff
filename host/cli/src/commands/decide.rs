//! `lockstep decide`

mod input;
mod trace;

use std::io::{self, Write};

use anyhow::{Context as _, bail};
use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::session::{Answers, SessionError};
use lockstep::{Event, Round, Session, Sink as _, Spec};
use lockstep_games::Game;
use serde::Serialize;

use input::Input;

use crate::games::CliGame;
use crate::games::options::{ControllerArgs, GameName};
use crate::output::failure::is_interrupt;
use crate::output::terminal::Terminal;
use crate::output::{Outcome, plain, width};
use crate::run::wait::Run;
use crate::session::backends::{backend, configure, header, open};

#[derive(clap::Args)]
#[command(after_help = G::EXAMPLES.decide)]
pub struct Args<G: CliGame> {
    /// A backend, as in `lockstep play --help`; with several, their decisions are compared and the
    /// first one's are written
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>, default_values = ["software"])]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: ControllerArgs<G>,
    /// Write every legal candidate with its fields, as the golden model computes them (only with
    /// `--backend software`)
    #[arg(long)]
    all: bool,
    /// Write every candidate with its fields, as the backend computes them; with several backends,
    /// only the first candidate that differs (with --json, also all candidates)
    #[arg(long, conflicts_with = "all")]
    trace: bool,
    /// With --trace: one line of JSON for each position instead of text
    #[arg(long, requires = "trace")]
    json: bool,
    #[command(flatten)]
    game: GameName<G>,
}

/// The output for a position.
enum What<'a, G: CliGame> {
    Decisions,
    All(&'a G::Controller),
    Traces { json: bool },
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = args.controller.load()?;
    let golden = |spec| G::backends().kind(spec) == Some(Kind::Golden);
    let software_only = args.backends.iter().all(golden);
    if args.all && !software_only {
        let one = G::CANDIDATE.one;
        bail!("--all: only software lists every {one}; leave --backend out");
    }
    if args.all {
        G::check_all(&controller).context("--all")?;
    }
    let run = Run::start(quiet);
    let backends = open(&args.backends, &run).await?;
    let mut session = Session::new(backends, run.stop.clone());
    configure(&mut session, &controller, &run).await?;
    let mut shown = Terminal::new(divergences(quiet), width(), false, None);
    // Has the names of the backends; the positions are not known beforehand.
    let header = header(&session, controller.clone(), None, None);
    if args.backends.len() > 1 {
        shown.take(&Event::<G>::Started(header))?;
    }
    let mut input = Input::new(run.stop.clone(), session.identities(), session.batch());
    let mut deciding = Deciding {
        session,
        what: match (args.trace, args.all) {
            (true, _) => What::Traces { json: args.json },
            (_, true) => What::All(&controller),
            _ => What::Decisions,
        },
        run: &run,
        out: plain(),
        divergences: shown,
    };
    let answered = deciding.all(&mut input).await;
    deciding.divergences.take(&Event::<G>::Ended {
        interrupted: matches!(answered, Ok(Outcome::Interrupted)),
        error: answered.as_ref().err().map(ToString::to_string),
        links: deciding.session.links(),
    })?;
    answered
}

/// Positions with the numbers of their lines.
type Batch<G> = [(u64, <G as Game>::Position)];

struct Deciding<'a, G: CliGame, W> {
    session: Session<G>,
    what: What<'a, G>,
    run: &'a Run,
    out: W,
    divergences: Terminal,
}

impl<G: CliGame, W: Write> Deciding<'_, G, W> {
    /// Answers positions until the input ends.
    async fn all(&mut self, input: &mut Input) -> anyhow::Result<Outcome> {
        let mut outcome = Outcome::Agreed;
        loop {
            let (batch, end) = input.positions::<G>().await;
            let answered = self.batch(&batch).await;
            if let Ok(false) = answered {
                outcome = Outcome::Diverged;
            }
            match (answered, end) {
                (Ok(_), None) => {}
                (Ok(_), Some(Ok(()))) => return Ok(outcome),
                (Err(error), _) | (_, Some(Err(error))) if is_interrupt(&error) => {
                    return Ok(Outcome::Interrupted);
                }
                (Err(error), _) | (_, Some(Err(error))) => return Err(error),
            }
        }
    }

    /// Writes the answers to a batch; returns whether all agreed. If one of the positions cannot
    /// be decided, those before it are answered, and the error names its line.
    async fn batch(&mut self, batch: &Batch<G>) -> anyhow::Result<bool> {
        let agreed = self.write(batch).await;
        self.out.flush()?;
        match (agreed, batch) {
            (Err(error), [(line, _)]) if is_of_a_position(&error) => {
                Err(error.context(on_line(*line)))
            }
            (Err(error), _) if is_of_a_position(&error) => {
                let mut agreed = true;
                for one in batch.chunks(1) {
                    agreed &= Box::pin(self.batch(one)).await?;
                }
                Ok(agreed)
            }
            (agreed, _) => agreed,
        }
    }

    async fn write(&mut self, batch: &Batch<G>) -> anyhow::Result<bool> {
        let positions: Vec<G::Position> = batch.iter().map(|(_, p)| p.clone()).collect();
        match self.what {
            What::All(controller) => {
                for (line, position) in batch {
                    // Lets a signal through.
                    tokio::task::yield_now().await;
                    self.run.check()?;
                    let all = G::all(controller, position).with_context(|| on_line(*line))?;
                    write(&mut self.out, &all)?;
                }
                Ok(true)
            }
            What::Decisions => {
                let asked = self.session.ask(&positions);
                let rows = self.run.wait("deciding", asked).await?;
                self.write_answers(batch, &rows)
            }
            What::Traces { json } => {
                let asked = self.session.trace(&positions);
                let rows = self.run.wait("deciding", asked).await?;
                let backends = self.session.identities();
                let out = &mut self.out;
                Ok(trace::write_traces(batch, &rows, &backends, json, out)?)
            }
        }
    }

    /// Writes the first backend's answers to a batch; returns whether all agreed.
    fn write_answers(&mut self, batch: &Batch<G>, rows: &[Answers<G>]) -> anyhow::Result<bool> {
        let mut agreed = true;
        for ((number, position), row) in batch.iter().zip(rows) {
            let Some(first) = row.answers.first() else {
                continue;
            };
            write(&mut self.out, &G::answer(position, first))?;
            let mismatches = row.mismatches();
            if !mismatches.is_empty() {
                agreed = false;
                self.divergences.take(&Event::Decided(Round {
                    game: 1,
                    step: *number,
                    line: None,
                    position: position.clone(),
                    recorded: None,
                    asked: row.asked.clone(),
                    answers: row.answers.clone(),
                    took: Vec::new(),
                    mismatches,
                    score: None,
                    outcome: None,
                }))?;
            }
        }
        Ok(agreed)
    }
}

/// Whether the position, and not the backend, is the cause of an error.
fn is_of_a_position(error: &anyhow::Error) -> bool {
    use BackendErrorKind::{Position, Refused};
    match error.downcast_ref() {
        Some(SessionError::Backend(error)) => matches!(error.kind, Position(_) | Refused { .. }),
        _ => false,
    }
}

fn on_line(line: u64) -> String {
    format!("standard input, line {line}")
}

fn divergences(quiet: bool) -> Box<dyn Write + Send> {
    if quiet {
        Box::new(io::sink())
    } else {
        Box::new(anstream::stderr())
    }
}

fn write(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
