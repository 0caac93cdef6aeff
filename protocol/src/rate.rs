//! Rates of a serial line, as a core's UART counts them.
//!
//! The UART adds an increment to a phase of 24 bits every clock cycle; a bit ends when the phase
//! overflows. A host reads the clock in `info_reply`, computes the increment for a rate and sends
//! it in `set_rate`.

use crate::layout::link::{MAX_INCREMENT, MIN_INCREMENT};

/// Bits of the UART's phase.
const PHASE_BITS: u32 = 24;

/// The increment for a rate in baud at a clock in hertz: baud × 2²⁴ / clock, rounded.
///
/// [`SetRate`](crate::payload::link::SetRate) carries it. `None` if the exact increment lies below
/// [`MIN_INCREMENT`] or above [`MAX_INCREMENT`].
///
/// ```
/// use lockstep_protocol::rate::increment;
///
/// assert_eq!(increment(115_200, 100_000_000), Some(19_327));
/// assert_eq!(increment(12_500_000, 100_000_000), Some(1 << 21));
/// assert_eq!(increment(12_500_001, 100_000_000), None);
/// ```
pub const fn increment(baud: u32, clock_hz: u32) -> Option<u32> {
    let phase = (baud as u64) << PHASE_BITS;
    let clock = clock_hz as u64;
    if clock == 0 || phase < MIN_INCREMENT as u64 * clock || phase > MAX_INCREMENT as u64 * clock {
        return None;
    }
    // Rounding cannot exceed the greatest increment, which is a whole number.
    Some(((phase + clock / 2) / clock) as u32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn increment_rate_out_of_range_is_none() {
        for (baud, clock, expected) in [
            // 50 x 100 MHz / 2^24 = 298.02 baud.
            (299, 100_000_000, Some(50)),
            (298, 100_000_000, None),
            (0, 100_000_000, None),
            (115_200, 0, None),
            (0, 0, None),
            (u32::MAX, 1, None),
            (1, u32::MAX, None),
        ] {
            assert_eq!(
                increment(baud, clock),
                expected,
                "{baud} baud at {clock} Hz"
            );
        }
        // The fastest rate has eight clock cycles a bit.
        for clock in [8_000, 12_000_000, 100_000_000, u32::MAX - 7] {
            assert_eq!(increment(clock / 8, clock), Some(MAX_INCREMENT), "{clock}");
            assert_eq!(increment(clock / 8 + 1, clock), None, "{clock}");
        }
    }

    proptest! {
        #[test]
        fn increment_is_nearest_within_limits(baud in 1u32..=20_000_000, clock_hz: u32) {
            let exact = f64::from(baud) * f64::from(1u32 << PHASE_BITS) / f64::from(clock_hz);
            match increment(baud, clock_hz) {
                Some(found) => {
                    prop_assert!((f64::from(found) - exact).abs() <= 0.5 + 1e-6);
                    prop_assert!((MIN_INCREMENT..=MAX_INCREMENT).contains(&found));
                }
                None => prop_assert!(
                    exact < f64::from(MIN_INCREMENT) + 1e-6
                        || exact > f64::from(MAX_INCREMENT) - 1e-6
                ),
            }
        }
    }
}
