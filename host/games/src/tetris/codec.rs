//! Tetris on the wire.

use protocol::layout::tetris::{self as table, COLUMNS, ROWS};
use protocol::layout::{self, ErrorCode, Message};
use protocol::payload::link::Info;
use protocol::payload::tetris as wire;
use protocol::payload::{Payload, PayloadError};

use super::controller::{Controller, Rule};
use super::error::TetrisError;
use super::features::Features;
use super::game::Tetris;
use super::piece::Piece;
use super::placement::Placement;
use super::position::Position;
use super::score::Score;
use super::search::Search;
use super::size::Size;
use super::timing::serial_cycles;
use super::weighed::{Evaluated, Weighed};
use crate::{BoardSize, Codec, Tracing};

impl Codec for Tetris {
    const WIRE: &'static layout::Game = &table::GAME;
    const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);
    const CONFIGURE: &'static Message = &table::SET_WEIGHTS;
    const READ_BACK: &'static Message = &table::GET_WEIGHTS;
    const DECIDE: &'static Message = &table::DECIDE;
    const UNSET: ErrorCode = table::WEIGHTS_UNSET;
    const TRACING: Option<Tracing<Self>> = Some(Tracing {
        request: &table::TRACE,
        most: 34,
        weighed: |payload| wire::TracedPlacement::decode(payload).map(Weighed::from),
        decision: decode_traced,
    });

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
        Ok((decision.placement.map(Placement::from), decision.cycles))
    }
}

/// The decision at the end of a trace. Its cycles tell nothing: those in which the line
/// was waited for are among them.
fn decode_traced(payload: &[u8]) -> Result<Option<Placement>, PayloadError> {
    let traced = wire::Traced::decode(payload)?;
    let decision = traced.decision.ok_or(PayloadError::Value {
        payload: "traced",
        field: "cancelled",
        expected: "0: nobody cancelled it",
        got: 1,
    })?;
    Ok(decision.placement.map(Placement::from))
}

impl From<wire::Placement> for Placement {
    fn from(placement: wire::Placement) -> Self {
        Self {
            rotation: placement.rotation.into(),
            column: placement.column.into(),
            row: placement.row.into(),
            rows_cleared: placement.rows_cleared.into(),
            score: Score(placement.score),
        }
    }
}

impl From<wire::TracedPlacement> for Weighed {
    fn from(placement: wire::TracedPlacement) -> Self {
        Self {
            rotation: placement.rotation.into(),
            column: placement.column.into(),
            evaluated: placement.evaluated.map(|evaluated| Evaluated {
                row: evaluated.row.into(),
                features: Features::from_array(evaluated.features.map(i64::from)),
                score: Score(evaluated.score),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::golden;
    use super::*;

    #[test]
    fn no_piece_has_more_placements_than_a_trace() {
        let placements = |piece: Piece| golden::places(&Board::new(COLUMNS, ROWS), piece).count();
        let most = Piece::ALL.map(placements).into_iter().max();
        let tracing = Tetris::TRACING.expect("it has one");
        assert_eq!(most.map(|most| most as u64), Some(tracing.most));
    }
}
