//! A link to a simulated core, whose model runs on a thread of its own.
//!
//! Simulated time passes only while the host waits for an answer, so an idle core costs nothing,
//! and a session's clock cycles do not depend on the host's speed.

use std::path::PathBuf;
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use protocol::frame::{DELIMITER, MAX_WIRE};
use sim::{Depth, Port, SimError, Start, Variant};
use tokio::sync::{mpsc as async_mpsc, oneshot};

use super::{Link, LinkError, LinkStatistics};

type Received = Result<Bytes, LinkError>;

/// Received bytes, and the clock cycle then.
type Reply = (Received, u64);

enum Command {
    Send(Vec<u8>),
    /// Waits for the end of a frame, at most that many clock cycles.
    Receive(u64),
    /// Begins a waveform, or ends it.
    Waves(Option<PathBuf>, oneshot::Sender<Result<u64, SimError>>),
}

/// Begins and ends the waveforms of a simulated core. It fails once the link was reopened, which starts
/// another model.
#[derive(Clone)]
pub struct Waves(mpsc::Sender<Command>);

impl Waves {
    /// Writes all signals into a file (FST) from the next clock cycle on; returns the clock cycles
    /// since power-up.
    ///
    /// # Errors
    /// When the file cannot be written or the model has ended.
    pub async fn begin(&self, file: PathBuf) -> Result<u64, LinkError> {
        self.ask(Some(file)).await
    }

    /// Completes the file; returns the clock cycles since power-up.
    ///
    /// # Errors
    /// When the model has ended.
    pub async fn end(&self) -> Result<u64, LinkError> {
        self.ask(None).await
    }

    async fn ask(&self, file: Option<PathBuf>) -> Result<u64, LinkError> {
        let (answer, answered) = oneshot::channel();
        let command = Command::Waves(file, answer);
        self.0.send(command).map_err(|_| gone())?;
        let answered = answered.await.map_err(|_| gone())?;
        answered.map_err(|e| LinkError::Closed(e.to_string()))
    }
}

/// A link to a simulated core.
pub struct SimLink {
    variant: &'static Variant,
    depth: Depth,
    /// Whether it can write waveforms.
    waves: bool,
    commands: mpsc::Sender<Command>,
    /// Replies of the model's thread, one for each `Receive`; none is lost with a dropped future.
    received: async_mpsc::UnboundedReceiver<Reply>,
    /// Whether a `Receive` was not answered yet.
    waiting: bool,
    statistics: LinkStatistics,
}

impl SimLink {
    /// Starts a model on a thread of its own.
    ///
    /// # Errors
    /// When the model cannot be made, connected or given a thread.
    pub async fn open(variant: &'static Variant, depth: Depth) -> Result<Self, LinkError> {
        Self::start(variant, depth, false).await
    }

    /// As [`Self::open`], with a slower model that can write waveforms.
    ///
    /// # Errors
    /// As [`Self::open`]; a netlist has none.
    pub async fn traced(
        variant: &'static Variant,
        depth: Depth,
    ) -> Result<(Self, Waves), LinkError> {
        let link = Self::start(variant, depth, true).await?;
        let waves = Waves(link.commands.clone());
        Ok((link, waves))
    }

    async fn start(
        variant: &'static Variant,
        depth: Depth,
        waves: bool,
    ) -> Result<Self, LinkError> {
        let (commands, queue) = mpsc::channel();
        let (replies, received) = async_mpsc::unbounded_channel();
        let (opened, open) = oneshot::channel();
        let work = move || {
            // The model must stay on one thread.
            let start = Start {
                waves,
                ..Start::of(variant)
            };
            match Port::open_started(variant, depth, start) {
                Ok(port) => {
                    if opened.send(Ok(())).is_ok() {
                        serve(port, &queue, &replies);
                    }
                }
                Err(error) => drop(opened.send(Err(error))),
            }
        };
        let spawned = thread::Builder::new().name("model".into()).spawn(work);
        spawned.map_err(|e| LinkError::Closed(format!("no thread for the model: {e}")))?;
        let opened = open.await.map_err(|_| gone())?;
        opened.map_err(|e| LinkError::Closed(e.to_string()))?;
        Ok(Self {
            variant,
            depth,
            waves,
            commands,
            received,
            waiting: false,
            statistics: LinkStatistics::default(),
        })
    }

    /// Clock cycles in that time, at least one.
    fn cycles(&self, time: Duration) -> u64 {
        let cycles = time.as_nanos() * u128::from(self.variant.clock_hz) / 1_000_000_000;
        u64::try_from(cycles).unwrap_or(u64::MAX).max(1)
    }
}

/// Clock cycles between two checks for new commands.
const SLICE: u64 = 50_000;

/// Executes commands until the link is dropped.
fn serve(
    mut port: Port,
    queue: &mpsc::Receiver<Command>,
    replies: &async_mpsc::UnboundedSender<Reply>,
) {
    let mut partial = BytesMut::with_capacity(MAX_WIRE);
    // The limit of the wait in progress, and the clock cycles left, if there is one.
    let mut waits: Option<(u64, u64)> = None;
    loop {
        let command = match waits {
            None => queue.recv().map_err(|_| TryRecvError::Disconnected),
            Some(_) => queue.try_recv(),
        };
        match command {
            Ok(Command::Send(bytes)) => port.send(&bytes),
            Ok(Command::Receive(limit)) => waits = Some((limit, limit)),
            Ok(Command::Waves(file, answer)) => {
                let model = port.model();
                let done = match file {
                    Some(file) => model.waves(&file),
                    None => model.end_waves(),
                };
                // The receiver may have gone.
                let _ = answer.send(done.map(|()| model.cycles()));
            }
            Err(TryRecvError::Disconnected) => return,
            Err(TryRecvError::Empty) => {
                let Some((limit, left)) = waits.take() else {
                    continue;
                };
                let received = match receive(&mut port, &mut partial, left.min(SLICE)) {
                    Err(SimError::Hung { .. }) if left > SLICE => {
                        waits = Some((limit, left - SLICE));
                        continue;
                    }
                    Err(SimError::Hung { .. }) => {
                        Err(LinkError::Silent(SimError::Hung { limit }.to_string()))
                    }
                    received => received.map_err(|e| LinkError::Closed(e.to_string())),
                };
                if replies.send((received, port.cycles())).is_err() {
                    return;
                }
            }
        }
    }
}

/// Runs the model to the end of its next frame. Bytes of a frame that is incomplete after `limit` clock
/// cycles stay in `partial`.
fn receive(port: &mut Port, partial: &mut BytesMut, limit: u64) -> Result<Bytes, SimError> {
    loop {
        partial.extend_from_slice(&[port.receive(limit)?]);
        if partial.last() == Some(&DELIMITER) {
            return Ok(partial.split().freeze());
        }
    }
}

fn gone() -> LinkError {
    LinkError::Closed("the model's thread has ended".into())
}

#[async_trait]
impl Link for SimLink {
    fn describe(&self) -> String {
        let place = match self.depth {
            Depth::Bytes => "without UART".into(),
            Depth::Pins { baud, .. } => format!("UART pins at {baud} baud"),
        };
        match self.variant.netlist {
            true => format!("ECP5 netlist, {place}"),
            false => place,
        }
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let sent = self.commands.send(Command::Send(bytes.to_vec()));
        sent.map_err(|_| gone())?;
        self.statistics.sent += bytes.len() as u64;
        Ok(())
    }

    async fn receive(&mut self, within: Duration) -> Received {
        // A dropped receive may still be in progress; then its reply is awaited.
        if !self.waiting {
            let command = Command::Receive(self.cycles(within));
            self.commands.send(command).map_err(|_| gone())?;
            self.waiting = true;
        }
        let (received, cycle) = self.received.recv().await.ok_or_else(gone)?;
        self.statistics.simulated_cycles = Some(cycle);
        self.waiting = false;
        if let Ok(bytes) = &received {
            self.statistics.received += bytes.len() as u64;
        }
        received
    }

    async fn reopen(&mut self) -> Result<(), LinkError> {
        // The old model ends here: until there is a new one the link is closed.
        let (closed, _) = mpsc::channel();
        let (_, silent) = async_mpsc::unbounded_channel();
        (self.commands, self.received) = (closed, silent);
        let mut statistics = self.statistics;
        statistics.reopened += 1;
        *self = Self {
            statistics,
            ..Self::start(self.variant, self.depth, self.waves).await?
        };
        Ok(())
    }

    fn statistics(&self) -> LinkStatistics {
        self.statistics
    }
}
