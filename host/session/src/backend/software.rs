//! What decides in this process as a backend: a golden model or an engine, on a
//! thread of its own.
//!
//! The thread works while the other backends wait for theirs, and keeps the
//! decider whatever becomes of the future that asked it: an abandoned request is
//! skipped from the next position on.

use std::sync::mpsc;
use std::thread;

use futures::future::{BoxFuture, FutureExt as _};
use lockstep_games::{BoxError, Decider, Game, Implementation};
use protocol::payload::link::Stats;
use tokio::sync::oneshot;

use super::wire::LinkReport;
use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind};

type Decided<G> = Result<Vec<Answer<G>>, BoxError>;

enum Command<G: Game> {
    Use(Box<dyn Decider<G>>),
    Decide(Vec<G::Position>, oneshot::Sender<Decided<G>>),
}

/// An implementation in this process.
pub struct Software<G: Game> {
    identity: Identity,
    implementation: Box<dyn Implementation<G>>,
    commands: mpsc::Sender<Command<G>>,
    configured: bool,
}

impl<G: Game> Software<G> {
    /// An implementation under a name, without a controller.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn new(
        name: &str,
        kind: Kind,
        implementation: Box<dyn Implementation<G>>,
    ) -> Result<Self, BackendError> {
        let (commands, queue) = mpsc::channel();
        let spawned = thread::Builder::new()
            .name(name.into())
            .spawn(move || work(&queue));
        spawned.map_err(|e| {
            BackendErrorKind::Unavailable(format!("no thread for it: {e}")).of(name)
        })?;
        Ok(Self {
            identity: Identity {
                name: name.into(),
                kind,
                description: implementation.description(),
                capabilities: implementation.capabilities(None),
                core: None,
            },
            implementation,
            commands,
            configured: false,
        })
    }

    fn send(&self, command: Command<G>) -> Result<(), BackendError> {
        let sent = self.commands.send(command);
        sent.map_err(|_| BackendErrorKind::Died.of(&self.identity.name))
    }
}

/// Works off commands until the backend is dropped.
fn work<G: Game>(queue: &mpsc::Receiver<Command<G>>) {
    let mut decider = None;
    while let Ok(command) = queue.recv() {
        match command {
            Command::Use(other) => decider = Some(other),
            Command::Decide(positions, reply) => {
                let Some(decider) = &mut decider else {
                    continue;
                };
                let decided = decide(&mut **decider, &positions, &reply);
                // Nobody waits any more: the future was dropped meanwhile.
                let _ = reply.send(decided);
            }
        }
    }
}

fn decide<G: Game>(
    decider: &mut dyn Decider<G>,
    positions: &[G::Position],
    reply: &oneshot::Sender<Decided<G>>,
) -> Decided<G> {
    let mut answers = Vec::with_capacity(positions.len());
    for position in positions {
        if reply.is_closed() {
            break;
        }
        answers.push(Answer {
            decision: decider.decide(position)?,
            cycles: None,
            due: None,
        });
    }
    Ok(answers)
}

impl<G: Game> Backend<G> for Software<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>> {
        async move {
            let decider = self.implementation.decider(controller);
            let decider =
                decider.map_err(|why| BackendErrorKind::Unplayable(why).of(&self.identity.name))?;
            self.send(Command::Use(decider))?;
            self.identity.capabilities = self.implementation.capabilities(Some(controller));
            self.configured = true;
            Ok(())
        }
        .boxed()
    }

    fn decide<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>> {
        async move {
            let name = &self.identity.name;
            if !self.configured {
                return Err(BackendErrorKind::NotConfigured.of(name));
            }
            let (reply, decided) = oneshot::channel();
            self.send(Command::Decide(positions.to_vec(), reply))?;
            let decided = decided.await.map_err(|_| BackendErrorKind::Died.of(name))?;
            decided.map_err(|why| BackendErrorKind::Position(why).of(name))
        }
        .boxed()
    }

    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>> {
        async { Ok(None) }.boxed()
    }

    fn link(&self) -> Option<LinkReport> {
        None
    }
}
