//! The thread of a virtual board: a model, and a serial adapter at its pins.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use bytes::{BufMut as _, Bytes, BytesMut};
use protocol::frame::DELIMITER;
use sim::{Depth, Port, SimError, Start};
use tokio::sync::{mpsc, watch};

use crate::virtual_board::{Power, Progress};

/// Clock cycles simulated in one go: some two milliseconds. Bytes that come in
/// between are given on at its end, or with the end of a frame.
const CHUNK: u64 = 2_000;

/// The same while something waits for the last bytes to leave.
const SHORT_CHUNK: u64 = 100;

/// Clock cycles that an idle model is simulated on: it is busy some cycles after a frame's last
/// bit, and sends the first bit of a reply some cycles after it was busy.
const QUIET: u64 = 2_000;

/// Time to wait for the wall clock where simulated time must not get ahead.
const NAP: Duration = Duration::from_millis(1);

/// What a board's thread is told.
#[derive(Debug)]
pub(crate) enum Order {
    /// From now on what comes goes to that client; nobody waits any more for what
    /// is on its way.
    Client(u64),
    /// To be sent to the core.
    Bytes(Bytes),
    /// The adapter's rate, after the bytes before it.
    Rate(u32),
    /// The reset button, after the bytes before it.
    Reset,
    /// At once, with that build id.
    PowerCycle(u32),
}

/// What the core sent, and to which client; the last one may be why the model
/// cannot go on.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) to: u64,
    pub(crate) bytes: Result<Bytes, SimError>,
}

/// Whoever gave orders, or took what came, is gone.
struct Gone;

/// How long the thread may wait for an order.
enum Wait {
    /// There is something to be done.
    No,
    /// Simulated time is ahead of the wall clock.
    Nap,
    UntilAsked,
}

pub(crate) struct Model {
    power: Power,
    started: Instant,
    port: Port,
    /// Cycles and framing errors of the models before this one.
    cycles: u64,
    framing_errors: u64,
    orders: Receiver<Order>,
    /// Orders that have to wait for the bytes before them.
    waiting: VecDeque<Order>,
    /// Bytes taken, and those of them that wait.
    taken: u64,
    waiting_bytes: u64,
    output: mpsc::Sender<Output>,
    client: u64,
    /// Came, and was not given on yet.
    came: BytesMut,
    /// Cycle of the port from which on it may sleep.
    quiet: u64,
    /// The adapter's rate.
    rate: u32,
    report: watch::Sender<Progress>,
}

impl Model {
    pub(crate) fn power_up(
        power: Power,
        orders: Receiver<Order>,
        output: mpsc::Sender<Output>,
        report: watch::Sender<Progress>,
    ) -> Result<Self, SimError> {
        Ok(Self {
            port: open(power, power.variant.build_id)?,
            started: Instant::now(),
            cycles: 0,
            framing_errors: 0,
            orders,
            waiting: VecDeque::new(),
            taken: 0,
            waiting_bytes: 0,
            output,
            client: 0,
            came: BytesMut::new(),
            quiet: 0,
            rate: power.baud,
            report,
            power,
        })
    }

    /// Does what it is told until nobody is there to tell.
    pub(crate) fn run(mut self) {
        while self.go_on().is_ok() {}
    }

    fn go_on(&mut self) -> Result<(), Gone> {
        let done = self.take_orders().and_then(|()| {
            self.feed();
            if let Err(error) = self.work() {
                self.say(Err(error))?;
                return Err(Gone);
            }
            if !self.came.is_empty() {
                let bytes = self.came.split().freeze();
                self.say(Ok(bytes))?;
            }
            Ok(())
        });
        self.tell(false);
        done
    }

    /// Waits while too much was said that nobody has fetched.
    fn say(&self, bytes: Result<Bytes, SimError>) -> Result<(), Gone> {
        let to = self.client;
        let said = self.output.blocking_send(Output { to, bytes });
        said.map_err(|_| Gone)
    }

    fn tell(&self, asleep: bool) {
        let left = self.waiting_bytes + self.port.queued() as u64;
        let now = Progress {
            done: self.taken - left.min(self.taken),
            cycles: self.cycles + self.port.cycles(),
            framing_errors: self.framing_errors + self.port.framing_errors(),
            asleep,
        };
        self.report.send_if_modified(|told| {
            let news = *told != now;
            *told = now;
            news
        });
    }

    /// Clock cycles that may be simulated now.
    fn allowed(&self) -> u64 {
        let Power { variant, pace, .. } = self.power;
        let allowed = pace.allows(self.started.elapsed(), variant.clock_hz);
        allowed.saturating_sub(self.cycles + self.port.cycles())
    }

    fn wait(&self) -> Wait {
        let nothing = self.waiting.is_empty()
            && self.port.is_idle()
            && !self.port.is_busy()
            && self.port.cycles() >= self.quiet;
        match self.power.pace {
            crate::Pace::Unlimited if nothing => Wait::UntilAsked,
            crate::Pace::Real if self.allowed() == 0 => Wait::Nap,
            _ => Wait::No,
        }
    }

    /// Takes all orders there are, and waits for the first one if it may.
    fn take_orders(&mut self) -> Result<(), Gone> {
        let first = match self.wait() {
            Wait::No => None,
            Wait::Nap => match self.orders.recv_timeout(NAP) {
                Ok(order) => Some(order),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            },
            Wait::UntilAsked => {
                self.tell(true);
                Some(self.orders.recv().map_err(|_| Gone)?)
            }
        };
        if let Some(order) = first {
            self.take(order)?;
        }
        loop {
            match self.orders.try_recv() {
                Ok(order) => self.take(order)?,
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(Gone),
            }
        }
    }

    fn take(&mut self, order: Order) -> Result<(), Gone> {
        self.quiet = self.port.cycles() + QUIET;
        match order {
            Order::Client(client) => {
                self.client = client;
                self.forget();
                self.port.clear();
            }
            Order::PowerCycle(build_id) => {
                self.forget();
                match open(self.power, build_id) {
                    Ok(port) => self.replace(port),
                    Err(error) => {
                        self.say(Err(error))?;
                        return Err(Gone);
                    }
                }
            }
            Order::Bytes(bytes) => {
                self.taken += bytes.len() as u64;
                self.waiting_bytes += bytes.len() as u64;
                self.waiting.push_back(Order::Bytes(bytes));
            }
            order @ (Order::Rate(_) | Order::Reset) => self.waiting.push_back(order),
        }
        Ok(())
    }

    /// Drops what waits, but for the adapter's rate.
    fn forget(&mut self) {
        self.came.clear();
        self.waiting_bytes = 0;
        self.waiting.retain(|order| matches!(order, Order::Rate(_)));
    }

    fn replace(&mut self, mut port: Port) {
        // The adapter keeps its rate.
        if let Err(error) = port.set_rate(self.rate) {
            tracing::warn!("the adapter does not run at that rate: {error}");
        }
        self.cycles += self.port.cycles();
        self.framing_errors += self.port.framing_errors();
        self.port = port;
        self.quiet = QUIET;
    }

    /// Gives the port what is due.
    fn feed(&mut self) {
        while let Some(order) = self.waiting.pop_front() {
            match order {
                Order::Bytes(bytes) => {
                    self.waiting_bytes -= bytes.len() as u64;
                    self.port.send(&bytes);
                }
                order if !self.port.has_sent() => {
                    self.waiting.push_front(order);
                    break;
                }
                Order::Rate(baud) => match self.port.set_rate(baud) {
                    Ok(()) => self.rate = baud,
                    Err(error) => tracing::warn!("the adapter's rate stays: {error}"),
                },
                Order::Reset => self.port.reset(),
                // Done when they were taken.
                Order::Client(_) | Order::PowerCycle(_) => {}
            }
        }
    }

    /// Lets some time pass, not beyond the end of a frame.
    fn work(&mut self) -> Result<(), SimError> {
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
            self.came.put_u8(byte);
            if byte == DELIMITER {
                break;
            }
        }
        if !self.port.is_idle() || self.port.is_busy() || !self.came.is_empty() {
            self.quiet = self.port.cycles() + QUIET;
        }
        Ok(())
    }
}

/// Clock cycles of an idle line that a receiver sees after power-up, before anybody
/// can have sent it anything.
const SETTLING: u64 = 1_000;

/// A model that has come out of reset, with an adapter at its pins.
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
