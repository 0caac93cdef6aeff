//! The line to a core: handshake, the highest rate that holds, recovery from failures.
//!
//! [`Line::open`] opens a session, [`Line::ask`] sends a batch until it is answered. Both recover a
//! line that fails: they open the link again if it is closed, repeat the handshake at the base
//! rate, raise it, and send the settings again.

use std::pin::pin;
use std::time::{Duration, Instant};

use bytes::Bytes;
use protocol::ErrorCode;
use protocol::layout::link as table;
use protocol::payload::link::{Info, Ping, SetRate};
use tracing::{debug, info, warn};

use super::RecoveryPolicy;
use super::client::{Batch, Client, Request};
use crate::backend::{BackendError, BackendErrorKind};
use crate::link::LinkError;
use crate::link::probe::{self, ProbeError};

/// Rates to try, in baud: the rates of common serial adapters.
const STEPS: [u32; 8] = [
    460_800, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 6_000_000, 8_000_000, 12_000_000,
];

/// Number of pings that test a new rate.
const ECHOES: usize = 32;
/// How many of these may be lost: a line that is noisy at every rate is no better at a lower one.
const MAX_ECHOES_LOST: u64 = ECHOES as u64 / 4;

/// How often a rate is tried.
const RATE_TRIES: u32 = 2;

/// Maximum number of recoveries in a row without an answer between them.
const MAX_FAILED_RECOVERIES: u32 = 8;

/// How long a link that closes while a session opens is opened again: a device just plugged in
/// takes a moment.
const OPENING: Duration = Duration::from_secs(3);

/// Idle time after which a ping checks the core's rate, well below the time for which an idle core
/// holds it.
const IDLE: Duration = Duration::from_millis(500);

/// Time after which a recovery in progress is reported to the user.
const REPORTED_AFTER: Duration = Duration::from_secs(1);

/// Time between two tries to open or recover a link.
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// A client that can recover its line.
pub(super) struct Line {
    pub(super) client: Client,
    /// The requests that set the controller again after a reset.
    pub(super) settings: Vec<Request>,
    /// The error code of a core that lost its settings.
    unset: ErrorCode,
    /// The nonce of the last handshake.
    nonce: u64,
    recovery: Option<RecoveryPolicy>,
    /// Highest rate to raise the line to, in baud; lowered when the line fails at it.
    top_rate: u32,
    /// The highest rate that held so far, in baud.
    best_rate: Option<u32>,
    /// Whether the user was warned that the line loses requests at its lowest rate, too.
    warned: bool,
    /// The core's `info` at the beginning of the session.
    core: Option<Info>,
}

impl Line {
    pub(super) fn new(
        client: Client,
        nonce: u64,
        recovery: Option<RecoveryPolicy>,
        unset: ErrorCode,
    ) -> Self {
        Self {
            client,
            settings: Vec::new(),
            unset,
            nonce,
            recovery,
            top_rate: recovery.map_or(0, |policy| policy.top),
            best_rate: None,
            warned: false,
            core: None,
        }
    }

    /// The base rate and the present one in baud, if this end can set the rate of the line.
    fn rates(&self) -> Option<(u32, u32)> {
        Some((self.recovery?.base, self.client.line.rate()?))
    }

    /// Opens the session: handshake, then the highest rate. `check` accepts or refuses the core.
    pub(super) async fn open(
        &mut self,
        check: impl Fn(&Info) -> Result<(), BackendErrorKind>,
    ) -> Result<Info, BackendError> {
        let begun = Instant::now();
        let mut closed = false;
        let core = loop {
            let opened = match closed {
                true => self.client.link().reopen().await,
                false => Ok(()),
            };
            let met = match self.client.named(opened) {
                Ok(()) => self.handshake().await,
                Err(why) => Err(why),
            };
            match met {
                Ok(core) => break core,
                Err(why) if self.is_closed(&why) && begun.elapsed() < OPENING => {
                    debug!(name = self.client.name, %why, "the link closed at once, opening it again");
                    closed = true;
                    tokio::time::sleep(BETWEEN_TRIES).await;
                }
                Err(why) => return Err(self.explain(why)),
            }
        };
        self.client.named(check(&core))?;
        self.core = Some(core);
        if let Err(why) = self.negotiate_rate(&core).await {
            self.recover(why).await?;
        }
        Ok(core)
    }

    /// Sends the requests of a batch until all are answered, and recovers the line when it fails.
    pub(super) async fn ask(&mut self, mut batch: Batch<'_>) -> Result<Vec<Bytes>, BackendError> {
        let bad = self.recovery.is_some() && self.client.traffic.is_bad();
        if bad && self.slow_down() {
            let why = LinkError::Silent("more than a quarter of the requests are lost".into());
            self.recover(BackendErrorKind::from(why).of(&self.client.name))
                .await?;
        } else {
            if bad && !std::mem::replace(&mut self.warned, true) {
                warn!(
                    "{}: more than a quarter of the requests are lost, and there is no lower rate; \
                     the session continues slowly: check the cable, and look for sources of noise",
                    self.client.name
                );
            }
            self.check_rate_after_idle().await?;
        }
        let mut fruitless = 0;
        loop {
            let before = batch.answered();
            let why = match self.client.drive(&mut batch).await {
                Ok(()) => return Ok(batch.into_replies()),
                Err(why) => why,
            };
            if batch.answered() > before {
                fruitless = 0;
            }
            fruitless += 1;
            let forgot = !self.settings.is_empty() && is_refused(&why, self.unset);
            let recoverable = self.recovery.is_some() && (forgot || is_line_failure(&why));
            if !recoverable || fruitless > MAX_FAILED_RECOVERIES {
                return Err(why);
            }
            if fruitless > 2 {
                self.slow_down();
            }
            self.recover(why).await?;
        }
    }

    /// Checks the core's rate after an idle time, and raises it again if the core is back at its base
    /// rate.
    async fn check_rate_after_idle(&mut self) -> Result<(), BackendError> {
        match self.rates() {
            Some((base, rate)) if rate != base && self.client.last_reply.elapsed() >= IDLE => {}
            _ => return Ok(()),
        }
        let ping = Ping { nonce: self.nonce }.encode();
        match self.client.ask(Request::new(&table::PING, ping)).await {
            Ok(_) => return Ok(()),
            Err(why) if is_line_failure(&why) && !self.is_closed(&why) => {}
            Err(why) => return self.recover(why).await,
        }
        debug!(
            name = self.client.name,
            "the core has gone back to its base rate"
        );
        match self.restore(None).await {
            Err(why) if is_line_failure(&why) => self.recover(why).await,
            restored => restored,
        }
    }

    /// Recovers the line: reopens the link if it is closed, repeats the handshake, raises the rate, and
    /// restores the settings. A slow recovery is reported as a warning.
    async fn recover(&mut self, why: BackendError) -> Result<(), BackendError> {
        let Some(policy) = self.recovery else {
            return Err(why);
        };
        let name = self.client.name.clone();
        debug!(name, %why, "recovering the line");
        let begun = Instant::now();
        let first = why.kind.to_string();
        let recovered = {
            let mut recovered = pin!(self.restore_within(policy.reopening, why));
            tokio::select! {
                biased;
                recovered = &mut recovered => recovered,
                () = tokio::time::sleep(REPORTED_AFTER) => {
                    let seconds = policy.reopening.as_secs();
                    warn!("{name}: {first}; retrying for {seconds} s");
                    let recovered = recovered.await;
                    if recovered.is_ok() {
                        warn!("{name}: recovered after {:.1} s", begun.elapsed().as_secs_f64());
                    }
                    recovered
                }
            }
        };
        let traffic = &mut self.client.traffic;
        traffic.counts.recovered += 1;
        traffic.recovering += begun.elapsed();
        traffic.forget();
        recovered
    }

    /// Recovers the line within a time limit.
    async fn restore_within(
        &mut self,
        within: Duration,
        why: BackendError,
    ) -> Result<(), BackendError> {
        let begun = Instant::now();
        let first = why.kind.to_string();
        let mut last = why;
        loop {
            last = match self.restore(Some(&last)).await {
                Err(why) if is_line_failure(&why) => why,
                restored => return restored,
            };
            debug!(name = self.client.name, why = %last, "not recovered yet");
            if begun.elapsed() > within {
                let (waited, last) = (within.as_secs(), last.kind);
                return self.fail(format!(
                    "the line failed ({first}) and did not recover within {waited} s; last error: {last}"
                ));
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
    }

    async fn restore(&mut self, why: Option<&BackendError>) -> Result<(), BackendError> {
        if why.is_some_and(|why| self.is_closed(why)) {
            let opened = self.client.link().reopen().await;
            self.client.named(opened)?;
        }
        let now = self.handshake().await?;
        if let Some(before) = self.core
            && before != now
        {
            let (before, now) = (before.build_id, now.build_id);
            return self.fail(format!(
                "the core came back as another one: RTL build {now:08x}, it was {before:08x} when \
                 the session began; begin a new session to compare this one"
            ));
        }
        self.negotiate_rate(&now).await?;
        for request in &self.settings {
            self.client.ask(*request).await?;
        }
        Ok(())
    }

    /// Handshake at the base rate. Zeros sent at that rate make the core return to it.
    async fn handshake(&mut self) -> Result<Info, BackendError> {
        if let Some((base, _)) = self.rates() {
            let set = self.client.link().set_rate(base).await;
            self.client.named(set)?;
        }
        self.nonce = self.nonce.wrapping_add(1);
        self.client.set_window(1);
        self.client.handshake(self.nonce).await?;
        let reply = self.client.ask(Request::empty(&table::INFO)).await?;
        let core = probe::read(&reply).map_err(|why| match why {
            ProbeError::Payload(why) => why.into(),
            why => BackendErrorKind::Unavailable(why.to_string()),
        });
        let core = self.client.named(core)?;
        self.client.set_window(core.window.into());
        Ok(core)
    }

    /// Raises the rate to the highest that both ends hold.
    async fn negotiate_rate(&mut self, core: &Info) -> Result<(), BackendError> {
        let Some((base, _)) = self.rates() else {
            return Ok(());
        };
        while let Some(failed) = self.raise_rate(base, core).await? {
            self.lower(base, failed);
            let (name, top) = (&self.client.name, self.top_rate);
            info!(name, failed, top, "the line fails at that rate");
            self.handshake().await?;
        }
        Ok(())
    }

    /// Raises the rate step by step, from the highest that held before.
    ///
    /// Returns the rate that does not hold, if any; then the ends may be at different rates.
    async fn raise_rate(&mut self, base: u32, core: &Info) -> Result<Option<u32>, BackendError> {
        let proved = self.best_rate;
        let steps = rates(base, self.top_rate).filter(|rate| Some(*rate) >= proved);
        for rate in steps {
            let Some(increment) = protocol::rate::increment(rate, core.clock_hz) else {
                break;
            };
            let mut tries = 1;
            loop {
                match self.step(rate, increment).await {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(why) if is_refused(&why, table::BAD_RATE) => return Ok(Some(rate)),
                    Err(why) if is_out_of_step(&why) => {}
                    Err(why) => return Err(why),
                }
                if tries == RATE_TRIES {
                    return Ok(Some(rate));
                }
                tries += 1;
                self.handshake().await?;
            }
            self.best_rate = Some(rate);
        }
        Ok(None)
    }

    /// Sets both ends to a rate and checks it with pings.
    async fn step(&mut self, rate: u32, increment: u32) -> Result<bool, BackendError> {
        let set = SetRate { increment }.encode();
        self.client.ask(Request::new(&table::SET_RATE, set)).await?;
        // The learned timeout stays: at a higher rate answers take no longer.
        let raised = self.client.line.set_rate(rate).await;
        self.client.named(raised)?;
        let before = self.client.traffic.counts.lost;
        // Bit patterns with long runs and many edges.
        let nonces = [
            0x5555_5555_5555_5555,
            !0,
            0x00ff_00ff_0f0f_3333,
            0x8000_0001_7fff_fffe,
        ];
        let echo = |i: usize| {
            let nonce = nonces[i % nonces.len()] ^ (i / nonces.len()) as u64;
            Request::new(&table::PING, Ping { nonce }.encode())
        };
        let echoes: Vec<_> = (0..ECHOES).map(echo).collect();
        self.client.ask_all(&echoes).await?;
        let lost = self.client.traffic.counts.lost - before;
        debug!(name = self.client.name, rate, lost, "echo test");
        Ok(lost <= MAX_ECHOES_LOST)
    }

    /// Lowers the highest rate by a step; returns whether there was a lower one.
    fn slow_down(&mut self) -> bool {
        match self.rates() {
            Some((base, now)) if now > base => {
                self.lower(base, now);
                true
            }
            _ => false,
        }
    }

    /// Lowers the highest rate to the step below one.
    fn lower(&mut self, base: u32, rate: u32) {
        let below = rates(base, rate).rev().find(|step| *step < rate);
        self.top_rate = below.unwrap_or(base);
        self.best_rate = (self.top_rate > base).then_some(self.top_rate);
    }

    /// Replaces the error of a first handshake without an answer by one with likely causes.
    fn explain(&self, why: BackendError) -> BackendError {
        let is_silent = matches!(why.kind, BackendErrorKind::Link(LinkError::Silent(_)));
        if self.recovery.is_none() || !is_silent {
            return why;
        }
        let place = self.client.line.describe();
        let start = self.rates().map(|(base, _)| {
            format!("; give start=RATE if its line starts at another rate than {base} baud")
        });
        let why = match self.client.line.statistics().received {
            0 => format!(
                "nothing answers on {place}; check the board's power, its bitstream, and its other \
                 port if it has two{}",
                start.unwrap_or_default()
            ),
            _ if self.client.has_replied => format!(
                "{place} answers too late: replies came, but each after its timeout. A virtual \
                 board needs a less busy machine; on a network, the way to the board may be slow"
            ),
            bytes => format!(
                "{place} answers, but with no frame of this protocol (it sent {bytes} bytes): it \
                 may be another device{}",
                start.unwrap_or_default()
            ),
        };
        BackendErrorKind::Failed(why).of(&self.client.name)
    }

    fn fail<T>(&self, why: String) -> Result<T, BackendError> {
        Err(BackendErrorKind::Failed(why).of(&self.client.name))
    }

    fn is_closed(&self, why: &BackendError) -> bool {
        match &why.kind {
            BackendErrorKind::Link(LinkError::Silent(_) | LinkError::Rate(_)) => false,
            BackendErrorKind::Link(_) => self.recovery.is_some(),
            _ => false,
        }
    }
}

/// Whether the line failed, and not the core.
fn is_line_failure(why: &BackendError) -> bool {
    matches!(
        why.kind,
        BackendErrorKind::Link(_) | BackendErrorKind::Broken { .. }
    )
}

/// Whether the core refused a request for this reason.
fn is_refused(why: &BackendError, reason: ErrorCode) -> bool {
    matches!(why.kind, BackendErrorKind::Refused { code, .. } if code == reason)
}

/// Whether the two ends may be at different rates: a reply was lost, or this end does not support
/// the new rate.
fn is_out_of_step(why: &BackendError) -> bool {
    matches!(
        why.kind,
        BackendErrorKind::Link(LinkError::Silent(_) | LinkError::Rate(_))
    )
}

/// The rates from above `base` up to `top`, in baud.
fn rates(base: u32, top: u32) -> impl DoubleEndedIterator<Item = u32> {
    let between = move |rate: &u32| *rate >= base.saturating_mul(2) && *rate < top;
    let last = (top > base).then_some(top);
    STEPS.into_iter().filter(between).chain(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_end_with_the_top() {
        for (base, top, expected) in [
            (115_200, 12_000_000, &STEPS[..]),
            (
                115_200,
                2_500_000,
                &[460_800, 1_000_000, 2_000_000, 2_500_000],
            ),
            (115_200, 230_400, &[230_400]),
            (115_200, 115_200, &[]),
            (3_000_000, 12_000_000, &[6_000_000, 8_000_000, 12_000_000]),
            (1 << 31, u32::MAX, &[u32::MAX]),
        ] {
            assert!(rates(base, top).eq(expected.iter().copied()), "{base}");
        }
    }
}
