//! Timeouts of replies: fixed, or learned from the replies before; and of the parts of a search.

use std::time::{Duration, Instant};

/// Shortest learned timeout: a scheduler may delay this process as long.
const FLOOR: Duration = Duration::from_millis(50);

/// How long to look for a reply once its timeout has passed.
pub(super) const GRACE: Duration = Duration::from_millis(1);

/// Longest learned timeout, after several timeouts in a row.
const CEILING: Duration = Duration::from_secs(8);

/// Timeout of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timeout {
    /// Always this long, in the link's own time.
    Fixed(Duration),
    /// This long at first, then learned: twice the mean time of replies, or the mean plus four
    /// deviations if that is more (RFC 6298); doubled after each timeout.
    Learned(Duration),
}

impl From<Duration> for Timeout {
    fn from(fixed: Duration) -> Self {
        Self::Fixed(fixed)
    }
}

/// A timeout with what it has learned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timer {
    timeout: Timeout,
    /// Mean time of replies, and their mean deviation.
    learned: Option<(Duration, Duration)>,
    /// Timeouts since the last reply.
    timeouts: u32,
}

impl Timer {
    pub(super) fn new(timeout: Timeout) -> Self {
        Self {
            timeout,
            learned: None,
            timeouts: 0,
        }
    }

    /// Whether the timeout is fixed, in the link's own time.
    pub(super) fn is_fixed(&self) -> bool {
        matches!(self.timeout, Timeout::Fixed(_))
    }

    /// Forgets the learned times: the line has changed.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.timeout);
    }

    /// Learns from the time that a reply took.
    pub(super) fn answered(&mut self, took: Duration) {
        self.timeouts = 0;
        self.learned = Some(match self.learned {
            None => (took, took / 2),
            Some((mean, deviation)) => {
                let off = mean.abs_diff(took);
                (mean * 7 / 8 + took / 8, deviation * 3 / 4 + off / 4)
            }
        });
    }

    pub(super) fn timed_out(&mut self) {
        self.timeouts = self.timeouts.saturating_add(1);
    }

    /// Time left to wait for a reply, in the link's time; `None` when its timeout is long past.
    ///
    /// The wait began at `since`; the reply may take `extra` longer than others. Just after the
    /// timeout [`GRACE`] is left: the reply may have come while this process was delayed.
    pub(super) fn left(&self, since: Instant, extra: Duration) -> Option<Duration> {
        let first = match self.timeout {
            Timeout::Fixed(within) => return Some(within.saturating_add(extra)),
            Timeout::Learned(first) => first,
        };
        let usual = self.learned.map_or(first, |(mean, deviation)| {
            (mean + mean.max(deviation * 4)).max(FLOOR)
        });
        let allowed = usual
            .saturating_mul(1 << self.timeouts.min(16))
            .min(CEILING.max(first))
            .saturating_add(extra);
        let waited = since.elapsed();
        (waited < 2 * allowed).then(|| allowed.saturating_sub(waited).max(GRACE))
    }
}

/// Longest time without a part after which a search counts as over, though its core answers pings. It
/// holds until the interval between two parts is known.
const MAX_QUIET: Duration = Duration::from_secs(10);

/// Shortest time without a part after which a search counts as over.
const MIN_QUIET: Duration = Duration::from_secs(2);

/// Time without a part after which a search counts as over: eight times the longest between two
/// parts, and longer after incomplete streams, as early parts come faster than later ones.
pub(super) fn quiet(longest: Option<Duration>, broken: u32) -> Duration {
    let usual = longest.map_or(MAX_QUIET, |gap| (8 * gap).clamp(MIN_QUIET, MAX_QUIET));
    (usual * (1 << broken.min(3))).min(MAX_QUIET)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_secs(2);

    /// The present timeout, to a tenth of a millisecond.
    fn allowed(timer: &Timer) -> Duration {
        let within = timer
            .left(Instant::now(), Duration::ZERO)
            .expect("just begun");
        within + Duration::from_micros(50)
    }

    fn learned(answers: &[u64]) -> Timer {
        let mut timer = Timer::new(Timeout::Learned(FIRST));
        for &millis in answers {
            timer.answered(Duration::from_millis(millis));
        }
        timer
    }

    #[test]
    fn timeout_fixed_stays() {
        let mut timer = Timer::new(FIRST.into());
        let long_ago = Instant::now().checked_sub(FIRST * 2);
        timer.answered(Duration::from_millis(1));
        timer.timed_out();
        for since in [Some(Instant::now()), long_ago].into_iter().flatten() {
            assert_eq!(timer.left(since, Duration::ZERO), Some(FIRST));
            assert_eq!(timer.left(since, FIRST), Some(FIRST * 2));
        }
    }

    /// Twice the time of steady answers, longer for unsteady ones, and never less than the floor.
    #[test]
    fn timeout_is_learned_from_answers() {
        let first = FIRST.as_millis() as u64;
        for (answers, expected) in [
            (vec![], first - 100..first + 1),
            (vec![100; 40], 190..211),
            (vec![1; 40], 50..100),
            ([10, 190].repeat(20), 301..2_000),
        ] {
            let millis = allowed(&learned(&answers)).as_millis() as u64;
            assert!(expected.contains(&millis), "{answers:?}: {millis} ms");
        }
    }

    #[test]
    fn timeout_doubles_after_each_timeout() {
        let mut timer = learned(&[100; 40]);
        let before = allowed(&timer);
        timer.timed_out();
        assert!(allowed(&timer) > before * 19 / 10);
        for _ in 0..100 {
            timer.timed_out();
        }
        assert!(allowed(&timer) <= CEILING + Duration::from_millis(1));
        timer.answered(Duration::from_millis(100));
        assert!(allowed(&timer) < before * 2, "a reply resets it");
    }

    #[test]
    fn timeout_long_past_leaves_no_time() {
        let timer = learned(&[1; 40]);
        let ago = |time| {
            Instant::now()
                .checked_sub(time)
                .map(|at| timer.left(at, Duration::ZERO))
        };
        assert_eq!(ago(FLOOR + GRACE), Some(Some(GRACE)), "a last look");
        assert_eq!(ago(FLOOR * 2), Some(None));
    }

    #[test]
    fn quiet_follows_the_longest_gap() {
        for (gap, broken, expected) in [
            (None, 0, 10_000),
            (Some(100), 0, 2_000),
            (Some(500), 0, 4_000),
            (Some(5_000), 0, 10_000),
            (Some(150), 1, 4_000),
            (Some(150), 2, 8_000),
            (Some(150), 9, 10_000),
        ] {
            let time = quiet(gap.map(Duration::from_millis), broken);
            assert_eq!(time.as_millis(), expected, "{gap:?}, {broken}");
        }
    }
}
