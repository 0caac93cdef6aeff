//! Simpler positions and controllers of Gomoku.

use protocol::layout::gomoku::{COLUMNS, ROWS, SHAPES};

use super::board::{Board, Stone};
use super::controller::{Controller, Lines, Profile};
use super::game::Gomoku;
use super::position::Position;
use crate::Shrink;
use crate::explain::{REDUCED, reduced_source};

/// A simpler position has fewer stones, or as many stones and black to move.
impl Shrink for Gomoku {
    fn simpler(position: &Position) -> Vec<Position> {
        let Position { board, to_move } = position;
        let all = board.stones();
        let halves = [true, false].into_iter().flat_map(|first| {
            let within = move |place: usize| (place < COLUMNS / 2) == first;
            [keep(board, |x, _| within(x)), keep(board, |_, y| within(y))]
        });
        let empty = [Board::default()].into_iter().chain(halves);
        let columns = (0..COLUMNS).map(|gone| keep(board, |x, _| x != gone));
        let rows = (0..ROWS).map(|gone| keep(board, |_, y| y != gone));
        let stones = board.empty_points().collect::<Vec<_>>();
        let stones = (0..COLUMNS * ROWS).filter(|point| !stones.contains(point));
        let single = stones.map(|gone| keep(board, |x, y| y * COLUMNS + x != gone));
        let fewer = empty.chain(columns).chain(rows).chain(single);
        let fewer = fewer.filter(|left| left.stones() < all);
        let to_move = *to_move;
        let mut simpler: Vec<_> = fewer.map(|board| Position { board, to_move }).collect();
        if to_move == Stone::White {
            simpler.push(Position {
                board: rebuilt(board, |_, _, stone| Some(stone.other())),
                to_move: Stone::Black,
            });
        }
        simpler
    }

    /// A simpler controller has a smaller depth, or the same depth and more weights that are 0, or
    /// the same weights and no extension, or a smaller width.
    fn simpler_controllers(controller: &Controller) -> Vec<Controller> {
        let with = |depth, profile| Controller {
            name: REDUCED.into(),
            source: reduced_source(&controller.name, &controller.source),
            profile,
            depth,
        };
        let depths = smaller(controller.depth).into_iter();
        let shallower = depths
            .filter(|depth| *depth > 0)
            .map(|depth| with(depth, controller.profile));
        let plainer = match controller.profile {
            Profile::Wujian => Vec::new(),
            Profile::Lines(lines) => plainer(&lines),
        };
        let plainer = plainer
            .into_iter()
            .map(|lines| with(controller.depth, Profile::Lines(lines)));
        shallower.chain(plainer).collect()
    }
}

/// Some smaller numbers, in ascending order.
fn smaller(number: u8) -> Vec<u8> {
    let mut smaller = vec![0, 1, number / 2, number.saturating_sub(1)];
    smaller.retain(|less| *less < number);
    smaller.sort_unstable();
    smaller.dedup();
    smaller
}

/// Weights of which more are 0, then the same weights without extension or with less width.
fn plainer(lines: &Lines) -> Vec<Lines> {
    let without = |gone: &dyn Fn(usize) -> bool| {
        let mut left = *lines;
        for index in (0..SHAPES).filter(|index| gone(*index)) {
            (left.attack[index], left.defend[index], left.key[index]) = (0, 0, 0);
        }
        left
    };
    let shapes = (0..SHAPES).map(|gone| without(&|index| index == gone));
    let all = [without(&|_| true)].into_iter();
    let tables = [
        Lines {
            attack: [0; SHAPES],
            ..*lines
        },
        Lines {
            defend: [0; SHAPES],
            ..*lines
        },
        Lines {
            key: [0; SHAPES],
            ..*lines
        },
    ];
    let fewer = all.chain(tables).chain(shapes);
    let mut plainer: Vec<Lines> = fewer.filter(|left| left != lines).collect();
    if lines.extend {
        plainer.push(Lines {
            extend: false,
            ..*lines
        });
    }
    let widths = smaller(lines.width).into_iter();
    plainer.extend(widths.map(|width| Lines { width, ..*lines }));
    plainer
}

/// The stones on the points that `kept` accepts.
fn keep(board: &Board, kept: impl Fn(usize, usize) -> bool) -> Board {
    rebuilt(board, |x, y, stone| kept(x, y).then_some(stone))
}

/// The board with each stone replaced by `stone` of its column, row and side.
fn rebuilt(board: &Board, stone: impl Fn(usize, usize, Stone) -> Option<Stone>) -> Board {
    let mut built = Board::default();
    for point in 0..COLUMNS * ROWS {
        let old = board.stone(point);
        let new = old.and_then(|old| stone(point % COLUMNS, point / COLUMNS, old));
        if let Some(new) = new {
            built.put(point, new);
        }
    }
    built
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stones::tests::simpler_is_smaller;

    #[test]
    fn simpler_position_has_halves_of_board() {
        let mut board = Board::default();
        for point in [0, 14, 112, 210, 224] {
            board.put(point, Stone::Black);
        }
        let to_move = Stone::Black;
        let simpler = Gomoku::simpler(&Position { board, to_move });
        let stones = simpler[1..5].iter().map(|p| p.board.stones());
        assert_eq!(stones.collect::<Vec<_>>(), [2, 2, 3, 3]);
    }

    #[test]
    fn simpler_position_is_smaller() {
        for first in simpler_is_smaller::<Gomoku>() {
            let simpler = Gomoku::simpler(&first);
            let singles = simpler.iter().filter(|p| p.board.stones() == 14);
            assert!(singles.count() >= 15, "each stone can be left out");
        }
    }

    #[test]
    fn simpler_controller_is_smaller() {
        let measure = |controller: &Controller| {
            let Profile::Lines(lines) = controller.profile else {
                return (controller.depth, 0, false, 0);
            };
            let tables = [lines.attack, lines.defend, lines.key.map(i16::from)];
            let weights = tables.iter().flatten().filter(|weight| **weight != 0);
            (controller.depth, weights.count(), lines.extend, lines.width)
        };
        for (preset, depths, end) in [
            ("lines", &[1, 2, 3][..], (1, 0, false, 0)),
            ("wujian", &[1, 2], (1, 0, false, 0)),
        ] {
            let mut last = Controller::load(preset).expect("a preset");
            let first = Gomoku::simpler_controllers(&last);
            let found: Vec<u8> = first.iter().map(|c| c.depth).take(depths.len()).collect();
            assert_eq!(found, depths);
            for other in &first {
                assert!(measure(other) < measure(&last), "{other:?}");
            }
            while let Some(next) = Gomoku::simpler_controllers(&last).pop() {
                assert!(measure(&next) < measure(&last));
                assert_eq!(next.source, format!("reduced from {preset}"));
                last = next;
            }
            assert_eq!(measure(&last), end);
        }
    }
}
