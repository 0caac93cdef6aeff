//! Replays records: has recorded positions decided again, by several sets of backends at a time.
//!
//! Records are cut into chunks ([`size`]), each of which goes to a free set of backends. Results are
//! reported in the order of the records, so the output does not depend on the number of sets. For the
//! same reason each chunk has newly opened backends: a simulated core is powered up for each. Boards,
//! which can be opened only once, work on all chunks one after the other.
//!
//! - `chunk` reads and cuts; [`lockstep_games::Shard`] selects chunks.
//! - `workers` have the backends decide.
//! - [`Replay`] distributes the chunks and reports the results.
//! - [`comparison`] compares records with each other, without backends.

mod chunk;
pub mod comparison;
mod kept;
mod workers;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;

use futures::future::pending;
use lockstep_games::{Rules, Shard};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, unbounded_channel};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;

use crate::backend::wire::LinkReport;
use crate::event::{Event, Header};
use crate::listeners::Listeners;
use crate::pace::Pace;
use crate::record::{Ending, Reader, RecordError};
use crate::session::{Session, SessionError};
use crate::stop::Stop;
use chunk::Chunk;
use kept::KeptAnswer;
use workers::{Same, WorkerEvent, Workers};

pub use chunk::{MAX_CHUNK, size};
pub use comparison::RecordComparison;
pub use kept::KeptChunk;
pub use workers::Open;

/// A replay of records.
pub struct Replay<G: Rules> {
    chunks: Receiver<Chunk<G>>,
    /// Whether the last chunk was received.
    all_received: bool,
    workers: Arc<Workers<G>>,
    stop: Stop,
    /// Maximum number of chunks that are in progress, or finished and not reported yet.
    most: usize,
    tasks: JoinSet<()>,
    in_progress: VecDeque<ChunkInProgress<G>>,
    /// Whether only the contiguous beginning is reported after an interrupt, as a single job would.
    pub gapless: bool,
    /// The pauses between the decisions that are reported.
    pub pace: Pace,
    /// The answers of earlier runs by chunk, for which no backend is asked again.
    pub kept: BTreeMap<u64, KeptChunk<G>>,
    /// Keeps the answers of each chunk that is finished.
    pub keep: Option<Keep<G>>,
    /// Whether the interrupt came before all backends had answered.
    interrupted: bool,
    /// Number of records reported.
    reported: usize,
    links: Vec<Option<LinkReport>>,
}

/// Keeps the answers of a chunk.
pub type Keep<G> = Box<dyn FnMut(&KeptChunk<G>) -> io::Result<()> + Send>;

struct ChunkInProgress<G: Rules> {
    record: usize,
    /// The answers to be kept; `None` if none are, or if they were kept before.
    heard: Option<KeptChunk<G>>,
    events: UnboundedReceiver<WorkerEvent<G>>,
    /// How the record ends, if this is its last chunk.
    last: Option<Result<Ending, RecordError>>,
}

/// The records of a replay, and how they are cut.
pub struct Records<G: Rules> {
    readers: chunk::Readers<G>,
    size: usize,
    shard: Shard,
}

impl<G: Rules> Records<G> {
    /// Records, each of which is opened when it is needed.
    pub fn new(
        readers: impl Iterator<Item = Result<Reader<G>, RecordError>> + Send + 'static,
    ) -> Self {
        Self {
            readers: Box::new(readers),
            size: MAX_CHUNK,
            shard: Shard::ALL,
        }
    }

    /// Cuts records into chunks of that many decisions, at least one; the default is [`MAX_CHUNK`].
    #[must_use]
    pub fn in_chunks_of(mut self, decisions: usize) -> Self {
        self.size = decisions.max(1);
        self
    }

    /// Replays only a shard.
    #[must_use]
    pub fn only(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }
}

impl<G: Rules> Replay<G> {
    /// A replay with that many sets of backends at a time, at least one; `open` opens a set for each
    /// chunk. It ends in good order once `stop` is requested.
    ///
    /// # Errors
    /// When a thread cannot be started.
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

    /// A replay with the backends of a session, one chunk after the other.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn with_same(session: Session<G>, records: Records<G>) -> io::Result<Self> {
        let stop = session.stop().clone();
        let workers = Workers::Same(Mutex::new(Same {
            session,
            configured: None,
            links: Vec::new(),
        }));
        Self::begin(workers, 1, records, stop)
    }

    fn begin(
        workers: Workers<G>,
        jobs: usize,
        records: Records<G>,
        stop: Stop,
    ) -> io::Result<Self> {
        Ok(Self {
            chunks: chunk::read(records.readers, records.size, records.shard)?,
            all_received: false,
            workers: Arc::new(workers),
            stop,
            most: jobs.saturating_mul(2),
            tasks: JoinSet::new(),
            in_progress: VecDeque::new(),
            gapless: false,
            pace: Pace::default(),
            kept: BTreeMap::new(),
            keep: None,
            interrupted: false,
            reported: 0,
            links: Vec::new(),
        })
    }

    /// Reports the next record as a session of its own, while workers work on later ones. Goes on
    /// after a divergence. Returns how the record ends; [`Ending::Unread`] if it was not read to its
    /// end.
    ///
    /// # Errors
    /// When the record, a backend or a listener fails; the listeners get [`Event::Ended`] even then.
    /// Later records are not reported.
    pub async fn record(
        &mut self,
        header: &Header<G>,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<Ending, SessionError> {
        listeners.notify(Event::Started(header.clone())).await?;
        let result = self.report(listeners).await;
        self.reported += 1;
        let links = match self.links.is_empty() {
            true => vec![None; header.backends.len()],
            false => self.links.clone(),
        };
        let ending = listeners.end(result, links).await?;
        Ok(ending.unwrap_or(Ending::Unread))
    }

    /// Whether there are results that are not reported yet, also after an interrupt.
    pub fn is_in_progress(&self) -> bool {
        !self.in_progress.is_empty()
    }

    /// Ends all work. Returns the session of [`Self::with_same`].
    pub async fn finish(mut self) -> Option<Session<G>> {
        self.tasks.shutdown().await;
        match Arc::into_inner(self.workers)? {
            Workers::New { .. } => None,
            Workers::Same(same) => Some(same.into_inner().session),
        }
    }

    /// Reports all chunks of a record.
    async fn report(&mut self, listeners: &mut Listeners<'_, G>) -> Result<Ending, SessionError> {
        loop {
            let Some(event) = self.next().await else {
                return Err(SessionError::Interrupted);
            };
            let is_gap = self.interrupted && self.gapless;
            match event {
                WorkerEvent::Session(_) if is_gap => {}
                WorkerEvent::Session(event) => {
                    if let Event::Decided(round) = &event
                        && let Some(chunk) = self.in_progress.front_mut()
                        && let Some(heard) = &mut chunk.heard
                    {
                        heard.answers.push(KeptAnswer::all(round));
                    }
                    let is_decision = matches!(event, Event::Decided(_));
                    listeners.notify(event).await?;
                    if is_decision {
                        self.pace.wait(&self.stop).await;
                    }
                }
                WorkerEvent::Done { result, links } => {
                    let chunk = self.in_progress.pop_front();
                    let (last, heard) = chunk.map_or((None, None), |c| (c.last, c.heard));
                    if let (Some(mut heard), Some(keep), Ok(())) = (heard, &mut self.keep, &result)
                    {
                        heard.links.clone_from(&links);
                        // They are of this run alone.
                        let links = heard.links.iter_mut().flatten();
                        links.for_each(|link| link.latency = None);
                        keep(&heard)?;
                    }
                    self.note(links);
                    match result {
                        // Decisions of later chunks are reported, too.
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

    /// The next event of the record that is being reported; `None` after a stop, once all of its
    /// decisions are reported.
    async fn next(&mut self) -> Option<WorkerEvent<G>> {
        loop {
            let stopped = self.stop.requested();
            let more = !self.all_received && !stopped && self.in_progress.len() < self.most;
            let first = self.in_progress.front_mut();
            let first = first.filter(|chunk| chunk.record == self.reported);
            if first.is_none() && (stopped || self.all_received) {
                return None;
            }
            let is_waiting = first.is_none();
            let event = async {
                match first {
                    Some(chunk) => chunk.events.recv().await,
                    None => pending().await,
                }
            };
            tokio::select! {
                event = event => return Some(event.unwrap_or_else(died)),
                chunk = self.chunks.recv(), if more => match chunk {
                    Some(chunk) => self.start(chunk),
                    None => self.all_received = true,
                },
                () = self.stop.wait(), if is_waiting => {}
            }
        }
    }

    fn start(&mut self, chunk: Chunk<G>) {
        let (sender, events) = unbounded_channel();
        let (workers, stop) = (Arc::clone(&self.workers), self.stop.clone());
        let record = chunk.record;
        let kept = self.kept.remove(&chunk.number);
        let is_new = chunk.task.is_some() && kept.is_none() && self.keep.is_some();
        self.in_progress.push_back(ChunkInProgress {
            record,
            heard: is_new.then(|| KeptChunk {
                chunk: chunk.number,
                answers: Vec::new(),
                links: Vec::new(),
            }),
            events,
            last: chunk.last,
        });
        match chunk.task {
            Some(task) => {
                let work = async move { workers.work(record, task, kept, &stop, &sender).await };
                self.tasks.spawn(work);
            }
            None => {
                let (result, links) = (Ok(()), Vec::new());
                let _ = sender.send(WorkerEvent::Done { result, links });
            }
        }
        // Removes finished tasks.
        while self.tasks.try_join_next().is_some() {}
    }

    /// Adds up the traffic of links.
    fn note(&mut self, links: Vec<Option<LinkReport>>) {
        if self.links.is_empty() {
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

/// The end of a chunk whose worker panicked.
fn died<G: Rules>() -> WorkerEvent<G> {
    let why = io::Error::other("the worker of a part of a record has died");
    WorkerEvent::Done {
        result: Err(why.into()),
        links: Vec::new(),
    }
}
