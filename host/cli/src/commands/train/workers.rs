//! Workers on other machines, which play the games of a training run.
//!
//! Each worker has a connection for each of its threads. The training sends its settings, then
//! jobs, a JSON line each; a line with the result answers each job. Workers come and go: the job of
//! one that is lost goes to another.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lockstep_lab::train::evaluator::{Evaluator, Job, Jobs, Played};
use lockstep_lab::train::{Settings, Stop};
use serde::{Deserialize, Serialize};
use socket2::{SockRef, TcpKeepalive};

use crate::version;

/// Time after which the failure of a machine is noticed.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// Interval at which a requested stop is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The first line of a connection.
#[derive(Serialize, Deserialize)]
pub struct Greeting {
    /// The program of the training: other programs may play other games.
    pub lockstep: String,
    pub settings: Settings,
}

/// The line that answers a job.
#[derive(Serialize, Deserialize)]
pub struct Answer {
    pub id: usize,
    pub played: Played,
}

/// Distributes the jobs of a training run to workers.
pub struct Hub {
    shared: Arc<Shared>,
    results: Mutex<Receiver<(u64, Answer)>>,
    pub address: SocketAddr,
    games: u64,
}

struct Shared {
    greeting: Vec<u8>,
    queue: Mutex<Queue>,
    /// Notified when the queue changes.
    changed: Condvar,
    connections: AtomicUsize,
}

#[derive(Default)]
struct Queue {
    /// Number of the present evaluation; results of earlier ones are of no use.
    evaluation: u64,
    jobs: VecDeque<(u64, Job)>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Finds out when the other machine has failed.
pub fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(KEEPALIVE)
        .with_interval(KEEPALIVE);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}

impl Hub {
    pub fn start(listener: TcpListener, settings: &Settings) -> io::Result<Self> {
        listener.set_nonblocking(false)?;
        let greeting = Greeting {
            lockstep: version::SHORT.into(),
            settings: settings.clone(),
        };
        let shared = Arc::new(Shared {
            greeting: line(&greeting)?,
            queue: Mutex::default(),
            changed: Condvar::new(),
            connections: AtomicUsize::new(0),
        });
        let (send, results) = channel();
        let hub = Self {
            address: listener.local_addr()?,
            shared: Arc::clone(&shared),
            results: Mutex::new(results),
            // Long games of one candidate must not hold up a generation.
            games: settings.games.div_ceil(4),
        };
        thread::Builder::new()
            .name("workers".into())
            .spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (shared, send) = (Arc::clone(&shared), send.clone());
                    thread::spawn(move || {
                        let from = stream.peer_addr().map_or("?".into(), |a| a.to_string());
                        shared.connections.fetch_add(1, Relaxed);
                        tracing::info!("worker {from} connected");
                        let ended = shared.serve(&stream, &send);
                        shared.connections.fetch_sub(1, Relaxed);
                        tracing::info!("worker {from} disconnected: {ended:?}");
                    });
                }
            })?;
        Ok(hub)
    }
}

impl Shared {
    fn take(&self) -> (u64, Job) {
        let mut queue = locked(&self.queue);
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return job;
            }
            let changed = self.changed.wait(queue);
            queue = changed.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives a worker jobs until it is lost.
    fn serve(&self, mut stream: &TcpStream, results: &Sender<(u64, Answer)>) -> io::Result<()> {
        prepare(stream)?;
        stream.write_all(&self.greeting)?;
        let mut answers = BufReader::new(stream.try_clone()?);
        loop {
            let (evaluation, job) = self.take();
            let answered = line(&job)
                .and_then(|line| stream.write_all(&line))
                .and_then(|()| answer(&mut answers, &job));
            match answered {
                // The training is over if nobody takes it.
                Ok(answer) => results
                    .send((evaluation, answer))
                    .map_err(io::Error::other)?,
                Err(why) => {
                    let mut queue = locked(&self.queue);
                    if queue.evaluation == evaluation {
                        queue.jobs.push_front((evaluation, job));
                        self.changed.notify_one();
                    }
                    return Err(why);
                }
            }
        }
    }
}

/// Reads the answer to a job.
fn answer(from: &mut BufReader<TcpStream>, job: &Job) -> io::Result<Answer> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let answer: Answer = serde_json::from_str(&line)?;
    let games = (job.games.end - job.games.start) as usize;
    let is_whole = answer.played.iter().all(|played| played.len() == games);
    if answer.id != job.id || answer.played.len() != job.candidates.len() || !is_whole {
        return Err(io::Error::other("its answer is not to the job"));
    }
    Ok(answer)
}

impl Evaluator for Hub {
    fn work(&self, jobs: &mut dyn Jobs, stop: Stop<'_>) -> Option<()> {
        let results = locked(&self.results);
        let evaluation = {
            let mut queue = locked(&self.shared.queue);
            queue.jobs.clear();
            queue.evaluation += 1;
            queue.evaluation
        };
        let mut in_progress = 0;
        loop {
            // One more for each connection waits here while the last is answered.
            let most = 2 * self.shared.connections.load(Relaxed).max(1);
            while in_progress < most
                && let Some(job) = jobs.next()
            {
                locked(&self.shared.queue).jobs.push_back((evaluation, job));
                self.shared.changed.notify_one();
                in_progress += 1;
            }
            if in_progress == 0 {
                return Some(());
            }
            if stop() {
                return None;
            }
            if let Ok((of, answer)) = results.recv_timeout(POLL_INTERVAL)
                && of == evaluation
            {
                in_progress -= 1;
                if !jobs.done(answer.id, answer.played) {
                    return Some(());
                }
            }
        }
    }

    fn games_at_once(&self) -> u64 {
        self.games
    }
}
