//! What a backend can do, and what a position requires of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Columns and rows of a board, as text `10x20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardSize {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl BoardSize {
    /// A board of so many columns and rows.
    pub const fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows }
    }

    /// Whether a board of that size lies within one of this size.
    pub const fn holds(self, other: Self) -> bool {
        other.columns <= self.columns && other.rows <= self.rows
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.columns, self.rows))
    }
}

/// The boards a backend decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Boards {
    /// One size and no other.
    Only(BoardSize),
    /// Every size up to this one.
    UpTo(BoardSize),
}

impl Boards {
    /// Whether boards of that size are among them.
    pub const fn contain(self, size: BoardSize) -> bool {
        match self {
            Self::Only(only) => only.columns == size.columns && only.rows == size.rows,
            Self::UpTo(largest) => largest.holds(size),
        }
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(size) => size.fmt(f),
            Self::UpTo(size) => write!(f, "up to {size}"),
        }
    }
}

/// What a backend can do: with any controller before it has one, then with that controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The boards it decides on.
    pub boards: Boards,
    /// Lookahead: it uses what comes next when the position says it.
    pub known_next: bool,
    /// Lookahead: it averages over all that may come next when the position does not say it.
    pub averaged_next: bool,
    /// It plays a run of moves at one request.
    pub batch: bool,
    /// It plays whole games by itself.
    pub self_play: bool,
    /// It reports every candidate of a decision.
    pub trace: bool,
    /// Its decisions are searches that may take long, and report their progress.
    pub search: bool,
}

impl Capabilities {
    /// Deciding on such boards, and nothing else.
    pub const fn plain(boards: Boards) -> Self {
        Self {
            boards,
            known_next: false,
            averaged_next: false,
            batch: false,
            self_play: false,
            trace: false,
            search: false,
        }
    }

    /// The first requirement of a position that is not met, if any.
    pub fn unsupported(&self, requirements: &Requirements) -> Option<Unsupported> {
        if !self.boards.contain(requirements.board) {
            return Some(Unsupported::Board {
                asked: requirements.board,
                boards: self.boards,
            });
        }
        (requirements.known_next && !self.known_next).then_some(Unsupported::KnownNext)
    }

    /// The names of its capabilities beside deciding, for people.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            (self.known_next, "lookahead with the next known"),
            (self.averaged_next, "lookahead averaged"),
            (self.batch, "batches"),
            (self.self_play, "self-play"),
            (self.trace, "trace of every candidate"),
            (self.search, "progress of a search"),
        ];
        let present = all.into_iter().filter(|(present, _)| *present);
        present.map(|(_, name)| name).collect()
    }
}

/// What a position requires of a backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirements {
    /// The size of its board.
    pub board: BoardSize,
    /// The position says what comes next, which must not be ignored.
    pub known_next: bool,
}

/// A requirement that a backend does not meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The board is of another size.
    #[error("it decides on boards of {boards}, not {asked}; leave it out")]
    Board {
        /// The size asked for.
        asked: BoardSize,
        /// Those it takes.
        boards: Boards,
    },
    /// It would ignore what comes next.
    #[error(
        "the position says what comes next, and it has no lookahead with this controller; \
         leave that out"
    )]
    KnownNext,
    /// It does not report its candidates.
    #[error("it reports no candidates with this controller; leave it out")]
    Trace,
    /// It plays no run of moves.
    #[error("it plays no batches with this controller; leave it out")]
    Batch,
    /// It does not play by itself.
    #[error("it does not play by itself with this controller; leave it out")]
    SelfPlay,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: BoardSize = BoardSize::new(4, 4);
    const WIDE: BoardSize = BoardSize::new(12, 4);

    #[test]
    fn boards_contain_their_sizes_and_no_others() {
        assert!(Boards::Only(WIDE).contain(WIDE));
        assert!(!Boards::Only(WIDE).contain(SMALL));
        assert!(Boards::UpTo(WIDE).contain(SMALL));
        assert!(!Boards::UpTo(BoardSize::new(11, 9)).contain(WIDE));
        assert!(!Boards::UpTo(BoardSize::new(12, 3)).contain(WIDE));
    }

    #[test]
    fn the_first_thing_that_is_missing_is_named() {
        let lack = |boards, known_next| {
            let can = Capabilities::plain(boards);
            let requirements = Requirements {
                board: SMALL,
                known_next,
            };
            can.unsupported(&requirements).map(|lack| lack.to_string())
        };
        assert_eq!(lack(Boards::UpTo(WIDE), false), None);
        let next = lack(Boards::UpTo(WIDE), true).unwrap_or_default();
        assert!(next.contains("leave that out"), "{next}");
        let board = lack(Boards::Only(WIDE), true).unwrap_or_default();
        assert!(board.contains("12x4, not 4x4"), "{board}");
    }
}
