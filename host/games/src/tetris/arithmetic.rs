//! Number formats of linear controllers: fixed point, double precision, integers of few bits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{FEATURES, Linear};
use crate::GameError;

/// A number format of weights and scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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

impl TryFrom<String> for Arithmetic {
    type Error = GameError;

    fn try_from(text: String) -> Result<Self, GameError> {
        text.parse()
    }
}

impl From<Arithmetic> for String {
    fn from(arithmetic: Arithmetic) -> Self {
        arithmetic.to_string()
    }
}

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
    use super::*;
    use crate::tetris::Controller;

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
