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
    /// The size of a board of `columns` columns and `rows` rows.
    pub const fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows }
    }

    /// Whether a board of the size `other` fits into one of this size.
    pub const fn holds(self, other: Self) -> bool {
        other.columns <= self.columns && other.rows <= self.rows
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.columns, self.rows))
    }
}

/// The board sizes that a backend supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Boards {
    /// One size and no other.
    Only(BoardSize),
    /// Every size up to this one, in both directions.
    UpTo(BoardSize),
}

impl Boards {
    /// Whether boards of `size` are supported.
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

/// What a backend can do: with its controller, or with any controller before it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The boards on which it decides.
    pub boards: Boards,
    /// Lookahead: it uses the next random draw if the position names it.
    pub known_next: bool,
    /// Lookahead: it averages over all possible random draws if the position names none.
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
    /// The capability to decide on these boards, and no other.
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

    /// Searches on boards of one size that report candidates and progress.
    pub const fn searching(board: BoardSize) -> Self {
        Self {
            trace: true,
            search: true,
            ..Self::plain(Boards::Only(board))
        }
    }

    /// The first requirement of a position that is not met, if any.
    pub fn unsupported(&self, requirements: &Requirements) -> Option<Unsupported> {
        if !self.boards.contain(requirements.board) {
            return Some(Unsupported::Board {
                requested: requirements.board,
                supported: self.boards,
            });
        }
        (requirements.known_next && !self.known_next).then_some(Unsupported::KnownNext)
    }

    /// The names of the capabilities, as shown to users.
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
    /// The position names the next random draw, which the backend must use.
    pub known_next: bool,
}

/// A requirement that a backend does not meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The board has a size that the backend does not support.
    #[error(
        "the board is {requested}, expected {supported}; use such a board, or leave this backend out"
    )]
    Board {
        /// The size of the position's board.
        requested: BoardSize,
        /// The sizes that the backend supports.
        supported: Boards,
    },
    /// The backend would ignore the next random draw.
    #[error(
        "the position includes what comes next, but this backend does not look ahead with this \
         controller; leave next out of the position"
    )]
    KnownNext,
    /// The backend does not report candidates.
    #[error(
        "it reports no candidates with this controller; name a backend that does (`lockstep \
         info`), or another controller"
    )]
    Trace,
    /// The backend plays no runs.
    #[error("it plays no batches with this controller; leave this backend out")]
    Batch,
    /// The backend has no self-play.
    #[error("it has no self-play with this controller; leave this backend out")]
    SelfPlay,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: BoardSize = BoardSize::new(4, 4);
    const WIDE: BoardSize = BoardSize::new(12, 4);

    #[test]
    fn boards_contain_supported_sizes_only() {
        assert!(Boards::Only(WIDE).contain(WIDE));
        assert!(!Boards::Only(WIDE).contain(SMALL));
        assert!(Boards::UpTo(WIDE).contain(SMALL));
        assert!(!Boards::UpTo(BoardSize::new(11, 9)).contain(WIDE));
        assert!(!Boards::UpTo(BoardSize::new(12, 3)).contain(WIDE));
    }

    #[test]
    fn unsupported_names_first_unmet_requirement() {
        let unmet = |boards, known_next| {
            let capabilities = Capabilities::plain(boards);
            let requirements = Requirements {
                board: SMALL,
                known_next,
            };
            let unsupported = capabilities.unsupported(&requirements);
            unsupported.map(|unsupported| unsupported.to_string())
        };
        assert_eq!(unmet(Boards::UpTo(WIDE), false), None);
        let next = unmet(Boards::UpTo(WIDE), true).unwrap_or_default();
        assert!(next.contains("includes what comes next"), "{next}");
        let board = unmet(Boards::Only(WIDE), true).unwrap_or_default();
        assert!(board.contains("is 4x4, expected 12x4"), "{board}");
    }
}
