//! The bins, directed positions and refused requests of Gomoku.

use std::fmt;

use lockstep_games::gomoku::board::{Cell, place};
use lockstep_games::gomoku::golden::shape::{FIVE, Neighbours, OPEN_FOUR, Sight};
use lockstep_games::gomoku::{Board, Controller, Gomoku, Position, Profile, Stone, White};
use lockstep_games::{Catalog as _, Golden as _, LoadError};
use protocol::layout::gomoku::{self as wire, MAX_DEPTH};
use protocol::layout::{ErrorCode, Message, link};

use super::bins::{Bins, Group};
use super::cover::{Cover, directed};
use crate::gomoku::{
    DIRECTIONS, any_board, any_depth, any_setting, dead, position_of, search_of, shaped,
};
use crate::random::Random;

/// A bin of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bin {
    /// So many stones are on the board.
    Stones(&'static str),
    /// A search of this depth.
    Depth(u8),
    /// A search puts as many stones at most.
    Deepest(u8),
    /// Most candidates of a node.
    Width(&'static str),
    /// What the root of `lines` finds.
    Root(&'static str),
    /// The side to move wins, loses, or neither within the search depth.
    Value(&'static str),
    /// The chosen stone is one of five in a row in this direction.
    Five(&'static str),
    /// A point has this shape for a side, in this direction.
    Shape(u8, &'static str),
    /// A side has a run of so many stones with so many empty ends.
    Run(usize, usize),
    /// How a reply ends the search behind a point of the root.
    Cut(&'static str),
}

const NAMES: [&str; 4] = ["row", "column", "falling", "rising"];
const STONES: [&str; 4] = ["none", "1 to 9", "10 to 99", "100 to 224"];
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
const VALUES: [&str; 3] = ["won", "lost", "open"];
const CUTS: [&str; 2] = ["equal to the bound", "beyond the bound"];

impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stones(name) => write!(f, "{name} stones"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Deepest(ply) => write!(f, "ply {ply}"),
            Self::Width(name) => write!(f, "width {name}"),
            Self::Root(name) | Self::Value(name) | Self::Five(name) | Self::Cut(name) => {
                f.write_str(name)
            }
            Self::Shape(shape, direction) => write!(f, "shape {shape}, {direction}"),
            Self::Run(stones, ends) => write!(f, "{stones} stones, {ends} empty ends"),
        }
    }
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
            Cell::Empty => Sight::Empty,
            Cell::Stone(stone) if stone == side => Sight::Own,
            Cell::Stone(_) | Cell::Outside => Sight::Blocked,
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
    STONES[match stones {
        0 => 0,
        1..10 => 1,
        10..100 => 2,
        _ => 3,
    }]
}

impl Cover for Gomoku {
    type Bin = Bin;

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

    fn groups() -> Vec<Group<Bin>> {
        let shapes = (1..=FIVE).flat_map(|shape| NAMES.map(|name| Bin::Shape(shape, name)));
        let runs = (1..5).flat_map(|stones| [0, 1, 2].map(|ends| Bin::Run(stones, ends)));
        vec![
            Group::new("stones on the board", STONES.map(Bin::Stones)),
            Group::new("depth of a search", (1..=MAX_DEPTH).map(Bin::Depth)),
            Group::new("deepest ply of a search", (1..=MAX_DEPTH).map(Bin::Deepest)),
            Group::new("candidates of a node", WIDTHS.map(Bin::Width)),
            Group::new("what the root has", ROOTS.map(Bin::Root)),
            Group::new("value of the chosen point", VALUES.map(Bin::Value)),
            Group::new("direction of a five", NAMES.map(Bin::Five)),
            Group::new("shapes by direction", shapes),
            Group::new("runs by empty ends", runs),
            Group::new("replies that end a node", CUTS.map(Bin::Cut)),
        ]
    }

    fn count(bins: &mut Bins<Bin>, controller: &Controller, position: &Position) {
        let Ok(Some(trace)) = Self::trace(controller, position) else {
            return;
        };
        let Position { board, to_move } = position;
        let (decision, nodes) = (trace.decision, trace.candidates);
        bins.hit(Bin::Stones(name_of_stones(board.stones())));
        bins.hit(Bin::Depth(controller.depth));
        if let Some(ply) = nodes.iter().map(|node| node.ply).max() {
            bins.hit(Bin::Deepest(ply));
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
        bins.hit(Bin::Value(match value {
            value if value > win => VALUES[0],
            value if value < -win => VALUES[1],
            _ => VALUES[2],
        }));
        cut_bins(bins, controller, &nodes);
        let mut after = *board;
        let Some(point) = decision.point().filter(|point| after.put(*point, *to_move)) else {
            return;
        };
        for ((right, down), name) in DIRECTIONS.into_iter().zip(NAMES) {
            let cell = ray(&after, point, right, down);
            let run = |sign: isize| (1..).take_while(|n| cell(n * sign) == cell(0)).count();
            if run(1) + run(-1) >= 4 {
                bins.hit(Bin::Five(name));
            }
        }
    }

    fn cases(seed: u64) -> Vec<(Controller, Position)> {
        directed::<Self>(&mut Random::new(seed), |random, bin| {
            Some(drawn(random, bin))
        })
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

fn lines_bins(
    bins: &mut Bins<Bin>,
    position: &Position,
    value: i32,
    nodes: &[lockstep_games::gomoku::Candidate],
    width: usize,
) {
    let Position { board, to_move } = position;
    let children = nodes.iter().filter(|node| node.ply == 1).count();
    bins.hit(Bin::Width(
        WIDTHS[match width {
            0 => 0,
            1 => 1,
            2..128 => 2,
            _ => 3,
        }],
    ));
    if width > 1 && children == width {
        bins.hit(Bin::Width(WIDTHS[4]));
    }
    let other = shapes(board, to_move.other());
    for (shape, name) in other.iter().chain(&shapes(board, *to_move)) {
        if *shape > 0 {
            bins.hit(Bin::Shape(*shape, name));
        }
    }
    let has = |least| other.iter().any(|(shape, _)| *shape == least);
    bins.hit(Bin::Root(
        ROOTS[match value {
            _ if board.stones() == 0 => 0,
            29_999 if nodes.is_empty() => 1,
            29_997 if nodes.is_empty() => 2,
            _ if nodes.is_empty() => 6 + usize::from(!board.is_empty(112)),
            _ if has(FIVE) => 3,
            _ if has(OPEN_FOUR) => 4,
            _ => 5,
        }],
    ));
}

fn run_bins(bins: &mut Bins<Bin>, board: &Board) {
    for point in (0..225).filter(|point| !board.is_empty(*point)) {
        for (right, down) in DIRECTIONS {
            let cell = ray(board, point, right, down);
            let length = (1..5).take_while(|n| cell(*n) == cell(0)).count() + 1;
            if cell(-1) != cell(0) && length < 5 {
                let ends = [cell(-1), cell(length as isize)];
                let empty = ends.into_iter().filter(|end| *end == Cell::Empty).count();
                bins.hit(Bin::Run(length, empty));
            }
        }
    }
}

/// Replies to a point of the root that are no better than the best point before.
fn cut_bins(
    bins: &mut Bins<Bin>,
    controller: &Controller,
    nodes: &[lockstep_games::gomoku::Candidate],
) {
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
            bins.hit(Bin::Cut(CUTS[usize::from(reply < best)]));
        }
        best = best.max(Some(node.value));
        reply = None;
    }
}

/// A random search that is likely to hit a bin.
fn drawn(random: &mut Random, bin: Bin) -> (Controller, Position) {
    let is_lines = match bin {
        Bin::Run(..) => false,
        Bin::Width(_) | Bin::Root(_) | Bin::Shape(..) | Bin::Depth(_) | Bin::Deepest(_) => true,
        _ => random.chance(60),
    };
    let mut setting = any_setting(random, is_lines);
    let board = loop {
        let board = match bin {
            Bin::Five(_) | Bin::Shape(..) | Bin::Run(..) => shaped(random),
            Bin::Root("no candidate: the centre" | "no candidate: the lowest point") => {
                dead(random)
            }
            _ => any_board(random),
        };
        if !board.is_full() {
            break board;
        }
    };
    let depth = match bin {
        Bin::Depth(depth) | Bin::Deepest(depth) => {
            setting.lines.width = 1;
            depth
        }
        _ => any_depth(random, &setting, &board),
    };
    (setting.controller(depth), position_of(&board))
}
