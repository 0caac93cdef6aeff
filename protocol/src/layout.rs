//! THE table: every message, its number, its fields and their widths.
//!
//! This is the only place that knows where a field lies. The Rust payloads are
//! encoded from it, `rtl/proto_pkg.sv` is generated from it (`svgen`), and the
//! golden frames in `fixtures/frames/` are fed to both.
//!
//! A payload is its fields one after the other, each little-endian and a whole
//! number of bytes. A reply's number is its request's with bit 7 set; every
//! request that cannot be served is answered with [`ERROR`].

/// Version of the wire. Raise it with every change of this file that an older
/// peer would misread; `LAYOUT_HASH` changes by itself and tells two builds of
/// the same version apart.
pub const PROTOCOL_VERSION: u16 = 1;

/// Longest payload in bytes. A longer frame is malformed on both sides.
pub const MAX_PAYLOAD: usize = 120;

/// Requests that a core may hold unanswered; one more is answered with
/// [`ErrorCode::Busy`]. The RTL's frame buffer has this many slots.
pub const WINDOW: u8 = 4;

/// Bit set in the number of every reply.
pub const REPLY: u8 = 0x80;

/// One field of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name, in snake case; the same in Rust, SystemVerilog and JSON.
    pub name: &'static str,
    /// Width in bits, a multiple of 8.
    pub bits: usize,
    /// Two's complement if set.
    pub signed: bool,
}

/// Where a field lies in its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// First byte.
    pub start: usize,
    /// Number of bytes.
    pub len: usize,
    /// Two's complement if set.
    pub signed: bool,
}

/// One message of the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Name, in snake case.
    pub name: &'static str,
    /// Number on the wire.
    pub id: u8,
    /// Fields in wire order.
    pub fields: &'static [Field],
}

const fn unsigned(name: &'static str, bits: usize) -> Field {
    Field {
        name,
        bits,
        signed: false,
    }
}

const fn signed(name: &'static str, bits: usize) -> Field {
    Field {
        name,
        bits,
        signed: true,
    }
}

const fn message(name: &'static str, id: u8, fields: &'static [Field]) -> Message {
    let m = Message { name, id, fields };
    assert!(m.bytes() <= MAX_PAYLOAD, "payload over the cap");
    let mut i = 0;
    while i < fields.len() {
        assert!(
            fields[i].bits.is_multiple_of(8) && fields[i].bits > 0,
            "fields are whole bytes"
        );
        i += 1;
    }
    m
}

impl Message {
    /// Length of the payload in bytes.
    pub const fn bytes(&self) -> usize {
        let (mut bits, mut i) = (0, 0);
        while i < self.fields.len() {
            bits += self.fields[i].bits;
            i += 1;
        }
        bits / 8
    }

    /// Where the field of that name lies.
    ///
    /// # Panics
    /// When the message has no such field. Call it in a `const`, where that is
    /// a compile error.
    pub const fn slot(&self, name: &str) -> Slot {
        let (mut start, mut i) = (0, 0);
        while i < self.fields.len() {
            let field = self.fields[i];
            if same(field.name, name) {
                return Slot {
                    start,
                    len: field.bits / 8,
                    signed: field.signed,
                };
            }
            start += field.bits / 8;
            i += 1;
        }
        panic!("no field of that name in the message")
    }
}

/// Asks for its own nonce back, in its turn like any request: once it comes, no
/// older reply can follow.
pub const PING: Message = message("ping", 0x01, &[unsigned("nonce", 64)]);
/// Answer to [`PING`].
pub const PONG: Message = message("pong", 0x81, &[unsigned("nonce", 64)]);
/// Asks what the core is.
pub const INFO: Message = message("info", 0x02, &[]);
/// What the core is.
pub const INFO_REPLY: Message = message(
    "info_reply",
    0x82,
    &[
        unsigned("protocol_version", 16),
        unsigned("layout_hash", 32),
        unsigned("build_id", 32),
        unsigned("game", 8),
        unsigned("columns", 8),
        unsigned("rows", 8),
        unsigned("lanes", 8),
        unsigned("window", 8),
        unsigned("clock_hz", 32),
        unsigned("capabilities", 32),
    ],
);
/// Takes effect the moment it arrives, ahead of everything queued: drops
/// requests and the decision under way, unsets the weights, zeroes the
/// statistics.
pub const RESET: Message = message("reset", 0x03, &[]);
/// Answer to [`RESET`].
pub const RESET_REPLY: Message = message("reset_reply", 0x83, &[]);
/// Asks for the receiver's statistics.
pub const STATS: Message = message("stats", 0x04, &[]);
/// Frames since power-up or the last reset, each counter stops at its maximum.
pub const STATS_REPLY: Message = message(
    "stats_reply",
    0x84,
    &[
        unsigned("frames_good", 32),
        unsigned("bad_crc", 32),
        unsigned("malformed", 32),
        unsigned("overrun", 32),
    ],
);

/// Tetris features in the order of their weights. Source: Thiery and
/// Scherrer's MDPTetris; definitions in `host/src/games/tetris/README.md`.
/// A weight is a signed number of millionths; that of the landing height
/// multiplies the doubled landing height, which is always whole.
pub const TETRIS_WEIGHTS: &[Field] = &[
    signed("landing_height", 32),
    signed("eroded_cells", 32),
    signed("rows_cleared", 32),
    signed("row_transitions", 32),
    signed("column_transitions", 32),
    signed("holes", 32),
    signed("cumulative_wells", 32),
    signed("well_sums", 32),
    signed("hole_depth", 32),
    signed("rows_with_holes", 32),
    signed("diversity", 32),
    signed("aggregate_height", 32),
    signed("bumpiness", 32),
    signed("max_height", 32),
];

/// Sets all weights; a core without weights answers `decide` with an error.
pub const SET_WEIGHTS: Message = message("set_weights", 0x10, TETRIS_WEIGHTS);
/// Answer to [`SET_WEIGHTS`].
pub const SET_WEIGHTS_REPLY: Message = message("set_weights_reply", 0x90, &[]);
/// Asks for the weights back.
pub const GET_WEIGHTS: Message = message("get_weights", 0x11, &[]);
/// Answer to [`GET_WEIGHTS`].
pub const WEIGHTS: Message = message("weights", 0x91, TETRIS_WEIGHTS);
/// Asks for the best placement. `board` bit 10 r + c is row r, column c;
/// `next_piece` is [`NO_PIECE`] when it is not known.
pub const DECIDE: Message = message(
    "decide",
    0x12,
    &[
        unsigned("board", 200),
        unsigned("piece", 8),
        unsigned("next_piece", 8),
    ],
);
/// Answer to [`DECIDE`]. With no legal placement `legal` is 0 and so is every
/// field but `cycles`. `row` is the landing row (the piece's bottom row),
/// `score` is in millionths, `cycles` counts the AI core's clock cycles.
pub const DECISION: Message = message(
    "decision",
    0x92,
    &[
        unsigned("legal", 8),
        unsigned("rotation", 8),
        unsigned("column", 8),
        unsigned("row", 8),
        unsigned("rows_cleared", 8),
        signed("score", 64),
        unsigned("cycles", 32),
    ],
);
/// Answer to a request that cannot be served: an [`ErrorCode`] and the
/// request's number.
pub const ERROR: Message = message(
    "error",
    0xff,
    &[unsigned("code", 8), unsigned("request", 8)],
);

/// All messages.
pub const MESSAGES: &[Message] = &[
    PING,
    PONG,
    INFO,
    INFO_REPLY,
    RESET,
    RESET_REPLY,
    STATS,
    STATS_REPLY,
    SET_WEIGHTS,
    SET_WEIGHTS_REPLY,
    GET_WEIGHTS,
    WEIGHTS,
    DECIDE,
    DECISION,
    ERROR,
];

/// The message of that number.
pub fn message_by_id(id: u8) -> Option<&'static Message> {
    MESSAGES.iter().find(|m| m.id == id)
}

/// Value of `next_piece` when the next piece is not known.
pub const NO_PIECE: u8 = 0xff;

/// Tetris piece numbers: the index into this list.
pub const TETRIS_PIECES: &[&str] = &["I", "O", "T", "S", "Z", "J", "L"];
/// Columns of the Tetris board on the wire.
pub const TETRIS_COLUMNS: usize = 10;
/// Rows of the Tetris board on the wire.
pub const TETRIS_ROWS: usize = 20;

/// Games a core can be built for, by their number in `info_reply`.
pub const GAMES: &[(&str, u8)] = &[("tetris", 1)];

/// The number of the game of that name.
///
/// # Panics
/// When there is none. Call it in a `const`, where that is a compile error.
pub const fn game_number(name: &str) -> u8 {
    let mut i = 0;
    while i < GAMES.len() {
        if same(GAMES[i].0, name) {
            return GAMES[i].1;
        }
        i += 1;
    }
    panic!("no game of that name")
}

/// Bits of `capabilities` in `info_reply`, by bit number.
pub const CAPABILITIES: &[(&str, u8)] = &[("lookahead", 0)];

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal, $snake:literal;)+) => {
        /// Why a request was not served.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum ErrorCode { $($(#[doc = $doc])+ $name = $value,)+ }

        /// Error codes by name, for the generated package.
        pub const ERROR_CODES: &[(&str, u8)] = &[$(($snake, $value),)+];

        impl ErrorCode {
            /// The code of that number.
            pub const fn from_u8(value: u8) -> Option<Self> {
                match value { $($value => Some(Self::$name),)+ _ => None }
            }
        }

        impl core::fmt::Display for ErrorCode {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(match self { $(Self::$name => $snake,)+ })
            }
        }
    };
}

error_codes! {
    /// The core knows no message of that number.
    UnknownType = 1, "unknown_type";
    /// The payload is not as long as the message's.
    BadLength = 2, "bad_length";
    /// The piece is not a piece number.
    BadPiece = 3, "bad_piece";
    /// The next piece is neither a piece number nor `NO_PIECE`.
    BadNextPiece = 4, "bad_next_piece";
    /// The core lacks the capability the request needs.
    Unsupported = 5, "unsupported";
    /// No weights were set since power-up or the last reset.
    WeightsUnset = 6, "weights_unset";
    /// More requests than the core's window; ask again later.
    Busy = 7, "busy";
}

/// FNV-1a over the whole table: two builds with the same hash read each
/// other's payloads the same way.
pub const LAYOUT_HASH: u32 = {
    let mut h = 0x811c_9dc5;
    h = fnv_u32(h, PROTOCOL_VERSION as u32);
    h = fnv_u32(h, MAX_PAYLOAD as u32);
    h = fnv_u32(h, NO_PIECE as u32);
    let mut i = 0;
    while i < MESSAGES.len() {
        h = fnv_str(h, MESSAGES[i].name);
        h = fnv_u32(h, MESSAGES[i].id as u32);
        let mut j = 0;
        while j < MESSAGES[i].fields.len() {
            let f = MESSAGES[i].fields[j];
            h = fnv_str(h, f.name);
            h = fnv_u32(h, (f.bits as u32) << 1 | f.signed as u32);
            j += 1;
        }
        i += 1;
    }
    i = 0;
    while i < TETRIS_PIECES.len() {
        h = fnv_str(h, TETRIS_PIECES[i]);
        i += 1;
    }
    h = fnv_u32(h, (TETRIS_COLUMNS << 8 | TETRIS_ROWS) as u32);
    h = fnv_pairs(h, GAMES);
    h = fnv_pairs(h, CAPABILITIES);
    fnv_pairs(h, ERROR_CODES)
};

const fn fnv_byte(h: u32, b: u8) -> u32 {
    (h ^ b as u32).wrapping_mul(0x0100_0193)
}

const fn fnv_u32(mut h: u32, v: u32) -> u32 {
    let bytes = v.to_le_bytes();
    let mut i = 0;
    while i < bytes.len() {
        h = fnv_byte(h, bytes[i]);
        i += 1;
    }
    h
}

const fn fnv_str(mut h: u32, s: &str) -> u32 {
    let bytes = s.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        h = fnv_byte(h, bytes[i]);
        i += 1;
    }
    fnv_byte(h, 0)
}

const fn fnv_pairs(mut h: u32, pairs: &[(&str, u8)]) -> u32 {
    let mut i = 0;
    while i < pairs.len() {
        h = fnv_byte(fnv_str(h, pairs[i].0), pairs[i].1);
        i += 1;
    }
    h
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_unique() {
        for (i, a) in MESSAGES.iter().enumerate() {
            for b in &MESSAGES[..i] {
                assert_ne!(a.id, b.id, "{} and {}", a.name, b.name);
                assert_ne!(a.name, b.name);
            }
        }
    }

    #[test]
    fn every_request_has_a_reply() {
        for request in MESSAGES.iter().filter(|m| m.id & REPLY == 0) {
            assert!(
                message_by_id(request.id | REPLY).is_some(),
                "{} has no reply",
                request.name
            );
        }
    }

    #[test]
    fn slots_follow_each_other() {
        for m in MESSAGES {
            let mut at = 0;
            for f in m.fields {
                let slot = m.slot(f.name);
                assert_eq!(slot.start, at, "{}.{}", m.name, f.name);
                at += slot.len;
            }
            assert_eq!(at, m.bytes());
        }
    }
}
