//! All bins there are, and why some of them stay empty.
//!
//! What cannot happen follows from the shapes of the pieces and the size of the board; it is worked
//! out here, not listed, and a test tries it out on boards. Error codes, messages and streams are
//! those of the wire's tables: a new one is a new bin.

use lockstep_games::tetris::Piece;
use lockstep_games::tetris::piece::{Cells, height, width};
use protocol::layout::tetris::{COLUMNS, GAME, ROWS};
use protocol::layout::{Message, PART, REPLY, WINDOW};

use super::bins::{Bin, Bins, Comes, Ends, Of, Walls};

/// Rotations that a piece may have.
const ROTATIONS: u8 = 4;
/// Rows that a piece may clear where none is full before: no piece is higher.
const CLEARED: u8 = 4;

/// Bins that belong together.
#[derive(Debug, Clone)]
pub struct Group {
    /// What is counted.
    pub name: &'static str,
    /// All of them.
    pub bins: Vec<Possible>,
}

/// A bin, and why nothing can be in it.
#[derive(Debug, Clone)]
pub struct Possible {
    /// The bin.
    pub bin: Bin,
    /// `None`: it can be filled.
    pub impossible: Option<String>,
}

/// All bins, by group.
pub fn groups() -> Vec<Group> {
    let group = |name, bins: Vec<Possible>| Group { name, bins };
    let can = |bins: Vec<Bin>| bins.into_iter().map(possible).collect();
    vec![
        group(
            "piece × rotation × rows cleared or not legal, of all placements",
            placements(Of::Weighed),
        ),
        group(
            "piece × rotation × rows cleared or not legal, of the chosen one",
            placements(Of::Chosen),
        ),
        group(
            "no placement is legal",
            can(Piece::ALL.map(Bin::Lost).into()),
        ),
        group("rows cleared where some were full before", full_before()),
        group(
            "piece × rotation × walls touched, of all placements",
            walls(Of::Weighed),
        ),
        group(
            "piece × rotation × walls touched, of the chosen one",
            walls(Of::Chosen),
        ),
        group(
            "deepest well of the board",
            can((0..=ROWS as u8).map(Bin::Well).collect()),
        ),
        group(
            "requests that are unanswered when another one is sent",
            can((0..=WINDOW).map(Bin::Waiting).collect()),
        ),
        group(
            "error codes",
            can(GAME.all_errors().map(|e| Bin::Refused(e.number)).collect()),
        ),
        group(
            "messages",
            can(GAME.all_messages().map(|m| Bin::Message(m.id)).collect()),
        ),
        group("streams", can(streams())),
    ]
}

fn possible(bin: Bin) -> Possible {
    Possible {
        bin,
        impossible: None,
    }
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

fn placements(of: Of) -> Vec<Possible> {
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

fn full_before() -> Vec<Possible> {
    let bin = |rows: u8| Possible {
        bin: Bin::FullBefore(rows),
        impossible: (rows == 0).then(|| "a row that is full is always removed".into()),
    };
    (0..=ROWS as u8).map(bin).collect()
}

fn walls(of: Of) -> Vec<Possible> {
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

/// The requests whose replies have parts.
pub fn is_stream(request: &Message) -> bool {
    request.is_request() && GAME.message(request.id | REPLY | PART).is_some()
}

fn streams() -> Vec<Bin> {
    let requests = GAME.all_messages().filter(|message| is_stream(message));
    requests
        .flat_map(|request| [Ends::Whole, Ends::Cancelled].map(|end| Bin::Stream(request.id, end)))
        .collect()
}

/// What is wrong with bins that were counted, in words: one that is impossible and has been hit,
/// one that is none.
pub fn contradictions(bins: &Bins) -> Vec<String> {
    let groups = groups();
    let all = || groups.iter().flat_map(|group| &group.bins);
    let told = |(bin, count): (Bin, u64)| {
        let Some(possible) = all().find(|possible| possible.bin == bin) else {
            return Some(format!("{bin} was counted {count} times and is no bin"));
        };
        let reason = possible.impossible.as_ref()?;
        Some(format!(
            "{bin} is said to be impossible ({reason}) and was counted {count} times"
        ))
    };
    bins.iter().filter_map(told).collect()
}

/// The bins that could be filled and are not, each with its group.
pub fn empty(bins: &Bins) -> Vec<(&'static str, Bin)> {
    let unfilled = |group: Group| {
        let open = group.bins.into_iter().filter(|p| p.impossible.is_none());
        let empty = open.filter(|p| bins.count(p.bin) == 0);
        let named = empty.map(|p| (group.name, p.bin));
        named.collect::<Vec<_>>()
    };
    groups().into_iter().flat_map(unfilled).collect()
}

#[cfg(test)]
mod tests {
    use lockstep_games::tetris::board::Board;

    use super::*;

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
    fn every_code_message_and_stream_of_the_tables_is_a_bin() {
        let all: Vec<Bin> = groups()
            .into_iter()
            .flat_map(|group| group.bins)
            .map(|possible| possible.bin)
            .collect();
        for error in GAME.all_errors() {
            assert!(all.contains(&Bin::Refused(error.number)), "{}", error.name);
        }
        for message in GAME.all_messages() {
            assert!(all.contains(&Bin::Message(message.id)), "{}", message.name);
            let stream = all.contains(&Bin::Stream(message.id, Ends::Whole));
            let listed = ["trace", "play", "self_play"].contains(&message.name);
            assert_eq!(stream, listed, "{}", message.name);
        }
        let unique: std::collections::BTreeSet<&Bin> = all.iter().collect();
        assert_eq!(unique.len(), all.len(), "a bin stands twice");
    }

    #[test]
    fn a_bin_that_is_impossible_and_was_counted_is_told() {
        let mut bins = Bins::default();
        bins.hit(Bin::Well(3));
        assert_eq!(contradictions(&bins), [""; 0]);
        let o =
            |rotation, rows| Bin::Placement(Of::Weighed, Piece::O, rotation, Comes::Clears(rows));
        bins.hit(o(1, 0));
        bins.hit(o(0, 3));
        bins.hit(Bin::Well(21));
        let told = contradictions(&bins);
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
