//! Counts requests, retries and latencies on a link.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::link::LinkStatistics;

/// Number of recent requests by whose losses the line is judged.
const REMEMBERED: u32 = 128;

/// Counts of requests and replies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Requests sent, those sent again included.
    pub requests: u64,
    /// Requests sent again because they or their answers were lost.
    pub lost: u64,
    /// Damaged frames received.
    pub damaged: u64,
    /// Replies whose requests were answered or abandoned before.
    pub stale: u64,
    /// Refusals as `busy`.
    pub busy: u64,
    /// Recoveries of the line: reopened, handshake repeated or rate lowered.
    #[serde(rename = "mended")]
    pub recovered: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.lost += other.lost;
        self.damaged += other.damaged;
        self.stale += other.stale;
        self.busy += other.busy;
        self.recovered += other.recovered;
    }

    fn since(&self, before: &Self) -> Self {
        Self {
            requests: self.requests - before.requests,
            lost: self.lost - before.lost,
            damaged: self.damaged - before.damaged,
            stale: self.stale - before.stale,
            busy: self.busy - before.busy,
            recovered: self.recovered - before.recovered,
        }
    }
}

/// Counts the traffic of a link.
#[derive(Debug, Clone, Default)]
pub struct Traffic {
    /// Counts of requests and replies.
    pub counts: Counts,
    /// Total time of recoveries.
    pub recovering: Duration,
    /// One bit for each of the last requests, set if it was lost.
    recent: u128,
    /// How many of those bits are used.
    known: u32,
    latency: Option<Histogram<u64>>,
}

impl Traffic {
    /// Counts a reply, and its latency if it is a decision.
    pub fn answered(&mut self, took: Duration, is_decision: bool) {
        self.remember(false);
        if !is_decision {
            return;
        }
        // From a microsecond to an hour, to one part in a thousand.
        if self.latency.is_none() {
            self.latency = Histogram::new_with_bounds(1, 3_600_000_000, 3).ok();
        }
        if let Some(latency) = &mut self.latency {
            let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            latency.saturating_record(micros);
        }
    }

    pub(super) fn lost(&mut self) {
        self.counts.lost += 1;
        self.remember(true);
    }

    fn remember(&mut self, lost: bool) {
        self.recent = self.recent << 1 | u128::from(lost);
        self.known = (self.known + 1).min(REMEMBERED);
    }

    /// Whether more than a quarter of the last requests was lost.
    pub(super) fn is_bad(&self) -> bool {
        self.known == REMEMBERED && self.recent.count_ones() > REMEMBERED / 4
    }

    /// Forgets the losses: the line has changed.
    pub(super) fn forget(&mut self) {
        (self.recent, self.known) = (0, 0);
    }

    /// A report with the link's statistics and present rate.
    pub fn report(&self, link: LinkStatistics, rate: Option<u32>) -> LinkReport {
        LinkReport {
            link,
            rate,
            counts: self.counts,
            recovery_seconds: self.recovering.as_secs_f64(),
            latency: self.latency.as_ref().map(Latency::of),
            latencies: self.latency.clone(),
        }
    }
}

/// Statistics of a backend's link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkReport {
    /// Bytes and reopenings.
    #[serde(flatten)]
    pub link: LinkStatistics,
    /// Present rate of the line in baud; `None` if this end cannot set it.
    pub rate: Option<u32>,
    /// Counts of requests and replies.
    #[serde(flatten)]
    pub counts: Counts,
    /// Seconds of recovery.
    #[serde(rename = "mending_seconds")]
    pub recovery_seconds: f64,
    /// Latency of decisions; `None` before the first, and of an earlier run.
    #[serde(skip_deserializing)]
    pub latency: Option<Latency>,
    #[serde(skip)]
    latencies: Option<Histogram<u64>>,
}

impl LinkReport {
    /// Adds the statistics of another link of the same backend.
    pub fn add(&mut self, other: &Self) {
        self.link.add(&other.link);
        self.rate = other.rate;
        self.counts.add(&other.counts);
        self.recovery_seconds += other.recovery_seconds;
        match (&mut self.latencies, &other.latencies) {
            (Some(mine), Some(theirs)) => {
                // Both have the same bounds, so it cannot fail.
                let _ = mine.add(theirs);
            }
            (mine @ None, theirs) => mine.clone_from(theirs),
            (Some(_), None) => {}
        }
        self.latency = self.latencies.as_ref().map(Latency::of);
    }

    /// The counts since an earlier report of the same link.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let mut latencies = self.latencies.clone();
        if let (Some(now), Some(before)) = (&mut latencies, &before.latencies) {
            // Both have the same bounds, and the earlier one has no more of anything.
            let _ = now.subtract(before);
        }
        Self {
            link: self.link.since(&before.link),
            rate: self.rate,
            counts: self.counts.since(&before.counts),
            recovery_seconds: self.recovery_seconds - before.recovery_seconds,
            latency: latencies.as_ref().map(Latency::of),
            latencies,
        }
    }
}

/// Latency of decisions, from sending the request to reading the reply, in microseconds of
/// wall-clock time, to one part in a thousand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Latency {
    /// Decisions.
    pub count: u64,
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: u64,
    /// 99th percentile.
    pub p99: u64,
    /// 99.9th percentile.
    pub p999: u64,
    /// The longest.
    pub max: u64,
    /// Histogram in ascending order.
    pub histogram: Vec<Bucket>,
}

/// A bucket of the histogram; each covers twice the time of the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Lower bound in microseconds, inclusive.
    pub low: u64,
    /// Upper bound in microseconds, inclusive.
    pub high: u64,
    /// Number of decisions.
    pub count: u64,
}

impl Latency {
    fn of(histogram: &Histogram<u64>) -> Self {
        Self {
            count: histogram.len(),
            mean: histogram.mean(),
            p50: histogram.value_at_quantile(0.5),
            p99: histogram.value_at_quantile(0.99),
            p999: histogram.value_at_quantile(0.999),
            max: histogram.max(),
            histogram: buckets(histogram),
        }
    }
}

/// Buckets between powers of two, without empty ones at the beginning.
fn buckets(histogram: &Histogram<u64>) -> Vec<Bucket> {
    let mut buckets = Vec::new();
    let mut low = 0;
    for step in histogram.iter_log(2, 2.0) {
        let high = step.value_iterated_to();
        let count = step.count_since_last_iteration();
        if count > 0 || !buckets.is_empty() {
            buckets.push(Bucket { low, high, count });
        }
        low = high + 1;
    }
    buckets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line is bad when more than a quarter of the last 128 requests are lost, not before.
    #[test]
    fn traffic_quarter_lost_is_bad() {
        let mut traffic = Traffic::default();
        let mut run = |lost: u32, answered: u32, times: u32| {
            for _ in 0..times {
                (0..lost).for_each(|_| traffic.lost());
                (0..answered).for_each(|_| traffic.answered(Duration::ZERO, false));
            }
            let bad = traffic.is_bad();
            if bad {
                traffic.forget();
            }
            bad
        };
        assert!(!run(1, 3, 250), "exactly a quarter");
        assert!(run(4, 0, 1));
        assert!(!run(1, 0, REMEMBERED - 1), "forgotten, and too few");
        assert!(run(1, 0, 1));
    }

    #[test]
    fn link_report_adds_up() {
        // The traffic of several links.
        let traffic = |micros: std::ops::Range<u64>, links: u64| {
            let mut traffic = Traffic {
                counts: Counts {
                    requests: 0,
                    lost: links,
                    damaged: 2 * links,
                    stale: 3 * links,
                    busy: 4 * links,
                    recovered: 5 * links,
                },
                recovering: Duration::from_secs(6 * links),
                ..Traffic::default()
            };
            for micros in micros {
                traffic.counts.requests += 1;
                traffic.answered(Duration::from_micros(micros), true);
            }
            let link = LinkStatistics {
                sent: 10 * links,
                received: 9 * links,
                reopened: 8 * links,
                simulated_cycles: Some(7 * links),
            };
            traffic.report(link, Some(9_600))
        };
        let mut sum = traffic(1..1, 1);
        for micros in [1..301, 1..1, 301..1_001] {
            sum.add(&traffic(micros, 1));
        }
        assert_eq!(sum, traffic(1..1_001, 4));
        let first = traffic(1..301, 1);
        let rest = sum.since(&first);
        assert_eq!(rest, traffic(301..1_001, 3));
        // A core that was powered up again.
        sum.link.simulated_cycles = Some(3);
        assert_eq!(sum.since(&first).link.simulated_cycles, Some(3));
    }

    #[test]
    fn latency_quantiles_and_buckets() {
        let mut traffic = Traffic::default();
        traffic.answered(Duration::from_secs(9), false);
        let report = traffic.report(LinkStatistics::default(), None);
        assert_eq!(report.latency, None);
        for micros in 1..=1_000 {
            traffic.answered(Duration::from_micros(micros), true);
        }
        let report = traffic.report(LinkStatistics::default(), None);
        let latency = report.latency.expect("a thousand");
        assert_eq!((latency.count, latency.p50, latency.p99), (1_000, 500, 990));
        assert_eq!((latency.p999, latency.max), (999, 1_000));
        assert!((latency.mean - 500.5).abs() < 0.5);
        let bucket = |bucket: &Bucket| (bucket.low, bucket.high, bucket.count);
        let buckets: Vec<_> = latency.histogram.iter().map(bucket).collect();
        assert_eq!(buckets[..3], [(0, 1, 1), (2, 3, 2), (4, 7, 4)]);
        assert_eq!(buckets.last(), Some(&(512, 1023, 489)));
    }
}
