//! Text of other programs, boards and files, escaped so that it is one line and controls no terminal.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize, Serializer};

pub use lockstep_games::catalog::is_printable;

/// The text, with unprintable characters escaped.
pub fn printable(text: &str) -> String {
    let escaped = text.chars().map(|c| match is_printable(c) {
        true => c.to_string(),
        false => c.escape_default().to_string(),
    });
    escaped.collect()
}

/// Serialises paths as their names.
///
/// # Errors
/// The serializer's.
pub fn names<P: AsRef<Path>, S: Serializer>(
    paths: &impl AsRef<[P]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let paths = paths.as_ref().iter();
    serializer.collect_seq(paths.map(|path| path.as_ref().display().to_string()))
}

/// Text from outside: displayed escaped, compared and serialised unchanged.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ForeignText(String);

impl ForeignText {
    /// The unescaped text, for comparisons; never to be shown.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Columns that it takes on a terminal.
    pub fn width(&self) -> usize {
        printable(&self.0).chars().count()
    }
}

impl<T: AsRef<str>> From<T> for ForeignText {
    fn from(text: T) -> Self {
        Self(text.as_ref().into())
    }
}

impl From<&Self> for ForeignText {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

impl fmt::Display for ForeignText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&printable(&self.0))
    }
}

impl fmt::Debug for ForeignText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq<&str> for ForeignText {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_shown_escaped_and_compared_unchanged() {
        let text = ForeignText::from("a\n\u{1b}");
        let shown = r"a\n\u{1b}";
        assert_eq!(
            (format!("{text:>12}|"), text.width()),
            (format!("{shown:>12}|"), 9)
        );
        assert_eq!(format!("{text:?}"), r#""a\n\u{1b}""#);
        assert!(text == "a\n\u{1b}" && text != shown && text.raw() == "a\n\u{1b}");
    }
}
