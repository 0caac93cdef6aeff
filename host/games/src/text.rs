//! Valid names of controllers, and readable errors of JSON.

/// Maximum length of a controller's name, in characters.
pub const MAX_NAME: usize = 64;

/// Checks the name and source of a controller, which reports show in one line.
///
/// # Errors
/// When one of them is not valid.
pub fn check_text(name: &str, source: &str) -> Result<(), String> {
    let length = name.chars().count();
    if !(1..=MAX_NAME).contains(&length) {
        return Err(format!(
            "the name has {length} characters, expected 1 to {MAX_NAME}"
        ));
    }
    if !name.chars().chain(source.chars()).all(is_printable) {
        return Err("name or source has a control character, expected one line of text".into());
    }
    Ok(())
}

/// Whether a character stays in its line and leaves the others in their order.
///
/// Control characters do not, nor do line and paragraph separators and marks that reverse text.
pub fn is_printable(c: char) -> bool {
    let separates = matches!(c, '\u{2028}' | '\u{2029}');
    let reverses = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !(c.is_control() || separates || reverses)
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
        assert_eq!(check_text(&"ä".repeat(64), ""), Ok(()));
        for (name, source, why) in [
            ("", "", "the name has 0 characters, expected 1 to 64"),
            (&*"a".repeat(65), "", "the name has 65 characters"),
            ("a\nb", "", "control character"),
            ("\u{1b}[2J", "", "control character"),
            ("\u{7f}", "", "control character"),
            ("a\u{2028}b", "", "control character"),
            ("\u{202e}a", "", "control character"),
            ("a", "\t", "control character"),
        ] {
            let error = check_text(name, source).expect_err(why);
            assert!(error.contains(why), "{name:?}: {error}");
        }
    }
}
