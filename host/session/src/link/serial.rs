//! A core behind a serial port: a board, or a virtual one behind a
//! pseudo-terminal.

use std::fs;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serialport::{ClearBuffer, DataBits, FlowControl, Parity, SerialPort as _, StopBits};
use tokio_serial::SerialStream;

use super::latency::{self, SYSFS};
use super::ports::{self, Port};
use super::registry::Registry;
use super::stream::Stream;
use super::{Link, LinkError, LinkStatistics, PortError, error};

/// Time limit for sent bytes to leave before the rate is changed.
const DRAINING: Duration = Duration::from_secs(2);
/// Time between two checks whether all bytes were sent.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Lists serial ports.
pub type Listing = fn() -> Vec<Port>;

/// A serial port: 8 data bits, no parity, 1 stop bit, no flow control, opened exclusively.
pub struct SerialLink {
    port: Port,
    /// Rate in baud at which it is opened.
    base: u32,
    /// Present rate in baud.
    rate: u32,
    latency: Option<u32>,
    listing: Listing,
    stream: Stream<SerialStream>,
}

impl SerialLink {
    /// Opens a port at a rate in baud.
    ///
    /// # Errors
    /// When there is no such port, or it cannot be opened.
    pub fn open(port: Port, baud: u32) -> Result<Self, PortError> {
        Self::open_listed(port, baud, ports::available)
    }

    /// As [`Self::open`], with another listing in which the port is found again when it is reopened.
    ///
    /// # Errors
    /// When there is no such port, or it cannot be opened.
    pub fn open_listed(port: Port, baud: u32, listing: Listing) -> Result<Self, PortError> {
        let (stream, latency) = open(&port.path, baud, listing)?;
        let path = &port.path;
        let ended =
            format!("the connection to {path} was lost: it was unplugged, or its server has ended");
        Ok(Self {
            stream: Stream::new(stream, ended),
            base: baud,
            rate: baud,
            latency,
            listing,
            port,
        })
    }

    /// The port.
    pub fn port(&self) -> &Port {
        &self.port
    }

    /// The present latency timer of the port in milliseconds; `None` if it has none.
    pub fn latency(&self) -> Option<u32> {
        self.latency
    }

    /// Waits until all sent bytes have left.
    async fn drain(&mut self) -> Result<(), LinkError> {
        let waiting = async {
            while self.stream.get()?.bytes_to_write().unwrap_or(0) > 0 {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            Ok::<(), LinkError>(())
        };
        let stuck = |_| LinkError::Closed(format!("{} takes no bytes", self.port.path));
        let drained = tokio::time::timeout(DRAINING, waiting).await;
        drained.map_err(stuck)??;
        // The chip may hold a few more bytes.
        let flushed = std::io::Write::flush(self.stream.get()?);
        flushed.map_err(|why| LinkError::Closed(format!("{}: {why}", self.port.path)))
    }

    fn change_rate(&mut self, baud: u32) -> Result<(), LinkError> {
        let stream = self.stream.get()?;
        if baud == 0 {
            // Zero would make the system hang up.
            return Err(LinkError::Rate(baud));
        }
        let set = stream.set_baud_rate(baud);
        // A chip may choose its nearest rate instead.
        let runs = stream.baud_rate();
        match (set, runs) {
            (Ok(()), Ok(runs)) if is_near(runs, baud) => {
                self.rate = baud;
                Ok(())
            }
            (_, Err(_)) => {
                self.stream.close();
                self.stream.get().map(|_| ())
            }
            _ => {
                let back = stream.set_baud_rate(self.rate);
                back.map_err(|why| LinkError::Closed(why.to_string()))?;
                Err(LinkError::Rate(baud))
            }
        }
    }
}

/// Whether a line that runs at one rate receives what is sent at the other.
fn is_near(runs: u32, baud: u32) -> bool {
    runs.abs_diff(baud) <= baud / 50
}

/// Whether the path is the link of a virtual board that was killed.
fn was_killed(path: &str) -> bool {
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let absolute = is_link.then(|| std::path::absolute(path).ok()).flatten();
    absolute.is_some_and(|path| Registry::shared().was_killed(&path))
}

/// Opens a port, clears its buffers and shortens its latency timer.
fn open(path: &str, baud: u32, listing: Listing) -> Result<(SerialStream, Option<u32>), PortError> {
    if fs::metadata(path).is_ok_and(|meta| meta.is_file() || meta.is_dir()) {
        return Err(PortError::new(path, error::NOT_SERIAL));
    }
    if was_killed(path) {
        let why = format!(
            "the virtual board that was there was killed; start it again \
             (`lockstep serve --pty {path}`), or delete the link {path}"
        );
        return Err(PortError::new(path, why));
    }
    let there = || listing().iter().map(ToString::to_string).collect();
    let failed = |why: &serialport::Error| PortError::new(path, error::serial(why, there));
    let builder = serialport::new(path, baud)
        .data_bits(DataBits::Eight)
        .parity(Parity::None)
        .stop_bits(StopBits::One)
        .flow_control(FlowControl::None)
        .exclusive(true);
    let stream = SerialStream::open(&builder).map_err(|why| failed(&why))?;
    // Bytes of an earlier program.
    stream.clear(ClearBuffer::All).map_err(|why| failed(&why))?;
    let latency = latency::shorten(Path::new(SYSFS), path, &stream);
    if let Some(remark) = latency.and_then(latency::remark) {
        tracing::info!(path, "{remark}");
    }
    Ok((stream, latency))
}

#[async_trait]
impl Link for SerialLink {
    fn describe(&self) -> String {
        let slow = self.latency.filter(|ms| latency::remark(*ms).is_some());
        match slow {
            Some(ms) => format!("{}, latency timer {ms} ms", self.port),
            None => self.port.to_string(),
        }
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.stream.send(bytes).await
    }

    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        self.stream.receive(within).await
    }

    /// Tries once. The port then has the rate at which it was first opened.
    async fn reopen(&mut self) -> Result<(), LinkError> {
        self.stream.close();
        let ports = match self.port.usb {
            Some(_) => (self.listing)(),
            None => Vec::new(),
        };
        let port = self.port.found_again(&ports).ok_or_else(|| {
            let there: Vec<_> = ports.iter().map(ToString::to_string).collect();
            PortError::new(&self.port.to_string(), error::not_plugged(&there))
        })?;
        let (stream, latency) = open(&port.path, self.base, self.listing)?;
        self.stream.replace(stream);
        (self.port, self.latency, self.rate) = (port, latency, self.base);
        Ok(())
    }

    fn statistics(&self) -> LinkStatistics {
        self.stream.statistics()
    }

    fn rate(&self) -> Option<u32> {
        Some(self.rate)
    }

    async fn set_rate(&mut self, baud: u32) -> Result<(), LinkError> {
        self.drain().await?;
        self.change_rate(baud)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_within_two_percent_is_near() {
        let near = [979, 980, 1_020, 1_021].map(|runs| is_near(runs, 1_000));
        assert_eq!(near, [false, true, true, false]);
    }
}
