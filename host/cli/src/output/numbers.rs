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
