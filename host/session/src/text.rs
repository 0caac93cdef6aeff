//! Text of others, made safe to show on a terminal.

/// A text with every character escaped that makes a terminal act.
pub fn printable(text: &str) -> String {
    text.chars().map(escaped).collect()
}

/// A character, escaped if it makes a terminal act.
pub fn escaped(c: char) -> String {
    match c.is_control() || is_reordering(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    }
}

/// Characters that make a terminal show others in another order.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
