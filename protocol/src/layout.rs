//! The tables of all messages: their numbers, and the fields, widths and meanings of their
//! payloads.
//!
//! [`link`] is the table of the link, which every core answers; [`tetris`], [`connect4`] and
//! [`gomoku`] are the games' tables. Another game adds a file and a line in [`GAMES`]. No other
//! file knows where a field lies: one macro makes the table and the Rust structs with `encode` and
//! `decode`, and [`crate::svgen`] and [`crate::docgen`] write the SystemVerilog packages and the
//! tables of `docs/wire.md` from the table. The compiler rejects a table with a mistake (`check`).
//!
//! A payload is its fields in order, each little-endian and a whole number of bytes. The number of
//! a reply is that of its request with [`REPLY`] set; a request that cannot be served is answered
//! with [`link::ERROR`]. A request may have many replies, a stream: the parts before the last one
//! have [`PART`] set as well.
//!
//! # Versions
//! [`PROTOCOL_VERSION`] is raised with every change that an older peer would misread.
//! [`GameTable::layout_hash`] distinguishes two builds of one version; it covers the link and one
//! game, so a change of another game does not affect it.

/// A loop over a list in a `const fn`, where there are no iterators.
macro_rules! each {
    ($item:ident in $list:expr => $body:expr) => {{
        let (list, mut i) = (&$list, 0);
        while i < list.len() {
            let $item = &list[i];
            $body;
            i += 1;
        }
    }};
}

mod check;
mod hash;
#[macro_use]
mod table;
pub mod connect4;
pub mod gomoku;
pub mod link;
pub mod tetris;

pub use check::HostRequests;
pub use table::FieldValue;

use crate::payload::Payload;

/// Version of the wire.
pub const PROTOCOL_VERSION: u16 = 2;

/// Longest payload in bytes; both ends drop a longer frame as malformed.
pub const MAX_PAYLOAD: usize = 120;

/// Requests that a core of this RTL holds unanswered; it refuses one more with [`link::BUSY`].
pub const WINDOW: u8 = 4;

/// Bit set in the number of every reply.
pub const REPLY: u8 = 0x80;

/// Bit set in the number of every part of a stream; the reply that ends the stream lacks it.
pub const PART: u8 = 0x20;

/// First field of every part of a stream: its number.
pub const PART_NUMBER: &str = "part";

/// Field of every reply that ends a stream: how many parts there were.
pub const PARTS: &str = "parts";

/// Field of every reply that ends a stream: 1 if the stream was cancelled.
pub const CANCELLED: &str = "cancelled";

/// One field of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name, in snake case; the same in Rust, SystemVerilog and JSON.
    pub name: &'static str,
    /// Width in bits, a multiple of 8.
    pub bits: usize,
    /// Whether it is in two's complement.
    pub signed: bool,
    /// Meaning, with unit and range.
    pub about: &'static str,
}

/// The place of a field in its payload, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the first byte.
    pub start: usize,
    /// Number of bytes.
    pub len: usize,
}

/// Length of the fields in bytes.
pub(crate) const fn bytes(fields: &[Field]) -> usize {
    let mut bits = 0;
    each!(field in fields => bits += field.bits);
    bits / 8
}

/// A message of the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Name, in snake case; unique inside the link and one game.
    pub name: &'static str,
    /// Number on the wire.
    pub id: u8,
    /// Fields in wire order.
    pub fields: &'static [Field],
    /// Meaning.
    pub about: &'static str,
}

impl Message {
    /// Length of the payload in bytes.
    pub const fn bytes(&self) -> usize {
        bytes(self.fields)
    }

    /// Whether a host sends it; otherwise a core does.
    pub const fn is_request(&self) -> bool {
        self.id & REPLY == 0
    }

    /// Whether it is a part of a stream, so that more replies to its request follow.
    pub const fn is_part(&self) -> bool {
        self.id & (REPLY | PART) == REPLY | PART && self.id != link::ERROR.id
    }

    /// The place of the field called `name`, if there is one.
    pub fn slot(&self, name: &str) -> Option<Slot> {
        let mut start = 0;
        for field in self.fields {
            let len = field.bits / 8;
            if field.name == name {
                return Some(Slot { start, len });
            }
            start += len;
        }
        None
    }
}

/// A request that `docs/wire.md` shows as bytes, step by step.
#[derive(Debug, Clone, Copy)]
pub struct WorkedExample {
    /// The request.
    pub message: Message,
    /// Its sequence number.
    pub seq: u16,
    /// The meaning of its payload.
    pub about: &'static str,
    /// Its payload.
    pub payload: fn() -> Payload,
}

/// The reason for which a core refuses a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// Name, in snake case; unique inside the link and one game.
    pub name: &'static str,
    /// Number on the wire.
    pub number: u8,
    /// Meaning.
    pub about: &'static str,
}

impl core::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// An optional ability of a core, reported in `info_reply`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// Name, in snake case.
    pub name: &'static str,
    /// Its bit in `capabilities`, 0 to 31.
    pub bit: u8,
    /// Meaning.
    pub about: &'static str,
}

/// A number that both ends must agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Name, in snake case.
    pub name: &'static str,
    /// Value; a count has the unit in its name.
    pub value: u32,
    /// Width in SystemVerilog, in bits, as wide as the fields it is compared with.
    pub bits: usize,
    /// Meaning.
    pub about: &'static str,
}

/// The table of the link, which every core answers whatever its game.
#[derive(Debug, Clone, Copy)]
pub struct LinkTable {
    /// [`PROTOCOL_VERSION`].
    pub version: u16,
    /// [`MAX_PAYLOAD`].
    pub max_payload: usize,
    /// The link's messages; requests have the numbers 0x01 to 0x0f.
    pub messages: &'static [Message],
    /// The link's error codes, 0x01 to 0x3f.
    pub errors: &'static [ErrorCode],
    /// The capabilities that a core may report.
    pub capabilities: &'static [Capability],
    /// The link's constants.
    pub constants: &'static [Constant],
}

/// The table of a game, whose cores answer its messages and those of the link.
#[derive(Debug, Clone, Copy)]
pub struct GameTable {
    /// Name, in snake case.
    pub name: &'static str,
    /// Number in `info_reply`.
    pub number: u8,
    /// The game's messages; requests have the numbers 0x10 to 0x1f and 0x40 to 0x5f.
    pub messages: &'static [Message],
    /// The message that carries a decision.
    pub decision: Message,
    /// The worked example of a request in `docs/wire.md`, if there is one.
    pub worked: Option<WorkedExample>,
    /// The game's error codes, 0x40 to 0xfe.
    pub errors: &'static [ErrorCode],
    /// The game's constants.
    pub constants: &'static [Constant],
}

impl GameTable {
    /// The hash that a core for this game reports as `layout_hash`.
    ///
    /// Two ends with the same hash read each other's payloads in the same way. `docs/wire.md`
    /// defines the algorithm.
    pub fn layout_hash(&self) -> u32 {
        hash::layout(&link::LINK, self)
    }

    /// The first rule that the host's choice of requests breaks, if any.
    pub const fn mistake_of(&self, requests: &HostRequests) -> Option<&'static str> {
        check::mistake_of(self, requests)
    }

    /// The messages of a core for this game: the link's, then the game's.
    pub fn all_messages(&self) -> impl Iterator<Item = &'static Message> + use<> {
        link::MESSAGES.iter().chain(self.messages)
    }

    /// The error codes of a core for this game: the link's, then the game's.
    pub fn all_errors(&self) -> impl Iterator<Item = &'static ErrorCode> + use<> {
        link::ERRORS.iter().chain(self.errors)
    }

    /// The message with the number `id`.
    pub fn message(&self, id: u8) -> Option<&'static Message> {
        self.all_messages().find(|m| m.id == id)
    }

    /// The error code with that number.
    pub fn error(&self, number: u8) -> Option<&'static ErrorCode> {
        self.all_errors().find(|e| e.number == number)
    }
}

/// The games that cores can be built for.
pub const GAMES: &[&GameTable] = &[&tetris::GAME, &connect4::GAME, &gomoku::GAME];

/// The game whose number in `info_reply` is `number`.
pub fn game(number: u8) -> Option<&'static GameTable> {
    GAMES.iter().copied().find(|game| game.number == number)
}

// A table with a mistake does not compile.
const _: () = check::tables(&link::LINK, GAMES);
