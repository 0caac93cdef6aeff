//! Linear controllers, their scores (fixed-point numbers in millionths) and other number formats.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{FEATURES, Features, Search};
use crate::{GameError, serde_as_text};

/// A linear controller, which chooses the placement with the highest weighted sum of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// Weights in millionths; the weight of the landing height is for half a row.
    pub weights: [i32; FEATURES],
    /// Depth and beam.
    pub search: Search,
}

impl Linear {
    /// A controller from published weights by feature number, rounded to millionths.
    ///
    /// Weights that exceed 32 bits are clamped.
    pub fn from_published(weights: &[f64; FEATURES], search: Search) -> Self {
        let mut fixed = [0; FEATURES];
        for (index, weight) in weights.iter().enumerate() {
            fixed[index] = (weight / halves(index) * UNIT as f64).round() as i32;
        }
        Self {
            weights: fixed,
            search,
        }
    }

    /// The weights in the published unit, by feature number.
    pub fn published(&self) -> [f64; FEATURES] {
        let value = |index| f64::from(self.weights[index]) * halves(index) / UNIT as f64;
        std::array::from_fn(value)
    }

    /// The exact weighted sum of the features.
    pub fn score(&self, features: &Features) -> Score {
        let terms = self.weights.iter().zip(features.to_array());
        Score(terms.map(|(&w, f)| i64::from(w) * f).sum())
    }
}

/// Stored units of a feature in one published unit: 2 for the landing height, otherwise 1.
pub const fn halves(index: usize) -> f64 {
    const LANDING_HEIGHT: usize = 0;
    if index == LANDING_HEIGHT { 2.0 } else { 1.0 }
}

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

/// A number format of weights and scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// Fixed point as in the core: weights are millionths in 32 bits, scores have 64 bits.
    Fixed,
    /// Double precision, with the published weights.
    Float,
    /// Weights are signed integers of this many bits; the largest weight uses all bits.
    Bits(u32),
}

impl FromStr for Arithmetic {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        match (text, text.parse()) {
            ("fixed", _) => Ok(Self::Fixed),
            ("float", _) => Ok(Self::Float),
            (_, Ok(bits @ 2..=31)) => Ok(Self::Bits(bits)),
            _ => Err(GameError(format!(
                "unknown arithmetic '{text}', expected fixed, float or a number of bits from 2 to 31"
            ))),
        }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed => f.write_str("fixed"),
            Self::Float => f.write_str("float"),
            Self::Bits(bits) => write!(f, "{bits}"),
        }
    }
}

serde_as_text!(Arithmetic);

impl Linear {
    /// The same controller with weights of `bits` bits, including the sign.
    ///
    /// Weights are scaled so that the largest uses all bits, then rounded. Scores lose their unit.
    pub fn with_bits(&self, bits: u32) -> Linear {
        let largest = self.weights.iter().map(|w| i64::from(*w).abs()).max();
        let largest = largest.unwrap_or(0).max(1);
        let most = (1i64 << (bits.clamp(2, 31) - 1)) - 1;
        let scaled = |w: i32| {
            let exact = i64::from(w) * most;
            // Rounds to the nearest integer, halves away from 0.
            let half = largest / 2 * exact.signum();
            ((exact + half) / largest) as i32
        };
        Linear {
            weights: self.weights.map(scaled),
            search: self.search,
        }
    }
}

/// The weighted sum of the features in double precision, added in the order of the weights.
pub fn float_score(weights: &[f64; FEATURES], features: &[i32; FEATURES]) -> f64 {
    let terms = weights.iter().zip(features);
    terms.map(|(w, f)| w * f64::from(*f)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tetris::Controller;

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

    #[test]
    fn score_json_is_whole_or_decimal() {
        let json = [0, 2 * UNIT, -2_500_000].map(|s| serde_json::to_string(&Score(s)).unwrap());
        assert_eq!(json, ["0", "2", "-2.5"]);
    }

    #[test]
    fn arithmetic_parses_known_formats_only() {
        for text in ["fixed", "float", "2", "12", "31"] {
            assert_eq!(text.parse::<Arithmetic>().unwrap().to_string(), text);
        }
        for text in ["", "1", "32", "double"] {
            let error = text.parse::<Arithmetic>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown arithmetic '{text}'")));
        }
    }

    #[test]
    fn with_bits_scales_to_largest_weight() {
        let dellacherie = Controller::load("dellacherie").unwrap();
        let linear = dellacherie.linear().unwrap();
        // The weights are −½ to −4; four bits hold ±7.
        let weights = linear.with_bits(4).weights;
        assert_eq!(weights[..7], [-1, 2, 0, -2, -2, -7, -2]);
        assert_eq!(linear.with_bits(31).weights[5], -(1 << 30) + 1);
    }
}
