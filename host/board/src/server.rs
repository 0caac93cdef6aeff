//! Lets one client after the other have a virtual board.

use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use lockstep::Stop;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::counts::Counter;
use crate::door::Door;
use crate::faults::{Blow, Way, struck};
use crate::line::Line;
use crate::{Address, BoardError, Entrance, LineFaults, Power, Progress, Served, VirtualBoard};

/// Longest time that a stall lasts, in a client's time: it ends before when the
/// client, which has given up waiting, sends something.
const STALL: Duration = Duration::from_secs(1);

/// Most bytes taken from a client at a time.
const READ: usize = 256;

/// Most bytes that may wait to leave for the core. A client that keeps to the window
/// sends no more than a few hundred at a time; one that sends more than this is cut off.
const BACKLOG: u64 = 64 << 10;

/// What is to be served, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// How the board comes up.
    pub power: Power,
    /// Where clients come in.
    pub entrance: Entrance,
    /// What is done to the bytes on their way.
    pub faults: LineFaults,
    /// Seed of that.
    pub fault_seed: u64,
    /// Whether it ends after the first client.
    pub once: bool,
}

/// How a conversation ended.
enum Ending {
    /// The client has gone.
    Gone,
    /// The board hung up.
    HungUp,
    /// The board hung up, to come back as another build.
    Rebuilt,
    /// Somebody wants an end.
    Stopped,
}

/// A virtual board and the door to it.
pub struct Server {
    board: VirtualBoard,
    door: Door,
    address: Address,
    power: Power,
    once: bool,
    /// To the core, and back.
    ways: [Way; 2],
    /// Rate of the adapter's end of the line, in baud.
    rate: u32,
    counted: Served,
    counter: Counter,
}

impl Server {
    /// Opens the door of a board that has been powered up.
    ///
    /// # Errors
    /// When the board or its door cannot be had.
    pub async fn open(options: &Options) -> Result<Self, BoardError> {
        let Options { power, .. } = *options;
        let board = VirtualBoard::start(power).await?;
        let door = Door::open(&options.entrance, power.baud).await?;
        Ok(Self {
            board,
            address: door.address(),
            door,
            power,
            once: options.once,
            ways: Way::both(options.faults, options.fault_seed),
            rate: power.baud,
            counted: Served::default(),
            counter: Counter::new(power.variant.game),
        })
    }

    /// Where clients come in.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What passed so far.
    pub fn served(&self) -> Served {
        let model = self.board.progress();
        self.counter
            .complete(self.counted, model, struck(&self.ways))
    }

    /// How far the board has come, now and later.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.board.watch()
    }

    /// Serves one client after the other until somebody wants an end, or after the
    /// first one if only that is asked for.
    ///
    /// # Errors
    /// When the model stops itself, or no other client can come in.
    pub async fn run(&mut self, stop: &Stop) -> Result<(), BoardError> {
        loop {
            let before = self.counted.clients;
            let Some(line) = self.next_client(stop).await? else {
                return Ok(());
            };
            let ending = self.converse(&line, stop).await;
            // Whatever is under way was for this client.
            self.board.change_client();
            for way in &mut self.ways {
                way.release();
            }
            match ending? {
                Ending::Stopped => return Ok(()),
                Ending::Gone => {
                    if self.once && self.counted.clients > before {
                        return Ok(());
                    }
                    self.door.renew(line)?;
                }
                ending => {
                    if let Ending::Rebuilt = ending {
                        let build = struck(&self.ways).rebuild as u32;
                        let designed = self.power.variant.build_id;
                        self.board.power_cycle(designed.wrapping_add(build));
                    }
                    tokio::select! {
                        biased;
                        () = stop.wait() => return Ok(()),
                        () = self.door.hang_up(line) => {}
                    }
                }
            }
        }
    }

    /// The line to the next client; `None` when somebody wants an end.
    async fn next_client(&mut self, stop: &Stop) -> Result<Option<Line>, BoardError> {
        loop {
            tokio::select! {
                biased;
                () = stop.wait() => return Ok(None),
                line = self.door.client() => {
                    let line = line?;
                    // Whoever opens a terminal shows by sending something.
                    self.counted.clients += u64::from(matches!(line, Line::Stream(_)));
                    return Ok(Some(line));
                }
                // Nobody is there to have it.
                heard = self.board.receive() => drop(heard?),
            }
        }
    }

    async fn converse(&mut self, line: &Line, stop: &Stop) -> Result<Ending, BoardError> {
        let mut buffer = [0; READ];
        let mut pending = BytesMut::new();
        let mut stalled_until = None;
        let mut silent = !matches!(line, Line::Stream(_));
        loop {
            if self.board.backlog() > BACKLOG {
                tracing::warn!("a client is cut off: it sent {BACKLOG} bytes too fast");
                return Ok(Ending::HungUp);
            }
            let hears = pending.is_empty() && !self.ways[1].is_stalled();
            let ending = tokio::select! {
                biased;
                () = stop.wait() => return Ok(Ending::Stopped),
                written = line.write(&pending), if !pending.is_empty() => match written {
                    Ok(count) => {
                        self.counted.sent += count as u64;
                        pending.advance(count);
                        None
                    }
                    Err(_) => return Ok(Ending::Gone),
                },
                read = line.read(&mut buffer) => match read {
                    Ok(count @ 1..) => {
                        self.counted.clients += u64::from(silent);
                        silent = false;
                        self.adapt(line);
                        pending.extend(self.go_on());
                        self.take(&buffer[..count])
                    }
                    Ok(0) | Err(_) => return Ok(Ending::Gone),
                },
                received = self.board.receive(), if hears => {
                    let bytes = received?;
                    self.counter.see(&bytes);
                    self.give(&bytes, &mut pending)
                }
                () = self.door.refuse_others() => None,
                () = until(stalled_until) => {
                    pending.extend(self.go_on());
                    None
                }
            };
            let stalled = self.ways.iter().any(Way::is_stalled);
            stalled_until = match stalled {
                false => None,
                true => stalled_until.or_else(|| Some(Instant::now() + STALL)),
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Sends what a client sent to the core, or what the faults leave of it.
    fn take(&mut self, mut rest: &[u8]) -> Option<Ending> {
        self.counted.received += rest.len() as u64;
        while !rest.is_empty() {
            let (bytes, blow) = self.ways[0].pass(&mut rest, self.rate);
            self.board.send(bytes);
            if let Some(ending) = self.suffer(blow) {
                return Some(ending);
            }
        }
        None
    }

    /// The same with what the core sent, which goes behind `pending`.
    fn give(&mut self, mut rest: &[u8], pending: &mut BytesMut) -> Option<Ending> {
        while !rest.is_empty() {
            let (bytes, blow) = self.ways[1].pass(&mut rest, self.rate);
            pending.extend(bytes);
            if let Some(ending) = self.suffer(blow) {
                return Some(ending);
            }
        }
        None
    }

    fn suffer(&mut self, blow: Option<Blow>) -> Option<Ending> {
        match blow? {
            Blow::Stall => None,
            Blow::Reset => {
                self.board.reset();
                None
            }
            Blow::HangUp => Some(Ending::HungUp),
            Blow::Rebuild => Some(Ending::Rebuilt),
        }
    }

    /// Ends stalls: what was held back goes on to the core, and is given for the
    /// client.
    fn go_on(&mut self) -> Bytes {
        let [there, back] = self.ways.each_mut().map(Way::release);
        if !there.is_empty() {
            self.board.send(there);
        }
        back
    }

    /// Runs the adapter's end at the rate that the client has set.
    fn adapt(&mut self, line: &Line) {
        match line.rate() {
            Ok(Some(rate)) if rate != self.rate => {
                tracing::debug!(rate, "the client has set another rate");
                self.rate = rate;
                self.board.set_rate(rate);
            }
            Ok(_) => {}
            Err(error) => tracing::warn!("the client's rate cannot be read: {error}"),
        }
    }
}

/// Waits until then; for ever if there is no such time.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
