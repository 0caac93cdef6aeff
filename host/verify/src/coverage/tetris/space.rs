//! All possible bins of Tetris, from the shapes of the pieces and the size of the board.

use lockstep_games::tetris::Piece;
use lockstep_games::tetris::piece::{Cells, height, width};
use protocol::layout::tetris::{COLUMNS, ROWS};

use super::bins::{Bin, Set, Walls};
use crate::coverage::bins::Group;

/// All bins, by group.
pub fn groups() -> Vec<Group<Bin>> {
    vec![
        Group::new(
            "piece × rotation × rows cleared or not legal, of all placements",
            placements(Set::All),
        ),
        Group::new(
            "piece × rotation × rows cleared, of the chosen one",
            placements(Set::Chosen),
        ),
        Group::new("no placement is legal", Piece::ALL.map(Bin::Lost)),
        Group::new(
            "rows cleared where some were full before",
            (1..=ROWS as u8).map(Bin::FullBefore),
        ),
        Group::new(
            "piece × rotation × walls touched, of all placements",
            walls(Set::All),
        ),
        Group::new(
            "piece × rotation × walls touched, of the chosen one",
            walls(Set::Chosen),
        ),
        Group::new("deepest well of the board", (0..=ROWS as u8).map(Bin::Well)),
    ]
}

/// Every piece in each rotation.
fn turned() -> impl Iterator<Item = (Piece, u8, &'static Cells)> {
    Piece::ALL.into_iter().flat_map(|piece| {
        let cells = piece.rotations().iter();
        cells
            .zip(0..)
            .map(move |(cells, rotation)| (piece, rotation, cells))
    })
}

fn placements(set: Set) -> impl Iterator<Item = Bin> {
    turned().flat_map(move |(piece, rotation, cells)| {
        let illegal = (set == Set::All).then_some(None);
        let cleared = (0..=clearable(cells).len() as u8).map(Some);
        let outcomes = illegal.into_iter().chain(cleared);
        outcomes.map(move |outcome| Bin::Placement(set, piece, rotation, outcome))
    })
}

fn walls(set: Set) -> impl Iterator<Item = Bin> {
    turned().flat_map(move |(piece, rotation, cells)| {
        let wide = width(cells);
        let possible = move |walls: &Walls| match walls {
            [true, true] => wide == COLUMNS,
            [false, false] => wide + 2 <= COLUMNS,
            _ => wide < COLUMNS,
        };
        let walls = [[false, false], [true, false], [false, true], [true, true]];
        let walls = walls.into_iter().filter(possible);
        walls.map(move |walls| Bin::Walls(set, piece, rotation, walls))
    })
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
    use crate::coverage::bins::{Bins, counted};

    #[test]
    fn counted_impossible_bins_are_reported() {
        let mut bins = Bins::default();
        let o = |rotation, rows| Bin::Placement(Set::All, Piece::O, rotation, Some(rows));
        for bin in [Bin::Well(3), o(1, 0), o(0, 3), Bin::Well(21)] {
            bins.hit(bin);
        }
        let (_, wrong) = counted("tetris", &groups(), &bins);
        let names = ["O0 clears 3", "O1 clears 0", "depth 21"];
        let expected = names.map(|name| format!("{name} was counted 1 times and is not a bin"));
        assert_eq!(wrong, expected);
    }
}
