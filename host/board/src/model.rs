//! The thread of a virtual board: a model, and a serial adapter at its pins.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bytes::{BufMut as _, Bytes, BytesMut};
use protocol::frame::DELIMITER;
use sim::monitor::{Connector, Monitor};
use sim::{Depth, PRESS_CYCLES, Port, SimError, Start};
use tokio::sync::{mpsc, watch};

use crate::virtual_board::{Power, Progress, Screen};

/// Clock cycles simulated in one step, about two milliseconds. Received bytes are passed on at the
/// end of a step or frame.
const CHUNK: u64 = 2_000;

/// Clock cycles of a step while a command waits for the last bytes to be sent.
const SHORT_CHUNK: u64 = 100;

/// Clock cycles that an idle model is simulated further: it becomes busy some cycles after a
/// frame's last bit, and sends a reply's first bit some cycles after it was busy.
const QUIET: u64 = 2_000;

/// Pictures that are simulated after the last byte: one that may have begun before it, and a whole one.
const PICTURES: u32 = 2;

/// The clock at the pin of a simulated board with DVI: its model of a PLL passes it on as the clock that
/// sends two bits a cycle.
const DVI_HZ: u32 = 125_000_000;

/// Time to wait when simulated time has reached the wall clock.
const NAP: Duration = Duration::from_millis(1);

/// A command to a board's thread.
#[derive(Debug)]
pub(crate) enum Command {
    /// Directs further output to another client, and drops all bytes under way.
    Client(u64),
    /// Sends bytes to the core.
    Bytes(Bytes),
    /// Sets the adapter's rate in baud, after the bytes before it.
    Rate(u32),
    /// Presses the reset button, after the bytes before it.
    Reset,
    /// Presses a button by its number on the wire, after the bytes before it.
    Press(u8),
    /// Switches the power off and on at once; the core then reports this build id.
    PowerCycle(u32),
}

/// Bytes that the core sent to a client, or the error that stopped the model.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) to: u64,
    pub(crate) bytes: Result<Bytes, SimError>,
}

/// The board was dropped, so the thread ends.
struct Gone;

pub(crate) struct Model {
    power: Power,
    started: Instant,
    port: Port,
    /// Cycles of the models before this one.
    cycles: u64,
    /// Framing errors of the models before this one.
    framing_errors: u64,
    commands: Receiver<Command>,
    /// Commands that wait for the bytes before them.
    waiting: VecDeque<Command>,
    /// Number of bytes in all commands so far.
    taken: u64,
    waiting_bytes: u64,
    output: mpsc::Sender<Output>,
    client: u64,
    /// Bytes from the core that are not passed on yet.
    received: BytesMut,
    /// Clock cycle from which on the thread may sleep if the model is idle.
    quiet: u64,
    /// The adapter's rate.
    rate: u32,
    /// Clock cycle from which on a button may be pressed again.
    released: u64,
    report: watch::Sender<Progress>,
    monitor: Option<Monitor>,
    /// Pictures that are still to be simulated before the thread may sleep.
    pictures: u32,
    screen: watch::Sender<Screen>,
}

impl Model {
    pub(crate) fn power_up(
        power: Power,
        commands: Receiver<Command>,
        output: mpsc::Sender<Output>,
        report: watch::Sender<Progress>,
        screen: watch::Sender<Screen>,
    ) -> Result<Self, SimError> {
        let monitor = power.monitor.map(|connector| {
            let clock_hz = match connector {
                Connector::Vga => power.variant.clock_hz,
                Connector::Dvi => DVI_HZ,
            };
            Monitor::new(connector, clock_hz)
        });
        Ok(Self {
            port: open(power, power.variant.build_id)?,
            started: Instant::now(),
            cycles: 0,
            framing_errors: 0,
            commands,
            waiting: VecDeque::new(),
            taken: 0,
            waiting_bytes: 0,
            output,
            client: 0,
            received: BytesMut::new(),
            quiet: 0,
            rate: power.baud,
            released: 0,
            report,
            pictures: if monitor.is_some() { PICTURES } else { 0 },
            monitor,
            screen,
            power,
        })
    }

    /// Executes commands until the board is dropped.
    pub(crate) fn run(mut self) {
        while self.step().is_ok() {}
    }

    fn step(&mut self) -> Result<(), Gone> {
        let done = self.take_commands().and_then(|()| {
            self.feed();
            if let Err(error) = self.simulate() {
                self.send(Err(error))?;
                return Err(Gone);
            }
            if !self.received.is_empty() {
                let bytes = self.received.split().freeze();
                self.send(Ok(bytes))?;
            }
            Ok(())
        });
        self.report_progress(false);
        done
    }

    /// Sends output to the client; waits while the queue is full.
    fn send(&self, bytes: Result<Bytes, SimError>) -> Result<(), Gone> {
        let to = self.client;
        let sent = self.output.blocking_send(Output { to, bytes });
        sent.map_err(|_| Gone)
    }

    fn report_progress(&self, asleep: bool) {
        let left = self.waiting_bytes + self.port.queued() as u64;
        let now = Progress {
            done: self.taken - left.min(self.taken),
            cycles: self.cycles + self.port.cycles(),
            framing_errors: self.framing_errors + self.port.framing_errors(),
            asleep,
        };
        self.report.send_if_modified(|last| {
            let changed = *last != now;
            *last = now;
            changed
        });
    }

    /// Clock cycles that may be simulated now.
    fn allowed(&self) -> u64 {
        let Power { variant, pace, .. } = self.power;
        let allowed = pace.allows(self.started.elapsed(), variant.clock_hz);
        allowed.saturating_sub(self.cycles + self.port.cycles())
    }

    /// How long the thread may wait for a command; [`Duration::MAX`] if the model is idle.
    fn wait(&self) -> Duration {
        let idle = self.waiting.is_empty()
            && self.port.is_idle()
            && !self.port.is_busy()
            && self.port.cycles() >= self.quiet
            && self.pictures == 0;
        match self.power.pace {
            crate::Pace::Unlimited if idle => Duration::MAX,
            crate::Pace::Real if self.allowed() == 0 => NAP,
            _ => Duration::ZERO,
        }
    }

    /// Takes all commands in the queue, and waits for the first one as [`Self::wait`] allows.
    fn take_commands(&mut self) -> Result<(), Gone> {
        let mut wait = self.wait();
        if wait == Duration::MAX {
            self.report_progress(true);
        }
        loop {
            match self.commands.recv_timeout(wait) {
                Ok(command) => self.take(command)?,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            }
            wait = Duration::ZERO;
        }
    }

    fn take(&mut self, command: Command) -> Result<(), Gone> {
        self.is_active();
        match command {
            Command::Client(client) => {
                self.client = client;
                self.forget();
                self.port.clear();
            }
            Command::PowerCycle(build_id) => {
                self.forget();
                match open(self.power, build_id) {
                    Ok(port) => self.replace(port),
                    Err(error) => {
                        self.send(Err(error))?;
                        return Err(Gone);
                    }
                }
            }
            Command::Bytes(bytes) => {
                self.taken += bytes.len() as u64;
                self.waiting_bytes += bytes.len() as u64;
                self.waiting.push_back(Command::Bytes(bytes));
            }
            command @ (Command::Rate(_) | Command::Reset | Command::Press(_)) => {
                self.waiting.push_back(command)
            }
        }
        Ok(())
    }

    /// Drops all bytes under way and waiting commands except the adapter's rate.
    fn forget(&mut self) {
        self.received.clear();
        self.waiting_bytes = 0;
        self.waiting
            .retain(|command| matches!(command, Command::Rate(_)));
    }

    fn replace(&mut self, mut port: Port) {
        // The adapter keeps its rate.
        if let Err(error) = port.set_rate(self.rate) {
            tracing::warn!("the adapter's rate cannot be set: {error}");
        }
        self.cycles += self.port.cycles();
        self.framing_errors += self.port.framing_errors();
        self.port = port;
        self.released = 0;
        self.is_active();
    }

    /// Keeps the thread awake for a while.
    fn is_active(&mut self) {
        self.quiet = self.port.cycles() + QUIET;
        if self.monitor.is_some() {
            self.pictures = PICTURES;
        }
    }

    /// Shows the monitor what the pins did.
    fn look(&mut self) {
        let video = self.port.model().take_video();
        let Some(monitor) = &mut self.monitor else {
            return;
        };
        for picture in monitor.see(&video) {
            self.pictures = self.pictures.saturating_sub(1);
            self.screen.send_replace(Some(picture.map(Arc::new)));
        }
    }

    /// Executes the waiting commands whose bytes have been sent.
    fn feed(&mut self) {
        while let Some(command) = self.waiting.pop_front() {
            match command {
                Command::Bytes(bytes) => {
                    self.waiting_bytes -= bytes.len() as u64;
                    self.port.send(&bytes);
                }
                command if !self.port.has_sent() => {
                    self.waiting.push_front(command);
                    break;
                }
                Command::Press(_) if self.port.cycles() < self.released => {
                    self.waiting.push_front(command);
                    break;
                }
                Command::Press(button) => {
                    self.port.press(button);
                    self.released = self.port.cycles() + 2 * PRESS_CYCLES;
                    self.is_active();
                }
                Command::Rate(baud) => match self.port.set_rate(baud) {
                    Ok(()) => self.rate = baud,
                    Err(error) => tracing::warn!("the adapter keeps its rate: {error}"),
                },
                Command::Reset => self.port.reset(),
                // Executed by `take`, never waiting.
                Command::Client(_) | Command::PowerCycle(_) => {}
            }
        }
    }

    /// Simulates one step, which ends early with a received frame.
    fn simulate(&mut self) -> Result<(), SimError> {
        let chunk = if self.waiting.is_empty() {
            CHUNK
        } else {
            SHORT_CHUNK
        };
        let end = self.port.cycles() + chunk.min(self.allowed());
        while self.port.cycles() < end {
            let left = end - self.port.cycles();
            let Some(byte) = self.port.exchange(left)? else {
                break;
            };
            self.received.put_u8(byte);
            if byte == DELIMITER {
                break;
            }
        }
        self.look();
        if !self.port.is_idle() || self.port.is_busy() || !self.received.is_empty() {
            self.is_active();
        }
        Ok(())
    }
}

/// Clock cycles of an idle line after power-up, before the first byte.
const SETTLING: u64 = 1_000;

/// A model after its reset, with an adapter at its pins.
fn open(power: Power, build_id: u32) -> Result<Port, SimError> {
    let Power { variant, baud, .. } = power;
    let depth = Depth::Pins { baud, skew_ppm: 0 };
    let start = Start {
        build_id,
        ..Start::of(variant)
    };
    let mut port = Port::open_started(variant, depth, start)?;
    port.advance(SETTLING)?;
    Ok(port)
}
