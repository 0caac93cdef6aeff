//! The simulated core, its model on a thread of its own.

use std::sync::mpsc as orders;
use std::thread;

use bytes::Bytes;
use serde::Serialize;
use sim::Variant;
use tokio::sync::{mpsc, oneshot, watch};

use crate::model::{Model, Order, Output};
use crate::{BoardError, Pace};

/// Parts of what the core sent that may wait to be fetched; the model waits, too,
/// when there are more.
const PARTS: usize = 16;

/// How a board comes up.
#[derive(Debug, Clone, Copy)]
pub struct Power {
    /// Its core.
    pub variant: &'static Variant,
    /// Rate of its line after power-up and after a reset, and of the adapter's
    /// end until that is set, in baud.
    pub baud: u32,
    /// How fast its time passes.
    pub pace: Pace,
}

/// How far the model has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Bytes it was given that have left the adapter, or were dropped.
    pub done: u64,
    /// Clock cycles simulated, all power-ups together.
    pub cycles: u64,
    /// Bytes from the core that came without a stop bit.
    pub framing_errors: u64,
    /// It sleeps: nothing happens until it is given something.
    pub asleep: bool,
}

/// A simulated core behind a serial adapter.
///
/// Its thread runs only while something is to be done (see [`Pace`]); what the
/// core sends is given as soon as it has come, and waits to be fetched.
pub struct VirtualBoard {
    orders: orders::Sender<Order>,
    output: mpsc::Receiver<Output>,
    progress: watch::Receiver<Progress>,
    given: u64,
    client: u64,
}

impl VirtualBoard {
    /// Powers a board up.
    ///
    /// # Errors
    /// When the model cannot be made, run at that rate or given a thread.
    pub async fn start(power: Power) -> Result<Self, BoardError> {
        let (orders, queue) = orders::channel();
        let (sender, output) = mpsc::channel(PARTS);
        let (report, progress) = watch::channel(Progress::default());
        let (opened, open) = oneshot::channel();
        thread::Builder::new()
            .name("virtual board".into())
            .spawn(move || {
                // The model is made, used and dropped here and nowhere else.
                match Model::power_up(power, queue, sender, report) {
                    Ok(model) => {
                        if opened.send(Ok(())).is_ok() {
                            model.run();
                        }
                    }
                    Err(error) => drop(opened.send(Err(error))),
                }
            })
            .map_err(BoardError::Thread)?;
        open.await.map_err(|_| BoardError::Died)??;
        Ok(Self {
            orders,
            output,
            progress,
            given: 0,
            client: 0,
        })
    }

    fn order(&self, order: Order) {
        // A thread that has ended says so where its output is fetched.
        let _ = self.orders.send(order);
    }

    /// Another client is there, or none: what the last one has on its way to the
    /// core is dropped, and so is what the core sent to it.
    pub fn change_client(&mut self) {
        self.client += 1;
        self.order(Order::Client(self.client));
    }

    /// Sends bytes to the core, behind those sent before; see [`Self::backlog`].
    pub fn send(&mut self, bytes: Bytes) {
        self.given += bytes.len() as u64;
        self.order(Order::Bytes(bytes));
    }

    /// Runs the adapter's end of the line at that rate, once all bytes given before
    /// have left. At one that no adapter has (0, or more than a bit a clock cycle)
    /// it stays what it was.
    pub fn set_rate(&mut self, baud: u32) {
        self.order(Order::Rate(baud));
    }

    /// Presses the board's reset button, once all bytes given before have left.
    pub fn reset(&mut self) {
        self.order(Order::Reset);
    }

    /// Takes the board's power away and gives it back, with another bitstream:
    /// the same core, under another build id.
    pub fn power_cycle(&mut self, build_id: u32) {
        self.order(Order::PowerCycle(build_id));
    }

    /// Bytes sent that have not left for the core yet.
    pub fn backlog(&self) -> u64 {
        let done = self.progress.borrow().done;
        self.given.saturating_sub(done)
    }

    /// How far the model has come.
    pub fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// The same, now and later.
    pub fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// Waits until it sleeps. At [`Pace::Real`] it never does.
    ///
    /// # Errors
    /// When its thread has ended.
    pub async fn asleep(&mut self) -> Result<Progress, BoardError> {
        let asleep = self.progress.wait_for(|progress| progress.asleep).await;
        asleep
            .map(|progress| *progress)
            .map_err(|_| BoardError::Died)
    }

    /// What the core sends to the client there is now, as soon as it comes. May be
    /// dropped at any time: nothing is lost.
    ///
    /// # Errors
    /// When the model has stopped itself.
    pub async fn receive(&mut self) -> Result<Bytes, BoardError> {
        loop {
            let Output { to, bytes } = self.output.recv().await.ok_or(BoardError::Died)?;
            let bytes = bytes?;
            if to == self.client {
                return Ok(bytes);
            }
        }
    }
}
