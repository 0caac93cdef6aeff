//! All bins of Tetris, and why some of them stay empty.
//!
//! What cannot happen follows from the shapes of the pieces and the size of the board; it is worked
//! out here, not listed, and a test tries it out on boards.

use lockstep_games::tetris::Piece;
use lockstep_games::tetris::piece::{Cells, height, width};
use protocol::layout::tetris::{COLUMNS, ROWS};

use super::bins::{Bin, Comes, Of, Walls};
use crate::coverage::bins::{Group, Possible};

/// Rotations that a piece may have.
const ROTATIONS: u8 = 4;
/// Rows that a piece may clear where none is full before: no piece is higher.
const CLEARED: u8 = 4;

/// All bins, by group.
pub fn groups() -> Vec<Group<Bin>> {
    let group = |name, bins: Vec<Possible<Bin>>| Group { name, bins };
    vec![
        group(
            "piece × rotation × rows cleared or not legal, of all placements",
            placements(Of::Weighed),
        ),
        group(
            "piece × rotation × rows cleared or not legal, of the chosen one",
            placements(Of::Chosen),
        ),
        Group::of("no placement is legal", Piece::ALL.map(Bin::Lost)),
        group("rows cleared where some were full before", full_before()),
        group(
            "piece × rotation × walls touched, of all placements",
            walls(Of::Weighed),
        ),
        group(
            "piece × rotation × walls touched, of the chosen one",
            walls(Of::Chosen),
        ),
        Group::of("deepest well of the board", (0..=ROWS as u8).map(Bin::Well)),
    ]
}

/// Every piece in every rotation, its cells if it has that one.
fn turned() -> impl Iterator<Item = (Piece, u8, Option<&'static Cells>)> {
    Piece::ALL.into_iter().flat_map(|piece| {
        let cells = move |rotation: u8| piece.rotations().get(usize::from(rotation));
        (0..ROTATIONS).map(move |rotation| (piece, rotation, cells(rotation)))
    })
}

fn lacks(piece: Piece) -> String {
    let count = piece.rotations().len();
    let plural = if count == 1 { "" } else { "s" };
    format!("{} has {count} rotation{plural}", piece.letter())
}

fn placements(of: Of) -> Vec<Possible<Bin>> {
    let mut bins = Vec::new();
    for (piece, rotation, cells) in turned() {
        let outcomes = (0..=CLEARED).map(Comes::Clears);
        for comes in [Comes::Illegal].into_iter().chain(outcomes) {
            let impossible = match (cells, comes) {
                (None, _) => Some(lacks(piece)),
                (Some(_), Comes::Illegal) => {
                    (of == Of::Chosen).then(|| "only a legal placement is chosen".into())
                }
                (Some(cells), Comes::Clears(rows)) => too_many(cells, usize::from(rows)),
            };
            bins.push(Possible {
                bin: Bin::Placement(of, piece, rotation, comes),
                impossible,
            });
        }
    }
    bins
}

/// Why a piece cannot clear so many rows, none of them full before.
fn too_many(cells: &Cells, rows: usize) -> Option<String> {
    let most = clearable(cells).len();
    if rows <= most {
        return None;
    }
    let high = height(cells);
    Some(match rows > high {
        true => format!("it is {high} high"),
        false => format!(
            "{most} at most: in its other rows a column that it falls through would have to be \
             filled above it"
        ),
    })
}

/// The rows of a piece that it can complete. In the others there is a place of its width that is
/// not its own and over one of its cells: filled, the piece would have stopped above it.
pub fn clearable(cells: &Cells) -> Vec<usize> {
    let has = |column, row| cells.contains(&(column, row));
    let passed = |column, row| (0..row).any(|below| has(column, below));
    let open = |row: &usize| {
        let mut columns = 0..width(cells);
        columns.all(|column| has(column, *row) || !passed(column, *row))
    };
    (0..height(cells)).filter(open).collect()
}

fn full_before() -> Vec<Possible<Bin>> {
    let bin = |rows: u8| Possible {
        bin: Bin::FullBefore(rows),
        impossible: (rows == 0).then(|| "a row that is full is always removed".into()),
    };
    (0..=ROWS as u8).map(bin).collect()
}

fn walls(of: Of) -> Vec<Possible<Bin>> {
    let mut bins = Vec::new();
    for (piece, rotation, cells) in turned() {
        for walls in [Walls::Neither, Walls::Left, Walls::Right, Walls::Both] {
            let impossible = match cells {
                None => Some(lacks(piece)),
                Some(cells) => apart(width(cells), walls),
            };
            bins.push(Possible {
                bin: Bin::Walls(of, piece, rotation, walls),
                impossible,
            });
        }
    }
    bins
}

/// Why a piece of that width cannot touch just those walls.
fn apart(wide: usize, walls: Walls) -> Option<String> {
    let possible = match walls {
        Walls::Both => wide == COLUMNS,
        Walls::Left | Walls::Right => wide < COLUMNS,
        Walls::Neither => wide + 2 <= COLUMNS,
    };
    (!possible).then(|| format!("it is {wide} wide, the board {COLUMNS}"))
}

#[cfg(test)]
mod tests {
    use lockstep_games::tetris::board::Board;

    use super::*;
    use crate::coverage::bins::{Bins, contradictions};

    /// A piece of every rotation on every board of its width and one row more, all other columns
    /// filled: the rows it completes there are those that it is said to.
    #[test]
    fn no_board_lets_a_piece_clear_rows_that_it_cannot() {
        for piece in Piece::ALL {
            for cells in piece.rotations() {
                let (wide, high) = (width(cells), height(cells) + 1);
                let mut seen = vec![false; high];
                for bits in 0u32..1 << (wide * high) {
                    let mut board = Board::new(COLUMNS, ROWS);
                    for row in 0..high {
                        for column in 0..COLUMNS {
                            let bit = row * wide + column;
                            let filled = column >= wide || bits >> bit & 1 == 1;
                            board.set(column, row, filled);
                        }
                    }
                    let full = (0..high).any(|row| board.is_full(row));
                    let landing = board.landing_row(cells, 0);
                    let (false, Some(landing)) = (full, landing) else {
                        continue;
                    };
                    board.place(cells, 0, landing);
                    for row in board.clear_full_rows() {
                        seen[row - landing] = true;
                    }
                }
                let seen: Vec<usize> = (0..high).filter(|row| seen[*row]).collect();
                assert_eq!(seen, clearable(cells), "{piece:?} {cells:?}");
            }
        }
    }

    #[test]
    fn a_bin_that_is_impossible_and_was_counted_is_told() {
        let mut bins = Bins::default();
        bins.hit(Bin::Well(3));
        assert_eq!(contradictions(&groups(), &bins), [""; 0]);
        let o =
            |rotation, rows| Bin::Placement(Of::Weighed, Piece::O, rotation, Comes::Clears(rows));
        bins.hit(o(1, 0));
        bins.hit(o(0, 3));
        bins.hit(Bin::Well(21));
        let told = contradictions(&groups(), &bins);
        assert_eq!(
            told,
            [
                "O0 clears 3 is said to be impossible (it is 2 high) and was counted 1 times",
                "O1 clears 0 is said to be impossible (O has 1 rotation) and was counted 1 times",
                "depth 21 was counted 1 times and is no bin",
            ]
        );
    }
}
