//! A program in any language as a backend: it reads positions from its standard input and writes
//! decisions to its standard output, as the JSON lines of `lockstep decide`.
//!
//! The program is started when the controller is set, and is killed with the backend. A request that
//! is dropped or fails kills it as well, so that no late answer is taken for the next one; the next
//! request starts it again. A game may have programs with a [`Dialect`] of their own.

mod process;

use std::time::Duration;

use async_trait::async_trait;
use futures::future::{FutureExt as _, ready};
use lockstep_games::{BoxError, Capabilities, Game, Golden};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::open::{BackendFactory, Open, Spec, SpecError, Target};
use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind, Observer};
use crate::record::reason;
use process::{Command, Process};

pub use process::quoted;

/// Time limit of an answer unless another is named.
const LIMIT: Duration = Duration::from_secs(60);
/// Shortest time limit that can be named.
const SHORTEST: Duration = Duration::from_millis(1);

/// The lines that a program reads and writes.
pub trait Dialect<G: Game>: Send + Sync {
    /// The text sent when the program starts, and before a position that [`Self::begins`].
    fn greeting(&self) -> Option<Vec<u8>> {
        None
    }

    /// Whether a line accepts the greeting or refuses it; `None` if the line is a remark.
    fn greeted(&self, _line: &[u8]) -> Option<Result<(), String>> {
        None
    }

    /// Whether the program must be greeted again before a position.
    fn begins(&self, _position: &G::Position) -> bool {
        false
    }

    /// The text of a position.
    ///
    /// # Errors
    /// When the position cannot be written.
    fn request(&self, position: &G::Position) -> Result<Vec<u8>, BoxError>;

    /// The decision in a line, or why it is none; `None` if the line is a remark.
    fn answer(&self, position: &G::Position, line: &[u8]) -> Option<Result<G::Decision, String>>;
}

/// The lines of `lockstep decide`.
struct Json;

impl<G: Game> Dialect<G> for Json {
    fn request(&self, position: &G::Position) -> Result<Vec<u8>, BoxError> {
        let mut line = to_json(position).map_err(|why| reason(&why))?;
        line.push(b'\n');
        Ok(line)
    }

    fn answer(&self, _: &G::Position, line: &[u8]) -> Option<Result<G::Decision, String>> {
        Some(read(line))
    }
}

/// A program that decides.
pub struct Exec<G: Game> {
    identity: Identity,
    dialect: Box<dyn Dialect<G>>,
    command: Command,
    /// JSON of its controller, once it has one.
    controller: Option<String>,
    /// `None` while an answer is awaited, so that dropping that future kills the program.
    process: Option<Process>,
}

impl<G: Golden> Exec<G> {
    fn new(name: String, command: Command, dialect: Box<dyn Dialect<G>>) -> Self {
        let seconds = command.limit.as_secs_f64();
        Self {
            identity: Identity {
                name: name.into(),
                kind: Kind::Program,
                description: format!("a program, {seconds} s an answer").into(),
                capabilities: capabilities::<G>(None),
                core: None,
            },
            dialect,
            command,
            controller: None,
            process: None,
        }
    }

    async fn start(&self, controller: &str) -> Result<Process, String> {
        let context = [
            ("LOCKSTEP_GAME", G::NAME),
            ("LOCKSTEP_CONTROLLER", controller),
        ];
        let mut process = Process::start(&self.identity.name, &self.command, context)?;
        match self.greet(&mut process).await {
            Ok(()) => Ok(process),
            Err(why) => {
                process.kill().await;
                Err(why)
            }
        }
    }

    async fn greet(&self, process: &mut Process) -> Result<(), String> {
        let Some(text) = self.dialect.greeting() else {
            return Ok(());
        };
        let limit = self.command.limit.max(LIMIT);
        let greeted = |line: &[u8]| self.dialect.greeted(line);
        let asked = process.ask(&text, limit, greeted).await;
        asked.map_err(|why| format!("at its start: {why}"))?
    }

    /// Sends a position to the program and returns its decision.
    async fn ask(
        &self,
        process: &mut Process,
        position: &G::Position,
    ) -> Result<G::Decision, BackendErrorKind> {
        if self.dialect.begins(position) {
            let greeted = self.greet(process).await;
            greeted.map_err(BackendErrorKind::Failed)?;
        }
        let text = self.dialect.request(position);
        let text = text.map_err(BackendErrorKind::Position)?;
        let answer = |line: &[u8]| self.dialect.answer(position, line);
        let asked = process.ask(&text, self.command.limit, answer).await;
        asked.flatten().map_err(BackendErrorKind::Failed)
    }
}

/// The capabilities of a program: the positions that the golden model can decide.
fn capabilities<G: Golden>(controller: Option<&G::Controller>) -> Capabilities {
    let golden = G::capabilities(controller);
    Capabilities {
        known_next: golden.known_next,
        averaged_next: golden.averaged_next,
        ..Capabilities::plain(golden.boards)
    }
}

/// The JSON of a position; an error if it cannot be read back.
fn to_json<P: Serialize + DeserializeOwned>(position: &P) -> serde_json::Result<Vec<u8>> {
    let line = serde_json::to_vec(position)?;
    serde_json::from_slice::<P>(&line)?;
    Ok(line)
}

/// Reads a decision; a line of `decide` whose `legal` is false has none, which is `null`.
fn read<D: DeserializeOwned>(line: &[u8]) -> Result<D, String> {
    let parsed = serde_json::from_slice::<Value>(line).and_then(|value| {
        let none = value.get("legal") == Some(&Value::Bool(false));
        serde_json::from_value(if none { Value::Null } else { value })
    });
    parsed.map_err(|why| {
        format!(
            "the program wrote {}, which is not a decision: {}. It must answer every position with \
             one line as `lockstep decide` writes it, and write anything else to standard error",
            quoted(line),
            reason(&why)
        )
    })
}

#[async_trait]
impl<G: Golden> Backend<G> for Exec<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Starts the program anew, also with the same controller: a case begins at power-up.
    async fn configure(&mut self, controller: &G::Controller) -> Result<(), BackendError> {
        self.process = None;
        let text = serde_json::to_string(controller);
        let text =
            text.map_err(|why| BackendErrorKind::Unplayable(why.into()).of(&self.identity.name))?;
        let process = self.start(&text).await;
        let fail = |why| BackendErrorKind::Failed(why).of(&self.identity.name);
        self.process = Some(process.map_err(fail)?);
        self.identity.capabilities = capabilities::<G>(Some(controller));
        self.controller = Some(text);
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[G::Position],
        _observer: Observer<G>,
    ) -> Result<Vec<Answer<G>>, BackendError> {
        let fail = |why| BackendErrorKind::Failed(why).of(&self.identity.name);
        let controller = self.controller.as_deref();
        let controller =
            controller.ok_or_else(|| BackendErrorKind::NotConfigured.of(&self.identity.name))?;
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start(controller).await.map_err(fail)?,
        };
        let mut answers = Vec::with_capacity(positions.len());
        for position in positions {
            match self.ask(&mut process, position).await {
                Ok(decision) => answers.push(Answer::plain(decision)),
                Err(why) => {
                    if let BackendErrorKind::Failed(_) = why {
                        process.kill().await;
                    } else {
                        self.process = Some(process);
                    }
                    return Err(why.of(&self.identity.name));
                }
            }
        }
        self.process = Some(process);
        Ok(answers)
    }
}

/// Parses the command, split into words as a POSIX shell does, and its time limit.
fn command(spec: &Spec, factory: &'static str, usual: Duration) -> Result<Command, SpecError> {
    let target = spec.target();
    let words = shlex::split(target);
    let words = words.ok_or_else(|| {
        SpecError::Invalid(format!("{factory}: a quote is not closed in {target}"))
    })?;
    let mut words = words.into_iter();
    let none = || SpecError::Invalid(format!("{factory} needs a command: {factory}:COMMAND"));
    Ok(Command {
        factory,
        program: words.next().ok_or_else(none)?,
        arguments: words.collect(),
        limit: limit(spec, usual)?,
    })
}

/// Parses the time limit of an answer, which is `usual` unless named.
///
/// # Errors
/// When it is not a time.
pub fn limit(spec: &Spec, usual: Duration) -> Result<Duration, SpecError> {
    let Some(value) = spec.option(TIMEOUT.0) else {
        return Ok(usual);
    };
    let seconds = value.parse().ok();
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let limit = limit.filter(|limit| *limit >= SHORTEST);
    limit.ok_or_else(|| SpecError::value(TIMEOUT.0, value, "more than 0 seconds, such as 5 or 0.5"))
}

/// The option of the time limit of an answer.
pub const TIMEOUT: (&str, &str) = ("timeout", "limits an answer to … seconds");

/// Opens programs, as `exec:COMMAND`.
pub fn exec<G: Golden>() -> BackendFactory<G> {
    let about = "a program of your own that answers JSON lines";
    programs("exec", about, LIMIT, |_| Box::new(Json))
}

/// Opens programs with a dialect, which gets the time limit of an answer: `usual` unless named.
pub fn programs<G: Golden>(
    name: &'static str,
    about: &'static str,
    usual: Duration,
    dialect: fn(Duration) -> Box<dyn Dialect<G>>,
) -> BackendFactory<G> {
    let read = move |spec: &Spec| {
        let command = command(spec, name, usual)?;
        let dialect = dialect(command.limit);
        let exec = Exec::<G>::new(spec.to_string(), command, dialect);
        let open = ready(Ok(Box::new(exec) as Box<dyn Backend<G>>));
        Ok(Box::new(|_| open.boxed()) as Open<G>)
    };
    BackendFactory {
        name,
        kind: Kind::Program,
        about,
        target: Target::Rest("COMMAND"),
        options: &[TIMEOUT],
        absent: None,
        can_play: Box::new(|controller, board| {
            capabilities::<G>(Some(controller)).boards.contain(board)
        }),
        read: Box::new(read),
    }
}
