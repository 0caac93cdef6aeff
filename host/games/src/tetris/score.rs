//! Scores: fixed-point numbers in millionths.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Number of millionths in 1.
pub const UNIT: i64 = 1_000_000;

/// A score in millionths; JSON and text have it as a decimal number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(
    /// Millionths.
    pub i64,
);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (
            self.0.unsigned_abs() / 1_000_000,
            self.0.unsigned_abs() % 1_000_000,
        );
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = format!("{part:06}");
        match digits.trim_end_matches('0') {
            "" => f.pad(&format!("{sign}{whole}")),
            decimals => f.pad(&format!("{sign}{whole}.{decimals}")),
        }
    }
}

impl Serialize for Score {
    /// Serialises as the nearest double; a score below 2⁴⁵ millionths is read back exactly.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % UNIT == 0 {
            return serializer.serialize_i64(self.0 / UNIT);
        }
        serializer.serialize_f64(self.0 as f64 / UNIT as f64)
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)? * UNIT as f64;
        Ok(Self(value.round() as i64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn score_displays_as_decimal() {
        let shown = [0, 1, -2_680_000, 5 * UNIT, -1, 1_234_567].map(|s| Score(s).to_string());
        assert_eq!(
            shown,
            ["0", "0.000001", "-2.68", "5", "-0.000001", "1.234567"]
        );
    }

    proptest! {
        #[test]
        fn score_json_round_trips(score in -(1i64 << 45)..(1i64 << 45)) {
            let text = serde_json::to_string(&Score(score)).unwrap();
            prop_assert_eq!(serde_json::from_str::<Score>(&text).unwrap(), Score(score));
        }
    }
}
