//! Runs and self-play, as a core plays them (docs/wire.md): each decision is carried out before the
//! next one.

use serde::{Deserialize, Serialize};

use super::state::put;
use super::timing::Core;
use super::{Board, Piece, PieceSource, Pieces, Placement, Position};
use crate::GameError;

/// A run: a board and the pieces to place. It ends at the first piece without a legal placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The board before the first piece.
    pub board: Board,
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
}

/// A self-play: a board and the number of pieces to draw. After a lost game the board is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPlay {
    /// The board before the first piece.
    pub board: Board,
    /// Number of pieces, at least 1.
    pub pieces: u32,
    /// Number of pieces between checkpoints, at least 1.
    pub spacing: u32,
    /// State of the generator before the first piece is drawn.
    pub generator: u64,
    /// Signature of the earlier moves.
    pub signature: u64,
}

/// The move of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
}

/// The totals of decisions that were carried out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Number of pieces, with those without a legal placement.
    pub pieces: u64,
    /// Number of lost games.
    pub games: u64,
    /// Number of rows removed.
    pub rows_cleared: u64,
    /// Sum of the scores of the placements, in millionths modulo 2⁶⁴; `None` if unknown.
    #[serde(rename = "score_millionths")]
    pub score: Option<i64>,
    /// Sum of the clock cycles of the decisions; `None` if unknown.
    pub cycles: Option<u64>,
    /// Signature of the moves.
    pub signature: u64,
    /// CRC-32 of the bytes of the last board on the wire; `None` if unknown.
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

/// Carries out decisions and adds up their totals.
#[derive(Debug, Clone)]
pub struct Player {
    /// The board, with the last piece.
    position: Position,
    sums: Sums,
    /// The core whose clock cycles are counted, if they are.
    core: Option<Core>,
}

impl Player {
    /// A player on a board, after moves with that signature; all other totals are 0.
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
            core: None,
        }
    }

    /// Also counts the clock cycles of a core.
    #[must_use]
    pub fn counting_cycles(mut self, core: Core) -> Self {
        self.core = Some(core);
        self.sums.cycles = Some(0);
        self
    }

    /// The current board.
    pub fn board(&self) -> &Board {
        &self.position.board
    }

    /// The totals so far.
    pub fn sums(&self) -> Sums {
        self.sums
    }

    /// The totals so far, with the CRC of the board.
    pub fn end(&self) -> Sums {
        Sums {
            board_crc: board_crc(self.board()),
            ..self.sums
        }
    }

    /// Empties the board, as after a lost game.
    pub fn restart(&mut self) {
        let board = self.board();
        self.position.board = Board::new(board.columns(), board.rows());
    }

    /// Carries out the decision of `decide` for a piece, and returns it.
    ///
    /// The board is unchanged if no placement is legal.
    ///
    /// # Errors
    /// When `decide` fails, or its placement is not legal.
    pub fn step<E: From<GameError>>(
        &mut self,
        piece: Piece,
        mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
    ) -> Result<Option<Placement>, E> {
        self.position.piece = piece;
        let decision = decide(&self.position)?;
        if let Some(cycles) = &mut self.sums.cycles {
            let taken = self.core.map(|core| core.cycles(&self.position));
            *cycles = cycles.wrapping_add(taken.unwrap_or(0).into());
        }
        let board = &mut self.position.board;
        let sums = &mut self.sums;
        match &decision {
            None => sums.games += 1,
            Some(placement) => {
                sums.rows_cleared += put(board, piece, placement)?;
                sums.score = sums.score.map(|sum| sum.wrapping_add(placement.score.0));
            }
        }
        sums.pieces += 1;
        let played = decision.as_ref().map(Move::of);
        sums.signature = signed(sums.signature, board.columns(), played);
        Ok(decision)
    }
}

impl Move {
    /// The move of a placement.
    fn of(placement: &Placement) -> Self {
        Self {
            rotation: placement.rotation,
            column: placement.column,
        }
    }
}

/// Plays a run with the decisions of `decide`.
///
/// # Errors
/// As [`Player::step`].
pub fn play<E: From<GameError>>(
    run: &Run,
    mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
) -> Result<(Vec<Move>, Sums), E> {
    let mut player = Player::new(run.board.clone(), 0);
    let mut moves = Vec::with_capacity(run.pieces.len());
    for &piece in &run.pieces {
        let Some(placement) = player.step(piece, &mut decide)? else {
            break;
        };
        moves.push(Move::of(&placement));
    }
    Ok((moves, player.end()))
}

/// Plays a self-play with the decisions of `decide`, to its end or until `on_checkpoint` returns
/// false.
///
/// # Errors
/// As [`Player::step`].
pub fn self_play<E: From<GameError>>(
    run: &SelfPlay,
    mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
    on_checkpoint: &mut dyn FnMut(Sums) -> bool,
) -> Result<Sums, E> {
    let mut player = Player::new(run.board.clone(), run.signature);
    let pieces = Pieces::from_seed(PieceSource::Uniform, run.generator);
    for (piece, number) in pieces.zip(1..=run.pieces) {
        if player.step(piece, &mut decide)?.is_none() {
            player.restart();
        }
        if number.is_multiple_of(run.spacing.max(1)) && !on_checkpoint(player.sums()) {
            break;
        }
    }
    Ok(player.end())
}

/// CRC-32 of a board's bytes on the wire; `None` for a board that the wire cannot carry.
pub fn board_crc(board: &Board) -> Option<u32> {
    Some(protocol::frame::checksum(&[&board.wire_bytes()?]))
}
