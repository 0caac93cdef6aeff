//! Tetris. The definitions are in this folder's README.md; [`golden`] decides
//! by them, plainly.

pub mod arithmetic;
pub mod board;
pub mod controller;
mod draw;
pub mod engine;
mod fast;
pub mod features;
pub mod golden;
pub mod piece;
pub mod position;
pub mod score;
pub mod search;
pub mod seeds;
pub mod size;
pub mod source;
mod state;

use protocol::layout::tetris::{self as table, COLUMNS, ROWS};
use protocol::layout::{self, Message};
use protocol::payload::tetris as wire;
use protocol::payload::{Payload, PayloadError};
use serde::{Deserialize, Serialize};

use crate::compare::{Field, Value};
use crate::games::{Decider, Game};
use fast::FastTetris;

pub use arithmetic::Arithmetic;
pub use controller::{Controller, Linear, Rule};
pub use piece::Piece;
pub use position::Position;
pub use score::Score;
pub use search::Search;
pub use size::Size;
pub use source::PieceSource;
pub use state::State;

/// The game.
#[derive(Debug, Clone, Copy)]
pub struct Tetris;

/// The chosen placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the piece's bottom row.
    pub row: usize,
    /// Rows it clears.
    pub rows_cleared: usize,
    /// Its score.
    pub score: Score,
}

impl Placement {
    /// The cells the piece occupies, [column, row] each; empty for a rotation
    /// the piece does not have.
    pub fn cells(&self, piece: Piece) -> Vec<[usize; 2]> {
        let cells = piece.rotations().get(self.rotation);
        cells
            .into_iter()
            .flatten()
            // A record may hold anything.
            .map(|(c, r)| [self.column.saturating_add(*c), self.row.saturating_add(*r)])
            .collect()
    }
}

/// How a session's games are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

impl Game for Tetris {
    const NAME: &'static str = "tetris";
    const WIRE: &'static layout::Game = &table::GAME;
    const BOARD: (usize, usize) = (COLUMNS, ROWS);
    const CONFIGURE: &'static Message = &table::SET_WEIGHTS;
    const READ_BACK: &'static Message = &table::GET_WEIGHTS;
    const DECIDE: &'static Message = &table::DECIDE;

    type Position = Position;
    /// `None`: no placement is legal.
    type Decision = Option<Placement>;
    type Controller = Controller;
    type Setup = Setup;
    type Match = State;

    fn decide(controller: &Controller, position: &Position) -> Option<Placement> {
        let Position { board, piece, next } = position;
        let linear = match &controller.rule {
            Rule::Linear(linear) => linear,
            Rule::Program(program) => return program.0.decide(board, *piece, *next),
        };
        let (candidate, score) = golden::best(board, *piece, *next, linear)?;
        Some(Placement {
            rotation: candidate.rotation,
            column: candidate.column,
            row: candidate.row,
            rows_cleared: candidate.features.rows_cleared as usize,
            score,
        })
    }

    fn engine_path(path: Option<&str>) -> Result<String, String> {
        Ok(fast::path(path)?.to_string())
    }

    fn engine(
        controller: &Controller,
        path: Option<&str>,
    ) -> Result<Box<dyn Decider<Self>>, String> {
        let path = fast::path(path)?;
        match &controller.rule {
            Rule::Linear(linear) => Ok(Box::new(FastTetris::new(linear.clone(), path))),
            Rule::Program(_) => Err(format!(
                "the engine plays linear controllers, and {} is a program",
                controller.name
            )),
        }
    }

    fn check(controller: &Controller, position: &Position) -> Result<(), String> {
        let board = &position.board;
        let size = Size::new(board.columns(), board.rows()).map_err(|e| e.to_string())?;
        controller.check_board(size).map_err(|e| e.to_string())
    }

    fn needs_lookahead(position: &Position) -> bool {
        position.next.is_some()
    }

    fn uses_lookahead(controller: &Controller) -> bool {
        controller.looks_ahead()
    }

    fn encode_controller(controller: &Controller) -> Result<Payload, String> {
        match &controller.rule {
            Rule::Linear(linear) if linear.search == Search::ONE => Ok(linear.wire().encode()),
            Rule::Linear(linear) => Err(format!(
                "the core decides on one piece, and controller {} looks {} ahead",
                controller.name,
                linear.search.depth()
            )),
            Rule::Program(_) => Err(format!(
                "the core plays linear controllers, and {} is a program",
                controller.name
            )),
        }
    }

    fn encode_position(position: &Position) -> Result<Payload, String> {
        let board = &position.board;
        let fits = board.is_of(Size::STANDARD);
        let rows = board.to_rows().into_iter().take(ROWS);
        let rows: Vec<u16> = rows.map(|row| row as u16).collect();
        let rows = rows.try_into().ok().filter(|_| fits).ok_or_else(|| {
            format!(
                "the wire carries boards of {COLUMNS}×{ROWS}, not {}×{}; leave it \
                     out",
                board.columns(),
                board.rows()
            )
        })?;
        Ok(wire::Decide {
            rows,
            piece: position.piece.number(),
            next_piece: position.next.map(Piece::number),
        }
        .encode())
    }

    fn decode_decision(payload: &[u8]) -> Result<(Option<Placement>, u32), PayloadError> {
        let decision = wire::Decision::decode(payload)?;
        let placement = decision.placement.map(|p| Placement {
            rotation: p.rotation.into(),
            column: p.column.into(),
            row: p.row.into(),
            rows_cleared: p.rows_cleared.into(),
            score: Score(p.score),
        });
        Ok((placement, decision.cycles))
    }

    fn fields(decision: &Option<Placement>) -> Vec<Field> {
        let number = |get: fn(&Placement) -> usize| {
            decision
                .as_ref()
                .map_or(Value::Nothing, |p| Value::Number(get(p) as u64))
        };
        let score = decision.map_or(Value::Nothing, |p| Value::Text(p.score.to_string()));
        vec![
            ("legal", Value::Flag(decision.is_some())),
            ("rotation", number(|p| p.rotation)),
            ("column", number(|p| p.column)),
            ("row", number(|p| p.row)),
            ("rows_cleared", number(|p| p.rows_cleared)),
            ("score", score),
        ]
    }

    fn draw(position: &Position, decisions: &[(&str, &Option<Placement>)]) -> String {
        draw::boards(position, decisions)
    }

    fn deal(setup: &Setup, game: u64) -> State {
        State::new(setup, game)
    }
}
