//! Tetris: weights, positions and decisions.

mod play;
mod trace;

use super::{Payload, PayloadError};
use crate::layout::ErrorCode;
use crate::layout::tetris::{
    BAD_NEXT_PIECE, BAD_PIECE, COLUMNS, DecideFields, DecisionFields, NO_PIECE, PIECES, ROWS,
    WEIGHT_FIELDS, WeightFields,
};

pub use play::{Checkpoint, Move, Moves, Play, Played, SelfPlay, Tally, board_crc};
pub use trace::{Evaluated, Traced, TracedPlacement};

/// Bytes of a board.
const BOARD: usize = COLUMNS * ROWS / 8;

/// Number of weights, one a feature.
pub const WEIGHTS: usize = WEIGHT_FIELDS.len();

/// Weights in millionths, in the order of [`WEIGHT_FIELDS`]: the payload of
/// `set_weights` and `weights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights(pub [i32; WEIGHTS]);

impl Weights {
    /// The payload.
    pub fn encode(&self) -> Payload {
        WeightFields::from(*self).encode()
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        WeightFields::decode(bytes).map(Self::from)
    }
}

/// The table's names once more, so that each weight goes to its own.
macro_rules! weights {
    ($($name:ident)+) => {
        impl From<Weights> for WeightFields {
            fn from(Weights([$($name),+]): Weights) -> Self {
                Self { $($name),+ }
            }
        }

        impl From<WeightFields> for Weights {
            fn from(WeightFields { $($name),+ }: WeightFields) -> Self {
                Self([$($name),+])
            }
        }
    };
}

weights! {
    landing_height eroded_cells rows_cleared row_transitions column_transitions holes
    cumulative_wells well_sums hole_depth rows_with_holes diversity aggregate_height bumpiness
    max_height
}

/// [`crate::layout::tetris::DECIDE`]: a position to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decide {
    /// Row 0 (the bottom) first, bit c is column c; bits above the tenth are
    /// not sent.
    pub rows: [u16; ROWS],
    /// Number of the piece; see [`Self::check`].
    pub piece: u8,
    /// Number of the piece after it, if known.
    pub next_piece: Option<u8>,
}

impl Decide {
    /// What a core refuses it for, whatever its state; the first reason of two.
    ///
    /// # Errors
    /// When a piece is not one.
    pub fn check(&self) -> Result<(), ErrorCode> {
        let known = |piece: u8| usize::from(piece) < PIECES.len();
        if !known(self.piece) {
            return Err(BAD_PIECE);
        }
        if !self.next_piece.is_none_or(known) {
            return Err(BAD_NEXT_PIECE);
        }
        Ok(())
    }

    /// The payload.
    pub fn encode(&self) -> Payload {
        DecideFields {
            board: pack(&self.rows),
            piece: self.piece,
            next_piece: self.next_piece.unwrap_or(NO_PIECE),
        }
        .encode()
    }

    /// Reads the payload. Numbers of pieces are not checked here, so that a core
    /// can say which one is wrong.
    ///
    /// # Errors
    /// When the length is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let fields = DecideFields::decode(bytes)?;
        let next = fields.next_piece;
        Ok(Self {
            rows: unpack(&fields.board),
            piece: fields.piece,
            next_piece: (next != NO_PIECE).then_some(next),
        })
    }
}

/// A board's bytes.
fn pack(rows: &[u16; ROWS]) -> [u8; BOARD] {
    let mut board = [0; BOARD];
    for (row, cells) in rows.iter().enumerate() {
        for column in (0..COLUMNS).filter(|c| cells >> c & 1 == 1) {
            let bit = row * COLUMNS + column;
            board[bit / 8] |= 1 << (bit % 8);
        }
    }
    board
}

/// The rows of a board's bytes.
fn unpack(board: &[u8; BOARD]) -> [u16; ROWS] {
    let filled = |bit: &usize| board[bit / 8] >> (bit % 8) & 1 == 1;
    let mut rows = [0; ROWS];
    for bit in (0..COLUMNS * ROWS).filter(filled) {
        rows[bit / COLUMNS] |= 1 << (bit % COLUMNS);
    }
    rows
}

/// The chosen placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// Rotation number, 0 to 3.
    pub rotation: u8,
    /// Leftmost column of the piece.
    pub column: u8,
    /// Landing row: the piece's bottom row.
    pub row: u8,
    /// Rows it clears.
    pub rows_cleared: u8,
    /// Score in millionths.
    pub score: i64,
}

/// [`crate::layout::tetris::DECISION`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The best placement, `None` when none is legal.
    pub placement: Option<Placement>,
    /// Clock cycles the core took.
    pub cycles: u32,
}

/// What a decision without a legal placement has in its fields.
const NOTHING: Placement = Placement {
    rotation: 0,
    column: 0,
    row: 0,
    rows_cleared: 0,
    score: 0,
};

impl Decision {
    /// The payload.
    pub fn encode(&self) -> Payload {
        let Placement {
            rotation,
            column,
            row,
            rows_cleared,
            score,
        } = self.placement.unwrap_or(NOTHING);
        DecisionFields {
            legal: self.placement.is_some().into(),
            rotation,
            column,
            row,
            rows_cleared,
            score,
            cycles: self.cycles,
        }
        .encode()
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong, `legal` is neither 0 nor 1, or it is 0 and a
    /// placement follows all the same.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let DecisionFields {
            legal,
            rotation,
            column,
            row,
            rows_cleared,
            score,
            cycles,
        } = DecisionFields::decode(bytes)?;
        let placement = Placement {
            rotation,
            column,
            row,
            rows_cleared,
            score,
        };
        let reject = |expected| PayloadError::Value {
            payload: "decision",
            field: "legal",
            expected,
            got: legal.into(),
        };
        let placement = match legal {
            1 => Some(placement),
            0 if placement == NOTHING => None,
            0 => return Err(reject("consistent with the placement sent")),
            _ => return Err(reject("0 or 1")),
        };
        Ok(Self { placement, cycles })
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::layout::tetris::GAME;
    use crate::payload::link::{Info, Ping, Refusal, SetRate, Stats};

    #[test]
    fn the_board_is_packed_row_by_row() {
        let mut rows = [0; ROWS];
        rows[0] = 0b10_0000_0001;
        rows[19] = 0b10_0000_0000;
        let p = Decide {
            rows,
            piece: 2,
            next_piece: None,
        }
        .encode();
        let bytes = p.as_ref();
        assert_eq!(bytes[..3], [0x01, 0x02, 0]);
        assert_eq!(bytes[24..], [0x80, 2, 0xff]);
    }

    #[test]
    fn weights_go_to_their_names_in_the_order_of_the_table() {
        let weights = Weights(core::array::from_fn(|i| i as i32));
        let fields = WeightFields::from(weights);
        let (first, last) = (fields.landing_height, fields.max_height);
        assert_eq!((first, fields.holes, last), (0, 5, 13));
        assert_eq!(WEIGHT_FIELDS[5].name, "holes");
        let payload = weights.encode();
        for (i, bytes) in payload.as_ref().chunks(4).enumerate() {
            assert_eq!(bytes, (i as i32).to_le_bytes());
        }
    }

    #[test]
    fn pieces_are_checked_in_the_order_a_core_checks_them() {
        let check = |piece, next_piece| {
            let rows = [0; ROWS];
            Decide {
                rows,
                piece,
                next_piece,
            }
            .check()
        };
        assert_eq!(check(6, None), Ok(()));
        assert_eq!(check(0, Some(6)), Ok(()));
        assert_eq!(check(7, Some(7)), Err(BAD_PIECE));
        assert_eq!(check(255, None), Err(BAD_PIECE));
        assert_eq!(check(6, Some(7)), Err(BAD_NEXT_PIECE));
    }

    #[test]
    fn the_constants_are_the_table_s() {
        for (number, name) in PIECES.iter().enumerate() {
            let name = std::format!("piece_{}", name.to_lowercase());
            let constant = GAME.constants.iter().find(|c| c.name == name);
            assert_eq!(constant.map(|c| c.value as usize), Some(number));
        }
    }

    fn any_placement() -> impl Strategy<Value = Placement> {
        any::<(u8, u8, u8, u8, i64)>().prop_map(|(rotation, column, row, rows_cleared, score)| {
            Placement {
                rotation,
                column,
                row,
                rows_cleared,
                score,
            }
        })
    }

    /// Bytes as long as some payload or nearly so, small values among them.
    fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        let length = prop_oneof![
            4 => prop::sample::select(std::vec![2, 4, 8, 16, 17, 20, 24, 27, 42, 56]),
            1 => 0usize..100,
        ];
        let byte = prop_oneof![2 => any::<u8>(), 3 => Just(0), 2 => 0u8..8, 1 => 0x40u8..0x44];
        length.prop_flat_map(move |n| prop::collection::vec(byte.clone(), n))
    }

    proptest! {
        #[test]
        fn positions_survive(
            rows in prop::array::uniform20(0u16..1024), piece: u8,
            next_piece in prop::option::of(0u8..255),
        ) {
            let decide = Decide { rows, piece, next_piece };
            prop_assert_eq!(Decide::decode(decide.encode().as_ref()), Ok(decide));
        }

        #[test]
        fn weights_survive(weights in prop::array::uniform14(any::<i32>())) {
            let weights = Weights(weights);
            prop_assert_eq!(Weights::decode(weights.encode().as_ref()), Ok(weights));
        }

        #[test]
        fn decisions_survive(placement in prop::option::of(any_placement()), cycles: u32) {
            let decision = Decision { placement, cycles };
            prop_assert_eq!(Decision::decode(decision.encode().as_ref()), Ok(decision));
        }

        #[test]
        fn traces_survive(
            part: u16, place: (u8, u8), row: u8, features in prop::array::uniform14(any::<u16>()),
            score: i64, legal: bool, placement in prop::option::of(any_placement()), cycles: u32,
        ) {
            let evaluated = legal.then_some(Evaluated { row, features, score });
            let (rotation, column) = place;
            let told = TracedPlacement { part, rotation, column, evaluated };
            prop_assert_eq!(TracedPlacement::decode(told.encode().as_ref()), Ok(told));
            let decision = legal.then_some(Decision { placement, cycles });
            let traced = Traced { parts: part, decision };
            prop_assert_eq!(Traced::decode(traced.encode().as_ref()), Ok(traced));
        }

        /// No bytes make a decoder panic, and what one reads is written as it was.
        #[test]
        fn what_is_read_is_written_again(bytes in any_bytes()) {
            let refusal = Refusal::decode(&GAME, &bytes);
            let written = [
                Decide::decode(&bytes).map(|p| p.encode()),
                Decision::decode(&bytes).map(|p| p.encode()),
                TracedPlacement::decode(&bytes).map(|p| p.encode()),
                Traced::decode(&bytes).map(|p| p.encode()),
                Weights::decode(&bytes).map(|p| p.encode()),
                Ping::decode(&bytes).map(|p| p.encode()),
                Info::decode(&bytes).map(|p| p.encode()),
                Stats::decode(&bytes).map(|p| p.encode()),
                SetRate::decode(&bytes).map(|p| p.encode()),
                refusal.map(|p| p.encode()),
            ];
            // Every payload has a length of its own, so at most one reads it.
            prop_assert!(written.iter().flatten().count() <= 1);
            for payload in written.iter().flatten() {
                prop_assert_eq!(payload.as_ref(), &bytes);
            }
        }
    }
}
