//! A simulated core behind a serial adapter, its model on a thread of its own.

use std::sync::{Arc, mpsc as commands};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use sim::Variant;
use sim::monitor::{Connector, Frame, NoPicture};
use tokio::sync::{mpsc, oneshot, watch};

use crate::BoardError;
use crate::model::{Command, Model, Output};

/// Maximum number of outputs of the model in its queue; when it is full, the model waits.
const PARTS: usize = 16;

/// The speed of simulated time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pace {
    /// As fast as the simulator can; idle time is skipped.
    #[default]
    Unlimited,
    /// Never ahead of the wall clock; idle time is simulated, too. If the simulator is slower than
    /// the core, this keeps a processor busy.
    Real,
}

impl Pace {
    /// Maximum number of clock cycles that may be simulated in a time since power-up.
    pub(crate) fn allows(self, elapsed: Duration, clock_hz: u32) -> u64 {
        match self {
            Self::Unlimited => u64::MAX,
            Self::Real => {
                let cycles = elapsed.as_nanos() * u128::from(clock_hz) / 1_000_000_000;
                u64::try_from(cycles).unwrap_or(u64::MAX)
            }
        }
    }
}

/// The settings with which a board is powered up.
#[derive(Debug, Clone, Copy)]
pub struct Power {
    /// Its core.
    pub variant: &'static Variant,
    /// The core's base rate, and the adapter's rate until it is set, in baud.
    pub baud: u32,
    /// The speed of its time.
    pub pace: Pace,
    /// The connector of the monitor; only at a board of [`sim::boards`].
    pub monitor: Option<Connector>,
}

/// What a monitor shows: the last picture, or why there is none; `None` before the first one.
pub type Screen = Option<Result<Arc<Frame>, NoPicture>>;

/// The progress of the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Bytes that the adapter has sent to the core or dropped.
    pub done: u64,
    /// Clock cycles simulated since the first power-up.
    pub cycles: u64,
    /// Bytes from the core without a stop bit.
    pub framing_errors: u64,
    /// Whether the model sleeps until the next command.
    pub asleep: bool,
}

/// The buttons of a virtual board.
#[derive(Debug, Clone)]
pub struct Buttons(commands::Sender<Command>);

impl Buttons {
    /// Presses a button by its number on the wire, after all queued bytes, and releases it.
    pub fn press(&self, button: u8) {
        // A board that has ended is reported elsewhere.
        let _ = self.0.send(Command::Press(button));
    }
}

/// A simulated core behind a serial adapter.
///
/// Its thread sleeps while the core is idle, depending on [`Pace`]. Bytes from the core are queued
/// for [`Self::receive`].
pub struct VirtualBoard {
    commands: commands::Sender<Command>,
    output: mpsc::Receiver<Output>,
    progress: watch::Receiver<Progress>,
    screen: watch::Receiver<Screen>,
    given: u64,
    client: u64,
}

impl VirtualBoard {
    /// Powers a board up.
    ///
    /// # Errors
    /// When the model or its thread cannot be created, or the core cannot run at the rate.
    pub async fn start(power: Power) -> Result<Self, BoardError> {
        let (commands, queue) = commands::channel();
        let (sender, output) = mpsc::channel(PARTS);
        let (report, progress) = watch::channel(Progress::default());
        let (shows, screen) = watch::channel(None);
        let (opened, open) = oneshot::channel();
        thread::Builder::new()
            .name("virtual board".into())
            .spawn(move || {
                // A model must be created, used and dropped on one thread.
                match Model::power_up(power, queue, sender, report, shows) {
                    Ok(model) => {
                        if opened.send(Ok(())).is_ok() {
                            model.run();
                        }
                    }
                    Err(error) => drop(opened.send(Err(error))),
                }
            })
            .map_err(|why| {
                BoardError(format!(
                    "the thread of the simulated core cannot be started: {why}"
                ))
            })?;
        open.await.map_err(|_| BoardError::died())??;
        Ok(Self {
            commands,
            output,
            progress,
            screen,
            given: 0,
            client: 0,
        })
    }

    fn command(&self, command: Command) {
        // `receive` reports a thread that has ended.
        let _ = self.commands.send(command);
    }

    /// Changes the client: drops all bytes under way to the core, and those for the last client.
    pub fn change_client(&mut self) {
        self.client += 1;
        self.command(Command::Client(self.client));
    }

    /// Queues bytes for the core; see [`Self::backlog`].
    pub fn send(&mut self, bytes: Bytes) {
        self.given += bytes.len() as u64;
        self.command(Command::Bytes(bytes));
    }

    /// Sets the adapter's rate, in baud, after all queued bytes. An impossible rate (0, or more
    /// than a bit per clock cycle) is ignored.
    pub fn set_rate(&mut self, baud: u32) {
        self.command(Command::Rate(baud));
    }

    /// Presses the board's reset button after all queued bytes.
    pub fn reset(&mut self) {
        self.command(Command::Reset);
    }

    /// The board's buttons.
    pub fn buttons(&self) -> Buttons {
        Buttons(self.commands.clone())
    }

    /// Switches the board's power off and on; the core then reports another build id.
    pub fn power_cycle(&mut self, build_id: u32) {
        self.command(Command::PowerCycle(build_id));
    }

    /// Number of queued bytes that have not been sent to the core yet.
    pub fn backlog(&self) -> u64 {
        let done = self.progress.borrow().done;
        self.given.saturating_sub(done)
    }

    /// The progress now.
    pub fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// A receiver of the progress.
    pub fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// A receiver of what the monitor shows.
    pub fn screen(&self) -> watch::Receiver<Screen> {
        self.screen.clone()
    }

    /// Receives bytes for the present client. The future may be dropped at any time without losing
    /// a byte.
    ///
    /// # Errors
    /// When the model has stopped itself.
    pub async fn receive(&mut self) -> Result<Bytes, BoardError> {
        loop {
            let Output { to, bytes } = self.output.recv().await.ok_or_else(BoardError::died)?;
            let bytes = bytes?;
            if to == self.client {
                return Ok(bytes);
            }
        }
    }
}
