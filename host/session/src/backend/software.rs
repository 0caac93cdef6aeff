//! Software in this process as a backend: a golden model or an engine, on a thread of its own.
//!
//! The thread keeps the decider when a future is dropped: the rest of an abandoned request is
//! skipped after the present position.

use std::pin::pin;
use std::sync::mpsc;
use std::thread;

use futures::future::{BoxFuture, FutureExt as _};
use lockstep_games::{
    BoxError, Decider, Game, Golden, GoldenModel, Implementation, Played, Progress, Run, SelfPlay,
    Sums, Trace, Unsupported, Watch, Wish,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::open::{BackendFactory, Open, Spec, Target};
use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind, Observer};

/// Makes an implementation by the options of a name.
pub type Make<G> = fn(&Spec) -> Result<Box<dyn Implementation<G>>, BoxError>;

/// Opens the golden model, as `software`.
pub fn golden<G: Golden>() -> BackendFactory<G> {
    let make: Make<G> = |_| Ok(Box::new(GoldenModel::default()));
    BackendFactory {
        about: "the golden model",
        ..factory("software", Kind::Golden, make)
    }
}

/// Opens a fast engine, as `engine`.
pub fn engine<G: Game>(
    about: &'static str,
    options: &'static [(&'static str, &'static str)],
    make: Make<G>,
) -> BackendFactory<G> {
    BackendFactory {
        about,
        options,
        ..factory("engine", Kind::Engine, make)
    }
}

fn factory<G: Game>(name: &'static str, kind: Kind, make: Make<G>) -> BackendFactory<G> {
    let can_play = move |controller: &G::Controller, board| {
        make(&Spec::of(name, name)).is_ok_and(|implementation| {
            let capabilities = implementation.capabilities(Some(controller));
            capabilities.boards.contain(board) && implementation.decider(controller).is_ok()
        })
    };
    let read = move |spec: &Spec| {
        let spec = spec.clone();
        let open = async move {
            let name = spec.to_string();
            let implementation = make(&spec)
                .map_err(|why| BackendErrorKind::Unavailable(why.to_string()).of(&name))?;
            let software = Software::new(&name, kind, implementation)?;
            Ok(Box::new(software) as Box<dyn Backend<G>>)
        };
        Ok(Box::new(|_| open.boxed()) as Open<G>)
    };
    BackendFactory {
        name,
        kind,
        about: "",
        target: Target::None,
        options: &[],
        absent: None,
        can_play: Box::new(can_play),
        read: Box::new(read),
    }
}

/// Takes the answers to a request.
type Reply<T> = oneshot::Sender<Result<Vec<T>, BoxError>>;

enum Command<G: Game> {
    Use(Box<dyn Decider<G>>),
    Decide(Vec<G::Position>, Observer<G>, Reply<Answer<G>>),
    /// `None` where it reports no candidates.
    Trace(Vec<G::Position>, Reply<Option<Trace<G>>>),
    /// `None` where it does not play so.
    Play(Vec<Run<G>>, Reply<Option<Played<G>>>),
    /// The same; checkpoints go where the index of their run goes with them.
    SelfPlay(
        Vec<SelfPlay<G>>,
        UnboundedSender<(usize, Sums<G>)>,
        Reply<Option<Sums<G>>>,
    ),
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

    /// All answers; an error if the decider does not support the request.
    fn all<T>(
        &self,
        answers: Vec<Option<T>>,
        unsupported: Unsupported,
    ) -> Result<Vec<T>, BackendError> {
        let answers: Option<_> = answers.into_iter().collect();
        answers.ok_or_else(|| BackendErrorKind::Unable(unsupported).of(&self.identity.name))
    }

    /// Asks the thread and waits for its reply.
    async fn ask<T>(
        &self,
        command: impl FnOnce(Reply<T>) -> Command<G>,
    ) -> Result<Vec<T>, BackendError> {
        let name = &self.identity.name;
        if !self.configured {
            return Err(BackendErrorKind::NotConfigured.of(name));
        }
        let (reply, answers) = oneshot::channel();
        self.send(command(reply))?;
        let answers = answers.await.map_err(|_| BackendErrorKind::Died.of(name))?;
        answers.map_err(|why| BackendErrorKind::Position(why).of(name))
    }
}

/// Serves commands until the backend is dropped.
fn work<G: Game>(queue: &mpsc::Receiver<Command<G>>) {
    let mut decider: Option<Box<dyn Decider<G>>> = None;
    while let Ok(command) = queue.recv() {
        match (command, &mut decider) {
            (Command::Use(other), _) => decider = Some(other),
            (Command::Decide(positions, observer, reply), Some(decider)) => {
                each(&positions, reply, |index, position, reply| {
                    let mut watch = Watching {
                        index,
                        observer: &observer,
                        reply,
                    };
                    let found = decider.search(position, &mut watch)?;
                    Ok(found.map(|found| Answer {
                        notes: found.notes,
                        ..Answer::plain(found.decision)
                    }))
                });
            }
            (Command::Trace(positions, reply), Some(decider)) => {
                each(&positions, reply, |_, position, _| {
                    decider.trace(position).map(Some)
                });
            }
            (Command::Play(runs, reply), Some(decider)) => {
                each(&runs, reply, |_, run, _| decider.play(run).map(Some));
            }
            (Command::SelfPlay(runs, told, reply), Some(decider)) => {
                each(&runs, reply, |index, run, _| {
                    // Once nobody listens any more it need not go on.
                    let mut tell = |sums| told.send((index, sums)).is_ok();
                    decider.self_play(run, &mut tell).map(Some)
                });
            }
            (_, None) => {}
        }
    }
}

/// Watches a search for the future that waits for it.
struct Watching<'a, G: Game> {
    /// Index of its position.
    index: usize,
    observer: &'a Observer<G>,
    reply: &'a Reply<Answer<G>>,
}

impl<G: Game> Watch<G> for Watching<'_, G> {
    fn progress(&mut self, progress: Progress<G>) {
        self.observer.progress(self.index, progress);
    }

    fn wish(&self) -> Wish {
        match (self.reply.is_closed(), self.observer.finish().requested()) {
            (true, _) => Wish::Forget,
            (false, true) => Wish::Finish,
            (false, false) => Wish::GoOn,
        }
    }
}

/// Replies with an answer to each position, and stops once nobody waits for it. `answer` takes the
/// index, too, and returns `None` when it stopped half way for that reason.
fn each<P, T>(
    positions: &[P],
    reply: Reply<T>,
    mut answer: impl FnMut(usize, &P, &Reply<T>) -> Result<Option<T>, BoxError>,
) {
    let mut answers = Vec::with_capacity(positions.len());
    for (index, position) in positions.iter().enumerate() {
        if reply.is_closed() {
            return;
        }
        match answer(index, position, &reply) {
            Ok(Some(found)) => answers.push(found),
            Ok(None) => return,
            Err(why) => {
                let _ = reply.send(Err(why));
                return;
            }
        }
    }
    // Nobody may wait any more: the future was dropped meanwhile.
    let _ = reply.send(Ok(answers));
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

    fn search<'a>(
        &'a mut self,
        positions: &'a [G::Position],
        observer: Observer<G>,
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>> {
        async move {
            self.ask(|reply| Command::Decide(positions.to_vec(), observer, reply))
                .await
        }
        .boxed()
    }

    fn trace<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Trace<G>>, BackendError>> {
        let traces = self.ask(|reply| Command::Trace(positions.to_vec(), reply));
        traces
            .map(|traces| self.all(traces?, Unsupported::Trace))
            .boxed()
    }

    fn play<'a>(
        &'a mut self,
        runs: &'a [Run<G>],
    ) -> BoxFuture<'a, Result<Vec<Played<G>>, BackendError>> {
        let played = self.ask(|reply| Command::Play(runs.to_vec(), reply));
        played
            .map(|played| self.all(played?, Unsupported::Batch))
            .boxed()
    }

    fn self_play<'a>(
        &'a mut self,
        runs: &'a [SelfPlay<G>],
        tell: &'a mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> BoxFuture<'a, Result<Vec<Sums<G>>, BackendError>> {
        async move {
            let (told, mut checkpoints) = unbounded_channel();
            let played = self.ask(|reply| Command::SelfPlay(runs.to_vec(), told, reply));
            let mut played = pin!(played);
            let ends = loop {
                tokio::select! {
                    biased;
                    Some((run, sums)) = checkpoints.recv() => tell(run, sums),
                    ends = &mut played => break ends?,
                }
            };
            // Checkpoints right before the end.
            while let Ok((run, sums)) = checkpoints.try_recv() {
                tell(run, sums);
            }
            self.all(ends, Unsupported::SelfPlay)
        }
        .boxed()
    }
}
