//! Tetris: weights, positions and decisions.

use super::{Fields, Payload, PayloadError};
use crate::layout::{self, Slot, TETRIS_COLUMNS, TETRIS_ROWS, TETRIS_WEIGHTS};

/// Number of weights, one a feature.
pub const WEIGHTS: usize = TETRIS_WEIGHTS.len();

/// Weights in millionths, in the order of [`TETRIS_WEIGHTS`]: the payload of
/// `set_weights` and `weights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights(pub [i32; WEIGHTS]);

impl Weights {
    /// The payload.
    pub fn encode(&self) -> Payload {
        let mut p = Payload::of(&layout::SET_WEIGHTS);
        for (field, weight) in TETRIS_WEIGHTS.iter().zip(self.0) {
            p.put(layout::SET_WEIGHTS.slot(field.name), weight as u64);
        }
        p
    }

    /// Reads a weights reply.
    ///
    /// # Errors
    /// When the length is not a weights reply's.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let f = Fields::of(&layout::WEIGHTS, bytes)?;
        let mut weights = [0; WEIGHTS];
        for (field, weight) in TETRIS_WEIGHTS.iter().zip(&mut weights) {
            *weight = f.get(layout::WEIGHTS.slot(field.name)) as i32;
        }
        Ok(Self(weights))
    }
}

/// [`layout::DECIDE`]: a position to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decide {
    /// Row 0 (the bottom) first, bit c is column c; bits above the tenth are
    /// not sent.
    pub rows: [u16; TETRIS_ROWS],
    /// Piece number; the core refuses one that is not of
    /// [`layout::TETRIS_PIECES`].
    pub piece: u8,
    /// The piece after it, if known.
    pub next_piece: Option<u8>,
}

impl Decide {
    const BOARD: Slot = layout::DECIDE.slot("board");
    const PIECE: Slot = layout::DECIDE.slot("piece");
    const NEXT_PIECE: Slot = layout::DECIDE.slot("next_piece");

    /// The payload.
    pub fn encode(&self) -> Payload {
        let mut board = [0u8; TETRIS_COLUMNS * TETRIS_ROWS / 8];
        for (row, cells) in self.rows.iter().enumerate() {
            for column in (0..TETRIS_COLUMNS).filter(|c| cells >> c & 1 == 1) {
                let bit = row * TETRIS_COLUMNS + column;
                board[bit / 8] |= 1 << (bit % 8);
            }
        }
        let mut p = Payload::of(&layout::DECIDE);
        p.put_bytes(Self::BOARD, &board);
        p.put(Self::PIECE, self.piece.into());
        p.put(
            Self::NEXT_PIECE,
            self.next_piece.unwrap_or(layout::NO_PIECE).into(),
        );
        p
    }

    /// Reads a request; piece numbers are not checked.
    ///
    /// # Errors
    /// When the length is not a request's.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let f = Fields::of(&layout::DECIDE, bytes)?;
        let board = f.bytes(Self::BOARD);
        let mut rows = [0; TETRIS_ROWS];
        for bit in (0..TETRIS_COLUMNS * TETRIS_ROWS).filter(|b| board[b / 8] >> (b % 8) & 1 == 1) {
            rows[bit / TETRIS_COLUMNS] |= 1 << (bit % TETRIS_COLUMNS);
        }
        let next = f.get(Self::NEXT_PIECE) as u8;
        Ok(Self {
            rows,
            piece: f.get(Self::PIECE) as u8,
            next_piece: (next != layout::NO_PIECE).then_some(next),
        })
    }
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

/// [`layout::DECISION`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The best placement, `None` when none is legal.
    pub placement: Option<Placement>,
    /// Clock cycles the core took.
    pub cycles: u32,
}

impl Decision {
    /// Reads a decision.
    ///
    /// # Errors
    /// When the length is not a decision's, `legal` is neither 0 nor 1, or it
    /// is 0 and a placement follows all the same.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        const M: layout::Message = layout::DECISION;
        let f = Fields::of(&layout::DECISION, bytes)?;
        let placement = Placement {
            rotation: f.get(const { M.slot("rotation") }) as u8,
            column: f.get(const { M.slot("column") }) as u8,
            row: f.get(const { M.slot("row") }) as u8,
            rows_cleared: f.get(const { M.slot("rows_cleared") }) as u8,
            score: f.get(const { M.slot("score") }),
        };
        const NOTHING: Placement = Placement {
            rotation: 0,
            column: 0,
            row: 0,
            rows_cleared: 0,
            score: 0,
        };
        let placement = match f.get(const { M.slot("legal") }) {
            1 => Some(placement),
            0 if placement == NOTHING => None,
            0 => return Err(f.reject("legal", "consistent with the placement sent", 0)),
            other => return Err(f.reject("legal", "0 or 1", other)),
        };
        Ok(Self {
            placement,
            cycles: f.get(const { M.slot("cycles") }) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_board_is_packed_row_by_row() {
        let mut rows = [0; TETRIS_ROWS];
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
        fn arbitrary_payloads_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            use super::super::link::{Info, Ping, Refusal, Stats};
            let results: Vec<bool> = [
                Decide::decode(&bytes).is_ok(), Decision::decode(&bytes).is_ok(),
                Weights::decode(&bytes).is_ok(), Ping::decode(&bytes).is_ok(),
                Info::decode(&bytes).is_ok(), Refusal::decode(&bytes).is_ok(),
                Stats::decode(&bytes).is_ok(),
            ].into();
            // Every message has a length of its own, so at most one reads it.
            prop_assert!(results.iter().filter(|ok| **ok).count() <= 1);
        }
    }
}
