//! The names of a table: in Rust, in SystemVerilog and in the names of files.

use super::{Constant, ErrorCode, Game, Link, Message};

/// The mistake of a name.
pub(super) const MISTAKE: &str =
    "a name is not snake case: a lower-case letter, then such letters, digits and _";

/// Whether all names of a game, and those of the link, are in snake case.
pub(super) const fn are_sound(link: &Link, game: &Game) -> bool {
    is_sound(game.name)
        && of_tables(link.messages, link.errors, link.constants)
        && of_tables(game.messages, game.errors, game.constants)
}

const fn is_sound(name: &str) -> bool {
    let name = name.as_bytes();
    let mut i = 0;
    while i < name.len() {
        let is_later = i > 0 && (name[i].is_ascii_digit() || name[i] == b'_');
        if !(name[i].is_ascii_lowercase() || is_later) {
            return false;
        }
        i += 1;
    }
    !name.is_empty()
}

const fn of_tables(messages: &[Message], errors: &[ErrorCode], constants: &[Constant]) -> bool {
    let mut all = true;
    each!(message in messages => {
        all &= is_sound(message.name);
        each!(field in message.fields => all &= is_sound(field.name));
    });
    each!(error in errors => all &= is_sound(error.name));
    each!(constant in constants => all &= is_sound(constant.name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_not_in_snake_case_is_a_mistake() {
        for name in ["connect4_2", "a"] {
            assert!(is_sound(name), "{name}");
        }
        for name in ["", "2048", "_game", "Game", "my-game", "my game"] {
            assert!(!is_sound(name), "{name}");
        }
    }
}
