//! A link with seeded faults, to test that no reply is taken for the reply to another request.

use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};

use lockstep::link::faults::{ByteOutcome, FaultProcess};
use lockstep::link::{Link, LinkError, LinkStatistics};

pub use lockstep::link::faults::Faults;

/// A link with faults in both directions.
pub struct Faulty<L> {
    link: L,
    /// For the bytes of both directions, in the order in which they pass.
    process: FaultProcess,
    /// Late bytes from the core.
    held: BytesMut,
    /// Late bytes to the core.
    unsent: BytesMut,
    closed: bool,
}

impl<L: Link> Faulty<L> {
    /// A link with these faults; the same seed gives the same faults.
    pub fn new(link: L, faults: Faults, seed: u64) -> Self {
        Self {
            link,
            process: FaultProcess::new(faults, seed),
            held: BytesMut::new(),
            unsent: BytesMut::new(),
            closed: false,
        }
    }

    fn hung_up() -> LinkError {
        LinkError::Closed("the link was hung up (a seeded fault)".into())
    }
}

#[async_trait]
impl<L: Link> Link for Faulty<L> {
    fn describe(&self) -> String {
        format!("{}, with faults", self.link.describe())
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        if self.closed {
            return Err(Self::hung_up());
        }
        let mut out = self.unsent.split();
        let mut rest = bytes.iter();
        while let Some(&byte) = rest.next() {
            match self.process.pass(byte, &mut out) {
                ByteOutcome::Passed => {}
                ByteOutcome::Stalled => {
                    // The rest is sent with the next bytes.
                    self.unsent.extend_from_slice(rest.as_slice());
                    break;
                }
                ByteOutcome::HungUp => {
                    self.closed = true;
                    break;
                }
            }
        }
        self.link.send(&out).await?;
        if self.closed {
            Err(Self::hung_up())
        } else {
            Ok(())
        }
    }

    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        if self.closed {
            return Err(Self::hung_up());
        }
        if !self.held.is_empty() {
            return Ok(self.held.split().freeze());
        }
        loop {
            let bytes = self.link.receive(within).await?;
            let mut out = BytesMut::with_capacity(bytes.len() + 8);
            let mut rest = bytes.iter();
            while let Some(&byte) = rest.next() {
                match self.process.pass(byte, &mut out) {
                    ByteOutcome::Passed => {}
                    ByteOutcome::Stalled => {
                        out.extend_from_slice(rest.as_slice());
                        self.held = out;
                        let why = "the line stalled (a seeded fault)";
                        return Err(LinkError::Silent(why.into()));
                    }
                    ByteOutcome::HungUp => {
                        self.closed = true;
                        return Err(Self::hung_up());
                    }
                }
            }
            if !out.is_empty() {
                return Ok(out.freeze());
            }
        }
    }

    async fn reopen(&mut self) -> Result<(), LinkError> {
        self.link.reopen().await?;
        self.held.clear();
        self.unsent.clear();
        self.closed = false;
        Ok(())
    }

    fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }

    fn rate(&self) -> Option<u32> {
        self.link.rate()
    }

    async fn set_rate(&mut self, baud: u32) -> Result<(), LinkError> {
        self.link.set_rate(baud).await
    }
}
