//! Serves a virtual board to one client after the other.

use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use lockstep::Stop;
use protocol::Decoder;
use protocol::layout::GAMES;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::faults::{BoardFault, Direction, fault_counts};
use crate::listener::{Line, Listener};
use crate::{
    Address, BoardError, Buttons, Endpoint, LineFaultCounts, LineFaults, Power, Progress, Screen,
    VirtualBoard,
};

/// Longest duration of a stall. It ends earlier when the client sends a byte, as after a timeout.
const STALL: Duration = Duration::from_secs(1);

/// Maximum number of bytes read from a client at a time.
const READ: usize = 256;

/// Maximum number of bytes that may wait to be sent to the core; a client that sends more is
/// disconnected. A client that respects the window sends at most a few hundred bytes at a time.
const BACKLOG: u64 = 64 << 10;

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// The board's core, rate and pace.
    pub power: Power,
    /// The pseudo-terminal or TCP port for clients.
    pub endpoint: Endpoint,
    /// The faults on the line.
    pub faults: LineFaults,
    /// Seed of the faults.
    pub fault_seed: u64,
    /// Whether the server ends after its first client.
    pub once: bool,
}

/// Counts since a board was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Served {
    /// Clients that connected, or sent a byte to the terminal.
    pub clients: u64,
    /// Bytes from clients.
    pub received: u64,
    /// Bytes to clients.
    pub sent: u64,
    /// Complete frames from the core to a client.
    pub frames: u64,
    /// Decisions among these frames.
    pub decisions: u64,
    /// Bytes from the core without a stop bit, as the ends of the line had different rates.
    pub framing_errors: u64,
    /// Clock cycles simulated.
    pub cycles: u64,
    /// Line faults by kind.
    pub faults: LineFaultCounts,
}

enum Ending {
    /// The client has left.
    Gone,
    /// The board hung up.
    HungUp,
    /// The board hung up and returns with another build id.
    Rebuilt,
    /// The server was stopped.
    Stopped,
}

/// A virtual board and its listener.
pub struct Server {
    board: VirtualBoard,
    listener: Listener,
    address: Address,
    power: Power,
    once: bool,
    /// The direction to the core, and the one back.
    directions: [Direction; 2],
    /// Rate of the adapter, in baud.
    rate: u32,
    counted: Served,
    decoder: Decoder,
}

impl Server {
    /// Powers a board up and opens its endpoint.
    ///
    /// # Errors
    /// When the board cannot be started or the endpoint cannot be opened.
    pub async fn open(options: &Options) -> Result<Self, BoardError> {
        let Options { power, .. } = *options;
        let board = VirtualBoard::start(power).await?;
        let listener = Listener::open(&options.endpoint, power.baud).await?;
        Ok(Self {
            board,
            address: listener.address(),
            listener,
            power,
            once: options.once,
            directions: Direction::both(options.faults, options.fault_seed),
            rate: power.baud,
            counted: Served::default(),
            decoder: Decoder::new(),
        })
    }

    /// The address that clients connect to.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The counts so far.
    pub fn served(&self) -> Served {
        let model = self.board.progress();
        Served {
            framing_errors: model.framing_errors,
            cycles: model.cycles,
            faults: fault_counts(&self.directions),
            ..self.counted
        }
    }

    /// A receiver of the board's progress.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.board.watch()
    }

    /// A receiver of what the monitor shows.
    pub fn screen(&self) -> watch::Receiver<Screen> {
        self.board.screen()
    }

    /// The board's buttons.
    pub fn buttons(&self) -> Buttons {
        self.board.buttons()
    }

    /// Serves one client after the other until `stop`, or only one if [`Options::once`] is set.
    ///
    /// # Errors
    /// When the model stops itself, or a new terminal cannot be opened.
    pub async fn run(&mut self, stop: &Stop) -> Result<(), BoardError> {
        loop {
            let before = self.counted.clients;
            let Some(line) = self.next_client(stop).await? else {
                return Ok(());
            };
            let ending = self.converse(&line, stop).await;
            // Drops all bytes under way to or from this client.
            self.board.change_client();
            for direction in &mut self.directions {
                direction.release();
            }
            match ending? {
                Ending::Stopped => return Ok(()),
                Ending::Gone => {
                    if self.once && self.counted.clients > before {
                        return Ok(());
                    }
                    self.listener.renew(line)?;
                }
                ending => {
                    if let Ending::Rebuilt = ending {
                        let build = fault_counts(&self.directions).rebuild as u32;
                        let designed = self.power.variant.build_id;
                        self.board.power_cycle(designed.wrapping_add(build));
                    }
                    tokio::select! {
                        biased;
                        () = stop.wait() => return Ok(()),
                        () = self.listener.hang_up(line) => {}
                    }
                }
            }
        }
    }

    /// The line to the next client; `None` once the server is stopped.
    async fn next_client(&mut self, stop: &Stop) -> Result<Option<Line>, BoardError> {
        loop {
            tokio::select! {
                biased;
                () = stop.wait() => return Ok(None),
                line = self.listener.client() => {
                    let line = line?;
                    // A client of a terminal counts from its first byte on.
                    self.counted.clients += u64::from(matches!(line, Line::Stream(_)));
                    return Ok(Some(line));
                }
                // There is no client.
                received = self.board.receive() => drop(received?),
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
                tracing::warn!("a client is disconnected: it sent {BACKLOG} bytes too fast");
                return Ok(Ending::HungUp);
            }
            let receives = pending.is_empty() && !self.directions[1].is_stalled();
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
                        pending.extend(self.end_stalls());
                        self.send_to_core(&buffer[..count])
                    }
                    Ok(0) | Err(_) => return Ok(Ending::Gone),
                },
                received = self.board.receive(), if receives => {
                    let bytes = received?;
                    self.count_frames(&bytes);
                    self.send_to_client(&bytes, &mut pending)
                }
                () = self.listener.refuse_others() => None,
                () = until(stalled_until) => {
                    pending.extend(self.end_stalls());
                    None
                }
            };
            let stalled = self.directions.iter().any(Direction::is_stalled);
            stalled_until = match stalled {
                false => None,
                true => stalled_until.or_else(|| Some(Instant::now() + STALL)),
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Counts the core's frames that end in these bytes.
    fn count_frames(&mut self, bytes: &[u8]) {
        let game = GAMES.iter().find(|g| g.name == self.power.variant.game);
        for &byte in bytes {
            if let Some(Ok(frame)) = self.decoder.push(byte) {
                let decides = game.is_some_and(|game| game.decision.id == frame.kind);
                self.counted.frames += 1;
                self.counted.decisions += u64::from(decides);
            }
        }
    }

    /// Sends a client's bytes to the core, with faults.
    fn send_to_core(&mut self, mut rest: &[u8]) -> Option<Ending> {
        self.counted.received += rest.len() as u64;
        while !rest.is_empty() {
            let (bytes, board_fault) = self.directions[0].pass(&mut rest, self.rate);
            self.board.send(bytes);
            if let Some(ending) = self.apply(board_fault) {
                return Some(ending);
            }
        }
        None
    }

    /// Appends the core's bytes to `pending`, with faults.
    fn send_to_client(&mut self, mut rest: &[u8], pending: &mut BytesMut) -> Option<Ending> {
        while !rest.is_empty() {
            let (bytes, board_fault) = self.directions[1].pass(&mut rest, self.rate);
            pending.extend(bytes);
            if let Some(ending) = self.apply(board_fault) {
                return Some(ending);
            }
        }
        None
    }

    fn apply(&mut self, board_fault: Option<BoardFault>) -> Option<Ending> {
        match board_fault? {
            BoardFault::Reset => {
                self.board.reset();
                None
            }
            BoardFault::HangUp => Some(Ending::HungUp),
            BoardFault::Rebuild => Some(Ending::Rebuilt),
        }
    }

    /// Ends stalls: sends the bytes held back to the core, and returns those for the client.
    fn end_stalls(&mut self) -> Bytes {
        let [there, back] = self.directions.each_mut().map(Direction::release);
        if !there.is_empty() {
            self.board.send(there);
        }
        back
    }

    /// Sets the adapter's rate to the client's.
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

/// Waits until a time; for ever if it is `None`.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
