//! A program in any language as a backend: it reads positions from its standard input and writes
//! decisions to its standard output, as the JSON lines of `lockstep decide`.
//!
//! The program is started when the controller is set, and is killed with the backend. A request that
//! is dropped or fails kills it as well, so that no late answer is taken for the next one; the next
//! request starts it again.

mod process;

use std::marker::PhantomData;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::{FutureExt as _, ready};
use lockstep_games::{Capabilities, Game, Golden};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::open::{BackendFactory, Open, Spec, SpecError, Target};
use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind, Observer};
use crate::record::reason;
use process::{Command, Process, quoted};

/// Time limit of an answer unless another is named.
const LIMIT: Duration = Duration::from_secs(60);
/// Shortest time limit that can be named.
const SHORTEST: Duration = Duration::from_millis(1);

/// A program that decides.
pub struct Exec<G: Game> {
    identity: Identity,
    command: Command,
    /// JSON of its controller, once it has one.
    controller: Option<String>,
    /// `None` while an answer is awaited, so that dropping that future kills the program.
    process: Option<Process>,
    game: PhantomData<G>,
}

impl<G: Golden> Exec<G> {
    fn new(name: String, command: Command) -> Self {
        let seconds = command.limit.as_secs_f64();
        Self {
            identity: Identity {
                name: name.into(),
                kind: Kind::Program,
                description: format!("a program, {seconds} s an answer").into(),
                capabilities: capabilities::<G>(None),
                core: None,
            },
            command,
            controller: None,
            process: None,
            game: PhantomData,
        }
    }

    fn start(&self, controller: &str) -> Result<Process, String> {
        let context = [
            ("LOCKSTEP_GAME", G::NAME),
            ("LOCKSTEP_CONTROLLER", controller),
        ];
        Process::start(&self.identity.name, &self.command, context)
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
        let process = self.start(&text);
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
            None => self.start(controller).map_err(fail)?,
        };
        let mut answers = Vec::with_capacity(positions.len());
        for position in positions {
            let line = to_json(position).map_err(|why| {
                BackendErrorKind::Position(reason(&why).into()).of(&self.identity.name)
            })?;
            let reply = process.ask(line).await;
            match reply.and_then(|line| read(&line)) {
                Ok(decision) => answers.push(Answer::plain(decision)),
                Err(why) => {
                    process.kill().await;
                    return Err(fail(why));
                }
            }
        }
        self.process = Some(process);
        Ok(answers)
    }
}

/// Parses the command, split into words as a POSIX shell does, and its time limit.
fn command(spec: &Spec) -> Result<Command, SpecError> {
    let target = spec.target();
    let words = shlex::split(target);
    let words = words
        .ok_or_else(|| SpecError::Invalid(format!("exec: a quote is not closed in {target}")))?;
    let mut words = words.into_iter();
    let none = || SpecError::Invalid("exec needs a command: exec:COMMAND".into());
    Ok(Command {
        program: words.next().ok_or_else(none)?,
        arguments: words.collect(),
        limit: limit(spec)?,
    })
}

/// Parses the time limit of an answer.
fn limit(spec: &Spec) -> Result<Duration, SpecError> {
    let Some(value) = spec.option(TIMEOUT) else {
        return Ok(LIMIT);
    };
    let seconds = value.parse().ok();
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let limit = limit.filter(|limit| *limit >= SHORTEST);
    limit.ok_or_else(|| SpecError::value(TIMEOUT, value, "more than 0 seconds, such as 5 or 0.5"))
}

const TIMEOUT: &str = "timeout";

/// Opens programs, as `exec:COMMAND`.
pub fn exec<G: Golden>() -> BackendFactory<G> {
    let read = |spec: &Spec| {
        let exec = Exec::<G>::new(spec.to_string(), command(spec)?);
        let open = ready(Ok(Box::new(exec) as Box<dyn Backend<G>>));
        Ok(Box::new(|_| open.boxed()) as Open<G>)
    };
    BackendFactory {
        name: "exec",
        kind: Kind::Program,
        about: "a program of your own that answers JSON lines",
        target: Target::Rest("COMMAND"),
        options: &[(TIMEOUT, "limits an answer to … seconds")],
        absent: None,
        can_play: Box::new(|controller, board| {
            capabilities::<G>(Some(controller)).boards.contain(board)
        }),
        read: Box::new(read),
    }
}
