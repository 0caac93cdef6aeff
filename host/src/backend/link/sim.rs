//! A simulated core: its model on a thread of its own.
//!
//! Simulated time passes only while somebody waits for an answer, so a core
//! that is asked nothing costs nothing, and a session's clock cycles do not
//! depend on how fast the host is.

use std::sync::mpsc;
use std::thread;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use protocol::frame::{DELIMITER, MAX_WIRE};
use sim::{Depth, Port, SimError, Variant};
use tokio::sync::oneshot;

use super::{Link, LinkError};

type Received = Result<Bytes, LinkError>;

enum Command {
    Send(Vec<u8>),
    Receive(oneshot::Sender<Received>),
}

/// A link to a simulated core.
pub struct SimLink {
    commands: mpsc::Sender<Command>,
    description: String,
}

impl SimLink {
    /// Starts a model on a thread of its own. `limit` is how many clock cycles
    /// an answer may take.
    ///
    /// # Errors
    /// When the model cannot be made, connected or given a thread.
    pub async fn open(
        variant: &'static Variant,
        depth: Depth,
        limit: u64,
    ) -> Result<Self, LinkError> {
        let (commands, queue) = mpsc::channel();
        let (opened, open) = oneshot::channel();
        thread::Builder::new()
            .name("model".into())
            .spawn(move || {
                // The model is made, used and dropped here and nowhere else.
                match Port::open(variant, depth) {
                    Ok(port) => {
                        if opened.send(Ok(())).is_ok() {
                            serve(port, &queue, limit);
                        }
                    }
                    Err(error) => drop(opened.send(Err(error))),
                }
            })
            .map_err(|e| LinkError::Closed(format!("no thread for the model: {e}")))?;
        open.await
            .map_err(|_| gone())?
            .map_err(|e| LinkError::Closed(e.to_string()))?;
        let place = match depth {
            Depth::Bytes => "bytes behind the UART".into(),
            Depth::Pins { baud, .. } => format!("UART pins at {baud} baud"),
        };
        Ok(Self {
            commands,
            description: place,
        })
    }
}

/// Works off commands until the link is dropped.
fn serve(mut port: Port, queue: &mpsc::Receiver<Command>, limit: u64) {
    while let Ok(command) = queue.recv() {
        match command {
            Command::Send(bytes) => port.send(&bytes),
            // Nobody waits any more: the link was dropped meanwhile.
            Command::Receive(reply) => drop(reply.send(receive(&mut port, limit))),
        }
    }
}

/// Runs the model to the end of its next frame.
fn receive(port: &mut Port, limit: u64) -> Received {
    let mut bytes = Vec::with_capacity(MAX_WIRE);
    loop {
        match port.receive(limit) {
            Ok(byte) => bytes.push(byte),
            Err(e @ SimError::Hung { .. }) => return Err(LinkError::Silent(e.to_string())),
            Err(e) => return Err(LinkError::Closed(e.to_string())),
        }
        if bytes.last() == Some(&DELIMITER) {
            return Ok(bytes.into());
        }
    }
}

fn gone() -> LinkError {
    LinkError::Closed("the model's thread has ended".into())
}

impl Link for SimLink {
    fn describe(&self) -> String {
        self.description.clone()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        let sent = self.commands.send(Command::Send(bytes.to_vec()));
        async { sent.map_err(|_| gone()) }.boxed()
    }

    fn receive(&mut self) -> BoxFuture<'_, Received> {
        let (reply, received) = oneshot::channel();
        let sent = self.commands.send(Command::Receive(reply));
        async {
            sent.map_err(|_| gone())?;
            received.await.map_err(|_| gone())?
        }
        .boxed()
    }
}
