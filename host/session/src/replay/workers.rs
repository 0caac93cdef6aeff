//! Workers that have backends decide recorded positions.

use futures::future::BoxFuture;
use lockstep_games::Rules;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Mutex, Semaphore};

use super::chunk::{Line, Task};
use super::kept::KeptChunk;
use crate::backend::wire::LinkReport;
use crate::backend::{Answer, Backend, BackendError};
use crate::event::{Event, Round, Seat};
use crate::record::outcome_named;
use crate::session::{Answers, Session, SessionError};
use crate::stop::Stop;

/// Opens a set of backends, always the same ones.
pub type Open<G> = Box<
    dyn Fn() -> BoxFuture<'static, Result<Vec<Box<dyn Backend<G>>>, BackendError>> + Send + Sync,
>;

pub(super) enum Workers<G: Rules> {
    /// New backends for each chunk; as many sets at a time as there are permits.
    New { open: Open<G>, permits: Semaphore },
    /// The same backends for all chunks, one after the other.
    Same(Mutex<Same<G>>),
}

pub(super) struct Same<G: Rules> {
    pub session: Session<G>,
    /// The record whose controller the backends have.
    pub configured: Option<usize>,
    /// The traffic of the chunks so far.
    pub links: Vec<Option<LinkReport>>,
}

/// An event of a worker on its chunk, in order.
pub(super) enum WorkerEvent<G: Rules> {
    /// For the listeners.
    Session(Event<G>),
    /// The chunk is finished.
    Done {
        result: Result<(), SessionError>,
        /// The traffic on the backends' links for this chunk.
        links: Vec<Option<LinkReport>>,
    },
}

/// Receives the events of a worker. The receiver may have been dropped.
type Events<G> = UnboundedSender<WorkerEvent<G>>;

impl<G: Rules> Workers<G> {
    /// Works on a chunk, once backends are free.
    ///
    /// Answers that were kept are reported without asking the backends again.
    pub(super) async fn work(
        &self,
        record: usize,
        task: Task<G>,
        kept: Option<KeptChunk<G>>,
        stop: &Stop,
        events: &Events<G>,
    ) {
        let work = async {
            if let Some(kept) = kept {
                let _ = events.send(WorkerEvent::Session(Event::PoweredUp));
                for (line, answers) in task.lines.into_iter().zip(&kept.answers) {
                    let recorded = &line.entry.decision;
                    let answers = answers.iter().map(|kept| kept.answer(recorded)).collect();
                    report(line, answers, events);
                }
                return Ok((Ok(()), kept.links));
            }
            match self {
                Self::New { open, permits } => {
                    // Kept until the work is done.
                    let (_permit, backends) = opened(open, permits, stop).await?;
                    let mut session = Session::new(backends, stop.clone());
                    let _ = events.send(WorkerEvent::Session(Event::PoweredUp));
                    let result = replay(&mut session, true, task, stop, events).await;
                    Ok((result, session.links()))
                }
                Self::Same(same) => {
                    let mut locked = same.lock().await;
                    let same = &mut *locked;
                    let is_new = same.configured.replace(record) != Some(record);
                    let result = replay(&mut same.session, is_new, task, stop, events).await;
                    if result.is_err() {
                        same.configured = None;
                    }
                    let now = same.session.links();
                    let before = std::mem::replace(&mut same.links, now.clone());
                    let mut before = before.iter();
                    let links = now.into_iter().map(|now| match before.next() {
                        Some(Some(before)) => now.map(|now| now.since(before)),
                        _ => now,
                    });
                    Ok((result, links.collect()))
                }
            }
        };
        let (result, links) = work.await.unwrap_or_else(|why| (Err(why), Vec::new()));
        let _ = events.send(WorkerEvent::Done { result, links });
    }
}

/// Opens backends once there is a permit, unless a stop is requested first.
async fn opened<'a, G: Rules>(
    open: &Open<G>,
    permits: &'a Semaphore,
    stop: &Stop,
) -> Result<(tokio::sync::SemaphorePermit<'a>, Vec<Box<dyn Backend<G>>>), SessionError> {
    let opened = async {
        // Never closed.
        let permit = permits.acquire().await;
        let permit = permit.map_err(|_| SessionError::Interrupted)?;
        Ok((permit, open().await?))
    };
    tokio::select! {
        biased;
        () = stop.wait() => Err(SessionError::Interrupted),
        opened = opened => opened,
    }
}

async fn replay<G: Rules>(
    session: &mut Session<G>,
    is_new: bool,
    task: Task<G>,
    stop: &Stop,
    events: &Events<G>,
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
        for (line, Answers { answers, .. }) in batch.into_iter().zip(rows) {
            report(line, answers, events);
        }
    }
    Ok(())
}

/// Reports a decision with the answers of all backends.
fn report<G: Rules>(line: Line<G>, answers: Vec<Answer<G>>, events: &Events<G>) {
    let entry = line.entry;
    let place = (entry.game, entry.step);
    let (recorded, asked) = (Some(entry.decision), (0..answers.len()).collect());
    let mut round = Round::new(place, entry.position, recorded, asked, answers);
    round.line = Some(line.number);
    // It is the outcome of the recorded decision.
    let outcome = entry.outcome.filter(|_| round.mismatches.is_empty());
    round.outcome = outcome.and_then(|name| outcome_named::<G>(&name));
    if line.begins {
        let game = round.game;
        let _ = events.send(WorkerEvent::Session(Event::GameStarted { game }));
    }
    let _ = events.send(WorkerEvent::Session(Event::Decided(round)));
}
