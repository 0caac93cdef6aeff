//! Playing on from a board without being asked piece by piece, as a core's `play` and
//! `self_play` do (docs/wire.md): each decision is carried out before the next one.

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::error::TetrisError;
use super::piece::{Piece, height, width};
use super::placement::Placement;
use super::position::Position;
use super::source::{PieceSource, Pieces};
use super::timing::serial_cycles;

/// A board and the pieces to put on it. It ends early with one that finds no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The board before the first piece.
    pub board: Board,
    /// The pieces, in their order.
    pub pieces: Vec<Piece>,
}

/// A board and how to play on from it, on an empty one again when a piece finds no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPlay {
    /// The board before the first piece.
    pub board: Board,
    /// How many pieces, at least 1.
    pub pieces: u32,
    /// Pieces from one checkpoint to the next, at least 1.
    pub spacing: u32,
    /// State of the generator before it draws the first piece.
    pub generator: u64,
    /// Signature of the moves before.
    pub signature: u64,
}

/// Where a piece was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
}

/// Sums over decisions that were carried out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Pieces decided, those that found no place among them.
    pub pieces: u64,
    /// Games lost, each by a piece that found no place.
    pub games: u64,
    /// Rows removed.
    pub rows_cleared: u64,
    /// Sum of the scores of the placements in millionths, modulo 2⁶⁴; `None` where it is
    /// not known.
    #[serde(rename = "score_millionths")]
    pub score: Option<i64>,
    /// Sum of the clock cycles of the decisions; `None` where it is not known.
    pub cycles: Option<u64>,
    /// Signature of the moves.
    pub signature: u64,
    /// CRC-32 of the board at the end, in the bytes of the wire; `None` where it is not known.
    pub board_crc: Option<u32>,
}

/// The signature after one more decision on a board of `columns` columns; `None` for a lost game.
#[inline(always)]
pub fn signed(signature: u64, columns: usize, played: Option<Move>) -> u64 {
    const LOST: u64 = 255;
    let value = played.map_or(LOST, |m| (m.rotation * columns + m.column) as u64);
    let mixed = (signature ^ value).wrapping_mul(0x100_0000_01b3);
    mixed ^ mixed >> 29
}

/// Carries out decisions and sums them up.
#[derive(Debug, Clone)]
pub struct Player {
    /// The board, with the piece that was decided last.
    position: Position,
    sums: Sums,
    /// Multipliers of the core whose clock cycles are counted.
    multipliers: Option<u8>,
}

impl Player {
    /// On a board, after moves of that signature; nothing is counted yet.
    pub fn new(board: Board, signature: u64) -> Self {
        Self {
            position: Position {
                board,
                piece: Piece::I,
                next: None,
            },
            sums: Sums {
                score: Some(0),
                signature,
                ..Sums::default()
            },
            multipliers: None,
        }
    }

    /// Counts also the clock cycles of a core with so many multipliers.
    #[must_use]
    pub fn counting_cycles(mut self, multipliers: u8) -> Self {
        self.multipliers = Some(multipliers);
        self.sums.cycles = Some(0);
        self
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.position.board
    }

    /// The sums so far.
    pub fn sums(&self) -> Sums {
        self.sums
    }

    /// The sums with the check value of the board.
    pub fn end(&self) -> Sums {
        Sums {
            board_crc: board_crc(self.board()),
            ..self.sums
        }
    }

    /// Empties the board, as after a game that was lost.
    pub fn restart(&mut self) {
        let board = self.board();
        self.position.board = Board::new(board.columns(), board.rows());
    }

    /// Has a piece decided and carries that out; the decision. A piece that finds no place
    /// leaves the board as it is.
    ///
    /// # Errors
    /// Those of `decide`, and when its placement lies beyond the board.
    pub fn step<E: From<TetrisError>>(
        &mut self,
        piece: Piece,
        mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
    ) -> Result<Option<Placement>, E> {
        self.position.piece = piece;
        let decision = decide(&self.position)?;
        if let Some(cycles) = &mut self.sums.cycles {
            let taken = self
                .multipliers
                .and_then(|m| serial_cycles(&self.position, m));
            *cycles = cycles.wrapping_add(taken.unwrap_or(0).into());
        }
        self.carry_out(piece, decision.as_ref())?;
        Ok(decision)
    }

    fn carry_out(&mut self, piece: Piece, decision: Option<&Placement>) -> Result<(), TetrisError> {
        let board = &mut self.position.board;
        let sums = &mut self.sums;
        let played = decision.map(|p| Move {
            rotation: p.rotation,
            column: p.column,
        });
        match decision {
            None => sums.games += 1,
            Some(placement) => {
                let rotation = placement.rotation;
                let cells = piece.rotations().get(rotation);
                let cells = cells.ok_or(TetrisError::Rotation { piece, rotation })?;
                let (column, row) = (placement.column, placement.row);
                let inside = column.saturating_add(width(cells)) <= board.columns()
                    && row.saturating_add(height(cells)) <= board.rows();
                if !inside {
                    let rests = board.landing_row(cells, column);
                    return Err(TetrisError::Landing {
                        piece,
                        rotation,
                        column,
                        row,
                        rests,
                    });
                }
                board.place(cells, column, row);
                if placement.rows_cleared > 0 {
                    sums.rows_cleared += board.clear_full_rows().len() as u64;
                }
                sums.score = sums.score.map(|sum| sum.wrapping_add(placement.score.0));
            }
        }
        sums.pieces += 1;
        sums.signature = signed(sums.signature, board.columns(), played);
        Ok(())
    }
}

/// Plays a run as `decide` has it.
///
/// # Errors
/// As [`Player::step`].
pub fn play<E: From<TetrisError>>(
    run: &Run,
    mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
) -> Result<(Vec<Move>, Sums), E> {
    let mut player = Player::new(run.board.clone(), 0);
    let mut moves = Vec::with_capacity(run.pieces.len());
    for &piece in &run.pieces {
        let Some(placement) = player.step(piece, &mut decide)? else {
            break;
        };
        moves.push(Move {
            rotation: placement.rotation,
            column: placement.column,
        });
    }
    Ok((moves, player.end()))
}

/// Plays on by itself as `decide` chooses, to its end or until `tell`, which gets each checkpoint,
/// returns false.
///
/// # Errors
/// As [`Player::step`].
pub fn self_play<E: From<TetrisError>>(
    run: &SelfPlay,
    mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
    tell: &mut dyn FnMut(Sums) -> bool,
) -> Result<Sums, E> {
    let mut player = Player::new(run.board.clone(), run.signature);
    let pieces = Pieces::from_seed(PieceSource::Uniform, run.generator);
    for (piece, number) in pieces.zip(1..=run.pieces) {
        if player.step(piece, &mut decide)?.is_none() {
            player.restart();
        }
        if number.is_multiple_of(run.spacing.max(1)) && !tell(player.sums()) {
            break;
        }
    }
    Ok(player.end())
}

/// Check value of a board; `None` for one that the wire has no bytes for.
pub fn board_crc(board: &Board) -> Option<u32> {
    Some(protocol::frame::checksum(&[&board.wire_bytes()?]))
}
