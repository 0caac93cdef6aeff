//! The speed of simulated time.

use std::time::Duration;

/// The speed of simulated time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pace {
    /// As fast as the simulator can; idle time is skipped.
    #[default]
    Unlimited,
    /// Never ahead of the wall clock; idle time is simulated, too. If the simulator is slower than
    /// the core, this keeps a processor busy.
    Real,
}

impl Pace {
    /// Most clock cycles that may be simulated in a time since power-up.
    pub(crate) fn allows(self, elapsed: Duration, clock_hz: u32) -> u64 {
        match self {
            Self::Unlimited => u64::MAX,
            Self::Real => {
                let cycles = elapsed.as_nanos() * u128::from(clock_hz) / 1_000_000_000;
                u64::try_from(cycles).unwrap_or(u64::MAX)
            }
        }
    }
}
