//! A board that labgrid shares: its place is acquired, played on over TCP, and released.
//!
//! Only the program `labgrid-client` is used, which finds the coordinator in `LG_COORDINATOR`. Each
//! link acquires as a user of its own, named after this process, so that labgrid tells two runs of
//! one person apart. A small shell waits for the end of this process, however it ends, and then
//! releases the place.

use std::env;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::process::Command;

use super::error::WAIT_LONGER;
use super::tcp::TcpLink;
use super::{Link, LinkError, LinkStatistics, PortError};

const CLIENT: &str = "labgrid-client";
/// Releases the place of arguments 1 and 2 once standard input ends. Signals of the terminal are
/// for the program that plays.
const RELEASE: &str = "trap '' INT TERM HUP; read -r _; exec labgrid-client -p \"$1\" release-from \"$2\" >/dev/null 2>&1";

/// A connection to a board behind a `NetworkSerialPort` of labgrid.
pub struct LabgridLink {
    place: String,
    link: TcpLink,
    /// Dropped after the link.
    _lease: Lease,
}

/// The acquired place.
struct Lease(std::process::Child);

impl Lease {
    fn begin(place: &str, (host, user): &(String, String)) -> io::Result<Self> {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", RELEASE, "lease", place, &format!("{host}/{user}")]);
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::null());
        Ok(Self(shell.stderr(Stdio::null()).spawn()?))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // The next run finds the place released.
        let _ = self.0.wait();
    }
}

impl LabgridLink {
    /// Acquires a place and connects to its board.
    ///
    /// # Errors
    /// When labgrid is not installed or refuses, somebody else has the place, the place has no
    /// serial port that speaks raw TCP, or no board is there.
    pub async fn open(place: &str) -> Result<Self, PortError> {
        let failed = |why: String| PortError::new(place, why);
        let who = holder();
        // Before the place is acquired, so that it is released wherever this process ends.
        let mut lease = Lease::begin(place, &who).map_err(|why| failed(format!("sh: {why}")))?;
        if let Err(why) = client(place, &["acquire"], &who).await {
            // There is nothing to release.
            let _ = lease.0.kill();
            return Err(failed(why));
        }
        let shown = client(place, &["show"], &who).await.map_err(failed)?;
        let address = address(&shown).map_err(failed)?;
        Ok(Self {
            place: place.into(),
            link: TcpLink::open(&address).await?,
            _lease: lease,
        })
    }
}

/// Host and user as which this process acquires: labgrid's own, and the process.
fn holder() -> (String, String) {
    let named = |name: &str, other: &str| env::var(name).or_else(|_| env::var(other));
    let host = named("LG_HOSTNAME", "HOSTNAME").ok();
    let host = host.or_else(|| Some(rustix::system::uname().nodename().to_str().ok()?.into()));
    let user = named("LG_USERNAME", "USER").unwrap_or("lockstep".into());
    let process = std::process::id();
    (host.unwrap_or("host".into()), format!("{user}-{process}"))
}

/// Runs the client; an error is what it reports, with the remedy.
async fn client(
    place: &str,
    words: &[&str],
    (host, user): &(String, String),
) -> Result<String, String> {
    let mut command = Command::new(CLIENT);
    command.args(["-p", place]).args(words);
    command.env("LG_HOSTNAME", host).env("LG_USERNAME", user);
    // An interrupt ends it with this process, or when the future is dropped.
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output();
    let output = output.await.map_err(|why| match why.kind() {
        io::ErrorKind::NotFound => format!(
            "{CLIENT} is not on the PATH; install labgrid (`pip install labgrid`), or name the \
             board's address as tcp:HOST:PORT"
        ),
        _ => format!("{CLIENT}: {why}"),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    let line = error.trim().lines().last().unwrap_or_default();
    let (_, why) = line.split_once("Error: ").unwrap_or(("", line));
    // Another run of this process has it, or somebody else.
    Err(match why.split_once("already acquired by ") {
        Some((_, by)) => {
            let by = by.split_once(". ").map_or(by, |(by, _)| by);
            format!("in use by {by}; {WAIT_LONGER}")
        }
        None if why.contains("already acquired") => format!("in use by {host}/{user}: {why}"),
        None => format!("labgrid: {why}"),
    })
}

/// The address of the serial port that `labgrid-client show` prints.
fn address(shown: &str) -> Result<String, String> {
    let none = "the place has no NetworkSerialPort that is available; `labgrid-client show` lists \
                what it has";
    let (_, port) = shown.split_once("'cls': 'NetworkSerialPort'").ok_or(none)?;
    let value = |name: &str| {
        let (_, value) = port.split_once(&format!("'{name}': "))?;
        let value = value.split([',', '}', '\n']).next()?;
        Some(value.trim().trim_matches('\''))
    };
    if let Some(protocol) = value("protocol").filter(|protocol| *protocol != "raw") {
        return Err(format!(
            "its serial port speaks {protocol}; export it with `protocol: raw`, which lockstep speaks"
        ));
    }
    let (host, port) = value("host").zip(value("port")).ok_or(none)?;
    Ok(match host.contains(':') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    })
}

#[async_trait]
impl Link for LabgridLink {
    fn describe(&self) -> String {
        format!("labgrid {}, {}", self.place, self.link.describe())
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.link.send(bytes).await
    }

    async fn receive(&mut self, within: Duration) -> Result<Bytes, LinkError> {
        self.link.receive(within).await
    }

    async fn reopen(&mut self) -> Result<(), LinkError> {
        self.link.reopen().await
    }

    fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str = "Acquired resource 'NetworkSerialPort' (lab/b/NetworkSerialPort):
  {'acquired': 'demo',
   'cls': 'NetworkSerialPort',
   'params': {'extra': {'proxy': 'localhost', 'proxy_required': False},
              'host': '10.0.0.7',
              'port': 5999,
              'protocol': 'raw',
              'speed': 115200}}";

    #[test]
    fn address_is_that_of_the_serial_port() {
        assert_eq!(address(SHOWN), Ok("10.0.0.7:5999".into()));
        let ipv6 = SHOWN.replace("10.0.0.7", "::1");
        assert_eq!(address(&ipv6), Ok("[::1]:5999".into()));
        let rfc = address(&SHOWN.replace("'raw'", "'rfc2217'")).unwrap_err();
        assert!(rfc.contains("speaks rfc2217; export it with"), "{rfc}");
        let none = address("Place 'demo':\n  acquired: None").unwrap_err();
        assert!(none.contains("no NetworkSerialPort"), "{none}");
    }
}
