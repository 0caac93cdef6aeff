//! Names of controllers, and plain errors of JSON.

/// Why a name is not valid for a controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Empty or too long.
    #[error("a name has from 1 to {MAX_NAME} characters, not {0}")]
    Length(usize),
    /// It would not be one line of text.
    #[error("name and source are one line of text without control characters")]
    Control,
}

/// Most characters of a controller's name.
pub const MAX_NAME: usize = 64;

/// Checks the name of a controller: reports show it in one line.
///
/// # Errors
/// When the name is not valid.
pub fn check_text(name: &str, source: &str) -> Result<(), TextError> {
    let length = name.chars().count();
    if !(1..=MAX_NAME).contains(&length) {
        return Err(TextError::Length(length));
    }
    if !name.chars().chain(source.chars()).all(is_printable) {
        return Err(TextError::Control);
    }
    Ok(())
}

/// Whether a character stays in its line and leaves the others in their order. Control characters
/// do not, nor do the line and paragraph separators and the marks that reverse text.
pub fn is_printable(c: char) -> bool {
    let separates = matches!(c, '\u{2028}' | '\u{2029}');
    let reverses = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !(c.is_control() || separates || reverses)
}

/// The error of serde, without the names of Rust's types.
pub fn plainly(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    for name in [
        "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64",
    ] {
        text = text.replace(&format!(", expected {name}"), ", expected a whole number");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plainly_number_names_no_type() {
        for bad in ["-1", "1.5", "\"x\""] {
            let error = serde_json::from_str::<usize>(bad).expect_err(bad);
            let text = plainly(&error);
            assert!(text.contains("expected a whole number at line 1"), "{text}");
        }
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(check_text("", ""), Err(TextError::Length(0)));
        assert_eq!(check_text(&"ä".repeat(64), ""), Ok(()));
        assert_eq!(check_text(&"a".repeat(65), ""), Err(TextError::Length(65)));
        for name in ["a\nb", "\u{1b}[2J", "\u{7f}", "a\u{2028}b", "\u{202e}a"] {
            assert_eq!(check_text(name, ""), Err(TextError::Control));
        }
        assert_eq!(check_text("a", "\t"), Err(TextError::Control));
    }
}
