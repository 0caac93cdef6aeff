//! The bins, directed positions and refused requests of Connect Four.

use lockstep_games::Golden as _;
use lockstep_games::connect4::board::ORDER;
use lockstep_games::connect4::controller::{MAX_DEPTH, Weights};
use lockstep_games::connect4::{Board, Connect4, Controller, Position, Red, Setup, Stone, Yellow};
use protocol::layout::connect4::{self as wire, COLUMNS, ROWS, WIN};
use protocol::layout::{ErrorCode, Message, link};

use super::bins::{Bins, Group};
use super::cover::Cover;
use crate::connect4::search_of;
use crate::random::Random;

/// Deepest search while many cells are empty, as the golden model does not prune.
const SHALLOW: usize = 3;
/// Maximum number of empty cells that the golden model searches to the end.
const MAX_EMPTY: usize = 7;
const CELLS: usize = COLUMNS * ROWS;

/// The groups of bins: of a search's position, its depth, its decision.
const STONES: &str = "stones on the board";
const DEPTH: &str = "depth of a search";
const FULL: &str = "full columns";
const CHOSEN: &str = "chosen columns";
const VALUE: &str = "value of the chosen column";
const FOUR: &str = "direction of a four";

/// The directions of four in a row, with the columns and rows of a step.
const DIRECTIONS: [(&str, isize, isize); 4] = [
    ("horizontal", 1, 0),
    ("vertical", 0, 1),
    ("rising", 1, 1),
    ("falling", 1, -1),
];

/// Whether the stone in a cell is one of four in a row by these steps.
fn is_four(board: &Board, column: usize, row: usize, right: isize, up: isize) -> bool {
    let own = |n: isize| {
        let column = column.checked_add_signed(n * right)?;
        board.stone(column, row.checked_add_signed(n * up)?)
    };
    let run = |sign: isize| (1..).take_while(|n| own(n * sign) == own(0)).count();
    run(1) + run(-1) >= 3
}

impl Cover for Connect4 {
    const CONTROLLERS: &[&str] = &["windows", "centre", "flat"];
    /// The core has all capabilities that a request may need.
    const NEVER: &[ErrorCode] = &[link::UNSUPPORTED];

    fn groups() -> Vec<Group> {
        vec![
            Group::new(STONES, 0..CELLS),
            Group::new(DEPTH, 1..=MAX_DEPTH),
            Group::new(FULL, 0..COLUMNS),
            Group::new(CHOSEN, 0..COLUMNS),
            Group::new(VALUE, ["won", "lost", "open"]),
            Group::new(FOUR, DIRECTIONS.map(|(name, ..)| name)),
        ]
    }

    fn count(bins: &mut Bins, controller: &Controller, position: &Position) {
        let Position { board, to_move } = *position;
        let Ok(decision) = Self::decide(controller, position) else {
            return;
        };
        bins.hit(STONES, board.stones());
        bins.hit(DEPTH, controller.depth);
        for column in ORDER.into_iter().filter(|column| !board.has_room(*column)) {
            bins.hit(FULL, column);
        }
        bins.hit(CHOSEN, decision.column);
        // A win takes at most one stone per cell.
        let sure = i32::from(WIN) - CELLS as i32;
        let value = match decision.value {
            value if value >= sure => "won",
            value if value <= -sure => "lost",
            _ => "open",
        };
        bins.hit(VALUE, value);
        let mut after = board;
        let Some(row) = after.drop(decision.column, to_move) else {
            return;
        };
        for (name, right, up) in DIRECTIONS {
            if is_four(&after, decision.column, row, right, up) {
                bins.hit(FOUR, name);
            }
        }
    }

    fn draw(random: &mut Random, group: &str, place: usize) -> Option<(Controller, Position)> {
        Some(drawn(random, group, place))
    }

    /// The depth of a trace is limited, as it sends no part before its first column is searched.
    fn payload(request: &Message, long: bool) -> Option<Vec<u8>> {
        let depth = match request.id {
            id if id == wire::SEARCH.id => MAX_DEPTH,
            id if id == wire::TRACE.id => 8,
            _ => return None,
        };
        let board = match long {
            true => Board::default(),
            false => nearly_full(),
        };
        Some(search(&board, depth))
    }

    fn refused() -> Vec<(Message, Vec<u8>, ErrorCode)> {
        let column = |column: usize, own: u8, opponent: u8| {
            let mut search = wire::Search {
                depth: 1,
                ..wire::Search::default()
            };
            (search.own[column], search.opponent[column]) = (own, opponent);
            search.encode().as_ref().to_vec()
        };
        let mut over = Vec::new();
        let fours: [[u8; COLUMNS]; 4] = [
            [1, 1, 1, 1, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0b1111],
            [0b0001, 0b0010, 0b0100, 0b1000, 0, 0, 0],
            [0, 0, 0, 0b1000, 0b0100, 0b0010, 0b0001],
        ];
        for stones in fours {
            // The other side's stones are below.
            let below = stones.map(|bits| match bits.trailing_zeros() {
                8 => 0,
                row => (1 << row) - 1,
            });
            for (own, opponent) in [(stones, below), (below, stones)] {
                let depth = 1;
                let search = wire::Search {
                    own,
                    opponent,
                    depth,
                };
                over.push(search.encode().as_ref().to_vec());
            }
        }
        let mut full = nearly_full();
        for column in 0..COLUMNS {
            for row in full.height(column)..ROWS {
                full.drop(column, checkered(column, row));
            }
        }
        over.push(search(&full, 1));
        let bad = [
            column(0, 0b10, 0),
            column(3, 0b1, 0b1),
            column(6, 0b111_1111, 0),
            column(2, 0, 0b1000_0000),
        ];
        let depths = [0, MAX_DEPTH + 1, u8::MAX].map(|depth| search(&Board::default(), depth));
        let mut all = Vec::new();
        for request in [wire::SEARCH, wire::TRACE] {
            let with = |code: ErrorCode| move |payload: &Vec<u8>| (request, payload.clone(), code);
            all.extend(bad.iter().map(with(wire::BAD_BOARD)));
            all.extend(over.iter().map(with(wire::GAME_OVER)));
            all.extend(depths.iter().map(with(wire::BAD_DEPTH)));
        }
        all
    }
}

/// A random search that is likely to hit a bin.
fn drawn(random: &mut Random, group: &str, place: usize) -> (Controller, Position) {
    let stones = match group {
        STONES => place,
        DEPTH if place >= SHALLOW => CELLS - 1 - random.index(MAX_EMPTY),
        _ => random.index(CELLS),
    };
    let depth = match group {
        DEPTH => place,
        _ if CELLS - stones <= MAX_EMPTY => random.index(MAX_DEPTH.into()),
        _ => random.index(SHALLOW),
    };
    let most = [1, 10, 128][random.index(3)];
    let mut weight = || (random.index(2 * most) as i16 - most as i16) as i8;
    let weights: Weights = std::array::from_fn(|_| std::array::from_fn(|_| weight()));
    let seed = random.bits();
    let opening = stones as u8;
    let controller = Controller {
        name: "directed".into(),
        source: "drawn".into(),
        depth: 1 + depth as u8,
        weights,
    };
    (controller, Setup::new(seed, opening).opening::<Connect4>(0))
}

/// The stone of a cell in a full board without four in a row.
fn checkered(column: usize, row: usize) -> Stone {
    match (column + row / 2).is_multiple_of(2) {
        true => Yellow,
        false => Red,
    }
}

/// A board with few empty cells, whose search is short.
fn nearly_full() -> Board {
    let mut board = Board::default();
    for column in 0..COLUMNS {
        for row in 0..ROWS - usize::from(column > 0) - usize::from(column > 3) {
            board.drop(column, checkered(column, row));
        }
    }
    board
}

/// The payload of a search of a board, even if the game is over.
fn search(board: &Board, depth: u8) -> Vec<u8> {
    search_of(board, depth).encode().as_ref().to_vec()
}
