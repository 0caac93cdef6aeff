//! Games that a core plays by itself: what they begin with, their moves, and what came of them.

use super::{Payload, PayloadError, pack, unpack};
use crate::frame;
use crate::layout::tetris::{
    CheckpointFields, MovesFields, PART_MOVES, PLAY_PIECES, PlayFields, PlayedFields, ROWS,
    SelfPlayFields,
};
use crate::payload::flag;

/// [`crate::layout::tetris::PLAY`]: a board and the pieces to play on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Play {
    /// Row 0 (the bottom) first, bit c is column c; bits above the tenth are not sent.
    pub rows: [u16; ROWS],
    /// How many pieces.
    pub pieces: u16,
    /// Their numbers, each below 16; those behind the last one count for nothing.
    pub numbers: [u8; PLAY_PIECES],
}

impl Play {
    /// That of those pieces; `None` if there are none, or more than fit.
    pub fn of(rows: [u16; ROWS], pieces: impl IntoIterator<Item = u8>) -> Option<Self> {
        let mut play = Self {
            rows,
            pieces: 0,
            numbers: [0; PLAY_PIECES],
        };
        for piece in pieces {
            *play.numbers.get_mut(usize::from(play.pieces))? = piece;
            play.pieces += 1;
        }
        (play.pieces > 0).then_some(play)
    }

    /// The payload. Of each number the lowest four bits are sent.
    pub fn encode(&self) -> Payload {
        let number = |place: usize| self.numbers[place] & 15;
        PlayFields {
            board: pack(&self.rows),
            pieces: self.pieces,
            numbers: core::array::from_fn(|i| number(2 * i) | number(2 * i + 1) << 4),
        }
        .encode()
    }

    /// Reads the payload. Numbers are not checked here, so that a core can say what is wrong.
    ///
    /// # Errors
    /// When the length is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let fields = PlayFields::decode(bytes)?;
        Ok(Self {
            rows: unpack(&fields.board),
            pieces: fields.pieces,
            numbers: core::array::from_fn(|i| fields.numbers[i / 2] >> (4 * (i % 2)) & 15),
        })
    }
}

/// A move: where a piece was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Rotation number, 0 to 3.
    pub rotation: u8,
    /// Leftmost column of the piece, 0 to 15.
    pub column: u8,
}

/// [`crate::layout::tetris::MOVES`]: a part of a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moves {
    /// Number of the part.
    pub part: u16,
    count: u8,
    moves: [u8; PART_MOVES],
}

impl Moves {
    /// A part; `None` if there are more than it has room for.
    pub fn of(part: u16, moves: impl IntoIterator<Item = Move>) -> Option<Self> {
        let mut all = Self {
            part,
            count: 0,
            moves: [0; PART_MOVES],
        };
        for Move { rotation, column } in moves {
            let place = all.moves.get_mut(usize::from(all.count))?;
            *place = rotation % 4 * 16 + column % 16;
            all.count += 1;
        }
        Some(all)
    }

    /// The moves, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        let moves = self.moves.iter().take(self.count.into());
        moves.map(|byte| Move {
            rotation: byte / 16,
            column: byte % 16,
        })
    }

    /// The payload.
    pub fn encode(&self) -> Payload {
        MovesFields {
            part: self.part,
            count: self.count,
            moves: self.moves,
        }
        .encode()
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong, `count` is more than there is room for, a move has a
    /// rotation above 3, or something follows the last one.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let MovesFields { part, count, moves } = MovesFields::decode(bytes)?;
        let reject = |field, expected, got: u8| {
            Err(PayloadError::Value {
                payload: "moves",
                field,
                expected,
                got: got.into(),
            })
        };
        let Some((told, rest)) = moves.split_at_checked(count.into()) else {
            return reject("count", "as many as a part has room for", count);
        };
        match (
            told.iter().find(|byte| **byte > 0x3f),
            rest.iter().find(|byte| **byte != 0),
        ) {
            (Some(byte), _) => reject("moves", "a rotation up to 3 and a column", *byte),
            (_, Some(byte)) => reject("moves", "0 behind the last move", *byte),
            (None, None) => Ok(Self { part, count, moves }),
        }
    }
}

/// [`crate::layout::tetris::SELF_PLAY`]: a board, and how to play on from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfPlay {
    /// Row 0 (the bottom) first, bit c is column c; bits above the tenth are not sent.
    pub rows: [u16; ROWS],
    /// How many pieces.
    pub pieces: u32,
    /// Pieces from one checkpoint to the next.
    pub spacing: u32,
    /// State of the generator before it draws the first piece.
    pub generator: u64,
    /// Signature of the moves before.
    pub signature: u64,
}

impl SelfPlay {
    /// The payload.
    pub fn encode(&self) -> Payload {
        SelfPlayFields {
            board: pack(&self.rows),
            pieces: self.pieces,
            spacing: self.spacing,
            generator: self.generator,
            signature: self.signature,
        }
        .encode()
    }

    /// Reads the payload. Numbers are not checked here, so that a core can say what is wrong.
    ///
    /// # Errors
    /// When the length is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let fields = SelfPlayFields::decode(bytes)?;
        Ok(Self {
            rows: unpack(&fields.board),
            pieces: fields.pieces,
            spacing: fields.spacing,
            generator: fields.generator,
            signature: fields.signature,
        })
    }
}

/// What came of a run of decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Pieces decided, those that found no place among them.
    pub pieces: u32,
    /// Games lost.
    pub games: u32,
    /// Rows removed.
    pub rows_cleared: u32,
    /// Sum of the scores in millionths, modulo 2⁶⁴.
    pub score: i64,
    /// Sum of the decisions' clock cycles.
    pub cycles: u64,
    /// Signature of the moves.
    pub signature: u64,
}

/// The table's names once more, in both messages that have them.
macro_rules! tally {
    ($fields:expr) => {
        Tally {
            pieces: $fields.pieces,
            games: $fields.games,
            rows_cleared: $fields.rows_cleared,
            score: $fields.score,
            cycles: $fields.cycles,
            signature: $fields.signature,
        }
    };
}

/// [`crate::layout::tetris::CHECKPOINT`]: a part of a self_play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// Number of the part, modulo 65,536.
    pub part: u16,
    /// What came of it so far.
    pub tally: Tally,
}

impl Checkpoint {
    /// The payload.
    pub fn encode(&self) -> Payload {
        CheckpointFields {
            part: self.part,
            pieces: self.tally.pieces,
            games: self.tally.games,
            rows_cleared: self.tally.rows_cleared,
            score: self.tally.score,
            cycles: self.tally.cycles,
            signature: self.tally.signature,
        }
        .encode()
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let fields = CheckpointFields::decode(bytes)?;
        Ok(Self {
            part: fields.part,
            tally: tally!(fields),
        })
    }
}

/// [`crate::layout::tetris::PLAYED`] and [`crate::layout::tetris::SELF_PLAYED`]: the end of
/// either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Parts sent before, modulo 65,536.
    pub parts: u16,
    /// What came of it.
    pub tally: Tally,
    /// Whether it was cancelled before the last piece.
    pub cancelled: bool,
    /// CRC-32 of the board's bytes at the end.
    pub board_crc: u32,
}

impl Played {
    /// The payload.
    pub fn encode(&self) -> Payload {
        PlayedFields {
            parts: self.parts,
            pieces: self.tally.pieces,
            games: self.tally.games,
            rows_cleared: self.tally.rows_cleared,
            score: self.tally.score,
            cycles: self.tally.cycles,
            signature: self.tally.signature,
            cancelled: self.cancelled.into(),
            board_crc: self.board_crc,
        }
        .encode()
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong, or `cancelled` is neither 0 nor 1.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let fields = PlayedFields::decode(bytes)?;
        Ok(Self {
            parts: fields.parts,
            tally: tally!(fields),
            cancelled: flag("played", "cancelled", fields.cancelled)?,
            board_crc: fields.board_crc,
        })
    }
}

/// Check value of a board as [`Played`] has it: row 0 first, bit c is column c.
pub fn board_crc(rows: &[u16; ROWS]) -> u32 {
    frame::checksum(&[&pack(rows)])
}
