//! Numbers on the command line, with errors that name the allowed range.

use std::ops::RangeInclusive;

/// A parser for whole numbers in a range, such as `number(1..=1024)`.
pub fn number<T>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: TryFrom<u64>,
{
    move |text| {
        let (least, most) = (*range.start(), *range.end());
        let expected = match (least, most) {
            (least, u64::MAX) => format!("expected a whole number, {least} or more"),
            (least, most) => format!("expected a whole number from {least} to {most}"),
        };
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(number) if range.contains(&number) => {
                T::try_from(number).map_err(|_| "too large".into())
            }
            Err(_) if digits && most == u64::MAX => {
                Err(format!("too large, expected at most {most}"))
            }
            _ => Err(expected),
        }
    }
}
