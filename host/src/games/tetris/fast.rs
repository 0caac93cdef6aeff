//! The engine as the rest of the host asks it: a position at a time, of any
//! size that fits.

use super::engine::{Engine, Path};
use super::{Linear, Placement, Position, Size, Tetris};
use crate::games::Decider;

/// The path of that name, or the fastest here.
///
/// # Errors
/// When there is no such path, or not on this machine.
pub(super) fn path(name: Option<&str>) -> Result<Path, String> {
    let Some(name) = name else {
        return Ok(Path::best());
    };
    let path: Path = name.parse().map_err(|e| format!("{e}"))?;
    match path.available() {
        true => Ok(path),
        false => Err(format!("this machine lacks the instructions of {path}")),
    }
}

/// A linear controller on the engine.
pub(super) struct FastTetris {
    linear: Linear,
    path: Path,
    /// Made for the size asked last.
    engine: Option<Engine>,
}

impl FastTetris {
    pub(super) fn new(linear: Linear, path: Path) -> Self {
        Self {
            linear,
            path,
            engine: None,
        }
    }
}

impl Decider<Tetris> for FastTetris {
    fn decide(&mut self, position: &Position) -> Result<Option<Placement>, String> {
        let board = &position.board;
        if self.engine.as_ref().is_none_or(|e| !board.is_of(e.size())) {
            let size = Size::new(board.columns(), board.rows()).map_err(|e| e.to_string())?;
            let engine = Engine::new(&self.linear, size, self.path).map_err(|e| e.to_string())?;
            self.engine = Some(engine);
        }
        let engine = self.engine.as_ref();
        Ok(engine.and_then(|e| e.decide(board, position.piece, position.next)))
    }
}
