//! The bins of decisions of Tetris, from the shapes of the pieces and the size of the board.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::golden::all_placements;
use lockstep_games::tetris::piece::{Cells, height, width};
use lockstep_games::tetris::{Linear, Piece, Position, golden};
use protocol::layout::tetris::{COLUMNS, ROWS};

use crate::coverage::bins::{Bins, Group};

/// The groups of bins; the placements are on boards without full rows.
pub const PLACED: &str = "piece × rotation × rows cleared or not legal, of all placements";
pub const CHOSEN: &str = "piece × rotation × rows cleared, of the chosen one";
pub const LOST: &str = "no placement is legal";
pub const FULL_BEFORE: &str = "rows cleared where some were full before";
pub const WALLS: &str = "piece × rotation × walls touched, of all placements";
pub const CHOSEN_WALLS: &str = "piece × rotation × walls touched, of the chosen one";
pub const WELL: &str = "deepest well of the board";

/// Whether a piece touches the wall beside column 0, and that beside the last column.
type Walls = [bool; 2];

/// All bins, by group.
pub fn groups() -> Vec<Group> {
    let placed = |all| placements(all).map(|(piece, turned, rows)| placement(piece, turned, rows));
    let walls = || walls().map(|(piece, turned, walls)| wall(piece, turned, walls));
    vec![
        Group::new(PLACED, placed(true)),
        Group::new(CHOSEN, placed(false)),
        Group::new(LOST, Piece::ALL.map(Piece::letter)),
        Group::new(FULL_BEFORE, 1..=ROWS),
        Group::new(WALLS, walls()),
        Group::new(CHOSEN_WALLS, walls()),
        Group::new(WELL, 0..=ROWS),
    ]
}

/// Every piece in each rotation.
fn turned() -> impl Iterator<Item = (Piece, usize, &'static Cells)> {
    Piece::ALL.into_iter().flat_map(|piece| {
        let rotations = piece.rotations().iter().enumerate();
        rotations.map(move |(rotation, cells)| (piece, rotation, cells))
    })
}

/// Every piece and rotation with the rows that it can clear; among `all` placements are illegal
/// ones, `None`.
pub fn placements(all: bool) -> impl Iterator<Item = (Piece, usize, Option<usize>)> {
    turned().flat_map(move |(piece, rotation, cells)| {
        let cleared = (0..=clearable(cells).len()).map(Some);
        let outcomes = all.then_some(None).into_iter().chain(cleared);
        outcomes.map(move |outcome| (piece, rotation, outcome))
    })
}

fn placement(piece: Piece, rotation: usize, rows: Option<usize>) -> String {
    let outcome = rows.map_or("not legal".into(), |rows| format!("clears {rows}"));
    format!("{}{rotation} {outcome}", piece.letter())
}

/// Every piece and rotation with the walls that it can touch.
pub fn walls() -> impl Iterator<Item = (Piece, usize, Walls)> {
    turned().flat_map(move |(piece, rotation, cells)| {
        let wide = width(cells);
        let possible = move |walls: &Walls| match walls {
            [true, true] => wide == COLUMNS,
            [false, false] => wide + 2 <= COLUMNS,
            _ => wide < COLUMNS,
        };
        let walls = [[false, false], [true, false], [false, true], [true, true]];
        let walls = walls.into_iter().filter(possible);
        walls.map(move |walls| (piece, rotation, walls))
    })
}

fn wall(piece: Piece, rotation: usize, walls: Walls) -> String {
    let walls = match walls {
        [false, false] => "no wall",
        [true, false] => "left wall",
        [false, true] => "right wall",
        [true, true] => "both walls",
    };
    format!("{}{rotation} {walls}", piece.letter())
}

/// Hits the bins of a decision.
pub fn count(bins: &mut Bins, position: &Position, controller: &Linear) {
    let Position { board, piece, .. } = position;
    bins.hit(WELL, deepest_well(board));
    let full = (0..board.rows()).any(|row| board.is_full(row));
    let mut placed = |[by_rows, by_walls]: [_; 2], rotation: usize, column, rows: Option<i64>| {
        match rows {
            Some(rows) if full => bins.hit(FULL_BEFORE, rows),
            _ => bins.hit(
                by_rows,
                placement(*piece, rotation, rows.map(|n| n as usize)),
            ),
        }
        if rows.is_some()
            && let Some(cells) = piece.rotations().get(rotation)
        {
            let walls = [column == 0, column + width(cells) == board.columns()];
            bins.hit(by_walls, wall(*piece, rotation, walls));
        }
    };
    for ([rotation, column], candidate) in all_placements(board, *piece) {
        let rows = candidate.map(|candidate| candidate.features.rows_cleared);
        placed([PLACED, WALLS], rotation, column, rows);
    }
    match golden::best_now(board, *piece, controller) {
        None => bins.hit(LOST, piece.letter()),
        Some((best, _)) => {
            let rows = Some(best.features.rows_cleared);
            placed([CHOSEN, CHOSEN_WALLS], best.rotation, best.column, rows);
        }
    }
}

/// Depth of the deepest well: the most that one cell adds to the feature `cumulative_wells`.
fn deepest_well(board: &Board) -> u8 {
    let filled = |column: usize, row| column >= board.columns() || board.filled(column, row);
    let mut deepest = 0;
    for column in 0..board.columns() {
        // Empty cells above the last filled one, or above the floor.
        let mut depth = 0;
        for row in 0..board.rows() {
            depth = match board.filled(column, row) {
                true => 0,
                false => depth + 1,
            };
            // A wall is beside column 0.
            let left = column == 0 || filled(column - 1, row);
            if depth > deepest && left && filled(column + 1, row) {
                deepest = depth;
            }
        }
    }
    deepest
}

/// The rows of a piece that it can complete.
///
/// Other rows have a cell beside the piece and above one of its cells: if it were filled, the piece
/// would have stopped above it.
pub fn clearable(cells: &Cells) -> Vec<usize> {
    let has = |column, row| cells.contains(&(column, row));
    let passed = |column, row| (0..row).any(|below| has(column, below));
    let open = |row: &usize| {
        let mut columns = 0..width(cells);
        columns.all(|column| has(column, *row) || !passed(column, *row))
    };
    (0..height(cells)).filter(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::bins::counted;

    #[test]
    fn counted_impossible_bins_are_reported() {
        let mut bins = Bins::default();
        let o = |rotation, rows| placement(Piece::O, rotation, Some(rows));
        bins.hit(PLACED, o(1, 0));
        bins.hit(PLACED, o(0, 3));
        [3, 21].iter().for_each(|depth| bins.hit(WELL, depth));
        let (_, wrong) = counted("tetris", &groups(), &bins);
        let names = [
            ("21", WELL),
            ("O0 clears 3", PLACED),
            ("O1 clears 0", PLACED),
        ];
        let expected = names.map(|(name, group)| {
            format!("{name} was counted 1 times and is not a bin (tetris: {group})")
        });
        assert_eq!(wrong, expected);
    }
}
