//! Plays in chunks of pieces with a tick between them, which counts progress and can stop a game.

use std::time::{Duration, Instant};

use lockstep_engine::tetris::{Engine, EngineGame};
use serde::{Deserialize, Serialize};

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// No placement was legal.
    Lost,
    /// It reached its limit of pieces.
    Cut,
    /// A tick stopped it; such a game is not kept.
    #[serde(skip)]
    Stopped,
}

/// Plays chunk after chunk, up to `most` pieces.
///
/// `tick` takes the pieces of the last chunk, 0 before the first; `false` stops the game.
/// `chunk` takes the most pieces that it may play, and returns those that it played; `None` if the
/// game ended.
pub fn play(
    most: Option<u64>,
    mut tick: impl FnMut(u64) -> bool,
    mut chunk: impl FnMut(u64) -> Option<u64>,
) -> EndReason {
    let (mut played, mut last) = (0, 0);
    loop {
        let left = most.map_or(u64::MAX, |most| most.saturating_sub(played));
        if left == 0 {
            return EndReason::Cut;
        }
        if !tick(last) {
            return EndReason::Stopped;
        }
        let Some(pieces) = chunk(left) else {
            return EndReason::Lost;
        };
        played += pieces;
        last = pieces;
    }
}

/// A chunk in which the engine plays `pieces` pieces, game after game.
pub fn engine_chunk(engine: &Engine, game: &mut EngineGame, pieces: u64) -> Option<u64> {
    let before = game.totals().pieces;
    engine.play(game, pieces);
    Some(game.totals().pieces - before)
}

/// Time after which a [`timed_chunk`] ends.
const LONGEST: Duration = Duration::from_millis(20);

/// A chunk of pieces that may each take long: calls `step` until 20 ms have passed, `most`
/// pieces are played, or it returns `false` at the end of the game.
pub fn timed_chunk(most: u64, mut step: impl FnMut() -> bool) -> Option<u64> {
    let start = Instant::now();
    let mut played = 0;
    while played < most {
        if !step() {
            return None;
        }
        played += 1;
        if start.elapsed() >= LONGEST {
            break;
        }
    }
    Some(played)
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
                Some(most.min(10))
            },
        );
        assert_eq!(end, EndReason::Cut);
        assert_eq!((ticks, limits), (vec![0, 10, 10], vec![25, 15, 5]));
    }

    #[test]
    fn play_ends_on_false_tick_or_end_of_game() {
        let mut chunks = 0;
        let stopped = play(None, |pieces| pieces < 7, |_| Some(7));
        let over = play(
            None,
            |_| true,
            |_| {
                chunks += 1;
                (chunks < 3).then_some(1)
            },
        );
        assert_eq!((stopped, over), (EndReason::Stopped, EndReason::Lost));
        assert_eq!(chunks, 3);
        let none = play(Some(0), |_| true, |_| None);
        assert_eq!(none, EndReason::Cut);
    }

    #[test]
    fn timed_chunk_ends_with_game_or_limit() {
        let mut left = 3;
        let mut step = || {
            left -= 1;
            left >= 0
        };
        assert_eq!(timed_chunk(2, &mut step), Some(2));
        assert_eq!(timed_chunk(2, &mut step), None);
        assert_eq!(timed_chunk(0, || false), Some(0));
    }
}
