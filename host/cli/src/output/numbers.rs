//! Numbers as text.

use std::fmt;

use indicatif::HumanCount;

/// A number in three digits: `4.12M`.
pub struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0, "");
        for next in ["k", "M", "G", "T", "P", "E"] {
            // What would be rounded to 1000 is 1 of the next unit.
            if value.abs() < 999.5 {
                break;
            }
            (value, unit) = (value / 1000.0, next);
        }
        let places = match value.abs() {
            // Whole numbers stay whole.
            v if unit.is_empty() && v.fract() == 0.0 => 0,
            v if v < 9.995 => 2,
            v if v < 99.95 => 1,
            _ => 0,
        };
        write!(f, "{value:.places$}{unit}")
    }
}

/// A number with `places` decimals (at most 19), and commas between thousands.
pub fn decimal(value: f64, places: u32) -> String {
    let unit = 10u128.pow(places.min(19));
    let rounded = (value.abs() * unit as f64).round() as u128;
    let whole = HumanCount(u64::try_from(rounded / unit).unwrap_or(u64::MAX));
    let sign = if value < 0.0 && rounded > 0 { "-" } else { "" };
    let (part, digits) = (rounded % unit, places as usize);
    match places {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{part:0digits$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_have_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (7.0, "7"),
            (27.41, "27.4"),
            (9.996, "10.0"),
            (999.0, "999"),
            (999.6, "1.00k"),
            (1_234.0, "1.23k"),
            (99_960.0, "100k"),
            (35_123_456.0, "35.1M"),
            (4.1e11, "410G"),
        ] {
            assert_eq!(Short(value).to_string(), text);
        }
    }

    #[test]
    fn decimals_have_their_places_and_commas() {
        for (value, places, text) in [
            (0.0, 2, "0.00"),
            (-0.001, 2, "0.00"),
            (0.999, 2, "1.00"),
            (1_234_567.891, 2, "1,234,567.89"),
            (-12.5, 2, "-12.50"),
            (1_234.56, 1, "1,234.6"),
            (1_234_567.8, 0, "1,234,568"),
        ] {
            assert_eq!(decimal(value, places), text);
        }
    }
}
