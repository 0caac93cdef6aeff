//! The engine: a controller prepared for a board size and an instruction set, its path.

use lockstep_games::tetris::{Board, Linear, Piece, Placement, Search, Size};

use super::brute;
use super::game::EngineGame;
use super::limits::{MAX_COLUMNS, MAX_ROWS, fits};
use super::run::Runner;
use super::scale::Scale;
use super::shape::shape;
use super::stack::Stack;

/// Decides placements for one linear controller and one board size.
#[derive(Clone)]
pub struct Engine {
    pub(super) linear: Linear,
    pub(super) size: Size,
    path: Path,
    pub(super) runner: Runner,
    pub(super) scale: Scale,
}

/// Why an engine could not be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No path has the name.
    #[error("unknown path '{0}', expected avx512, avx2 or portable")]
    UnknownPath(String),
    /// The machine lacks the instructions of a path.
    #[error("this machine lacks the instructions of the path {0}")]
    Path(Path),
    /// The board is too large.
    #[error(
        "the board is {0}, but the engine takes at most {MAX_COLUMNS}x{MAX_ROWS}; the golden model takes larger ones"
    )]
    Size(Size),
}

impl Engine {
    /// An engine for `linear` on boards of `size`, with the instructions of `path`.
    ///
    /// # Errors
    /// When this machine cannot run `path`, or the board is larger than 12x32.
    pub fn new(linear: &Linear, size: Size, path: Path) -> Result<Engine, EngineError> {
        if !fits(size) {
            return Err(EngineError::Size(size));
        }
        let runner = Runner::new(path).ok_or(EngineError::Path(path))?;
        Ok(Engine {
            linear: linear.clone(),
            size,
            path,
            runner,
            scale: Scale::new(&linear.weights, size),
        })
    }

    /// The size of the boards it decides on.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The instruction set it uses.
    pub const fn path(&self) -> Path {
        self.path
    }

    /// The best placement of `piece` on `board`: the first of equal scores, by rotation, then
    /// column.
    ///
    /// `None` if none is legal or the board has another size. A controller that looks ahead uses
    /// `next`, the piece after it, if it is known.
    pub fn decide(&self, board: &Board, piece: Piece, next: Option<Piece>) -> Option<Placement> {
        if !board.is_of(self.size) {
            return None;
        }
        if self.linear.search != Search::ONE {
            return self.look_ahead(&brute::columns(board), piece, next);
        }
        let Some(stack) = Stack::from_board(board, self.size) else {
            return brute::decide(&self.linear, self.size, &brute::columns(board), piece);
        };
        let choice = self.runner.choose(&stack, &self.scale, piece)?;
        let (shape, columns) = (shape(piece, choice.rotation), brute::columns(board));
        let placed = brute::evaluate_move(&columns, self.size, shape, choice.column, choice.row);
        let score = brute::score(&self.linear.weights, &placed.features);
        let place = (choice.rotation, choice.column, choice.row);
        Some(brute::placement(place, &placed, score))
    }

    /// Pieces that take about 10 ms, after which callers check whether to stop.
    pub fn chunk(&self) -> u64 {
        match self.linear.search.depth() {
            1 => 50_000,
            2 => 500,
            _ => 5,
        }
    }

    /// Plays up to `pieces` pieces of `game`; `true` when the game is lost.
    ///
    /// The board is empty then, and the next call begins another game. A game of another size is
    /// not played.
    pub fn play(&self, game: &mut EngineGame, pieces: u64) -> bool {
        if game.stack.size != self.size {
            return false;
        }
        if self.linear.search != Search::ONE {
            return self.play_ahead(game, pieces);
        }
        self.runner.play(game, &self.scale, pieces)
    }
}

/// A variant of the engine for one instruction set; all make the same decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Path {
    /// AVX-512 F, VL, BW, CD and VPOPCNTDQ, with BMI1, BMI2, LZCNT and POPCNT.
    Avx512,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// No instruction-set requirement.
    Portable,
}

impl Path {
    /// All paths, fastest first.
    pub const ALL: [Path; 3] = [Path::Avx512, Path::Avx2, Path::Portable];

    /// The fastest path this machine can run.
    pub fn best() -> Path {
        let mut paths = Path::ALL.into_iter();
        paths
            .find(|path| path.available())
            .unwrap_or(Path::Portable)
    }

    /// The path called `name`.
    ///
    /// # Errors
    /// When no path has the name, or this machine cannot run it.
    pub fn named(name: &str) -> Result<Self, EngineError> {
        let path: Self = name
            .parse()
            .map_err(|_| EngineError::UnknownPath(name.into()))?;
        match path.available() {
            true => Ok(path),
            false => Err(EngineError::Path(path)),
        }
    }

    /// Whether this machine can run the path.
    pub fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => {
                Path::Avx2.available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Path::Avx512 | Path::Avx2 => false,
            Path::Portable => true,
        }
    }
}
