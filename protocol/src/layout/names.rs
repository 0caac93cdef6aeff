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
    let (mut all, mut i) = (true, 0);
    while i < messages.len() {
        let Message { name, fields, .. } = messages[i];
        all &= is_sound(name);
        let mut k = 0;
        while k < fields.len() {
            all &= is_sound(fields[k].name);
            k += 1;
        }
        i += 1;
    }
    i = 0;
    while i < errors.len() {
        all &= is_sound(errors[i].name);
        i += 1;
    }
    i = 0;
    while i < constants.len() {
        all &= is_sound(constants[i].name);
        i += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;

    use super::super::{Field, connect4, link::LINK};
    use super::*;

    fn leaked<T>(item: T) -> &'static [T] {
        Box::leak(Box::new([item]))
    }

    #[test]
    fn names_not_in_snake_case_are_mistakes() {
        let game = connect4::GAME;
        let [message, error, constant] = [game.messages[0].name, "code", "constant"];
        for (name, sound) in [
            ("connect4_2", true),
            ("", false),
            ("2048", false),
            ("_game", false),
            ("Game", false),
            ("my-game", false),
            ("my game", false),
        ] {
            let with = |game_name, message, field, error, constant| {
                let fields = leaked(Field {
                    name: field,
                    bits: 8,
                    signed: false,
                    about: "",
                });
                Game {
                    name: game_name,
                    messages: leaked(Message {
                        name: message,
                        fields,
                        ..game.messages[0]
                    }),
                    errors: leaked(ErrorCode {
                        name: error,
                        ..game.errors[0]
                    }),
                    constants: leaked(Constant {
                        name: constant,
                        ..game.constants[0]
                    }),
                    ..game
                }
            };
            for game in [
                with(name, message, "field", error, constant),
                with("game", name, "field", error, constant),
                with("game", message, name, error, constant),
                with("game", message, "field", name, constant),
                with("game", message, "field", error, name),
            ] {
                assert_eq!(are_sound(&LINK, &game), sound, "{game:?}");
            }
        }
    }
}
