//! What a finished game can come to: a file that says otherwise is not believed.

use super::{End, Played};

/// Most games a run may have, so that they are numbered below it.
pub const MAX_GAMES: u64 = 1_000_000_000;

/// More of anything than a game lives to, and what every reader of JSON can
/// hold.
const MAX_COUNT: u64 = 1 << 53;

/// Limits of the games of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bounds {
    /// Columns of the board; `None` where a program's own rules count as they
    /// count.
    pub columns: Option<u64>,
    /// Pieces after which a game is stopped.
    pub max_pieces: Option<u64>,
}

/// Why no game of these ends so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// No run has so many games.
    #[error("game {0}: games are numbered from 0 to {last}", last = MAX_GAMES - 1)]
    Game(u64),
    /// No game is so long.
    #[error("{0} {1}: a game has 2^53 at most")]
    Count(u64, &'static str),
    /// So many lines take more pieces.
    #[error("{lines} lines of {columns} cells: that takes at least {least} pieces, not {pieces}")]
    Lines {
        /// Lines it is said to have.
        lines: u64,
        /// Cells of a line.
        columns: u64,
        /// Pieces they take at least.
        least: u128,
        /// Pieces it is said to have.
        pieces: u64,
    },
    /// It would have been stopped before.
    #[error("{pieces} pieces: these games are stopped after {most}")]
    Beyond {
        /// Pieces it is said to have.
        pieces: u64,
        /// Most pieces of a game.
        most: u64,
    },
    /// It was stopped although it need not be.
    #[error("cut after {pieces} pieces: {}", .most.map_or_else(
        || "these games are not stopped".into(),
        |most| format!("these games are stopped after {most}")
    ))]
    Cut {
        /// Pieces it is said to have.
        pieces: u64,
        /// Most pieces of a game, if there is a limit.
        most: Option<u64>,
    },
}

/// Cells of a piece.
const CELLS: u128 = 4;

impl Bounds {
    /// Whether a game can have ended so.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check(&self, game: u64, played: &Played) -> Result<(), Impossible> {
        let Played { pieces, lines, end } = *played;
        if game >= MAX_GAMES {
            return Err(Impossible::Game(game));
        }
        for (count, what) in [(pieces, "pieces"), (lines, "lines")] {
            if count > MAX_COUNT {
                return Err(Impossible::Count(count, what));
            }
        }
        let most = self.max_pieces;
        if end == End::Cut && most.is_none() {
            return Err(Impossible::Cut { pieces, most });
        }
        let Some(columns) = self.columns else {
            return Ok(());
        };
        let least = (u128::from(lines) * u128::from(columns)).div_ceil(CELLS);
        if u128::from(pieces) < least {
            return Err(Impossible::Lines {
                lines,
                columns,
                least,
                pieces,
            });
        }
        match (end, most) {
            (End::Cut, Some(most)) if pieces < most => Err(Impossible::Cut {
                pieces,
                most: Some(most),
            }),
            (_, Some(most)) if pieces > most => Err(Impossible::Beyond { pieces, most }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_game_comes_to_is_refused_in_words() {
        let endless = Bounds {
            columns: Some(10),
            max_pieces: None,
        };
        let most_9 = Bounds {
            max_pieces: Some(9),
            ..endless
        };
        let own = Bounds::default();
        let huge = u64::MAX;
        for (bounds, game, pieces, lines, end, told) in [
            (
                endless,
                MAX_GAMES,
                0,
                0,
                End::Lost,
                "games are numbered from 0 to 999999999",
            ),
            (
                endless,
                0,
                3,
                huge,
                End::Lost,
                "18446744073709551615 lines: a game has",
            ),
            (
                own,
                0,
                huge,
                3,
                End::Lost,
                "18446744073709551615 pieces: a game has",
            ),
            (endless, 0, 9, 4, End::Lost, "at least 10 pieces, not 9"),
            (
                endless,
                0,
                9,
                3,
                End::Cut,
                "cut after 9 pieces: these games are not stopped",
            ),
            (own, 0, 9, 3, End::Cut, "these games are not stopped"),
            (
                most_9,
                0,
                8,
                3,
                End::Cut,
                "cut after 8 pieces: these games are stopped after 9",
            ),
            (
                most_9,
                0,
                10,
                3,
                End::Lost,
                "10 pieces: these games are stopped after 9",
            ),
        ] {
            let played = Played { pieces, lines, end };
            let error = bounds.check(game, &played).unwrap_err().to_string();
            assert!(error.contains(told), "{error}, not {told}");
        }
    }

    #[test]
    fn whatever_a_game_comes_to_is_believed() {
        for (columns, max_pieces, pieces, lines, end) in [
            (Some(10), None, 10, 4, End::Lost),
            (Some(10), Some(9), 9, 3, End::Cut),
            (Some(10), Some(9), 0, 0, End::Lost),
            (None, Some(9), 70, 70, End::Cut),
        ] {
            let bounds = Bounds {
                columns,
                max_pieces,
            };
            let played = Played { pieces, lines, end };
            assert_eq!(bounds.check(MAX_GAMES - 1, &played), Ok(()), "{played:?}");
        }
    }
}
