//! The bins, directed positions and refused requests of Gomoku.

use lockstep_games::gomoku::board::{Cell, DIRECTIONS, place};
use lockstep_games::gomoku::golden::shape::{CellView, FIVE, Neighbours, OPEN_FOUR};
use lockstep_games::gomoku::{
    Board, Candidate, Controller, Gomoku, Position, Profile, Stone, White,
};
use lockstep_games::{Catalog as _, Golden as _, LoadError};
use protocol::layout::gomoku::{self as wire, MAX_DEPTH};
use protocol::layout::{ErrorCode, Message, link};

use super::bins::{Bins, Group};
use super::cover::Cover;
use crate::gomoku::{
    any_board, any_depth, any_weights, controller, dead, position_of, search_of, shaped,
};
use crate::random::Random;

/// The groups of bins: of a search's position, its parameters, its nodes, its decision.
const STONES: &str = "stones on the board";
const DEPTH: &str = "depth of a search";
const DEEPEST: &str = "deepest ply of a search";
const WIDTH: &str = "candidates of a node";
const ROOT: &str = "what the root has";
const VALUE: &str = "value of the chosen point";
const FIVE_IN: &str = "direction of a five";
const SHAPE: &str = "shapes by direction";
const RUN: &str = "runs by empty ends";
const CUT: &str = "replies that end a node";

const NAMES: [&str; 4] = ["row", "column", "falling", "rising"];
const STONES_OF: [&str; 4] = ["none", "1 to 9", "10 to 99", "100 to 224"];
const WIDTHS: [&str; 5] = [
    "no limit",
    "1",
    "2 to 127",
    "128 and more",
    "as many candidates as the width",
];
const ROOTS: [&str; 8] = [
    "empty board",
    "five",
    "open four",
    "five to block",
    "open four to answer",
    "other candidates",
    "no candidate: the centre",
    "no candidate: the lowest point",
];
/// The first root without a candidate.
const NO_CANDIDATE: usize = 6;
const VALUES: [&str; 3] = ["won", "lost", "open"];
const CUTS: [&str; 2] = ["equal to the bound", "beyond the bound"];

fn shape_of(shape: u8, direction: &str) -> String {
    format!("{shape}, {direction}")
}

fn run_of(stones: usize, ends: usize) -> String {
    format!("{stones} stones, {ends} empty ends")
}

/// The cells from a point on in a direction, without the point.
fn ray(board: &Board, point: usize, right: isize, down: isize) -> impl Fn(isize) -> Cell {
    let (x, y) = place(point);
    move |n| board.cell(x + n * right, y + n * down)
}

/// The shape that a stone on an empty point makes.
fn shape(cell: impl Fn(isize) -> Cell, side: Stone) -> u8 {
    let mut seen = Neighbours::default();
    for distance in (-4..=4).filter(|distance| *distance != 0) {
        seen.add(match cell(distance) {
            Cell::Empty => CellView::Empty,
            Cell::Stone(stone) if stone == side => CellView::Own,
            Cell::Stone(_) | Cell::Outside => CellView::Blocked,
        });
    }
    seen.shape()
}

/// The shapes of a side's empty points, with their directions.
fn shapes(board: &Board, side: Stone) -> Vec<(u8, &'static str)> {
    let lines = || DIRECTIONS.into_iter().zip(NAMES);
    let at = |point| {
        lines()
            .map(move |((right, down), name)| (shape(ray(board, point, right, down), side), name))
    };
    board.empty_points().flat_map(at).collect()
}

fn name_of_stones(stones: usize) -> &'static str {
    STONES_OF[match stones {
        0 => 0,
        1..10 => 1,
        10..100 => 2,
        _ => 3,
    }]
}

impl Cover for Gomoku {
    const CONTROLLERS: &[&str] = &["lines", "wujian"];
    /// The core has all capabilities that a request may need.
    const NEVER: &[ErrorCode] = &[link::UNSUPPORTED];

    /// The golden model is too slow for deeper games.
    fn player(name: &str) -> Result<Controller, LoadError> {
        let controller = Self::load(name)?;
        Ok(Controller {
            depth: 2,
            ..controller
        })
    }

    fn groups() -> Vec<Group> {
        let shapes = (1..=FIVE).flat_map(|shape| NAMES.map(|name| shape_of(shape, name)));
        let runs = (1..5).flat_map(|stones| [0, 1, 2].map(|ends| run_of(stones, ends)));
        vec![
            Group::new(STONES, STONES_OF),
            Group::new(DEPTH, 1..=MAX_DEPTH),
            Group::new(DEEPEST, 1..=MAX_DEPTH),
            Group::new(WIDTH, WIDTHS),
            Group::new(ROOT, ROOTS),
            Group::new(VALUE, VALUES),
            Group::new(FIVE_IN, NAMES),
            Group::new(SHAPE, shapes),
            Group::new(RUN, runs),
            Group::new(CUT, CUTS),
        ]
    }

    fn count(bins: &mut Bins, controller: &Controller, position: &Position) {
        let Ok(Some(trace)) = Self::trace(controller, position) else {
            return;
        };
        let Position { board, to_move } = position;
        let (decision, nodes) = (trace.decision, trace.candidates);
        bins.hit(STONES, name_of_stones(board.stones()));
        bins.hit(DEPTH, controller.depth);
        if let Some(ply) = nodes.iter().map(|node| node.ply).max() {
            bins.hit(DEEPEST, ply);
        }
        let value = decision.value.unwrap_or(0);
        let win = match &controller.profile {
            Profile::Lines(lines) => {
                lines_bins(bins, position, value, &nodes, lines.width.into());
                28_000
            }
            Profile::Wujian => {
                run_bins(bins, board);
                99_999
            }
        };
        let outcome = match value {
            value if value > win => VALUES[0],
            value if value < -win => VALUES[1],
            _ => VALUES[2],
        };
        bins.hit(VALUE, outcome);
        cut_bins(bins, controller, &nodes);
        let mut after = *board;
        let Some(point) = decision.point().filter(|point| after.put(*point, *to_move)) else {
            return;
        };
        for ((right, down), name) in DIRECTIONS.into_iter().zip(NAMES) {
            let cell = ray(&after, point, right, down);
            let run = |sign: isize| (1..).take_while(|n| cell(n * sign) == cell(0)).count();
            if run(1) + run(-1) >= 4 {
                bins.hit(FIVE_IN, name);
            }
        }
    }

    fn draw(random: &mut Random, group: &str, place: usize) -> Option<(Controller, Position)> {
        Some(drawn(random, group, place))
    }

    fn payload(request: &Message, long: bool) -> Option<Vec<u8>> {
        let searches = [wire::SEARCH.id, wire::TRACE.id].contains(&request.id);
        let mut board = Board::default();
        board.put(100, White);
        let depth = if long { MAX_DEPTH } else { 1 };
        searches.then(|| search_of(&board, depth).encode().as_ref().to_vec())
    }

    fn refused() -> Vec<(Message, Vec<u8>, ErrorCode)> {
        let empty = search_of(&Board::default(), 1);
        let with = |change: fn(&mut wire::Search)| {
            let mut search = empty;
            change(&mut search);
            search.encode().as_ref().to_vec()
        };
        let boards = [
            with(|search| (search.own[3], search.opponent[3]) = (2, 2)),
            with(|search| search.own[14] = 1 << 15),
            with(|search| search.opponent[0] = 1 << 15),
        ];
        let depths = [
            with(|search| search.depth = 0),
            with(|search| search.depth = MAX_DEPTH + 1),
            with(|search| search.depth = u8::MAX),
        ];
        let mut all = Vec::new();
        for request in [wire::SEARCH, wire::TRACE] {
            let with = |code| move |payload: &Vec<u8>| (request, payload.clone(), code);
            all.extend(boards.iter().map(with(wire::BAD_BOARD)));
            all.extend(depths.iter().map(with(wire::BAD_DEPTH)));
        }
        for (at, value) in [(0, 2), (1, 226), (2, 2), (31, 32), (37, 128)] {
            let mut weights = vec![0; wire::SET_WEIGHTS.bytes()];
            weights[at] = value;
            all.push((wire::SET_WEIGHTS, weights, wire::BAD_WEIGHTS));
        }
        all
    }
}

fn lines_bins(bins: &mut Bins, position: &Position, value: i32, nodes: &[Candidate], width: usize) {
    let Position { board, to_move } = position;
    let children = nodes.iter().filter(|node| node.ply == 1).count();
    let limit = match width {
        0 => 0,
        1 => 1,
        2..128 => 2,
        _ => 3,
    };
    bins.hit(WIDTH, WIDTHS[limit]);
    if width > 1 && children == width {
        bins.hit(WIDTH, WIDTHS[4]);
    }
    let other = shapes(board, to_move.other());
    for (shape, name) in other.iter().chain(&shapes(board, *to_move)) {
        if *shape > 0 {
            bins.hit(SHAPE, shape_of(*shape, name));
        }
    }
    let has = |least| other.iter().any(|(shape, _)| *shape == least);
    let root = match value {
        _ if board.stones() == 0 => 0,
        29_999 if nodes.is_empty() => 1,
        29_997 if nodes.is_empty() => 2,
        _ if nodes.is_empty() => NO_CANDIDATE + usize::from(!board.is_empty(112)),
        _ if has(FIVE) => 3,
        _ if has(OPEN_FOUR) => 4,
        _ => 5,
    };
    bins.hit(ROOT, ROOTS[root]);
}

fn run_bins(bins: &mut Bins, board: &Board) {
    for point in (0..225).filter(|point| !board.is_empty(*point)) {
        for (right, down) in DIRECTIONS {
            let cell = ray(board, point, right, down);
            let length = (1..5).take_while(|n| cell(*n) == cell(0)).count() + 1;
            if cell(-1) != cell(0) && length < 5 {
                let ends = [cell(-1), cell(length as isize)];
                let empty = ends.into_iter().filter(|end| *end == Cell::Empty).count();
                bins.hit(RUN, run_of(length, empty));
            }
        }
    }
}

/// Replies to a point of the root that are no better than the best point before.
fn cut_bins(bins: &mut Bins, controller: &Controller, nodes: &[Candidate]) {
    let (mut best, mut reply) = (None::<i32>, None);
    for node in nodes.iter().filter(|node| node.ply <= 2) {
        if node.ply == 2 {
            reply = Some(match controller.profile {
                Profile::Lines(_) => -node.value,
                Profile::Wujian => node.value,
            });
            continue;
        }
        if let (Some(best), Some(reply)) = (best, reply)
            && reply <= best
        {
            bins.hit(CUT, CUTS[usize::from(reply < best)]);
        }
        best = best.max(Some(node.value));
        reply = None;
    }
}

/// A random search that is likely to hit a bin.
fn drawn(random: &mut Random, group: &str, place: usize) -> (Controller, Position) {
    let is_lines = match group {
        RUN => false,
        WIDTH | ROOT | SHAPE | DEPTH | DEEPEST => true,
        _ => random.chance(60),
    };
    let mut weights = any_weights(random, is_lines);
    let board = loop {
        let board = match group {
            FIVE_IN | SHAPE | RUN => shaped(random),
            ROOT if place >= NO_CANDIDATE => dead(random),
            _ => any_board(random),
        };
        if !board.is_full() {
            break board;
        }
    };
    let depth = match group {
        DEPTH | DEEPEST => {
            weights.width = 1;
            1 + place as u8
        }
        _ => any_depth(random, &weights, &board),
    };
    (controller(&weights, depth), position_of(&board))
}
