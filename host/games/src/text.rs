//! Valid names of controllers, and readable errors of JSON.

/// Why the name or the source of a controller is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The name is empty or too long.
    #[error("the name has {0} characters, expected 1 to {MAX_NAME}")]
    Length(usize),
    /// The name or source has a control character.
    #[error("name or source has a control character, expected one line of text")]
    Control,
}

/// Maximum length of a controller's name, in characters.
pub const MAX_NAME: usize = 64;

/// Checks the name and source of a controller, which reports show in one line.
///
/// # Errors
/// When one of them is not valid.
pub fn check_text(name: &str, source: &str) -> Result<(), TextError> {
    let length = name.chars().count();
    if !(1..=MAX_NAME).contains(&length) {
        return Err(TextError::Length(length));
    }
    if name.chars().chain(source.chars()).any(char::is_control) {
        return Err(TextError::Control);
    }
    Ok(())
}

/// The text of a JSON error, without names of Rust types.
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
    fn plainly_wrong_number_names_no_type() {
        for bad in ["-1", "1.5", "\"x\""] {
            let error = serde_json::from_str::<usize>(bad).expect_err(bad);
            let text = plainly(&error);
            assert!(text.contains("expected a whole number at line 1"), "{text}");
        }
    }

    #[test]
    fn check_text_accepts_one_short_line_only() {
        assert_eq!(check_text("", ""), Err(TextError::Length(0)));
        assert_eq!(check_text(&"ä".repeat(64), ""), Ok(()));
        assert_eq!(check_text(&"a".repeat(65), ""), Err(TextError::Length(65)));
        for name in ["a\nb", "\u{1b}[2J", "\u{7f}"] {
            assert_eq!(check_text(name, ""), Err(TextError::Control));
        }
        assert_eq!(check_text("a", "\t"), Err(TextError::Control));
    }
}
