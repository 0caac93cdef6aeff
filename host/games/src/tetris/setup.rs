//! What games are dealt from.

use serde::{Deserialize, Serialize};

use super::size::Size;
use super::source::PieceSource;

/// How a session's games are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// How pieces are drawn.
    pub piece_source: PieceSource,
    /// Seed of the session.
    pub seed: u64,
    /// Size of the board.
    #[serde(default)]
    pub board: Size,
    /// Whether the piece after the one to place is known.
    #[serde(default)]
    pub next_known: bool,
}

impl Setup {
    /// Uniform pieces on the standard board, the next one unknown.
    pub fn standard(seed: u64) -> Self {
        Self {
            piece_source: PieceSource::Uniform,
            seed,
            board: Size::STANDARD,
            next_known: false,
        }
    }
}
