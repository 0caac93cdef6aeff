//! Probes several serial ports at the same time, and chooses one.

use std::time::Duration;

use futures::future::join_all;
use protocol::payload::link::Info;

use super::ports::{self, Port, Target};
use super::probe::{self, ProbeError};
use super::registry::{Board, Registry};
use super::serial::SerialLink;
use super::{PortError, error};

/// Timeout of a port's reply, which takes 20 ms at 115,200 baud, or 40 ms with a long latency timer.
pub const PROBE_TIMEOUT: Duration = Duration::from_millis(300);

/// A port with the result of its probe.
pub struct ProbedPort {
    /// The port.
    pub port: Port,
    /// The link and the core's `info`.
    pub answer: Result<(SerialLink, Info), ProbeError>,
}

impl ProbedPort {
    /// The port and the result in one line.
    fn summary(&self) -> String {
        match &self.answer {
            Ok((_, info)) => format!("{}, RTL build {:08x}", self.port, info.build_id),
            // The error names the port.
            Err(ProbeError::Link(super::LinkError::Open(error))) => error.to_string(),
            Err(why) => format!("{}: {why}", self.port),
        }
    }
}

/// Opens ports at a rate in baud and probes all at the same time.
pub async fn probe_all(ports: Vec<Port>, baud: u32, within: Duration) -> Vec<ProbedPort> {
    let probe_one = |port: Port| async move {
        let answer = async {
            let open = SerialLink::open(port.clone(), baud);
            let mut link = open.map_err(super::LinkError::from)?;
            let info = probe::info(&mut link, within).await?;
            Ok((link, info))
        };
        let answer = answer.await;
        ProbedPort { port, answer }
    };
    join_all(ports.into_iter().map(probe_one)).await
}

/// Opens a port at a rate in baud; if several are possible, the only one with a board that answers.
///
/// # Errors
/// When there is none, or several, or it cannot be opened.
pub async fn open(target: &Target, baud: u32) -> Result<SerialLink, PortError> {
    let boards = || Registry::shared().boards();
    choose(target, &ports::available(), baud, PROBE_TIMEOUT, boards).await
}

/// As [`open`], among these ports, each with `within` to answer; `boards` lists the virtual boards
/// that run.
pub async fn choose(
    target: &Target,
    ports: &[Port],
    baud: u32,
    within: Duration,
    boards: impl FnOnce() -> Vec<Board>,
) -> Result<SerialLink, PortError> {
    let failed = |why: String| PortError::new(&target.to_string(), why);
    let mut candidates = target.candidates(ports);
    if *target != Target::Auto && candidates.len() < 2 {
        let there = || ports.iter().map(ToString::to_string).collect::<Vec<_>>();
        let port = candidates.pop();
        let port = port.ok_or_else(|| failed(error::not_plugged(&there())))?;
        return SerialLink::open(port, baud);
    }
    let probed = probe_all(candidates, baud, within).await;
    let (answered, silent): (Vec<_>, Vec<_>) = probed.into_iter().partition(|a| a.answer.is_ok());
    if answered.len() > 1 {
        let several: Vec<_> = answered.iter().map(ProbedPort::summary).collect();
        return Err(failed(format!(
            "several boards answer: {}; name one of them, by its path or as VID:PID:SERIAL",
            several.join("; ")
        )));
    }
    let only = answered.into_iter().find_map(|probed| probed.answer.ok());
    only.map(|(link, _)| link).ok_or_else(|| {
        let tried: Vec<_> = silent.iter().map(ProbedPort::summary).collect();
        let boards: Vec<_> = boards().iter().map(Board::backend).collect();
        failed(error::nobody(&tried, &boards))
    })
}
