//! The benches of the Gomoku core and its reader.

pub mod model;
pub mod reader;
pub mod search;
pub mod whole;

use lockstep_games::gomoku::board::{DIRECTIONS, POINTS};
use lockstep_games::gomoku::controller::MAX_KEY;
use lockstep_games::gomoku::{Black, Board, Controller, Lines, Position, Profile, Stone, White};
use protocol::layout::gomoku::{COLUMNS, MAX_DEPTH, PROFILE_LINES, ROWS, Search, Weights};

use crate::random::Random;

/// The side to move and the other side.
const SIDES: [Stone; 2] = [Black, White];

/// Cells of a line on the border between two shapes: X is one side, O the other, . an empty point.
const SHAPES: [&str; 22] = [
    "OXXX...XXXO",
    "XXX.XX",
    "XX.X..XX",
    "XX..X.XX",
    "XX....XX",
    "X.XX..X",
    "X.X.X.X",
    ".XXX.O",
    "XXXX",
    "OXXXX",
    "X.XXO",
    "XXX",
    "XX.XX",
    "X.XXX",
    "XX..X",
    "X.X..X",
    "OXXX",
    ".XX.O",
    "XXX..XO",
    "XX",
    "X...X",
    "X",
];

pub fn controller(weights: &Weights, depth: u8) -> Controller {
    let lines = Lines {
        width: weights.width,
        extend: weights.extend == 1,
        attack: weights.attack,
        defend: weights.defend,
        key: weights.key,
    };
    Controller {
        name: "bench".into(),
        source: "drawn".into(),
        profile: match weights.profile {
            PROFILE_LINES => Profile::Lines(lines),
            _ => Profile::Wujian,
        },
        depth,
    }
}

/// Weights with one candidate a node, fours and blocks first, and forced blocks below the horizon.
pub fn force(weights: &mut Weights) {
    weights.width = 1;
    weights.extend = 1;
    weights.key = [1, 2, 3, 4, 30, 31, 31];
}

/// The weights of a payload, if each value is in range.
pub fn valid(payload: &[u8]) -> Option<Weights> {
    let in_range = |weights: &Weights| {
        weights.profile <= PROFILE_LINES
            && usize::from(weights.width) <= POINTS
            && weights.extend <= 1
            && weights.key.iter().all(|key| *key <= MAX_KEY)
    };
    Weights::decode(payload).ok().filter(in_range)
}

pub fn search_of(board: &Board, depth: u8) -> Search {
    let [own, opponent] = SIDES.map(|side| board.rows(side));
    Search {
        own,
        opponent,
        depth,
    }
}

/// The position whose side to move is the first one.
pub fn position_of(board: &Board) -> Position {
    let (board, [to_move, _]) = (*board, SIDES);
    Position { board, to_move }
}

/// Random weights of a profile; `wujian` ignores most of them.
pub fn any_weights(random: &mut Random, is_lines: bool) -> Weights {
    let wide = random.between(128, 225);
    let some = random.between(1, 225);
    let width = random.choice(&[0, 1, 1, 1, 1, 2, 2, 3, 5, 16, some, wide]) as u8;
    // Of any size, or small, so that many are equal.
    let most = random.choice(&[3, 300, 1 << 15]);
    let mut table = || [(); 7].map(|()| (random.below(2 * most) as i64 - most as i64) as i16);
    let (attack, defend) = (table(), table());
    let few = [(); 7].map(|()| random.below(3) as u8);
    let any = [(); 7].map(|()| random.below(32) as u8);
    let fours = [1, 2, 3, 4, 30, 31, 31];
    let key = random.choice(&[few, any, [31; 7], fours, fours]);
    Weights {
        profile: is_lines.into(),
        width,
        extend: random.chance(50).into(),
        attack,
        defend,
        key,
    }
}

/// A depth whose search of a board is short: the golden model is slow.
pub fn any_depth(random: &mut Random, weights: &Weights, board: &Board) -> u8 {
    let is_lines = weights.profile == PROFILE_LINES;
    let most = match (is_lines, weights.width, board.stones()) {
        (_, _, 222..) | (true, 1, _) => MAX_DEPTH,
        (true, 2..=3, _) => 4,
        (true, 4..=6, _) | (false, _, ..=1) => 3,
        (true, _, ..=2) | (false, _, 2..=6) => 2,
        _ => 1,
    };
    match random.chance(60) {
        true => most,
        false => random.between(1, most.into()) as u8,
    }
}

/// A random board without five in a row.
pub fn any_board(random: &mut Random) -> Board {
    match random.below(10) {
        0..6 => shaped(random),
        6..8 => cluttered(random),
        8 => dead(random),
        _ => sparse(random),
    }
}

/// A board with shapes along lines, often at their ends, and some other stones.
pub fn shaped(random: &mut Random) -> Board {
    let mut board = Board::default();
    for _ in 0..random.between(1, 4) {
        let (shape, side) = (random.choice(&SHAPES), random.index(2));
        any_shape(random, &mut board, shape, side);
    }
    for _ in 0..random.choice(&[0, 0, 4, 12]) {
        put(&mut board, random.index(POINTS), random.choice(&SIDES));
    }
    board
}

/// Threes of both sides, so that fours are made and have to be blocked; few win at once.
pub fn blocked(random: &mut Random) -> Board {
    let mut board = Board::default();
    for (side, shapes) in [
        (0, ["OXXX", "OXX.X", "XX"]),
        (0, ["OXXX", "OX.XX", "XX"]),
        (1, ["OXXX", "XXX", "X.XX"]),
    ] {
        let shape = random.choice(&shapes);
        any_shape(random, &mut board, shape, side);
    }
    board
}

/// A board with only the shape of this number, for the side to move.
pub fn alone(random: &mut Random, shape: u64) -> Board {
    let mut board = Board::default();
    let shape = SHAPES[shape as usize % SHAPES.len()];
    any_shape(random, &mut board, shape, 0);
    board
}

/// Puts a shape on any line, in any direction.
fn any_shape(random: &mut Random, board: &mut Board, shape: &str, side: usize) {
    let is_reversed = random.chance(50);
    put_shape(random, board, shape, side, is_reversed);
}

fn put_shape(random: &mut Random, board: &mut Board, shape: &str, side: usize, is_reversed: bool) {
    let mut points = any_line(random, shape.len());
    if is_reversed {
        points.reverse();
    }
    for (point, cell) in points.into_iter().zip(shape.chars()) {
        match cell {
            'X' => put(board, point, SIDES[side]),
            'O' => put(board, point, SIDES[1 - side]),
            _ => {}
        }
    }
}

/// `length` neighbouring points of a line, often its first or last ones.
pub fn any_line(random: &mut Random, length: usize) -> Vec<usize> {
    loop {
        let (right, down) = random.choice(&DIRECTIONS);
        let start = random.index(POINTS);
        let place = |n: isize| {
            let x = (start % COLUMNS).checked_add_signed(n * right)?;
            let y = (start / COLUMNS).checked_add_signed(n * down)?;
            (x < COLUMNS && y < ROWS).then_some(y * COLUMNS + x)
        };
        let before = (1..).map_while(|n| place(-n)).collect::<Vec<_>>();
        let all: Vec<usize> = before
            .into_iter()
            .rev()
            .chain((0..).map_while(place))
            .collect();
        let Some(most) = all.len().checked_sub(length) else {
            continue;
        };
        let any = random.index(most + 1);
        let first = random.choice(&[0, most, most, any]);
        return all[first..first + length].to_vec();
    }
}

/// Stones of any side close together.
pub fn cluttered(random: &mut Random) -> Board {
    let mut board = Board::default();
    let size = random.between(3, 15);
    let [left, top] = [(); 2].map(|()| random.between(0, 15 - size));
    for _ in 0..random.between(1, 90) {
        let (x, y) = (left + random.below(size), top + random.below(size));
        put(&mut board, (15 * y + x) as usize, random.choice(&SIDES));
    }
    board
}

/// Four stones of a side around a point, whose lines have many open twos.
pub fn star(random: &mut Random) -> Board {
    let mut board = Board::default();
    let (x, y) = (
        random.between(4, 10) as isize,
        random.between(4, 10) as isize,
    );
    let diagonal = random.index(2);
    let side = random.choice(&SIDES);
    for (right, down) in &DIRECTIONS[2 * diagonal..2 * diagonal + 2] {
        for distance in [-4, 4] {
            let point = 15 * (y + distance * down) + x + distance * right;
            put(&mut board, point as usize, side);
        }
    }
    board
}

/// No stone, or few.
pub fn sparse(random: &mut Random) -> Board {
    let mut board = Board::default();
    for _ in 0..random.between(0, 3) {
        put(&mut board, random.index(POINTS), random.choice(&SIDES));
    }
    board
}

/// A board on which few points are empty, often the centre, and hardly any is alive.
pub fn dead(random: &mut Random) -> Board {
    let mut board = Board::default();
    let count = random.between(0, 4);
    let any = |_| match random.chance(40) {
        true => POINTS / 2,
        false => random.index(POINTS),
    };
    let empty: Vec<usize> = (0..count).map(any).collect();
    for point in (0..POINTS).filter(|point| !empty.contains(point)) {
        let (x, y) = (point % COLUMNS, point / COLUMNS);
        // Stones in pairs along each line.
        put(&mut board, point, SIDES[(x + 2 * y) / 2 % 2]);
    }
    board
}

/// A board on which one side or both have five in a row.
pub fn over(random: &mut Random) -> Board {
    let mut board = shaped(random);
    let both = random.chance(50);
    let first = random.index(2);
    for side in [SIDES[first], SIDES[1 - first]]
        .into_iter()
        .take(1 + usize::from(both))
    {
        let length = random.choice(&[5, 6]);
        for point in any_line(random, length) {
            board.take(point);
            board.put(point, side);
        }
    }
    board
}

/// Puts a stone on an empty point unless it makes five.
fn put(board: &mut Board, point: usize, side: Stone) {
    if board.put(point, side) && board.makes_five(point) {
        board.take(point);
    }
}
