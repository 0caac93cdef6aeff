//! A link to a fake core.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use lockstep::link::{Link, LinkError, LinkStatistics};
use protocol::{Decoder, Frame};

/// A core at the other end of a fake link. The default is silent.
pub trait Peer: Send {
    /// Takes a request; returns the replies that are sent at once.
    fn take(&mut self, _: &Frame<'_>) -> Vec<Bytes> {
        Vec::new()
    }

    /// The host waits that long while nothing is on its way; returns what comes then.
    fn wait(&mut self, _: Duration) -> Option<Bytes> {
        None
    }

    /// Called after a timeout of the host; returns the bytes that come after it.
    fn late(&mut self) -> Vec<Bytes> {
        Vec::new()
    }
}

/// A closure gives the replies that are sent at once.
impl<F: FnMut(&Frame<'_>) -> Vec<Bytes> + Send> Peer for F {
    fn take(&mut self, frame: &Frame<'_>) -> Vec<Bytes> {
        self(frame)
    }
}

/// The time limit of each wait, and the number of waits that ended with a timeout.
#[derive(Debug, Default)]
pub struct Waits {
    pub limits: Vec<Duration>,
    pub silences: usize,
}

pub struct Fake<P> {
    peer: P,
    decoder: Decoder,
    coming: VecDeque<Bytes>,
    pub waits: Arc<Mutex<Waits>>,
    /// Time that each wait takes.
    pub slow: Duration,
}

impl<P: Peer> Fake<P> {
    pub fn new(peer: P) -> Self {
        Self {
            peer,
            decoder: Decoder::new(),
            coming: VecDeque::new(),
            waits: Arc::default(),
            slow: Duration::ZERO,
        }
    }
}

#[async_trait]
impl<P: Peer> Link for Fake<P> {
    fn describe(&self) -> String {
        "fake".into()
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        for byte in bytes {
            if let Some(Ok(frame)) = self.decoder.push(*byte) {
                self.coming.extend(self.peer.take(&frame));
            }
        }
        Ok(())
    }

    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        let came = self.coming.pop_front().or_else(|| self.peer.wait(within));
        if came.is_none() {
            self.coming.extend(self.peer.late());
        }
        {
            let mut waits = self.waits.lock().expect("not poisoned");
            waits.limits.push(within);
            waits.silences += usize::from(came.is_none());
        }
        if !self.slow.is_zero() {
            tokio::time::sleep(self.slow).await;
        }
        came.ok_or_else(|| LinkError::Silent("nothing came".into()))
    }

    async fn reopen(&mut self) -> Result<(), LinkError> {
        Ok(())
    }

    fn statistics(&self) -> LinkStatistics {
        LinkStatistics::default()
    }
}

/// A frame on the wire.
pub fn frame(seq: u16, kind: u8, payload: &[u8]) -> Bytes {
    let frame = Frame { seq, kind, payload };
    let wire = protocol::frame::encode(&frame).expect("it fits");
    Bytes::copy_from_slice(wire.as_ref())
}
