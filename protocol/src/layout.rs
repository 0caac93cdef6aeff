//! THE tables: every message, its number, its fields, their widths and meanings.
//!
//! [`link`] is the table of what every core answers, [`tetris`] and [`connect4`] those of
//! games; another game is another file and a line in [`GAMES`]. These are the
//! only places that know where a field lies: the same macro makes the table, the
//! Rust struct with its `encode` and `decode`, and through [`crate::svgen`] and
//! [`crate::docgen`] the SystemVerilog packages and the tables of `docs/wire.md`.
//!
//! A payload is its fields one after the other, each little-endian and a whole
//! number of bytes. A reply's number is its request's with bit 7 set; every
//! request that cannot be served is answered with [`link::ERROR`]. A request may have
//! many replies, a stream: the parts before the last one have [`PART`] set as well.
//!
//! # Versions
//! [`PROTOCOL_VERSION`] is raised with every change that an older peer would
//! misread. [`Game::layout_hash`] tells two builds of one version apart; it covers
//! the link and that one game, so another game's change turns nobody away.

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
pub mod link;
mod names;
pub mod tetris;

pub use check::Uses;
pub use table::Scalar;

use crate::payload::Payload;

/// Version of the wire.
pub const PROTOCOL_VERSION: u16 = 2;

/// Longest payload in bytes. A longer frame is malformed on both sides.
pub const MAX_PAYLOAD: usize = 120;

/// Requests that a core may hold unanswered; one more is answered with
/// [`link::BUSY`]. The RTL's request memory has this many slots.
pub const WINDOW: u8 = 4;

/// Bit set in the number of every reply.
pub const REPLY: u8 = 0x80;

/// Bit set in the number of every part of a stream; the number without it is that of the
/// reply that ends the stream.
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
    /// Two's complement if set.
    pub signed: bool,
    /// What it means, with unit and range.
    pub about: &'static str,
}

/// Where a field lies in its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// First byte.
    pub start: usize,
    /// Number of bytes.
    pub len: usize,
}

/// Length of the fields in bytes.
pub(crate) const fn bytes(fields: &[Field]) -> usize {
    let (mut bits, mut i) = (0, 0);
    while i < fields.len() {
        bits += fields[i].bits;
        i += 1;
    }
    bits / 8
}

/// One message of the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Name, in snake case; unique inside the link and one game.
    pub name: &'static str,
    /// Number on the wire.
    pub id: u8,
    /// Fields in wire order.
    pub fields: &'static [Field],
    /// What it asks or answers.
    pub about: &'static str,
}

impl Message {
    /// Length of the payload in bytes.
    pub const fn bytes(&self) -> usize {
        bytes(self.fields)
    }

    /// Whether a host sends it; a core sends the others.
    pub const fn is_request(&self) -> bool {
        self.id & REPLY == 0
    }

    /// Whether it is a part of a stream: more replies to its request follow.
    pub const fn is_part(&self) -> bool {
        self.id & (REPLY | PART) == REPLY | PART && self.id != link::ERROR.id
    }

    /// Where the field of that name lies; `None` when there is none.
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

/// A request that is shown as bytes, step by step.
#[derive(Debug, Clone, Copy)]
pub struct Worked {
    /// The request.
    pub message: Message,
    /// Its sequence number.
    pub seq: u16,
    /// What its payload says.
    pub about: &'static str,
    /// Its payload.
    pub payload: fn() -> Payload,
}

/// Why a request is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// Name, in snake case; unique inside the link and one game.
    pub name: &'static str,
    /// Number on the wire.
    pub number: u8,
    /// What it means.
    pub about: &'static str,
}

impl core::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// Something not every core can do, reported in `info_reply`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// Name, in snake case.
    pub name: &'static str,
    /// Its bit in `capabilities`, 0 to 31.
    pub bit: u8,
    /// What a core that has it does.
    pub about: &'static str,
}

/// A number both ends must agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Name, in snake case.
    pub name: &'static str,
    /// Its value.
    pub value: u32,
    /// Width in SystemVerilog, in bits: that of the fields it is compared with.
    pub bits: usize,
    /// What it means.
    pub about: &'static str,
}

/// What every core answers, whatever its game.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// [`PROTOCOL_VERSION`].
    pub version: u16,
    /// [`MAX_PAYLOAD`].
    pub max_payload: usize,
    /// Its messages, requests numbered 0x01 to 0x0f.
    pub messages: &'static [Message],
    /// Its error codes, 0x01 to 0x3f.
    pub errors: &'static [ErrorCode],
    /// What a core may be able to do.
    pub capabilities: &'static [Capability],
    /// Numbers both ends must agree on.
    pub constants: &'static [Constant],
}

/// What a core for one game answers besides.
#[derive(Debug, Clone, Copy)]
pub struct Game {
    /// Name, in snake case.
    pub name: &'static str,
    /// Number in `info_reply`.
    pub number: u8,
    /// Its messages, requests numbered 0x10 to 0x1f and 0x40 to 0x5f.
    pub messages: &'static [Message],
    /// The reply of its messages that holds a decision.
    pub decision: Message,
    /// A request that `docs/wire.md` shows as bytes.
    pub worked: Option<Worked>,
    /// Its error codes, 0x40 to 0xfe.
    pub errors: &'static [ErrorCode],
    /// Numbers both ends must agree on.
    pub constants: &'static [Constant],
}

impl Game {
    /// What a core for this game reports as `layout_hash`: two ends with the
    /// same hash read each other's payloads the same way. `docs/wire.md` gives
    /// the algorithm.
    pub fn layout_hash(&self) -> u32 {
        hash::layout(&link::LINK, self)
    }

    /// What is wrong with that use of the table.
    pub const fn misuse(&self, uses: &Uses) -> Option<&'static str> {
        check::misuse(self, uses)
    }

    /// The messages a core for this game knows: the link's, then its own.
    pub fn all_messages(&self) -> impl Iterator<Item = &'static Message> + use<> {
        link::MESSAGES.iter().chain(self.messages)
    }

    /// The error codes a core for this game gives: the link's, then its own.
    pub fn all_errors(&self) -> impl Iterator<Item = &'static ErrorCode> + use<> {
        link::ERRORS.iter().chain(self.errors)
    }

    /// The message of that number.
    pub fn message(&self, id: u8) -> Option<&'static Message> {
        self.all_messages().find(|m| m.id == id)
    }

    /// The error code of that number.
    pub fn error(&self, number: u8) -> Option<&'static ErrorCode> {
        self.all_errors().find(|e| e.number == number)
    }
}

/// All games a core can be built for.
pub const GAMES: &[&Game] = &[&tetris::GAME, &connect4::GAME];

/// The game of that number in `info_reply`.
pub fn game(number: u8) -> Option<&'static Game> {
    GAMES.iter().copied().find(|game| game.number == number)
}

// A table with a mistake does not compile.
const _: () = check::tables(&link::LINK, GAMES);
