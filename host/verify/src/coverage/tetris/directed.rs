//! Directed positions for bins that random ones hardly fill: a placement that clears a number of
//! rows, a well of a depth, a board without a legal placement.
//!
//! The golden model decides whether a position fills its bin; if not, another one is drawn. The
//! same seed gives the same positions.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::piece::{Cells, height, width};
use lockstep_games::tetris::{Controller, Linear, Piece, Position, Rule};

use super::bins::{
    CHOSEN, CHOSEN_WALLS, FULL_BEFORE, LOST, PLACED, WALLS, clearable, placements, walls,
};
use crate::random::Random;
use crate::tetris::{any_weights, linear, position as at};

const COLUMNS: usize = protocol::layout::tetris::COLUMNS;
const ROWS: usize = protocol::layout::tetris::ROWS;
/// Index of the weight of `rows_cleared`.
const CLEARING: usize = 2;

/// A random case that is likely to fill the bin at a place of a group.
pub fn aimed(random: &mut Random, group: &str, place: usize) -> Option<(Controller, Position)> {
    let (position, linear) = match group {
        PLACED | CHOSEN => {
            let (piece, rotation, rows) = placements(group == PLACED).nth(place)?;
            let Some(rows) = rows else {
                let position = at(tall(random), piece);
                return Some((controller(any_linear(random)), position));
            };
            let cells = piece.rotations().get(rotation)?;
            let column = random.index(COLUMNS + 1 - width(cells));
            let landing = random.index(ROWS + 1 - height(cells));
            let board = cleared(random, cells, column, landing, rows)?;
            (at(board, piece), weights_for(random, rows))
        }
        LOST => (
            at(tall(random), *Piece::ALL.get(place)?),
            any_linear(random),
        ),
        FULL_BEFORE => {
            let rows = place + 1;
            let piece = random.choice(&Piece::ALL);
            let cells = &random.choice(piece.rotations());
            // Full rows below the piece, and some of its own rows.
            let own = random.index(clearable(cells).len() + 1).min(rows);
            let landing = rows - own;
            if landing + height(cells) > ROWS {
                let position = at(Board::new(COLUMNS, ROWS), random.choice(&Piece::ALL));
                return Some((controller(any_linear(random)), position));
            }
            let column = random.index(COLUMNS + 1 - width(cells));
            let mut board = cleared(random, cells, column, landing, own)?;
            for row in 0..landing {
                (0..COLUMNS).for_each(|column| board.set(column, row, true));
            }
            (at(board, piece), any_linear(random))
        }
        WALLS | CHOSEN_WALLS => {
            let (piece, rotation, walls) = walls().nth(place)?;
            let cells = piece.rotations().get(rotation)?;
            let last = COLUMNS - width(cells);
            let column = match walls {
                [true, false] => 0,
                [false, true] => last,
                _ => 1 + random.index(last - 1),
            };
            let landing = random.index(ROWS + 1 - height(cells));
            let own = random.index(clearable(cells).len() + 1);
            let board = cleared(random, cells, column, landing, own)?;
            (at(board, piece), weights_for(random, own))
        }
        _ => {
            let piece = random.choice(&Piece::ALL);
            (at(well(random, place), piece), any_linear(random))
        }
    };
    Some((controller(linear), position))
}

/// A controller without a name.
pub fn controller(linear: Linear) -> Controller {
    Controller {
        name: "directed".into(),
        source: "drawn".into(),
        rule: Rule::Linear(linear),
    }
}

/// Random weights with depth 1.
fn any_linear(random: &mut Random) -> Linear {
    linear(&any_weights(random))
}

/// Random weights; if `rows` is not 0, they choose a placement that clears rows.
fn weights_for(random: &mut Random, rows: usize) -> Linear {
    let mut linear = any_linear(random);
    if rows > 0 {
        linear.weights = linear.weights.map(|weight| weight / 1_000);
        linear.weights[CLEARING] = i32::MAX;
    }
    linear
}

/// A board without full rows on which a piece lands at a column and row and completes `rows` rows;
/// `None` if the piece cannot complete that many.
fn cleared(
    random: &mut Random,
    cells: &Cells,
    column: usize,
    landing: usize,
    rows: usize,
) -> Option<Board> {
    let beside = |at: usize| at < column || at >= column + width(cells);
    let lowest = |dx: usize| {
        let own = cells.iter().filter(|(c, _)| *c == dx).map(|(_, r)| *r);
        own.min().unwrap_or(0)
    };
    let mut open = clearable(cells);
    while open.len() > rows {
        open.remove(random.index(open.len()));
    }
    if open.len() < rows {
        return None;
    }
    let mut board = Board::new(COLUMNS, ROWS);
    // The cells below the piece.
    for dx in 0..width(cells) {
        for row in 0..landing + lowest(dx) {
            board.set(column + dx, row, true);
        }
    }
    let filled = random.below(100);
    for row in 0..ROWS {
        let own = row.checked_sub(landing);
        let complete = own.is_some_and(|own| open.contains(&own));
        for at in (0..COLUMNS).filter(|at| beside(*at)) {
            let above = row >= landing + height(cells);
            board.set(at, row, complete || !above && random.chance(filled));
        }
        if !complete {
            // An empty cell, so that the row is not full with the piece either.
            let places: Vec<usize> = (0..COLUMNS).filter(|at| beside(*at)).collect();
            board.set(random.choice(&places), row, false);
        }
    }
    Some(board)
}

/// A stack up to the top rows in most columns, without full rows.
fn tall(random: &mut Random) -> Board {
    let mut board = Board::new(COLUMNS, ROWS);
    for column in 0..COLUMNS {
        let high = ROWS - random.index(4);
        (0..high).for_each(|row| board.set(column, row, true));
    }
    for row in 0..ROWS {
        board.set(random.index(COLUMNS), row, false);
    }
    board
}

/// A board with a well of a depth; another well may be deeper.
fn well(random: &mut Random, depth: usize) -> Board {
    let column = random.index(COLUMNS);
    let floor = random.index(ROWS + 1 - depth);
    let mut board = Board::new(COLUMNS, ROWS);
    for row in 0..floor + depth {
        for at in 0..COLUMNS {
            let near = at.abs_diff(column) <= 1;
            board.set(at, row, near || random.chance(50));
        }
        board.set(column, row, row < floor);
        if row < floor {
            board.set((column + 5) % COLUMNS, row, false);
        }
    }
    board
}
