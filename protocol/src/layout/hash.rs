//! The layout hash: 32-bit FNV-1a over the link's table and one game's.
//!
//! It covers all that determines how payloads are read, and so leaves out the texts of `about`.

use super::{Constant, ErrorCode, GameTable, LinkTable, Message};

/// A running hash.
struct Fnv1a(u32);

pub(super) fn layout(link: &LinkTable, game: &GameTable) -> u32 {
    let mut hash = Fnv1a(0x811c_9dc5);
    hash.number(link.version.into());
    hash.number(link.max_payload as u32);
    hash.messages(link.messages);
    hash.errors(link.errors);
    hash.list(link.capabilities.iter().map(|c| (c.name, c.bit.into())));
    hash.constants(link.constants);
    hash.named(game.name, game.number.into());
    hash.messages(game.messages);
    hash.errors(game.errors);
    hash.constants(game.constants);
    hash.0
}

impl Fnv1a {
    fn messages(&mut self, messages: &[Message]) {
        self.number(messages.len() as u32);
        for message in messages {
            self.named(message.name, message.id.into());
            let fields = message.fields.iter();
            self.list(fields.map(|f| (f.name, (f.bits as u32) << 1 | u32::from(f.signed))));
        }
    }

    fn errors(&mut self, errors: &[ErrorCode]) {
        self.list(errors.iter().map(|e| (e.name, e.number.into())));
    }

    fn constants(&mut self, constants: &[Constant]) {
        self.list(constants.iter().map(|c| (c.name, c.value)));
    }

    /// Hashes the length of a list, then its items.
    fn list<'a>(&mut self, items: impl ExactSizeIterator<Item = (&'a str, u32)>) {
        self.number(items.len() as u32);
        items.for_each(|(name, value)| self.named(name, value));
    }

    /// Hashes the name's bytes, a zero byte and the number.
    fn named(&mut self, name: &str, value: u32) {
        self.bytes(name.as_bytes());
        self.bytes(&[0]);
        self.number(value);
    }

    /// Hashes four bytes, the lowest first.
    fn number(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;
    use std::vec::Vec;

    use super::super::{Field, link::LINK, tetris};
    use super::*;

    fn messages(name: &'static str, id: u8, fields: &[Field]) -> &'static [Message] {
        Box::leak(Box::new([Message {
            name,
            id,
            fields: Box::leak(fields.into()),
            about: "A move.",
        }]))
    }

    const fn field(name: &'static str, bits: usize, signed: bool, about: &'static str) -> Field {
        Field {
            name,
            bits,
            signed,
            about,
        }
    }

    const STONES: Field = field("stones", 16, false, "Stones on the board.");

    fn changed(change: fn(&mut LinkTable, &mut GameTable)) -> u32 {
        let (mut link, mut game) = (LINK, tetris::GAME);
        game.messages = messages("move", 0x10, &[STONES]);
        change(&mut link, &mut game);
        layout(&link, &game)
    }

    #[test]
    fn layout_any_change_but_of_texts_changes_hash() {
        let changes: [fn(&mut LinkTable, &mut GameTable); 16] = [
            |link, _| link.version += 1,
            |link, _| link.max_payload += 1,
            |link, _| link.messages = tetris::MESSAGES,
            |link, _| link.errors = &[],
            |link, _| link.capabilities = &[],
            |link, _| link.constants = &[],
            |_, game| game.name = "renju",
            |_, game| game.number = 3,
            |_, game| game.errors = &[],
            |_, game| game.constants = &[],
            |_, game| game.messages = messages("put", 0x10, &[STONES]),
            |_, game| game.messages = messages("move", 0x11, &[STONES]),
            |_, game| game.messages = messages("move", 0x10, &[]),
            |_, game| game.messages = messages("move", 0x10, &[field("men", 16, false, "")]),
            |_, game| game.messages = messages("move", 0x10, &[field("stones", 24, false, "")]),
            |_, game| game.messages = messages("move", 0x10, &[field("stones", 16, true, "")]),
        ];
        let mut hashes: Vec<u32> = changes.into_iter().map(changed).collect();
        hashes.push(changed(|_, _| ()));
        for (i, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..i].contains(hash), "change {i}");
        }
        let reworded = changed(|_, game| {
            game.messages = messages("move", 0x10, &[field("stones", 16, false, "Words.")])
        });
        assert_eq!(Some(&reworded), hashes.last());
    }

    /// The test vectors that the authors of FNV published.
    #[test]
    fn hash_matches_fnv_1a_test_vectors() {
        for (text, expected) in [
            ("", 0x811c_9dc5),
            ("a", 0xe40c_292c),
            ("foobar", 0xbf9c_f968),
        ] {
            let mut hash = Fnv1a(0x811c_9dc5);
            hash.bytes(text.as_bytes());
            assert_eq!(hash.0, expected, "{text}");
        }
    }
}
