//! Tetris on the wire.

use protocol::layout::tetris::{self as table, COLUMNS, PART_MOVES, PLAY_PIECES, ROWS};
use protocol::layout::{self, ErrorCode, Message};
use protocol::payload::link::Info;
use protocol::payload::tetris as wire;
use protocol::payload::{Payload, PayloadError};

use super::board::Board;
use super::controller::{Controller, Rule};
use super::error::TetrisError;
use super::features::Features;
use super::game::Tetris;
use super::piece::Piece;
use super::placement::Placement;
use super::playing::{Move, Run, SelfPlay, Sums};
use super::position::Position;
use super::score::Score;
use super::search::Search;
use super::size::Size;
use super::timing::serial_cycles;
use super::weighed::{Evaluated, Weighed};
use crate::{BoardSize, Codec, Found, Playing, Stream, Tracing};

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
    const PLAYING: Option<Playing<Self>> = Some(Playing {
        play: Stream {
            request: &table::PLAY,
            encode: encode_run,
            most: |run| run.pieces.len().div_ceil(PART_MOVES) as u64,
            pause: |run| run.pieces.len().min(PART_MOVES) as u64,
            part: decode_moves,
            end: decode_sums,
        },
        self_play: Stream {
            request: &table::SELF_PLAY,
            encode: encode_self_play,
            most: |run| u64::from(run.pieces / run.spacing.max(1)),
            pause: |run| u64::from(run.pieces.min(run.spacing)),
            part: |payload| wire::Checkpoint::decode(payload).map(|c| c.tally.into()),
            end: decode_sums,
        },
        // 34 placements of 20 rows each, what is around them, and the board row by row.
        slowest: 1_000,
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

    fn encode_position(_: &Controller, position: &Position) -> Result<Payload, TetrisError> {
        Ok(wire::Decide {
            rows: rows(&position.board)?,
            piece: position.piece.number(),
            next_piece: position.next.map(Piece::number),
        }
        .encode())
    }

    fn cycles(position: &Position, core: &Info) -> Option<u64> {
        serial_cycles(position, core.multipliers).map(u64::from)
    }

    fn decode_decision(payload: &[u8]) -> Result<(Found<Self>, u64), PayloadError> {
        let decision = wire::Decision::decode(payload)?;
        let placement = decision.placement.map(Placement::from);
        Ok((Found::plain(placement), decision.cycles.into()))
    }
}

/// A board as the wire has it.
pub(super) fn rows(board: &Board) -> Result<[u16; ROWS], TetrisError> {
    let fits = board.is_of(Size::STANDARD);
    let rows = board.to_rows().into_iter().take(ROWS);
    let rows: Vec<u16> = rows.map(|row| row as u16).collect();
    let rows = rows.try_into().ok().filter(|_| fits);
    rows.ok_or(TetrisError::Wire {
        columns: board.columns(),
        rows: board.rows(),
    })
}

fn encode_run(run: &Run) -> Result<Payload, TetrisError> {
    let pieces = run.pieces.iter().map(|piece| piece.number());
    let play = wire::Play::of(rows(&run.board)?, pieces);
    let play = play.ok_or(TetrisError::Batch {
        pieces: run.pieces.len(),
        most: PLAY_PIECES,
    })?;
    Ok(play.encode())
}

fn encode_self_play(run: &SelfPlay) -> Result<Payload, TetrisError> {
    Ok(wire::SelfPlay {
        rows: rows(&run.board)?,
        pieces: run.pieces,
        spacing: run.spacing,
        generator: run.generator,
        signature: run.signature,
    }
    .encode())
}

fn decode_moves(payload: &[u8]) -> Result<Vec<Move>, PayloadError> {
    let moves = wire::Moves::decode(payload)?;
    let own = |played: wire::Move| Move {
        rotation: played.rotation.into(),
        column: played.column.into(),
    };
    Ok(moves.iter().map(own).collect())
}

/// The sums at the end of a play or self-play.
fn decode_sums(payload: &[u8]) -> Result<Sums, PayloadError> {
    let played = wire::Played::decode(payload)?;
    Ok(Sums {
        board_crc: Some(played.board_crc),
        ..played.tally.into()
    })
}

impl From<wire::Tally> for Sums {
    fn from(tally: wire::Tally) -> Self {
        Self {
            pieces: tally.pieces.into(),
            games: tally.games.into(),
            rows_cleared: tally.rows_cleared.into(),
            score: Some(tally.score),
            cycles: Some(tally.cycles),
            signature: tally.signature,
            board_crc: None,
        }
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
