//! Who is asked what is recorded.

use futures::future::BoxFuture;
use lockstep_games::Rules;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Mutex, Semaphore};

use super::chunk::Task;
use crate::backend::wire::LinkReport;
use crate::backend::{Backend, BackendError};
use crate::compare::compare;
use crate::event::{Round, Seat};
use crate::record::outcome_named;
use crate::session::{Answers, Session, SessionError};
use crate::stop::Stop;

/// Opens a set of backends, always the same ones.
pub type Open<G> = Box<
    dyn Fn() -> BoxFuture<'static, Result<Vec<Box<dyn Backend<G>>>, BackendError>> + Send + Sync,
>;

/// Who works on chunks.
pub(super) enum Workers<G: Rules> {
    /// New backends for each, no more sets than there are permits.
    New { open: Open<G>, permits: Semaphore },
    /// The same for all of them, one after the other; with the record they were given the
    /// controller of.
    Same(Mutex<(Session<G>, Option<usize>)>),
}

/// What is said of a chunk by who works on it, in order.
pub(super) enum WorkerEvent<G: Rules> {
    /// The backends are new.
    PoweredUp,
    /// A decision; `begins`: the first one of a game.
    Round { begins: bool, round: Round<G> },
    /// There is no more of it.
    Done {
        result: Result<(), SessionError>,
        /// What passed over the backends' links: of new ones all of it, otherwise since they
        /// were opened.
        links: Vec<Option<LinkReport>>,
    },
}

impl<G: Rules> Workers<G> {
    /// Asks what a chunk holds, when it is its turn.
    pub(super) async fn work(
        &self,
        record: usize,
        task: Task<G>,
        stop: &Stop,
        said: &UnboundedSender<WorkerEvent<G>>,
    ) {
        let work = async {
            match self {
                Self::New { open, permits } => new(open, permits, task, stop, said).await,
                Self::Same(session) => {
                    let mut locked = session.lock().await;
                    let (session, configured) = &mut *locked;
                    let is_new = configured.replace(record) != Some(record);
                    let result = ask(session, is_new, task, stop, said).await;
                    if result.is_err() {
                        *configured = None;
                    }
                    (result, session.links())
                }
            }
        };
        let (result, links) = work.await;
        // Who wanted to know it may have gone.
        let _ = said.send(WorkerEvent::Done { result, links });
    }
}

async fn new<G: Rules>(
    open: &Open<G>,
    permits: &Semaphore,
    task: Task<G>,
    stop: &Stop,
    said: &UnboundedSender<WorkerEvent<G>>,
) -> (Result<(), SessionError>, Vec<Option<LinkReport>>) {
    let opened = async {
        // Never closed.
        let permit = permits.acquire().await;
        let permit = permit.map_err(|_| SessionError::Interrupted)?;
        Ok::<_, SessionError>((permit, open().await?))
    };
    let opened = tokio::select! {
        biased;
        () = stop.wait() => Err(SessionError::Interrupted),
        opened = opened => opened,
    };
    let (_permit, backends) = match opened {
        Ok(opened) => opened,
        Err(error) => return (Err(error), Vec::new()),
    };
    let mut session = Session::new(backends, stop.clone());
    let _ = said.send(WorkerEvent::PoweredUp);
    let result = ask(&mut session, true, task, stop, said).await;
    (result, session.links())
}

async fn ask<G: Rules>(
    session: &mut Session<G>,
    is_new: bool,
    task: Task<G>,
    stop: &Stop,
    said: &UnboundedSender<WorkerEvent<G>>,
) -> Result<(), SessionError> {
    if is_new {
        let all: Vec<usize> = (0..session.backends().len()).collect();
        let seat = |controller| Seat {
            controller,
            backends: all.clone(),
        };
        let seats = task.controllers.into_iter().map(seat).collect();
        session.take_seats(seats).await?;
    }
    let mut lines = task.lines.into_iter().peekable();
    while lines.peek().is_some() {
        if stop.requested() {
            return Err(SessionError::Interrupted);
        }
        let batch: Vec<_> = lines.by_ref().take(session.batch()).collect();
        let positions: Vec<_> = batch.iter().map(|l| l.entry.position.clone()).collect();
        let rows = session.ask(&positions).await?;
        for (line, Answers { asked, answers }) in batch.into_iter().zip(rows) {
            let entry = line.entry;
            let mismatches = compare(&entry.decision, &asked, &answers);
            // That of the recorded decision, which is none of another.
            let outcome = entry.outcome.filter(|_| mismatches.is_empty());
            let round = Round {
                game: entry.game,
                step: entry.step,
                line: Some(line.number),
                position: entry.position,
                mismatches,
                recorded: Some(entry.decision),
                asked,
                answers,
                score: None,
                outcome: outcome.and_then(|name| outcome_named::<G>(&name)),
            };
            let begins = line.begins;
            // Who wanted to know it may have gone.
            let _ = said.send(WorkerEvent::Round { begins, round });
        }
    }
    Ok(())
}
