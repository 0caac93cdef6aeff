//! The line to a core: handshake, climb to the best rate, recovery from failures.

use std::pin::pin;
use std::time::{Duration, Instant};

use protocol::layout::link as table;
use protocol::payload::link::{Info, Ping, SetRate};
use tracing::{debug, info, warn};

use super::RecoveryPolicy;
use super::batch::{Batch, Request};
use super::client::Client;
use super::traffic::Watched;
use crate::backend::{BackendError, BackendErrorKind};
use crate::link::LinkError;
use crate::link::probe::{self, Unanswered};

/// Rates to try, in baud: those of common serial adapters.
const STEPS: [u32; 8] = [
    460_800, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 6_000_000, 8_000_000, 12_000_000,
];

/// Pings at a new rate, and how many of them may be lost: a line that is noisy at every rate is no
/// better at a lower one.
const ECHOES: usize = 32;
const ECHOES_LOST: u64 = ECHOES as u64 / 4;

/// Tries of a rate.
const TRIES: u32 = 2;

/// Time to retry a link that closes while a session begins: a device just plugged in takes a
/// moment.
const BEGINNING: Duration = Duration::from_secs(3);

/// Idle time after which a ping checks the core's rate: well below the time that an idle core holds
/// it.
const REST: Duration = Duration::from_millis(500);

/// Time after which a recovery in progress is reported.
const AWHILE: Duration = Duration::from_secs(1);

/// Time between two tries to open a link again.
const PAUSE: Duration = Duration::from_millis(100);

/// A client that can recover its line.
pub(super) struct Line {
    pub(super) client: Client,
    name: String,
    nonce: u64,
    recovery: Option<RecoveryPolicy>,
    /// Highest rate to climb to; lowered when the line fails at it.
    top: u32,
    /// The highest rate that held so far.
    held: Option<u32>,
    /// Whether the user was warned that the line is bad at its lowest rate, too.
    complained: bool,
    /// The core's `info` at the beginning of the session.
    core: Option<Info>,
}

impl Line {
    pub(super) fn new(
        name: &str,
        nonce: u64,
        recovery: Option<RecoveryPolicy>,
        client: Client,
    ) -> Self {
        Self {
            client,
            name: name.into(),
            nonce,
            recovery,
            top: recovery.map_or(0, |recovery| recovery.top),
            held: None,
            complained: false,
            core: None,
        }
    }

    /// First handshake and climb. `check` accepts or refuses the core.
    ///
    /// # Errors
    /// When no core answers, or `check` refuses it.
    pub(super) async fn begin(
        &mut self,
        check: impl Fn(&Info) -> Result<(), BackendErrorKind>,
    ) -> Result<Info, BackendError> {
        let begun = Instant::now();
        let mut closed = false;
        let core = loop {
            let met = match closed {
                true => self.client.link().reopen().await,
                false => Ok(()),
            };
            let met = match met {
                Ok(()) => self.handshake().await,
                Err(why) => Err(self.error(why.into())),
            };
            match met {
                Ok(core) => break core,
                Err(why) if self.is_closed(&why) && begun.elapsed() < BEGINNING => {
                    debug!(name = self.name, %why, "closed at once, opening it again");
                    closed = true;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(why) => return Err(self.explain(why)),
            }
        };
        check(&core).map_err(|why| self.error(why))?;
        self.core = Some(core);
        self.client.set_window(core.window.into());
        if let Err(why) = self.climb(&core).await {
            self.mend(why, &[]).await?;
        }
        Ok(core)
    }

    /// Drives a batch until all requests are answered, and recovers the line if it fails.
    /// `settings` are the requests that restore a core after a reset.
    ///
    /// # Errors
    /// When the line does not recover, or the failure is not the line's.
    pub(super) async fn ask(
        &mut self,
        batch: &mut Batch<'_>,
        settings: &[Request],
        is_unset: impl Fn(&BackendErrorKind) -> bool,
    ) -> Result<(), BackendError> {
        /// Recoveries in a row without an answer between them.
        const FRUITLESS: u32 = 8;
        let bad = self.recovery.is_some() && self.client.traffic().is_bad();
        if bad && self.slow_down() {
            let why = LinkError::Silent("more than a quarter of the requests is lost".into());
            self.mend(self.error(why.into()), settings).await?;
        } else {
            if bad {
                self.complain();
            }
            self.wake(settings).await?;
        }
        let mut fruitless = 0;
        loop {
            let before = batch.answered();
            let why = match self.client.drive(batch).await {
                Ok(()) => return Ok(()),
                Err(why) => why,
            };
            if batch.answered() > before {
                fruitless = 0;
            }
            fruitless += 1;
            let forgot = !settings.is_empty() && is_unset(&why.kind);
            let mendable = self.recovery.is_some() && (forgot || is_line(&why));
            if !mendable || fruitless > FRUITLESS {
                return Err(why);
            }
            if fruitless > 2 {
                self.slow_down();
            }
            self.mend(why, settings).await?;
        }
    }

    /// Warns once that a line is bad and cannot run slower.
    fn complain(&mut self) {
        if !std::mem::replace(&mut self.complained, true) {
            warn!(
                "{}: more than a quarter of the requests is lost, and there is no lower rate; it \
                 goes on, slowly: look at the cable, and at what else is near it",
                self.name
            );
        }
    }

    /// After an idle time in which the core may have returned to its base rate: raises the rate
    /// again if it has.
    async fn wake(&mut self, settings: &[Request]) -> Result<(), BackendError> {
        let (Some(recovery), Some(rate)) = (self.recovery, self.client.rate()) else {
            return Ok(());
        };
        if rate == recovery.base || self.client.idle() < REST {
            return Ok(());
        }
        let ping = Ping { nonce: self.nonce }.encode();
        match self.client.ask(Request::new(&table::PING, ping)).await {
            Ok(_) => return Ok(()),
            Err(why) if is_line(&why) && !self.is_closed(&why) => {}
            Err(why) => return self.mend(why, settings).await,
        }
        debug!(name = self.name, "the core has gone back to its base rate");
        match self.restore(None, settings).await {
            Err(why) if is_line(&why) => self.mend(why, settings).await,
            restored => restored,
        }
    }

    /// Recovers the line: reopens the link if it is closed, repeats handshake and climb, and
    /// restores the settings. A slow recovery is reported as a warning.
    async fn mend(&mut self, why: BackendError, settings: &[Request]) -> Result<(), BackendError> {
        let Some(recovery) = self.recovery else {
            return Err(why);
        };
        let name = self.name.clone();
        debug!(name, %why, "recovering the line");
        let begun = Instant::now();
        let first = why.kind.to_string();
        let recovered = {
            let mut recovered = pin!(self.restore_within(recovery.reopening, why, settings));
            tokio::select! {
                biased;
                recovered = &mut recovered => recovered,
                () = tokio::time::sleep(AWHILE) => {
                    let seconds = recovery.reopening.as_secs();
                    warn!("{name}: {first}; retrying for {seconds} s");
                    let recovered = recovered.await;
                    if recovered.is_ok() {
                        warn!("{name}: recovered after {:.1} s", begun.elapsed().as_secs_f64());
                    }
                    recovered
                }
            }
        };
        let traffic = self.client.traffic_mut();
        traffic.counts.recovered += 1;
        traffic.recovery += begun.elapsed();
        traffic.forget();
        recovered
    }

    /// Recovers the line within a time limit.
    async fn restore_within(
        &mut self,
        within: Duration,
        why: BackendError,
        settings: &[Request],
    ) -> Result<(), BackendError> {
        let begun = Instant::now();
        let first = why.kind.to_string();
        let mut last = why;
        loop {
            last = match self.restore(Some(&last), settings).await {
                Err(why) if is_line(&why) => why,
                restored => return restored,
            };
            debug!(name = self.name, why = %last, "not recovered yet");
            if begun.elapsed() > within {
                return Err(self.error(BackendErrorKind::Lost {
                    first,
                    waited: within,
                    last: last.kind.to_string(),
                }));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn restore(
        &mut self,
        why: Option<&BackendError>,
        settings: &[Request],
    ) -> Result<(), BackendError> {
        if why.is_some_and(|why| self.is_closed(why)) {
            let opened = self.client.link().reopen().await;
            opened.map_err(|why| self.error(why.into()))?;
        }
        let now = self.handshake().await?;
        if let Some(before) = self.core
            && before != now
        {
            let (before, now) = (Box::new(before), Box::new(now));
            return Err(self.error(BackendErrorKind::Changed { before, now }));
        }
        self.client.set_window(now.window.into());
        self.climb(&now).await?;
        for request in settings {
            self.client.ask(*request).await?;
        }
        Ok(())
    }

    /// Handshake at the base rate, to which the core returns when it receives the zeros sent at
    /// that rate.
    async fn handshake(&mut self) -> Result<Info, BackendError> {
        if let (Some(recovery), Some(_)) = (self.recovery, self.client.rate()) {
            let set = self.client.link().set_rate(recovery.base).await;
            set.map_err(|why| self.error(why.into()))?;
        }
        self.nonce = self.nonce.wrapping_add(1);
        self.client.set_window(1);
        self.client.handshake(self.nonce).await?;
        let reply = self.client.ask(Request::empty(&table::INFO)).await?;
        probe::read(&reply).map_err(|why| match why {
            Unanswered::Payload(why) => self.error(why.into()),
            why => self.error(BackendErrorKind::Unavailable(why.to_string())),
        })
    }

    /// Climbs to the highest rate that both ends hold.
    async fn climb(&mut self, core: &Info) -> Result<(), BackendError> {
        let (Some(recovery), Some(_)) = (self.recovery, self.client.rate()) else {
            return Ok(());
        };
        loop {
            let Some(failed) = self.ascend(recovery.base, core).await? else {
                break;
            };
            let below = rates(recovery.base, failed)
                .rev()
                .find(|rate| *rate < failed);
            self.top = below.unwrap_or(recovery.base);
            self.held = (self.top > recovery.base).then_some(self.top);
            info!(
                name = self.name,
                failed,
                top = self.top,
                "the line does not hold that rate"
            );
            self.handshake().await?;
            self.client.set_window(core.window.into());
        }
        Ok(())
    }

    /// Raises the rate step by step, from the highest that held before. Returns the rate that does
    /// not hold, if any; then the ends may be at different rates.
    async fn ascend(&mut self, base: u32, core: &Info) -> Result<Option<u32>, BackendError> {
        let proved = self.held;
        let steps = rates(base, self.top).filter(|rate| Some(*rate) >= proved);
        for rate in steps {
            let Some(increment) = protocol::rate::increment(rate, core.clock_hz) else {
                break;
            };
            let mut tries = 1;
            loop {
                match self.step(rate, increment).await {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(why) if is_refused(&why) => return Ok(Some(rate)),
                    Err(why) if is_out_of_step(&why) => {}
                    Err(why) => return Err(why),
                }
                if tries == TRIES {
                    return Ok(Some(rate));
                }
                tries += 1;
                self.handshake().await?;
                self.client.set_window(core.window.into());
            }
            self.held = Some(rate);
        }
        Ok(None)
    }

    /// Sets both ends to a rate and checks it with pings.
    async fn step(&mut self, rate: u32, increment: u32) -> Result<bool, BackendError> {
        let set = SetRate { increment }.encode();
        self.client.ask(Request::new(&table::SET_RATE, set)).await?;
        self.client.raise_rate(rate).await?;
        let before = self.client.traffic().counts.lost;
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
        let mut batch = Batch::new((0..ECHOES).map(echo).collect(), Watched::No);
        match self.client.drive(&mut batch).await {
            Ok(()) => {}
            Err(why) if is_line(&why) && !self.is_closed(&why) => return Ok(false),
            Err(why) => return Err(why),
        }
        let lost = self.client.traffic().counts.lost - before;
        debug!(name = self.name, rate, lost, "echo test");
        Ok(lost <= ECHOES_LOST)
    }

    /// Lowers the highest rate by a step. Returns whether there is a lower one.
    fn slow_down(&mut self) -> bool {
        let (Some(recovery), Some(now)) = (self.recovery, self.client.rate()) else {
            return false;
        };
        if now <= recovery.base {
            return false;
        }
        let below = rates(recovery.base, now).rev().find(|rate| *rate < now);
        let below = below.unwrap_or(recovery.base);
        self.top = below;
        self.held = (below > recovery.base).then_some(below);
        true
    }

    /// Adds likely causes to the error of a first handshake without an answer.
    fn explain(&self, why: BackendError) -> BackendError {
        let Some(recovery) = self.recovery else {
            return why;
        };
        if !matches!(why.kind, BackendErrorKind::Link(LinkError::Silent(_))) {
            return why;
        }
        let place = self.client.place();
        let base = self.client.rate().map(|_| recovery.base);
        self.error(match self.client.received() {
            0 => BackendErrorKind::Mute { place, base },
            bytes => BackendErrorKind::Garbled { place, base, bytes },
        })
    }

    fn is_closed(&self, why: &BackendError) -> bool {
        match &why.kind {
            BackendErrorKind::Link(LinkError::Silent(_) | LinkError::Rate(_)) => false,
            BackendErrorKind::Link(_) => self.recovery.is_some(),
            _ => false,
        }
    }

    fn error(&self, kind: BackendErrorKind) -> BackendError {
        kind.of(&self.name)
    }
}

/// Whether the line failed, not the core.
fn is_line(why: &BackendError) -> bool {
    matches!(
        why.kind,
        BackendErrorKind::Link(_) | BackendErrorKind::Broken { .. }
    )
}

/// Whether the core refuses the rate.
fn is_refused(why: &BackendError) -> bool {
    matches!(why.kind, BackendErrorKind::Refused { code, .. } if code == table::BAD_RATE)
}

/// Whether the two ends may be at different rates: a reply was lost, or this end does not support
/// the core's rate.
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
    fn rates_end_with_the_one_asked_for() {
        let all = |base, top| rates(base, top).collect::<Vec<_>>();
        assert_eq!(all(115_200, 12_000_000), STEPS);
        assert_eq!(
            all(115_200, 2_500_000),
            [460_800, 1_000_000, 2_000_000, 2_500_000]
        );
        assert_eq!(all(115_200, 230_400), [230_400]);
        assert_eq!(all(115_200, 115_200), [0; 0]);
        assert_eq!(
            all(3_000_000, 12_000_000),
            [6_000_000, 8_000_000, 12_000_000]
        );
        assert_eq!(all(1 << 31, u32::MAX), [u32::MAX]);
    }
}
