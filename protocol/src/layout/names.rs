//! The check that names are in snake case: they are used in Rust, SystemVerilog and file names.

use super::{Constant, ErrorCode, GameTable, LinkTable, Message};

/// The rule that a bad name breaks.
pub(super) const MISTAKE: &str =
    "a name is not snake case: a lower-case letter, then such letters, digits and _";

/// Whether all names of the link and of a game are in snake case.
pub(super) const fn are_snake_case(link: &LinkTable, game: &GameTable) -> bool {
    is_snake_case(game.name)
        && of_tables(link.messages, link.errors, link.constants)
        && of_tables(game.messages, game.errors, game.constants)
}

const fn is_snake_case(name: &str) -> bool {
    let name = name.as_bytes();
    let (mut all, mut is_first) = (!name.is_empty(), true);
    each!(sign in name => {
        let follows = !is_first && (sign.is_ascii_digit() || *sign == b'_');
        all &= sign.is_ascii_lowercase() || follows;
        is_first = false;
    });
    all
}

const fn of_tables(messages: &[Message], errors: &[ErrorCode], constants: &[Constant]) -> bool {
    let mut all = true;
    each!(message in messages => {
        all &= is_snake_case(message.name);
        each!(field in message.fields => all &= is_snake_case(field.name));
    });
    each!(error in errors => all &= is_snake_case(error.name));
    each!(constant in constants => all &= is_snake_case(constant.name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_not_in_snake_case_is_rejected() {
        for name in ["connect4_2", "a"] {
            assert!(is_snake_case(name), "{name}");
        }
        for name in ["", "2048", "_game", "Game", "my-game", "my game"] {
            assert!(!is_snake_case(name), "{name}");
        }
    }
}
