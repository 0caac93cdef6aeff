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
            Err(_) if digits && most == u64::MAX => Err(format!("too large; {most} is the most")),
            _ => Err(expected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn limits_are_sentences() {
        let some = number::<u64>(1..=1024);
        assert_eq!(some("1024"), Ok(1024));
        for wrong in ["0", "1025", "-1", "1.5", "", "99999999999999999999"] {
            let error = some(wrong).expect_err(wrong);
            assert_eq!(error, "expected a whole number from 1 to 1024", "{wrong}");
        }
        let many = number::<u64>(1..=u64::MAX);
        assert_eq!(
            many("0").expect_err("0"),
            "expected a whole number, 1 or more"
        );
        let error = many("18446744073709551616").expect_err("too large");
        assert!(error.contains("too large; 18446744073709551615"), "{error}");
        assert_eq!(number::<u8>(1..=3)("3"), Ok(3));
    }
}
