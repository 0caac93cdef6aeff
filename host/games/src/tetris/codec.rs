//! The encoding of Tetris on the wire.

use protocol::layout::link::LOOKAHEAD;
use protocol::layout::tetris::{
    self as table, ANY_PIECE, COLUMNS, CheckpointFields, DecideFields, DecisionFields, MovesFields,
    NO_PIECE, PART_MOVES, PLAY_PIECES, PlacementFields, PlayFields, PlayedFields, ROWS,
    SelfPlayFields, TracedFields,
};
use protocol::layout::{self, ErrorCode, Message};
use protocol::payload::link::Info;
use protocol::payload::{Payload, PayloadError, flag, range};

use super::candidate::Evaluated;
use super::playing::check_games;
use super::timing::Core;
use super::{
    Board, Candidate, Controller, Features, Move, Placement, Position, Rule, Run, Score, SelfPlay,
    Size, Sums, Tetris,
};
use crate::{BoardSize, Codec, GameError, Playing, SearchResult, Stream, Tracing};

impl Codec for Tetris {
    const WIRE: &'static layout::GameTable = &table::GAME;
    const BOARD: BoardSize = BoardSize::new(COLUMNS, ROWS);
    const CONFIGURE: &'static Message = &table::SET_WEIGHTS;
    const READ_BACK: &'static Message = &table::GET_WEIGHTS;
    const DECIDE: &'static Message = &table::DECIDE;
    const UNSET: ErrorCode = table::WEIGHTS_UNSET;
    const TRACING: Option<Tracing<Self>> = Some(Tracing {
        request: &table::TRACE,
        max_parts: 34,
        candidate: decode_candidate,
        decision: decode_traced,
    });
    const PLAYING: Option<Playing<Self>> = Some(Playing {
        play: Stream {
            request: &table::PLAY,
            encode: encode_run,
            max_parts: |run| run.pieces.len().div_ceil(PART_MOVES) as u64,
            max_gap: |run| run.pieces.len().min(PART_MOVES) as u64,
            part: decode_moves,
            end: decode_sums,
        },
        self_play: Stream {
            request: &table::SELF_PLAY,
            encode: encode_self_play,
            max_parts: |run| u64::from(run.pieces / run.spacing.max(1)),
            max_gap: |run| u64::from(run.pieces.min(run.spacing)),
            part: decode_checkpoint,
            end: decode_sums,
        },
        // 34 placements of 20 rows each, the cycles around them, and the board row by row.
        max_cycles: 1_000,
    });

    fn encode_controller(controller: &Controller) -> Result<Payload, GameError> {
        match &controller.rule {
            Rule::Linear(linear) => {
                let search = linear.search;
                let lacking = match (search.depth(), search.width()) {
                    (1 | 2, None) => return Ok(linear.weights.into_iter().collect()),
                    (1 | 2, Some(beam)) => {
                        format!("beam {beam}, but a core searches all placements")
                    }
                    (depth, _) => {
                        format!("depth {depth}, but a core looks one piece ahead at most")
                    }
                };
                let name = &controller.name;
                Err(GameError(format!(
                    "controller {name} has {lacking}; leave this backend out"
                )))
            }
            Rule::Program(_) => Err(controller.is_program("the core")),
        }
    }

    fn check_core(controller: &Controller, core: &Info) -> Result<(), GameError> {
        if !controller.looks_ahead() || core.has(LOOKAHEAD) {
            return Ok(());
        }
        Err(GameError(format!(
            "controller {} looks ahead, but this core has no lookahead; leave this backend out",
            controller.name
        )))
    }

    fn encode_position(controller: &Controller, position: &Position) -> Result<Payload, GameError> {
        let next_piece = match (controller.looks_ahead(), position.next) {
            (false, None) => NO_PIECE,
            (true, None) => ANY_PIECE,
            (_, Some(next)) => next.number(),
        };
        Ok(DecideFields {
            board: cells(&position.board)?,
            piece: position.piece.number(),
            next_piece,
        }
        .encode())
    }

    fn expected_cycles(
        controller: &Controller,
        position: &Position,
        _: &Self::Decision,
        core: &Info,
    ) -> Option<u64> {
        let core = Core::of(core)?;
        let cycles = match controller.looks_ahead() {
            true => core.cycles_ahead(position)?,
            false => core.cycles(position),
        };
        Some(cycles.into())
    }

    fn decode_decision(payload: &[u8]) -> Result<(SearchResult<Self>, u64), PayloadError> {
        let fields = DecisionFields::decode(payload)?;
        let decision = placement(&fields)?;
        Ok((SearchResult::plain(decision), fields.cycles.into()))
    }
}

/// The cells of a board that the wire can carry.
fn cells(board: &Board) -> Result<[u8; COLUMNS * ROWS / 8], GameError> {
    board.wire_bytes().ok_or_else(|| {
        let (columns, rows, wire) = (board.columns(), board.rows(), Size::STANDARD);
        GameError(format!(
            "the board is {columns}x{rows}, but the wire carries boards of {wire}; leave this backend out"
        ))
    })
}

fn encode_run(run: &Run, _: &Info) -> Result<Payload, GameError> {
    let count = run.pieces.len();
    if !(1..=PLAY_PIECES).contains(&count) {
        return Err(GameError(format!(
            "the batch has {count} pieces, expected 1 to {PLAY_PIECES}"
        )));
    }
    let number = |index: usize| run.pieces.get(index).map_or(0, |piece| piece.number());
    Ok(PlayFields {
        board: cells(&run.board)?,
        pieces: count as u16,
        numbers: std::array::from_fn(|i| number(2 * i) | number(2 * i + 1) << 4),
    }
    .encode())
}

fn encode_self_play(run: &SelfPlay, core: &Info) -> Result<Payload, GameError> {
    check_games(run.games, Some(core))?;
    Ok(SelfPlayFields {
        board: cells(&run.board)?,
        games: run.games,
        pieces: run.pieces,
        spacing: run.spacing,
        generator: run.generator,
        signature: run.signature,
    }
    .encode())
}

/// The placement of a decision; without a legal one every field but the cycles must be 0.
fn placement(fields: &DecisionFields) -> Result<Option<Placement>, PayloadError> {
    let is_legal = flag("decision", "legal", fields.legal)?;
    let nothing = DecisionFields {
        cycles: fields.cycles,
        ..DecisionFields::default()
    };
    if !is_legal && *fields != nothing {
        return Err(not_zero("decision", "legal"));
    }
    Ok(is_legal.then(|| Placement {
        rotation: fields.rotation.into(),
        column: fields.column.into(),
        row: fields.row.into(),
        rows_cleared: fields.rows_cleared.into(),
        score: Score(fields.score),
    }))
}

/// The error of a field that is 0 although later fields are not.
fn not_zero(payload: &'static str, field: &'static str) -> PayloadError {
    PayloadError::Value {
        payload,
        field,
        expected: "1, as a later field is not 0",
        got: 0,
    }
}

fn decode_candidate(payload: &[u8]) -> Result<Candidate, PayloadError> {
    let fields = PlacementFields::decode(payload)?;
    let is_legal = flag("placement", "legal", fields.legal)?;
    let nothing = PlacementFields {
        part: fields.part,
        rotation: fields.rotation,
        column: fields.column,
        ..PlacementFields::default()
    };
    if !is_legal && fields != nothing {
        return Err(not_zero("placement", "legal"));
    }
    let features = Features {
        landing_height_doubled: fields.landing_height.into(),
        eroded_cells: fields.eroded_cells.into(),
        rows_cleared: fields.rows_cleared.into(),
        row_transitions: fields.row_transitions.into(),
        column_transitions: fields.column_transitions.into(),
        holes: fields.holes.into(),
        cumulative_wells: fields.cumulative_wells.into(),
        well_sums: fields.well_sums.into(),
        hole_depth: fields.hole_depth.into(),
        rows_with_holes: fields.rows_with_holes.into(),
        diversity: fields.diversity.into(),
        aggregate_height: fields.aggregate_height.into(),
        bumpiness: fields.bumpiness.into(),
        max_height: fields.max_height.into(),
    };
    Ok(Candidate {
        rotation: fields.rotation.into(),
        column: fields.column.into(),
        evaluated: is_legal.then(|| Evaluated {
            row: fields.row.into(),
            features,
            score: Score(fields.score),
        }),
    })
}

/// Decodes the end of a trace, without its cycles, which include the time of waiting for the line.
fn decode_traced(payload: &[u8]) -> Result<Option<Placement>, PayloadError> {
    let TracedFields { cancelled, .. } = TracedFields::decode(payload)?;
    let expected = "0, as no cancel was sent";
    range("traced", "cancelled", cancelled, 0..=0, expected)?;
    let decision = &payload[payload.len() - table::DECISION.bytes()..];
    placement(&DecisionFields::decode(decision)?)
}

fn decode_moves(payload: &[u8]) -> Result<Vec<Move>, PayloadError> {
    let MovesFields { count, moves, .. } = MovesFields::decode(payload)?;
    let most = PART_MOVES as u8;
    let count = range("moves", "count", count, 0..=most, "0 to 32")?;
    let (moves, rest) = moves.split_at(count.into());
    for byte in moves {
        let expected = "a rotation up to 3 and a column";
        range("moves", "moves", *byte, 0..=0x3f, expected)?;
    }
    for byte in rest {
        range("moves", "moves", *byte, 0..=0, "0 after the last move")?;
    }
    let decoded = moves.iter().map(|byte| Move {
        rotation: usize::from(byte / 16),
        column: usize::from(byte % 16),
    });
    Ok(decoded.collect())
}

/// The totals of a checkpoint or an end, which have these fields in common.
macro_rules! sums {
    ($fields:expr, $board_crc:expr) => {
        Sums {
            pieces: $fields.pieces.into(),
            games: $fields.games.into(),
            rows_cleared: $fields.rows_cleared.into(),
            score: Some($fields.score),
            cycles: Some($fields.cycles),
            signature: $fields.signature,
            board_crc: $board_crc,
        }
    };
}

fn decode_checkpoint(payload: &[u8]) -> Result<Sums, PayloadError> {
    let fields = CheckpointFields::decode(payload)?;
    Ok(sums!(fields, None))
}

/// Decodes the end of a run or self-play.
fn decode_sums(payload: &[u8]) -> Result<Sums, PayloadError> {
    let fields = PlayedFields::decode(payload)?;
    flag("played", "cancelled", fields.cancelled)?;
    Ok(sums!(fields, Some(fields.board_crc)))
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::{Piece, golden};
    use super::*;
    use crate::contract::check_replies;

    #[test]
    fn trace_max_parts_is_most_placements_of_a_piece() {
        let board = Board::new(COLUMNS, ROWS);
        let placements = |piece: Piece| golden::all_placements(&board, piece).count() as u64;
        let tracing = Tetris::TRACING.expect("Tetris has traces");
        let most = Piece::ALL.map(placements).into_iter().max();
        assert_eq!(most, Some(tracing.max_parts));
    }

    #[test]
    fn position_encodes_as_worked_example() {
        let mut rows = [0; ROWS];
        (rows[0], rows[1]) = (0b11_1111_1110, 0b10_0000_0001);
        let position = Position {
            board: Board::from_rows(COLUMNS, &rows).expect("ten columns"),
            piece: Piece::T,
            next: None,
        };
        let controller = Controller::load("dt-20").expect("a built-in controller");
        let payload = Tetris::encode_position(&controller, &position).expect("it fits");
        assert_eq!(
            Some(payload),
            table::GAME.worked.map(|worked| (worked.payload)())
        );
    }

    /// Replies: their fields that are not 0, and the error.
    const REPLIES: &str = "
        decision  | legal=2 cycles=250 | decision.legal is 2, expected 0 or 1
        decision  | score=1 cycles=250 | decision.legal is 0, expected 1, as a later field is not 0
        decision  | cycles=250 |
        placement | part=7 rotation=2 column=9 legal=2 | placement.legal is 2, expected 0 or 1
        placement | part=7 rotation=2 column=9 holes=1 | placement.legal is 0, expected 1, as a later field is not 0
        placement | part=7 rotation=2 column=9 |
        traced    | cancelled=1 | traced.cancelled is 1, expected 0, as no cancel was sent
        traced    | |
        moves     | count=33 | moves.count is 33, expected 0 to 32
        moves     | count=2 moves=16384 | moves.moves is 64, expected a rotation up to 3 and a column
        moves     | count=1 moves=256 | moves.moves is 1, expected 0 after the last move
        moves     | count=2 moves=16128 |
        played    | cancelled=2 | played.cancelled is 2, expected 0 or 1
        played    | cancelled=1 |
    ";

    #[test]
    fn reply_bad_field_errs() {
        check_replies::<Tetris>(REPLIES);
    }
}
