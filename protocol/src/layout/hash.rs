//! The layout hash: 32-bit FNV-1a over the link's table and one game's.
//!
//! What is hashed decides how payloads are read; the plain words of `about`
//! are left out.

use super::{Capability, Constant, ErrorCode, Game, Link, Message};

const START: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

pub(super) const fn layout(link: &Link, game: &Game) -> u32 {
    let mut h = number(START, link.version as u32);
    h = number(h, link.max_payload as u32);
    h = messages(h, link.messages);
    h = errors(h, link.errors);
    h = capabilities(h, link.capabilities);
    h = constants(h, link.constants);
    h = named(h, game.name, game.number as u32);
    h = messages(h, game.messages);
    h = errors(h, game.errors);
    constants(h, game.constants)
}

const fn messages(mut h: u32, list: &[Message]) -> u32 {
    h = number(h, list.len() as u32);
    let mut i = 0;
    while i < list.len() {
        h = named(h, list[i].name, list[i].id as u32);
        let fields = list[i].fields;
        h = number(h, fields.len() as u32);
        let mut j = 0;
        while j < fields.len() {
            let kind = (fields[j].bits as u32) << 1 | fields[j].signed as u32;
            h = named(h, fields[j].name, kind);
            j += 1;
        }
        i += 1;
    }
    h
}

const fn errors(mut h: u32, list: &[ErrorCode]) -> u32 {
    h = number(h, list.len() as u32);
    let mut i = 0;
    while i < list.len() {
        h = named(h, list[i].name, list[i].number as u32);
        i += 1;
    }
    h
}

const fn capabilities(mut h: u32, list: &[Capability]) -> u32 {
    h = number(h, list.len() as u32);
    let mut i = 0;
    while i < list.len() {
        h = named(h, list[i].name, list[i].bit as u32);
        i += 1;
    }
    h
}

const fn constants(mut h: u32, list: &[Constant]) -> u32 {
    h = number(h, list.len() as u32);
    let mut i = 0;
    while i < list.len() {
        h = named(h, list[i].name, list[i].value);
        i += 1;
    }
    h
}

/// The name's bytes, a zero byte, the number.
const fn named(h: u32, name: &str, value: u32) -> u32 {
    number(bytes(bytes(h, name.as_bytes()), &[0]), value)
}

/// Four bytes, the lowest first.
const fn number(h: u32, value: u32) -> u32 {
    bytes(h, &value.to_le_bytes())
}

const fn bytes(mut h: u32, bytes: &[u8]) -> u32 {
    let mut i = 0;
    while i < bytes.len() {
        h = (h ^ bytes[i] as u32).wrapping_mul(PRIME);
        i += 1;
    }
    h
}

#[cfg(test)]
mod tests {
    use super::super::{Field, link::LINK, tetris};
    use super::*;

    const FIELD: Field = Field {
        name: "stones",
        bits: 16,
        signed: false,
        about: "Stones on the board.",
    };
    const MOVE: Message = Message {
        name: "move",
        id: 0x10,
        fields: &[FIELD],
        about: "A move.",
    };
    const GOMOKU: Game = Game {
        name: "gomoku",
        number: 2,
        messages: &[MOVE],
        decision: MOVE,
        worked: None,
        errors: &[],
        constants: &[],
    };

    #[test]
    fn a_game_s_new_message_turns_nobody_else_away() {
        let more = Game {
            messages: &[
                MOVE,
                Message {
                    name: "pass",
                    id: 0x11,
                    ..MOVE
                },
            ],
            ..GOMOKU
        };
        assert_ne!(layout(&LINK, &more), layout(&LINK, &GOMOKU));
        // Tetris' hash is a constant of its own table: nothing of the other
        // game goes into it.
        assert_eq!(layout(&LINK, &tetris::GAME), tetris::GAME.layout_hash());
        assert_ne!(layout(&LINK, &GOMOKU), tetris::GAME.layout_hash());
    }

    #[test]
    fn a_change_of_the_link_changes_every_game() {
        let changes = [
            Link {
                version: LINK.version + 1,
                ..LINK
            },
            Link {
                max_payload: LINK.max_payload + 1,
                ..LINK
            },
            Link {
                messages: &[MOVE],
                ..LINK
            },
            Link {
                errors: &[],
                ..LINK
            },
            Link {
                capabilities: &[],
                ..LINK
            },
            Link {
                constants: &[],
                ..LINK
            },
        ];
        for link in changes {
            for game in [GOMOKU, tetris::GAME] {
                assert_ne!(layout(&link, &game), layout(&LINK, &game), "{link:?}");
            }
        }
    }

    /// Everything a payload's reader must know, one after the other.
    #[test]
    fn every_part_of_a_game_counts_but_its_words() {
        const SIZE: Constant = Constant {
            name: "size",
            value: 15,
            bits: 8,
            about: "",
        };
        const TAKEN: ErrorCode = ErrorCode {
            name: "taken",
            number: 0x40,
            about: "",
        };
        let with = |messages| Game { messages, ..GOMOKU };
        let changes = [
            Game {
                name: "renju",
                ..GOMOKU
            },
            Game {
                number: 3,
                ..GOMOKU
            },
            Game {
                errors: &[TAKEN],
                ..GOMOKU
            },
            Game {
                constants: &[SIZE],
                ..GOMOKU
            },
            with(&[Message {
                name: "put",
                ..MOVE
            }]),
            with(&[Message { id: 0x11, ..MOVE }]),
            with(&[Message {
                fields: &[],
                ..MOVE
            }]),
            with(&[Message {
                fields: &[Field {
                    name: "men",
                    ..FIELD
                }],
                ..MOVE
            }]),
            with(&[Message {
                fields: &[Field { bits: 24, ..FIELD }],
                ..MOVE
            }]),
            with(&[Message {
                fields: &[Field {
                    signed: true,
                    ..FIELD
                }],
                ..MOVE
            }]),
        ];
        let hashes: std::vec::Vec<u32> = changes.iter().map(|g| layout(&LINK, g)).collect();
        for (i, hash) in hashes.iter().enumerate() {
            assert_ne!(*hash, layout(&LINK, &GOMOKU), "{:?}", changes[i]);
            assert!(!hashes[..i].contains(hash), "{:?}", changes[i]);
        }
        let reworded = with(&[Message {
            about: "Other words.",
            fields: &[Field {
                about: "Others.",
                ..FIELD
            }],
            ..MOVE
        }]);
        assert_eq!(layout(&LINK, &reworded), layout(&LINK, &GOMOKU));
    }

    /// FNV-1a as published, on its authors' test vectors.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(bytes(START, b""), 0x811c_9dc5);
        assert_eq!(bytes(START, b"a"), 0xe40c_292c);
        assert_eq!(bytes(START, b"foobar"), 0xbf9c_f968);
        assert_eq!(number(START, 0x0403_0201), bytes(START, &[1, 2, 3, 4]));
        assert_eq!(named(START, "ab", 7), bytes(START, b"ab\0\x07\0\0\0"));
    }
}
