//! The numbers a linear controller computes with: the wire's fixed point, floats
//! as published, or integers of few bits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::features::FEATURES;
use super::linear::Linear;

/// A format of weights and scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Arithmetic {
    /// Millionths in 32 bits, sums in 64: the wire's and the hardware's.
    Fixed,
    /// Double precision with the weights as published.
    Float,
    /// Weights as signed integers of so many bits, the largest using them all.
    Bits(u32),
}

/// Not a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no arithmetic; there are fixed, float and a number of bits from 2 to 31")]
pub struct ArithmeticError(String);

impl FromStr for Arithmetic {
    type Err = ArithmeticError;

    fn from_str(text: &str) -> Result<Self, ArithmeticError> {
        match text {
            "fixed" => Ok(Self::Fixed),
            "float" => Ok(Self::Float),
            _ => match text.parse() {
                Ok(bits @ 2..=31) => Ok(Self::Bits(bits)),
                _ => Err(ArithmeticError(text.into())),
            },
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
    type Error = ArithmeticError;

    fn try_from(text: String) -> Result<Self, ArithmeticError> {
        text.parse()
    }
}

impl From<Arithmetic> for String {
    fn from(arithmetic: Arithmetic) -> Self {
        arithmetic.to_string()
    }
}

impl Linear {
    /// The same controller with weights of `bits` bits, sign included: scaled so
    /// that the largest uses them all, then rounded. Scores lose their unit.
    pub fn with_bits(&self, bits: u32) -> Linear {
        let largest = self.weights.iter().map(|w| i64::from(*w).abs()).max();
        let largest = largest.unwrap_or(0).max(1);
        let most = (1i64 << (bits.clamp(2, 31) - 1)) - 1;
        let scaled = |w: i32| {
            let exact = i64::from(w) * most;
            // To the nearest, halves away from nought.
            let half = largest / 2 * exact.signum();
            ((exact + half) / largest) as i32
        };
        Linear {
            weights: self.weights.map(scaled),
            search: self.search,
        }
    }
}

/// A weighted sum in double precision, in the order of the weights.
pub fn float_score(weights: &[f64; FEATURES], features: &[i32; FEATURES]) -> f64 {
    let terms = weights.iter().zip(features);
    terms.map(|(w, f)| w * f64::from(*f)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::Controller;

    #[test]
    fn formats_are_read_and_refused() {
        for text in ["fixed", "float", "2", "12", "31"] {
            assert_eq!(text.parse::<Arithmetic>().unwrap().to_string(), text);
        }
        for text in ["", "1", "32", "double"] {
            let error = text.parse::<Arithmetic>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is no arithmetic")));
        }
    }

    #[test]
    fn few_bits_keep_the_proportions() {
        let dellacherie = Controller::load("dellacherie").unwrap();
        let linear = dellacherie.linear().unwrap();
        // Weights −½ 1 … −4: four bits hold ±7.
        let weights = linear.with_bits(4).weights;
        assert_eq!(weights[..7], [-1, 2, 0, -2, -2, -7, -2]);
        assert_eq!(linear.with_bits(31).weights[5], -(1 << 30) + 1);
    }
}
