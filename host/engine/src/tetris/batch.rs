//! Decides many positions that are given as arrays, without a `Board` for each.

use lockstep_games::tetris::{Piece, Placement, Search};

use super::brute;
use super::core::Engine;
use super::evaluate::Columns;
use super::limits::{MAX_COLUMNS, PAD, full_row};
use super::scalar::Choice;
use super::shape::shape;
use super::stack::{ROW, Stack};

/// Positions on boards of one size, as arrays.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'a> {
    /// The rows of all boards, board after board, row 0 first; bit c is column c.
    pub rows: &'a [u16],
    /// The number of each position's piece.
    pub pieces: &'a [u8],
    /// The number of each position's next piece; empty if none is known.
    pub next: &'a [u8],
}

/// A placement as numbers: rotation, column, landing row and rows cleared; all -1 if none is legal.
pub type PlacedNumbers = [i8; 4];

/// Boards that are loaded before the first of them is decided: to read a board in the instructions
/// after it was written would stall the processor.
const AHEAD: usize = 16;

/// Why arrays are not positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position {at}: {why}")]
pub struct PositionError {
    /// A position that is not valid, from 0.
    pub at: usize,
    /// What is wrong with it.
    pub why: String,
}

impl Engine {
    /// Decides each position as [`Engine::decide`] does. `scores` gets the scores in millionths; it
    /// may be empty, as scores take longer than the decisions.
    ///
    /// # Errors
    /// At a position that is not valid.
    pub fn decide_all(
        &self,
        positions: &Positions,
        placements: &mut [PlacedNumbers],
        scores: &mut [i64],
    ) -> Result<(), PositionError> {
        let count = placements.len();
        let Positions { rows, pieces, next } = *positions;
        let optional = [next.len(), scores.len()];
        if rows.len() != count * self.size.rows()
            || pieces.len() != count
            || optional
                .iter()
                .any(|&length| length != 0 && length != count)
        {
            let why = "the arrays have different lengths, expected one element for each position";
            let why = why.into();
            return Err(PositionError { at: 0, why });
        }
        let piece_at = |at: usize, number: u8| {
            let why = || format!("the piece is {number}, expected 0 to 6 (IOTSZJL)");
            Piece::from_number(number).ok_or_else(|| PositionError { at, why: why() })
        };
        // Grouped by piece, so that the processor predicts which piece is next.
        let mut by_piece: [Vec<usize>; Piece::ALL.len()] = Default::default();
        for (at, &number) in pieces.iter().enumerate() {
            by_piece[piece_at(at, number)? as usize].push(at);
        }
        let is_quick = scores.is_empty() && self.linear.search == Search::ONE;
        let mut stacks = vec![Stack::empty(self.size); AHEAD];
        let (mut full, mut choices) = ([false; AHEAD], [None; AHEAD]);
        for (piece, positions) in Piece::ALL.into_iter().zip(&by_piece) {
            for group in positions.chunks(AHEAD) {
                let stacks = &mut stacks[..group.len()];
                for ((&at, stack), full) in group.iter().zip(&mut *stacks).zip(&mut full) {
                    let rows = &rows[at * self.size.rows()..];
                    // The rows after the board are ignored: a copy would take longer.
                    let last;
                    let rows = match rows.first_chunk() {
                        Some(rows) => rows,
                        None => {
                            last = padded(rows);
                            &last
                        }
                    };
                    *full = self.runner.load(stack, rows).ok_or_else(|| {
                        let most = full_row(self.size);
                        let why =
                            format!("a row has a cell right of the board; a row is at most {most}");
                        PositionError { at, why }
                    })?;
                }
                if is_quick && !full[..group.len()].contains(&true) {
                    let runner = self.runner;
                    runner.choose_each(stacks, &self.scale, piece, &mut choices);
                    for ((&at, stack), choice) in group.iter().zip(stacks).zip(&choices) {
                        placements[at] = choice.map_or([-1; 4], |c| numbers(stack, piece, c));
                    }
                    continue;
                }
                for ((&at, stack), full) in group.iter().zip(&*stacks).zip(full) {
                    let next = next.get(at).map(|&next| piece_at(at, next)).transpose()?;
                    let columns = columns(stack);
                    let placed = match self.linear.search {
                        Search::ONE if full => {
                            brute::decide(&self.linear, self.size, &columns, piece)
                        }
                        Search::ONE => self.scored(stack, &columns, piece),
                        _ => self.look_ahead(&columns, piece, next),
                    };
                    placements[at] = placed.map_or([-1; 4], |p| {
                        [p.rotation, p.column, p.row, p.rows_cleared].map(|n| n as i8)
                    });
                    if let Some(score) = scores.get_mut(at) {
                        *score = placed.map_or(0, |placed| placed.score.0);
                    }
                }
            }
        }
        Ok(())
    }

    /// The placement on a board without full rows, with its score.
    fn scored(&self, stack: &Stack, columns: &Columns, piece: Piece) -> Option<Placement> {
        let choice = self.runner.choose(stack, &self.scale, piece)?;
        let place = (choice.rotation, choice.column, choice.row);
        let shape = shape(piece, choice.rotation);
        let placed = brute::evaluate_move(columns, self.size, shape, choice.column, choice.row);
        let score = brute::score(&self.linear.weights, &placed.features);
        Some(brute::placement(place, &placed, score))
    }
}

/// The rows of the last boards, with more after them.
fn padded(rows: &[u16]) -> [u16; 32] {
    std::array::from_fn(|r| rows.get(r).copied().unwrap_or(0))
}

/// The numbers of a placement on a board without full rows.
#[inline(always)]
fn numbers(stack: &Stack, piece: Piece, choice: Choice) -> PlacedNumbers {
    let shape = shape(piece, choice.rotation);
    let is_full = |k: &usize| {
        let row = stack.rows[ROW + choice.row as usize + k];
        row | shape.rows[*k] << (choice.column + PAD) == u16::MAX
    };
    let rows_cleared = match choice.fills {
        true => (0..shape.height).filter(is_full).count(),
        false => 0,
    };
    [
        choice.rotation as i8,
        choice.column as i8,
        choice.row as i8,
        rows_cleared as i8,
    ]
}

/// The column words of the board in a stack.
fn columns(stack: &Stack) -> Columns {
    let mut columns = Columns::default();
    let count = stack.size.columns().min(MAX_COLUMNS);
    columns[..count].copy_from_slice(&stack.columns[PAD..PAD + count]);
    columns
}
