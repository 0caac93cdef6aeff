//! Asks recorded decisions again, with several sets of backends at a time.
//!
//! Records are cut into chunks ([`size`] says how long), each of which goes to a set of
//! backends that is free. What comes of them is told in the order of the records, so that
//! nothing that is told depends on how many sets there are. For the same reason each chunk has
//! backends of its own, that remember nothing: what a simulated core was asked from power-up on
//! is the chunk's. Boards, which can be opened but once, work on all chunks one after the other.
//!
//! - `chunk` reads and cuts; [`shard`] says which chunks a part of all has.
//! - `workers` is who works on them.
//! - [`comparison`] compares what is recorded, and asks nobody.
//! - [`Replay`] hands them out and tells what comes of them.

mod chunk;
pub mod comparison;
pub mod shard;
mod workers;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use futures::future::pending;
use lockstep_games::Rules;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, unbounded_channel};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;

use crate::backend::wire::LinkReport;
use crate::event::{Event, Header};
use crate::listeners::Listeners;
use crate::record::{Ending, Reader, RecordError};
use crate::session::{Session, SessionError, end};
use crate::stop::Stop;
use chunk::Chunk;
use workers::{WorkerEvent, Workers};

pub use chunk::{MOST, size};
pub use comparison::RecordComparison;
pub use shard::Shard;
pub use workers::Open;

/// Records that are being replayed.
pub struct Replay<G: Rules> {
    chunks: Receiver<Chunk<G>>,
    /// The last chunk was taken.
    read: bool,
    workers: Arc<Workers<G>>,
    stop: Stop,
    /// Chunks that may be under way, those included which wait to be told.
    most: usize,
    tasks: JoinSet<()>,
    under_way: VecDeque<UnderWay<G>>,
    /// After an interrupt nothing is told that comes after what was not asked.
    gapless: bool,
    /// Something was not asked because of an interrupt.
    interrupted: bool,
    /// Records that were told.
    told: usize,
    links: Vec<Option<LinkReport>>,
}

/// A chunk that is worked on.
struct UnderWay<G: Rules> {
    record: usize,
    said: UnboundedReceiver<WorkerEvent<G>>,
    last: Option<Result<Ending, RecordError>>,
}

/// Which records are replayed, and how they are cut.
pub struct Records<G: Rules> {
    readers: chunk::Readers<G>,
    size: usize,
    shard: Shard,
}

impl<G: Rules> Records<G> {
    /// These records, each of which is opened when it is its turn.
    pub fn new(
        readers: impl Iterator<Item = Result<Reader<G>, RecordError>> + Send + 'static,
    ) -> Self {
        Self {
            readers: Box::new(readers),
            size: MOST,
            shard: Shard::ALL,
        }
    }

    /// Cuts them into chunks of so many decisions, one at least; of [`MOST`] unless it is said.
    #[must_use]
    pub fn in_chunks_of(mut self, decisions: usize) -> Self {
        self.size = decisions.max(1);
        self
    }

    /// Asks only what belongs to a part of all.
    #[must_use]
    pub fn only(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }
}

impl<G: Rules> Replay<G> {
    /// With so many sets of backends at a time, one at least. `open` is called for every chunk.
    /// It ends early, and in good order, once `stop` is requested.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn with_new(
        open: Open<G>,
        jobs: usize,
        records: Records<G>,
        stop: Stop,
    ) -> io::Result<Self> {
        let jobs = jobs.clamp(1, Semaphore::MAX_PERMITS);
        let permits = Semaphore::new(jobs);
        Self::begin(Workers::New { open, permits }, jobs, records, stop)
    }

    /// With the backends of a session, which are asked everything, one chunk after the other.
    pub fn with_same(session: Session<G>, records: Records<G>) -> io::Result<Self> {
        let stop = session.stop().clone();
        Self::begin(Workers::Same(Mutex::new((session, None))), 1, records, stop)
    }

    fn begin(
        workers: Workers<G>,
        jobs: usize,
        records: Records<G>,
        stop: Stop,
    ) -> io::Result<Self> {
        Ok(Self {
            chunks: chunk::read(records.readers, records.size, records.shard)?,
            read: false,
            workers: Arc::new(workers),
            stop,
            most: jobs.saturating_mul(2),
            tasks: JoinSet::new(),
            under_way: VecDeque::new(),
            gapless: false,
            interrupted: false,
            told: 0,
            links: Vec::new(),
        })
    }

    /// Tells, after an interrupt, nothing that comes after a decision which was not asked: what
    /// is told is the beginning of a record, as it is where there is but one job.
    #[must_use]
    pub fn without_gaps(mut self) -> Self {
        self.gapless = true;
        self
    }

    /// Tells of the next record, as of a session by itself, while others are worked on already.
    /// Goes on after a divergence. How the record ends; [`Ending::Unread`] where it was not read
    /// so far.
    ///
    /// # Errors
    /// When the record, a backend or a listener fails; the listeners are told the end all the
    /// same. Nothing more comes of the records after it.
    pub async fn record(
        &mut self,
        header: &Header<G>,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<Ending, SessionError> {
        listeners
            .tell(Event::Started(header.clone()), &self.stop)
            .await?;
        let result = self.tell(listeners).await;
        self.told += 1;
        let links = match self.links.is_empty() {
            true => header.backends.iter().map(|_| None).collect(),
            false => self.links.clone(),
        };
        let ending = end(result, links, listeners, &self.stop).await?;
        Ok(ending.unwrap_or(Ending::Unread))
    }

    /// Whether something is known of records that were not told yet, also after an interrupt.
    pub fn is_under_way(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// Ends whatever is under way. The session, where it was made with one.
    pub async fn finish(mut self) -> Option<Session<G>> {
        self.tasks.shutdown().await;
        match Arc::into_inner(self.workers)? {
            Workers::New { .. } => None,
            Workers::Same(session) => Some(session.into_inner().0),
        }
    }

    /// Tells of all chunks of a record.
    async fn tell(&mut self, listeners: &mut Listeners<'_, G>) -> Result<Ending, SessionError> {
        loop {
            let Some(said) = self.next().await else {
                return Err(SessionError::Interrupted);
            };
            match said {
                WorkerEvent::PoweredUp | WorkerEvent::Round { .. }
                    if self.interrupted && self.gapless => {}
                WorkerEvent::PoweredUp => listeners.tell(Event::PoweredUp, &self.stop).await?,
                WorkerEvent::Round { begins, round } => {
                    if begins {
                        let started = Event::GameStarted { game: round.game };
                        listeners.tell(started, &self.stop).await?;
                    }
                    listeners.tell(Event::Decided(round), &self.stop).await?;
                }
                WorkerEvent::Done { result, links } => {
                    self.note(links);
                    let last = self.under_way.pop_front().and_then(|chunk| chunk.last);
                    match result {
                        // What was decided of the chunks after it counts.
                        Err(SessionError::Interrupted) => self.interrupted = true,
                        result => result?,
                    }
                    match last {
                        Some(_) if self.interrupted => return Err(SessionError::Interrupted),
                        Some(last) => return Ok(last?),
                        None => {}
                    }
                }
            }
        }
    }

    /// What is said next of the record that is told; `None` when the user wants no more and all
    /// that was decided of it is told.
    async fn next(&mut self) -> Option<WorkerEvent<G>> {
        loop {
            let stopped = self.stop.requested();
            let more = !self.read && !stopped && self.under_way.len() < self.most;
            let first = self.under_way.front_mut();
            let first = first.filter(|chunk| chunk.record == self.told);
            if first.is_none() && (stopped || self.read) {
                return None;
            }
            let is_waiting = first.is_none();
            let said = async {
                match first {
                    Some(chunk) => chunk.said.recv().await,
                    None => pending().await,
                }
            };
            tokio::select! {
                said = said => return Some(said.unwrap_or_else(died)),
                chunk = self.chunks.recv(), if more => match chunk {
                    Some(chunk) => self.start(chunk),
                    None => self.read = true,
                },
                () = self.stop.wait(), if is_waiting => {}
            }
        }
    }

    fn start(&mut self, chunk: Chunk<G>) {
        let (said, hears) = unbounded_channel();
        let (workers, stop) = (Arc::clone(&self.workers), self.stop.clone());
        let record = chunk.record;
        self.under_way.push_back(UnderWay {
            record,
            said: hears,
            last: chunk.last,
        });
        match chunk.task {
            Some(task) => {
                let work = async move { workers.work(record, task, &stop, &said).await };
                self.tasks.spawn(work);
            }
            None => {
                let links = Vec::new();
                let result = Ok(());
                let _ = said.send(WorkerEvent::Done { result, links });
            }
        }
        // Those that are done.
        while self.tasks.try_join_next().is_some() {}
    }

    /// Adds up what passed over links.
    fn note(&mut self, links: Vec<Option<LinkReport>>) {
        if links.is_empty() {
            return;
        }
        let adds = matches!(*self.workers, Workers::New { .. }) && !self.links.is_empty();
        if !adds {
            self.links = links;
            return;
        }
        for (sum, link) in self.links.iter_mut().zip(links) {
            match (sum, link) {
                (Some(sum), Some(link)) => sum.add(&link),
                (sum @ None, link) => *sum = link,
                (Some(_), None) => {}
            }
        }
    }
}

/// Of a chunk whose worker is gone without a word.
fn died<G: Rules>() -> WorkerEvent<G> {
    let why = io::Error::other("who was to ask a part of a record has died");
    WorkerEvent::Done {
        result: Err(why.into()),
        links: Vec::new(),
    }
}
