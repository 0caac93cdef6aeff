//! The parameters from which games are dealt.

use serde::{Deserialize, Serialize};

use super::{PieceSource, Size};

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The source of pieces.
    pub piece_source: PieceSource,
    /// The seed of the session.
    pub seed: u64,
    /// The size of the board.
    #[serde(default)]
    pub board: Size,
    /// Whether positions name the next piece.
    #[serde(default)]
    pub next_known: bool,
}

impl Setup {
    /// The default setup: uniform pieces on the standard board, the next one unknown.
    pub fn standard(seed: u64) -> Self {
        Self {
            piece_source: PieceSource::Uniform,
            seed,
            board: Size::STANDARD,
            next_known: false,
        }
    }
}
