//! Probes several serial ports at the same time, and chooses one.

use std::time::Duration;

use futures::future::join_all;

use super::ports::{self, Port, Target};
use super::probe::{self, ProbeError};
use super::registry::{Board, Registry};
use super::serial::SerialLink;
use super::{LinkError, PortError, error};

/// Timeout of a port's reply, which takes 20 ms at 115,200 baud, or 40 ms with a long latency timer.
pub const PROBE_TIMEOUT: Duration = Duration::from_millis(300);

/// Opens a port at a rate in baud and probes it; returns the link if a core answers, and the result in
/// one line.
async fn probe_one(port: Port, baud: u32, within: Duration) -> (Option<SerialLink>, String) {
    let probed = async {
        let open = SerialLink::open(port.clone(), baud);
        let mut link = open.map_err(LinkError::from)?;
        let info = probe::info(&mut link, within).await?;
        Ok((link, info))
    };
    match probed.await {
        Ok((link, info)) => {
            let summary = format!("{port}, RTL build {:08x}", info.build_id);
            (Some(link), summary)
        }
        // The error names the port.
        Err(ProbeError::Link(LinkError::Open(error))) => (None, error.to_string()),
        Err(why) => (None, format!("{port}: {why}")),
    }
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
    let probes = candidates
        .into_iter()
        .map(|port| probe_one(port, baud, within));
    let (mut links, mut answered, mut silent) = (Vec::new(), Vec::new(), Vec::new());
    for (link, summary) in join_all(probes).await {
        match link {
            Some(link) => {
                links.push(link);
                answered.push(summary);
            }
            None => silent.push(summary),
        }
    }
    if links.len() > 1 {
        return Err(failed(format!(
            "several boards answer: {}; name one of them, by its path or as VID:PID:SERIAL",
            answered.join("; ")
        )));
    }
    links.pop().ok_or_else(|| {
        let boards: Vec<_> = boards().iter().map(Board::backend).collect();
        failed(error::nobody(&silent, &boards))
    })
}
