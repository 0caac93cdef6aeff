//! `lockstep decide`

mod trace;

use std::io::{self, BufRead as _, Read as _, Write};
use std::thread;

use anyhow::{Context as _, anyhow, bail};
use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::record::reason;
use lockstep::session::{Answers, SessionError};
use lockstep::{Event, Identity, Round, Session, Sink as _, Spec, Stop};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;

use super::Outcome;
use super::backends::{backend, configure, header, open};
use super::interrupt::listen;
use super::options::{GameName, of_other};
use super::output::plain;
use super::wait::wait;
use crate::failure::is_interrupt;
use crate::games::{ChooseController as _, CliGame};
use crate::views::terminal::Terminal;
use crate::views::width;

#[derive(clap::Args)]
pub struct Args<G: CliGame> {
    /// The backend; with several, their answers are compared and the first one's are written
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>, default_values = ["software"])]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: G::ControllerArgs,
    #[arg(long, help = all_help::<G>())]
    all: bool,
    #[arg(long, conflicts_with = "all", help = trace_help::<G>())]
    trace: bool,
    /// With --trace: one line of JSON for each position instead of text
    #[arg(long, requires = "trace")]
    json: bool,
    #[command(flatten)]
    game: GameName<G>,
}

fn all_help<G: CliGame>() -> String {
    let one = G::CANDIDATE.one;
    format!("Write the golden model's candidates, each {one} with its fields (software only)")
}

fn trace_help<G: CliGame>() -> String {
    let one = G::CANDIDATE.one;
    format!(
        "Write every {one} with its fields, as the backend computes them; with several \
         backends, also the first {one} that differs"
    )
}

/// The output for a position.
enum What<'a, G: CliGame> {
    Decisions,
    /// All candidates of this controller.
    All(&'a G::Controller),
    Traces {
        json: bool,
    },
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
    let stop = listen();
    let backends = open(&args.backends, quiet, &stop).await?;
    let mut session = Session::new(backends, stop.clone());
    configure(&mut session, &controller, quiet, &stop).await?;
    let mut shown = Terminal::new(divergences(quiet), width(), false, None);
    // Tells the names of the backends; the positions are not known beforehand.
    let header = header(&session, controller.clone(), None, None);
    if args.backends.len() > 1 {
        shown.take(&Event::<G>::Started(header))?;
    }

    let mut input = Input::new(stop, session.identities(), session.batch());
    let what = match (args.trace, args.all) {
        (true, _) => What::Traces { json: args.json },
        (_, true) => What::All(&controller),
        _ => What::Decisions,
    };
    let answered = answer(&mut session, &mut input, &what, quiet, &mut shown).await;
    shown.take(&Event::<G>::Ended {
        interrupted: matches!(answered, Ok(Outcome::Interrupted)),
        error: answered.as_ref().err().map(ToString::to_string),
        links: session.links(),
    })?;
    answered
}

/// Answers positions until there are no more.
async fn answer<G: CliGame>(
    session: &mut Session<G>,
    input: &mut Input,
    what: &What<'_, G>,
    quiet: bool,
    shown: &mut Terminal<Box<dyn Write>>,
) -> anyhow::Result<Outcome> {
    let mut out = plain();
    let mut outcome = Outcome::Agreed;
    let stop = input.stop.clone();
    loop {
        let (batch, end) = input.positions::<G>().await;
        let mut to = Shown {
            quiet,
            stop: &stop,
            out: &mut out,
            divergences: shown,
        };
        match to.answers(session, what, &batch).await {
            Ok(true) => {}
            Ok(false) => outcome = Outcome::Diverged,
            Err(error) if is_interrupt(&error) => return Ok(Outcome::Interrupted),
            Err(error) => return Err(error),
        }
        match end {
            None => {}
            Some(End::Input) => return Ok(outcome),
            Some(End::Interrupted) => return Ok(Outcome::Interrupted),
            Some(End::Broken(error)) => return Err(error),
        }
    }
}

/// Whether a backend failed because of what it was asked.
fn is_of_a_position(error: &anyhow::Error) -> bool {
    let Some(SessionError::Backend(error)) = error.downcast_ref() else {
        return false;
    };
    use BackendErrorKind::{Position, Refused};
    matches!(error.kind, Position(_) | Refused { .. })
}

/// Where answers go.
struct Shown<'a, W> {
    quiet: bool,
    stop: &'a Stop,
    out: &'a mut W,
    divergences: &'a mut Terminal<Box<dyn Write>>,
}

impl<W: Write> Shown<'_, W> {
    /// Writes the answers to a batch; whether all agreed. Where one of the positions cannot be
    /// decided, those before it are answered, and the error names its line.
    async fn answers<G: CliGame>(
        &mut self,
        session: &mut Session<G>,
        what: &What<'_, G>,
        batch: &[(u64, G::Position)],
    ) -> anyhow::Result<bool> {
        let agreed = self.written(session, what, batch).await;
        self.out.flush()?;
        match agreed {
            Err(error) if is_of_a_position(&error) => match batch {
                [(line, _)] => Err(error.context(on_line(*line))),
                _ => {
                    let mut agreed = true;
                    for one in batch.chunks(1) {
                        agreed &= Box::pin(self.answers(session, what, one)).await?;
                    }
                    Ok(agreed)
                }
            },
            agreed => agreed,
        }
    }

    async fn written<G: CliGame>(
        &mut self,
        session: &mut Session<G>,
        what: &What<'_, G>,
        batch: &[(u64, G::Position)],
    ) -> anyhow::Result<bool> {
        let positions: Vec<G::Position> = batch.iter().map(|(_, p)| p.clone()).collect();
        match what {
            What::All(controller) => list::<G>(batch, controller, self.stop, self.out).await,
            What::Decisions => {
                let asked = session.ask(&positions);
                let rows = wait("deciding", self.quiet, self.stop, asked).await?;
                tell(batch, &rows, self.out, self.divergences)
            }
            What::Traces { json } => {
                let asked = session.trace(&positions);
                let rows = wait("deciding", self.quiet, self.stop, asked).await?;
                let backends = session.identities();
                Ok(trace::tell(batch, &rows, &backends, *json, self.out)?)
            }
        }
    }
}

fn on_line(line: u64) -> String {
    format!("standard input, line {line}")
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
    async fn positions<G: CliGame>(&mut self) -> (Vec<(u64, G::Position)>, Option<End>) {
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
            match self.parse::<G>(line) {
                Ok(Some(position)) => batch.push((self.line, position)),
                Ok(None) => {}
                Err(error) => {
                    let error = error.context(on_line(self.line));
                    return (batch, Some(End::Broken(error)));
                }
            }
        }
        (batch, None)
    }

    /// The position on a line, `None` when it is blank.
    fn parse<G: CliGame>(&self, line: io::Result<Vec<u8>>) -> anyhow::Result<Option<G::Position>> {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let position: G::Position = serde_json::from_slice(&line).map_err(|error| {
            let text = String::from_utf8_lossy(&line);
            if let Some(other) = of_other::<G>(|other| (other.reads)(&text)) {
                return anyhow!("a position of {other}: --game {other} decides it");
            }
            let (expected, why) = (G::POSITION, reason(&error));
            anyhow!("not a position: {why}; expected {expected}")
        })?;
        lockstep::session::check::<G>(&self.backends, &position)?;
        Ok(Some(position))
    }
}

/// Writes the first backend's answers to a batch; whether all agreed.
fn tell<G: CliGame>(
    batch: &[(u64, G::Position)],
    rows: &[Answers<G>],
    out: &mut impl Write,
    shown: &mut Terminal<Box<dyn Write>>,
) -> anyhow::Result<bool> {
    let mut agreed = true;
    for ((number, position), row) in batch.iter().zip(rows) {
        let Some(first) = row.answers.first() else {
            continue;
        };
        write(out, &G::answer(position, first))?;
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

/// Writes all that there is to choose from at a batch of positions.
async fn list<G: CliGame>(
    batch: &[(u64, G::Position)],
    controller: &G::Controller,
    stop: &Stop,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    for (line, position) in batch {
        // Lets the interrupt be heard.
        tokio::task::yield_now().await;
        if stop.requested() {
            return Err(SessionError::Interrupted.into());
        }
        let all = G::all(controller, position).with_context(|| on_line(*line))?;
        write(out, &all)?;
    }
    Ok(true)
}

fn write(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
