//! The engine as a backend: decides positions of any size within its limits.

use lockstep_games::tetris::{
    Controller, Linear, Placement, Position, Rule, Size, Tetris, TetrisError,
};
use lockstep_games::{BoardSize, Boards, BoxError, Capabilities, Decider, Implementation};

use super::core::Engine;
use super::limits::{MAX_COLUMNS, MAX_ROWS};
use super::path::{Path, PathError};

/// The engine on one of its paths.
pub struct FastTetris {
    path: Path,
}

impl FastTetris {
    /// The engine on the path of that name, or on the fastest that this machine has.
    ///
    /// # Errors
    /// When no path has the name, or this machine cannot run it.
    pub fn new(path: Option<&str>) -> Result<Self, PathError> {
        let path = match path {
            None => Path::best(),
            Some(name) => Path::named(name)?,
        };
        Ok(Self { path })
    }
}

impl Implementation<Tetris> for FastTetris {
    fn description(&self) -> String {
        format!("fast engine, {}", self.path)
    }

    fn capabilities(&self, controller: Option<&Controller>) -> Capabilities {
        let looks_ahead = controller.is_none_or(Controller::looks_ahead);
        Capabilities {
            known_next: looks_ahead,
            averaged_next: looks_ahead,
            ..Capabilities::plain(Boards::UpTo(BoardSize::new(MAX_COLUMNS, MAX_ROWS)))
        }
    }

    fn decider(&self, controller: &Controller) -> Result<Box<dyn Decider<Tetris>>, BoxError> {
        match &controller.rule {
            Rule::Linear(linear) => Ok(Box::new(LinearDecider {
                linear: linear.clone(),
                path: self.path,
                engine: None,
            })),
            Rule::Program(_) => Err(Box::new(TetrisError::Program {
                who: "the engine",
                name: controller.name.clone(),
            })),
        }
    }
}

/// A linear controller on the engine.
struct LinearDecider {
    linear: Linear,
    path: Path,
    /// The engine for the size of the position before.
    engine: Option<Engine>,
}

impl Decider<Tetris> for LinearDecider {
    fn decide(&mut self, position: &Position) -> Result<Option<Placement>, BoxError> {
        let board = &position.board;
        let engine = match self.engine.take().filter(|e| board.is_of(e.size())) {
            Some(engine) => engine,
            None => {
                let size = Size::new(board.columns(), board.rows())?;
                Engine::new(&self.linear, size, self.path)?
            }
        };
        let engine = self.engine.insert(engine);
        Ok(engine.decide(board, position.piece, position.next))
    }
}
