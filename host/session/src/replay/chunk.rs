//! Cuts records into chunks, on a thread of its own.

use std::io;
use std::thread;

use lockstep_games::{Rules, Shard};
use tokio::sync::mpsc;

use crate::record::{Ending, Entry, Reader, RecordError};

/// Maximum number of decisions of a chunk.
pub const MAX_CHUNK: usize = 2_048;

/// Minimum number of decisions of a chunk, except at the end of a record.
const MIN_CHUNK: u64 = 64;

/// Number of chunks of records with a few thousand decisions.
const CHUNKS: u64 = 16;

/// Size of a chunk for records with that many decisions in all; `None` if that is not known.
///
/// It depends on nothing else, so that any number of jobs and shards has the same chunks.
pub fn size(decisions: Option<u64>) -> usize {
    let most = MAX_CHUNK as u64;
    let size = decisions.map_or(most, |n| n.div_ceil(CHUNKS).next_multiple_of(MIN_CHUNK));
    usize::try_from(size.clamp(MIN_CHUNK, most)).unwrap_or(MAX_CHUNK)
}

/// Consecutive decisions of a record.
pub(super) struct Chunk<G: Rules> {
    /// Index of its record, from 0.
    pub record: usize,
    /// Its number among the chunks of all records, from 0.
    pub number: u64,
    /// The decisions to replay; `None` outside the shard.
    pub task: Option<Task<G>>,
    /// How the record ends, if this is its last chunk.
    pub last: Option<Result<Ending, RecordError>>,
}

/// The decisions of a chunk, with the controllers of the seats.
pub(super) struct Task<G: Rules> {
    pub controllers: Vec<G::Controller>,
    /// Never empty.
    pub lines: Vec<Line<G>>,
}

pub(super) struct Line<G: Rules> {
    pub number: u64,
    /// Whether it is the first of its game.
    pub begins: bool,
    pub entry: Entry<G>,
}

pub(super) type Readers<G> =
    Box<dyn Iterator<Item = Result<Reader<G>, RecordError>> + Send + 'static>;

/// Reads records on a thread of its own, as fast as their chunks are received.
pub(super) fn read<G: Rules>(
    readers: Readers<G>,
    size: usize,
    shard: Shard,
) -> io::Result<mpsc::Receiver<Chunk<G>>> {
    let (chunks, taken) = mpsc::channel(1);
    let work = move || {
        let mut number = 0;
        for (record, reader) in readers.enumerate() {
            let send = |number, task, last| {
                let chunk = Chunk {
                    record,
                    number,
                    task,
                    last,
                };
                chunks.blocking_send(chunk).ok()
            };
            if send_chunks(reader, size, shard, &mut number, send).is_none() {
                return;
            }
        }
    };
    thread::Builder::new().name("records".into()).spawn(work)?;
    Ok(taken)
}

/// Sends a record chunk by chunk; `number` counts the chunks of all records. `None` when the receiver
/// was dropped or the record cannot be read further.
fn send_chunks<G: Rules>(
    reader: Result<Reader<G>, RecordError>,
    size: usize,
    shard: Shard,
    number: &mut u64,
    send: impl Fn(u64, Option<Task<G>>, Option<Result<Ending, RecordError>>) -> Option<()>,
) -> Option<()> {
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(error) => {
            send(*number, None, Some(Err(error)));
            return None;
        }
    };
    let head = reader.head().clone();
    let controllers = head.controllers();
    let mut game = None;
    loop {
        let mut lines = Vec::new();
        let mut last = None;
        while lines.len() < size && last.is_none() {
            match reader.next() {
                Some(Ok(entry)) if head.is_persons(&entry.position) => {}
                Some(Ok(entry)) => lines.push(Line {
                    number: reader.line(),
                    begins: game.replace(entry.game) != Some(entry.game),
                    entry,
                }),
                Some(Err(error)) => last = Some(Err(error)),
                None => last = Some(Ok(reader.ending())),
            }
        }
        let is_empty = lines.is_empty();
        let own = *number;
        let is_in_shard = !is_empty && shard.holds(own);
        *number += u64::from(!is_empty);
        let task = is_in_shard.then(|| Task {
            controllers: controllers.clone(),
            lines,
        });
        let (is_last, is_broken) = (last.is_some(), matches!(last, Some(Err(_))));
        if task.is_some() || is_last {
            send(own, task, last)?;
        }
        if is_last {
            return (!is_broken).then_some(());
        }
    }
}
