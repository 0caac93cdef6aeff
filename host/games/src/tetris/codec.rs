//! Tetris on the wire.

use protocol::layout::tetris::{self as table, COLUMNS, ROWS};
use protocol::layout::{self, ErrorCode, Message};
use protocol::payload::link::Info;
use protocol::payload::tetris as wire;
use protocol::payload::{Payload, PayloadError};

use super::controller::{Controller, Rule};
use super::error::TetrisError;
use super::game::Tetris;
use super::piece::Piece;
use super::placement::Placement;
use super::position::Position;
use super::score::Score;
use super::search::Search;
use super::size::Size;
use super::timing::serial_cycles;
use crate::{BoardSize, Codec};

impl Codec for Tetris {
    const WIRE: &'static layout::Game = &table::GAME;
    const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);
    const CONFIGURE: &'static Message = &table::SET_WEIGHTS;
    const READ_BACK: &'static Message = &table::GET_WEIGHTS;
    const DECIDE: &'static Message = &table::DECIDE;
    const UNSET: ErrorCode = table::WEIGHTS_UNSET;

    fn encode_controller(controller: &Controller) -> Result<Payload, TetrisError> {
        match &controller.rule {
            Rule::Linear(linear) if linear.search == Search::ONE => Ok(linear.wire().encode()),
            Rule::Linear(linear) => Err(TetrisError::Depth {
                name: controller.name.clone(),
                depth: linear.search.depth(),
            }),
            Rule::Program(_) => Err(TetrisError::Program {
                who: "the core",
                name: controller.name.clone(),
            }),
        }
    }

    fn encode_position(position: &Position) -> Result<Payload, TetrisError> {
        let board = &position.board;
        let fits = board.is_of(Size::STANDARD);
        let rows = board.to_rows().into_iter().take(ROWS);
        let rows: Vec<u16> = rows.map(|row| row as u16).collect();
        let rows = rows.try_into().ok().filter(|_| fits);
        Ok(wire::Decide {
            rows: rows.ok_or(TetrisError::Wire {
                columns: board.columns(),
                rows: board.rows(),
            })?,
            piece: position.piece.number(),
            next_piece: position.next.map(Piece::number),
        }
        .encode())
    }

    fn cycles(position: &Position, core: &Info) -> Option<u32> {
        serial_cycles(position, core.multipliers)
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
}
