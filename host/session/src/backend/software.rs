//! Software in this process as a backend: a golden model or an engine, on a thread of its own.
//!
//! A dropped future does not stop the thread: it finishes the present position and skips the rest of
//! the request.

use std::pin::pin;
use std::sync::mpsc;
use std::thread;

use async_trait::async_trait;
use futures::future::FutureExt as _;
use lockstep_games::{
    BoxError, Decider, Game, Golden, GoldenModel, Implementation, Run, RunResult, SearchControl,
    SearchProgress, SelfPlay, Sums, Trace, Unsupported, Watch,
};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;

use super::open::{BackendFactory, Open, Spec, Target};
use super::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind, Observer};

/// Makes an implementation from the options of a backend's name.
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
            let implementation =
                make(&spec).map_err(|why| BackendErrorKind::Failed(why.to_string()).of(&name))?;
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

/// Receives the answers to a request.
type Reply<T> = oneshot::Sender<Result<Vec<T>, BackendErrorKind>>;

/// Work for the thread that has the decider.
type Job<G> = Box<dyn FnOnce(&mut Option<Box<dyn Decider<G>>>) + Send>;

/// An implementation in this process.
pub struct Software<G: Game> {
    identity: Identity,
    implementation: Box<dyn Implementation<G>>,
    jobs: mpsc::Sender<Job<G>>,
}

impl<G: Game> Software<G> {
    /// A backend of that name, without a controller, that decides by `implementation`.
    ///
    /// # Errors
    /// When its thread cannot be started.
    pub fn new(
        name: &str,
        kind: Kind,
        implementation: Box<dyn Implementation<G>>,
    ) -> Result<Self, BackendError> {
        let (jobs, queue) = mpsc::channel::<Job<G>>();
        let work = move || {
            let mut decider = None;
            // Until the backend is dropped.
            while let Ok(job) = queue.recv() {
                job(&mut decider);
            }
        };
        let spawned = thread::Builder::new().name(name.into()).spawn(work);
        spawned.map_err(|e| {
            BackendErrorKind::Unavailable(format!("no thread for it: {e}")).of(name)
        })?;
        Ok(Self {
            identity: Identity {
                name: name.into(),
                kind,
                description: implementation.description().into(),
                capabilities: implementation.capabilities(None),
                core: None,
            },
            implementation,
            jobs,
        })
    }

    fn send(&self, job: Job<G>) -> Result<(), BackendError> {
        let sent = self.jobs.send(job);
        sent.map_err(|_| BackendErrorKind::died().of(&self.identity.name))
    }

    /// Returns all answers, or an error if the decider does not support the request.
    fn all<T>(
        &self,
        answers: Vec<Option<T>>,
        unsupported: Unsupported,
    ) -> Result<Vec<T>, BackendError> {
        let answers: Option<_> = answers.into_iter().collect();
        answers.ok_or_else(|| BackendErrorKind::Unable(unsupported).of(&self.identity.name))
    }

    /// Calls `answer` on the thread for each position, with its index; returns the results.
    ///
    /// Ends early when this future is dropped; `answer` may return `None` for that reason, too.
    async fn ask<P: Send + 'static, T: Send + 'static>(
        &self,
        positions: Vec<P>,
        answer: impl Fn(&mut dyn Decider<G>, usize, &P, &Reply<T>) -> Result<Option<T>, BoxError>
        + Send
        + 'static,
    ) -> Result<Vec<T>, BackendError> {
        let name = &self.identity.name;
        let (reply, answers) = oneshot::channel();
        self.send(Box::new(move |decider| {
            let Some(decider) = decider else {
                let _ = reply.send(Err(BackendErrorKind::NotConfigured));
                return;
            };
            let mut answers = Vec::with_capacity(positions.len());
            for (index, position) in positions.iter().enumerate() {
                if reply.is_closed() {
                    return;
                }
                match answer(&mut **decider, index, position, &reply) {
                    Ok(Some(found)) => answers.push(found),
                    Ok(None) => return,
                    Err(why) => {
                        let _ = reply.send(Err(BackendErrorKind::Position(why)));
                        return;
                    }
                }
            }
            // The future may have been dropped meanwhile.
            let _ = reply.send(Ok(answers));
        }))?;
        let answers = answers
            .await
            .map_err(|_| BackendErrorKind::died().of(name))?;
        answers.map_err(|why| why.of(name))
    }
}

/// Passes the progress of a search on, and ends it when its future is dropped.
struct Watching<'a, G: Game> {
    /// Index of its position.
    index: usize,
    observer: &'a Observer<G>,
    reply: &'a Reply<Answer<G>>,
}

impl<G: Game> Watch<G> for Watching<'_, G> {
    fn progress(&mut self, progress: SearchProgress<G>) {
        self.observer.progress(self.index, progress);
    }

    fn control(&self) -> SearchControl {
        match (self.reply.is_closed(), self.observer.finish().requested()) {
            (true, _) => SearchControl::Abandon,
            (false, true) => SearchControl::Finish,
            (false, false) => SearchControl::Continue,
        }
    }
}

#[async_trait]
impl<G: Game> Backend<G> for Software<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    async fn configure(&mut self, controller: &G::Controller) -> Result<(), BackendError> {
        let decider = self.implementation.decider(controller);
        let decider =
            decider.map_err(|why| BackendErrorKind::Unplayable(why).of(&self.identity.name))?;
        self.send(Box::new(|slot| *slot = Some(decider)))?;
        self.identity.capabilities = self.implementation.capabilities(Some(controller));
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[G::Position],
        observer: Observer<G>,
    ) -> Result<Vec<Answer<G>>, BackendError> {
        self.ask(
            positions.to_vec(),
            move |decider, index, position, reply| {
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
            },
        )
        .await
    }

    async fn trace(&mut self, positions: &[G::Position]) -> Result<Vec<Trace<G>>, BackendError> {
        let trace = |decider: &mut dyn Decider<G>, _, position: &_, _: &_| {
            decider.trace(position).map(Some)
        };
        let traces = self.ask(positions.to_vec(), trace).await?;
        self.all(traces, Unsupported::Trace)
    }

    async fn play(&mut self, runs: &[Run<G>]) -> Result<Vec<RunResult<G>>, BackendError> {
        let play = |decider: &mut dyn Decider<G>, _, run: &_, _: &_| decider.play(run).map(Some);
        let played = self.ask(runs.to_vec(), play).await?;
        self.all(played, Unsupported::Batch)
    }

    async fn self_play(
        &mut self,
        runs: &[SelfPlay<G>],
        report: &mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        let (sender, mut checkpoints) = unbounded_channel();
        let play = move |decider: &mut dyn Decider<G>, index, run: &_, _: &_| {
            // It ends when the receiver is dropped.
            let mut checkpoint = |sums| sender.send((index, sums)).is_ok();
            decider.self_play(run, &mut checkpoint).map(Some)
        };
        let mut played = pin!(self.ask(runs.to_vec(), play));
        let ends = loop {
            tokio::select! {
                biased;
                Some((run, sums)) = checkpoints.recv() => report(run, sums),
                ends = &mut played => break ends?,
            }
        };
        // Checkpoints that came with the end.
        while let Ok((run, sums)) = checkpoints.try_recv() {
            report(run, sums);
        }
        self.all(ends, Unsupported::SelfPlay)
    }
}
