//! `lockstep gomocup`

use std::collections::VecDeque;
use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use lockstep::backend::Observer;
use lockstep::{Session, SessionError, Spec, Stop};
use lockstep_backends::gomoku::brain::{Brain, Step};
use lockstep_games::gomoku::{Controller, Decision, Gomoku, Position};
use tokio::sync::mpsc::{Receiver, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use crate::games::options::{ControllerArgs, GameName};
use crate::input::lines::lines;
use crate::output::failure::is_interrupt;
use crate::output::{Outcome, plain};
use crate::run::wait::Run;
use crate::session::backends::{backend, configure, open};
use crate::version;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep gomocup
  lockstep gomocup --backend serial:auto --controller lines:6")]
pub struct Args {
    /// The backend that decides
    #[arg(long, value_name = "BACKEND", value_parser = backend::<Gomoku>, default_value = "engine")]
    backend: Spec,
    #[command(flatten)]
    controller: ControllerArgs<Gomoku>,
    #[command(flatten)]
    game: GameName<Gomoku>,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = args.controller.load()?;
    let run = Run::start(quiet);
    let backends = open::<Gomoku>(std::slice::from_ref(&args.backend), &run).await?;
    let mut session = Session::new(backends, run.stop.clone());
    configure(&mut session, &controller, &run).await?;
    let version = version::SHORT;
    let about = format!(
        "name=\"Lockstep {}\", version=\"{version}\", author=\"the authors of Lockstep\", \
         country=\"\"",
        args.backend.to_string().replace('"', "'")
    );
    let talk = Talk {
        brain: Brain::new(about),
        depth: controller.depth,
        controller,
        session,
        input: lines(),
        waiting: VecDeque::new(),
        stop: run.stop.clone(),
        out: plain(),
    };
    match talk.all().await {
        Ok(()) => Ok(Outcome::Agreed),
        Err(error) if is_interrupt(&error) => Ok(Outcome::Interrupted),
        Err(error) => Err(error),
    }
}

/// Time that a backend gets to end a search with its best move so far. A core has none before it has
/// completed the first point; it is then asked again, at depth 1.
const GRACE: Duration = Duration::from_millis(20);
/// Time limit of a search without one: 30 years.
const LONGEST: Duration = Duration::from_secs(1 << 30);

enum Found {
    Decision(Decision),
    Late,
    /// The manager ended the conversation.
    End,
}

struct Talk<W> {
    brain: Brain,
    session: Session<Gomoku>,
    controller: Controller,
    /// Depth that the user chose.
    depth: u8,
    input: Receiver<io::Result<Vec<u8>>>,
    /// Lines that came during a search.
    waiting: VecDeque<String>,
    stop: Stop,
    out: W,
}

impl<W: Write> Talk<W> {
    /// Answers lines until END or the end of the input.
    async fn all(mut self) -> anyhow::Result<()> {
        loop {
            let line = match self.waiting.pop_front() {
                Some(line) => Some(line),
                None => tokio::select! {
                    biased;
                    () = self.stop.wait() => return Err(SessionError::Interrupted.into()),
                    line = self.input.recv() => text(line)?,
                },
            };
            let Some(line) = line else {
                return Ok(());
            };
            match self.brain.line(&line) {
                Step::Nothing | Step::Finish => {}
                Step::Reply(text) => self.tell(&text)?,
                Step::End => return Ok(()),
                Step::Decide(position) => match self.decide(&position).await {
                    Ok(Some(text)) => self.tell(&text)?,
                    Ok(None) => return Ok(()),
                    Err(error) => {
                        // The manager learns why the program ends.
                        self.tell(&format!("ERROR {error:#}").replace('\n', " "))?;
                        return Err(error);
                    }
                },
            }
        }
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Decides a position and plays the decision; `None` if the manager ends the conversation
    /// meanwhile.
    async fn decide(&mut self, position: &Position) -> anyhow::Result<Option<String>> {
        let until = self.brain.time().map(|time| Instant::now() + time);
        let most = self.brain.depth().unwrap_or(u64::MAX);
        self.set_depth(most.min(self.depth.into())).await?;
        let mut found = self.search(position, until).await?;
        if let Found::Late = found {
            self.set_depth(1).await?;
            found = self.search(position, None).await?;
        }
        let Found::Decision(decision) = found else {
            return Ok(None);
        };
        let answered = self.brain.answer(&decision);
        let answered = answered.map_err(|why| anyhow!("the backend's decision: {why}"));
        answered.map(Some)
    }

    async fn set_depth(&mut self, depth: u64) -> anyhow::Result<()> {
        if u64::from(self.controller.depth) != depth {
            self.controller = self.controller.clone().with_depth(depth)?;
            self.session.configure(&self.controller).await?;
        }
        Ok(())
    }

    /// Searches until `until`, but no longer than the manager allows.
    async fn search(
        &mut self,
        position: &Position,
        until: Option<Instant>,
    ) -> anyhow::Result<Found> {
        let (stopper, finish) = Stop::new();
        // Progress is not reported.
        let (reports, _) = unbounded_channel();
        let mut backends = self.session.identities().into_iter();
        let can_finish = backends.any(|backend| backend.capabilities.search);
        let positions = std::slice::from_ref(position);
        let mut search = pin!(
            self.session
                .search(positions, Observer::new(reports, finish))
        );
        let mut timer = pin!(sleep_until(until.unwrap_or(Instant::now() + LONGEST)));
        let mut is_up = false;
        loop {
            tokio::select! {
                biased;
                answered = &mut search => {
                    let answer = answered?.pop().and_then(|row| row.answers.into_iter().next());
                    let answer = answer.context("the backend gave no answer")?;
                    return Ok(Found::Decision(answer.decision));
                }
                () = &mut timer, if can_finish => {
                    if is_up {
                        return Ok(Found::Late);
                    }
                    is_up = true;
                    stopper.stop();
                    timer.as_mut().reset(Instant::now() + GRACE);
                }
                line = self.input.recv() => {
                    let Some(line) = text(line)? else {
                        return Ok(Found::End);
                    };
                    match line.trim().to_ascii_uppercase().as_str() {
                        "END" => return Ok(Found::End),
                        "YXSTOP" if !is_up => timer.as_mut().reset(Instant::now()),
                        _ => self.waiting.push_back(line),
                    }
                }
            }
        }
    }
}

/// A line as text; `None` at the end of the input.
fn text(line: Option<io::Result<Vec<u8>>>) -> io::Result<Option<String>> {
    let line = line.transpose()?;
    Ok(line.map(|line| String::from_utf8_lossy(&line).into_owned()))
}
