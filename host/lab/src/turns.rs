//! Playing in turns, so that it can be stopped and its progress counted.

use std::time::{Duration, Instant};

use lockstep_engine::tetris::{Engine, EngineGame};
use serde::{Deserialize, Serialize};

/// Why playing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// No placement was legal.
    Lost,
    /// It reached the most pieces it may have.
    Cut,
    /// It was stopped; such a game is not kept.
    #[serde(skip)]
    Stopped,
}

/// The result of a turn, some pieces between two ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// So many pieces were played, and more can be.
    Played(u64),
    /// There is no more to play.
    Over,
}

/// Plays turn after turn, up to `most` pieces. `tick` takes the pieces of the last
/// turn, 0 before the first, and stops the game by `false`. `turn` takes the most
/// pieces it may play.
pub fn play(
    most: Option<u64>,
    mut tick: impl FnMut(u64) -> bool,
    mut turn: impl FnMut(u64) -> Turn,
) -> End {
    let (mut played, mut last) = (0, 0);
    loop {
        let left = most.map_or(u64::MAX, |most| most.saturating_sub(played));
        if left == 0 {
            return End::Cut;
        }
        if !tick(last) {
            return End::Stopped;
        }
        match turn(left) {
            Turn::Played(pieces) => {
                played += pieces;
                last = pieces;
            }
            Turn::Over => return End::Lost,
        }
    }
}

/// A turn of the engine that goes on past lost games, for so many pieces.
pub fn series(engine: &Engine, game: &mut EngineGame, pieces: u64) -> Turn {
    let before = game.totals().pieces;
    engine.play(game, pieces);
    Turn::Played(game.totals().pieces - before)
}

/// Longest turn of play piece by piece.
const TURN: Duration = Duration::from_millis(20);

/// A turn of play piece by piece, each of which may take long; `step` says
/// whether one more was played.
pub fn pieces(most: u64, mut step: impl FnMut() -> bool) -> Turn {
    let start = Instant::now();
    let mut played = 0;
    while played < most {
        if !step() {
            return Turn::Over;
        }
        played += 1;
        if start.elapsed() >= TURN {
            break;
        }
    }
    Turn::Played(played)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_stops_at_most_pieces() {
        let (mut ticks, mut limits) = (Vec::new(), Vec::new());
        let end = play(
            Some(25),
            |pieces| {
                ticks.push(pieces);
                true
            },
            |most| {
                limits.push(most);
                Turn::Played(most.min(10))
            },
        );
        assert_eq!(end, End::Cut);
        assert_eq!((ticks, limits), (vec![0, 10, 10], vec![25, 15, 5]));
    }

    #[test]
    fn play_ends_on_tick_or_end_of_game() {
        let mut turns = 0;
        let stopped = play(None, |pieces| pieces < 7, |_| Turn::Played(7));
        let over = play(
            None,
            |_| true,
            |_| {
                turns += 1;
                if turns < 3 {
                    Turn::Played(1)
                } else {
                    Turn::Over
                }
            },
        );
        assert_eq!((stopped, over, turns), (End::Stopped, End::Lost, 3));
        let none = play(Some(0), |_| true, |_| Turn::Over);
        assert_eq!(none, End::Cut);
    }

    #[test]
    fn pieces_end_with_game_or_limit() {
        let mut left = 3;
        let mut step = || {
            left -= 1;
            left >= 0
        };
        assert_eq!(pieces(2, &mut step), Turn::Played(2));
        assert_eq!(pieces(2, &mut step), Turn::Over);
        assert_eq!(pieces(0, || false), Turn::Played(0));
    }
}
