//! The encoding of Connect Four on the wire.

use protocol::layout::connect4::{self as table, COLUMNS, PROGRESS_CYCLES, ROWS};
use protocol::layout::{self, ErrorCode, Message};
use protocol::payload::{Payload, PayloadError, flag, range};

use super::controller::MAX_DEPTH;
use super::decision;
use super::game::BOARD;
use super::{Candidate, Connect4, Controller, Decision, Position};
use crate::stones::over;
use crate::{BoardSize, Codec, GameError, SearchProgress, SearchResult, Searching, Tracing};

impl Codec for Connect4 {
    const WIRE: &'static layout::GameTable = &table::GAME;
    const BOARD: BoardSize = BOARD;
    const CONFIGURE: &'static Message = &table::SET_WEIGHTS;
    const READ_BACK: &'static Message = &table::GET_WEIGHTS;
    const DECIDE: &'static Message = &table::SEARCH;
    const UNSET: ErrorCode = table::WEIGHTS_UNSET;
    const TRACING: Option<Tracing<Self>> = Some(Tracing {
        request: &table::TRACE,
        max_parts: COLUMNS as u64,
        candidate: decode_candidate,
        decision: decode_traced,
    });
    const SEARCHING: Option<Searching<Self>> = Some(Searching {
        progress: decode_progress,
        max_gap: PROGRESS_CYCLES as u64,
    });

    fn encode_controller(controller: &Controller) -> Result<Payload, GameError> {
        let mut weights = [0; COLUMNS * ROWS];
        let cells = controller.weights.iter().flatten();
        for (byte, weight) in weights.iter_mut().zip(cells) {
            *byte = weight.cast_unsigned();
        }
        Ok(table::Weights { weights }.encode())
    }

    fn encode_position(controller: &Controller, position: &Position) -> Result<Payload, GameError> {
        if position.board.is_over() {
            return Err(over::<Self>());
        }
        Ok(table::Search {
            own: position.board.bytes(position.to_move),
            opponent: position.board.bytes(position.to_move.other()),
            depth: controller.depth,
        }
        .encode())
    }

    /// Requires a decision, as the host cancels a search only after the first one.
    fn decode_decision(payload: &[u8]) -> Result<(SearchResult<Self>, u64), PayloadError> {
        let found = table::Found::decode(payload)?;
        let is_complete = !flag("found", "cancelled", found.cancelled)?;
        let found_depth = range("found", "depth", found.depth, 1..=MAX_DEPTH, "1 to 42")?;
        let decision = decision("found", found.column, found.value)?;
        let notes = vec![
            decision::depth(found_depth.into(), is_complete),
            decision::nodes(found.nodes, is_complete),
        ];
        Ok((SearchResult { decision, notes }, found.cycles))
    }
}

fn column(payload: &'static str, byte: u8) -> Result<usize, PayloadError> {
    let most = COLUMNS as u8 - 1;
    range(payload, "column", byte, 0..=most, "0 to 6").map(usize::from)
}

fn decision(payload: &'static str, byte: u8, value: i16) -> Result<Decision, PayloadError> {
    let column = column(payload, byte)?;
    let value = value.into();
    Ok(Decision { column, value })
}

/// Decodes a part of a search; depth 0 means that there is no best decision yet.
fn decode_progress(payload: &[u8]) -> Result<SearchProgress<Connect4>, PayloadError> {
    let progress = table::Progress::decode(payload)?;
    let depths = 0..=MAX_DEPTH;
    let depth = range("progress", "depth", progress.depth, depths, "0 to 42")?;
    let best = match depth {
        0 => None,
        _ => Some(decision("progress", progress.column, progress.value)?),
    };
    Ok(SearchProgress {
        best,
        notes: vec![
            decision::depth(depth.into(), false),
            decision::nodes(progress.nodes, false),
        ],
        cycles: Some(progress.cycles),
    })
}

/// Decodes a part of a trace, without its nodes, which the golden model does not count.
fn decode_candidate(payload: &[u8]) -> Result<Candidate, PayloadError> {
    let candidate = table::Candidate::decode(payload)?;
    let is_legal = flag("candidate", "legal", candidate.legal)?;
    let (value, nodes) = (candidate.value.into(), candidate.nodes.cast_signed());
    for (field, got) in [("value", value), ("nodes", nodes)] {
        if !is_legal && got != 0 {
            return Err(PayloadError::Value {
                payload: "candidate",
                field,
                expected: "0 for a full column",
                got,
            });
        }
    }
    Ok(Candidate {
        column: column("candidate", candidate.column)?,
        value: is_legal.then_some(candidate.value.into()),
    })
}

/// Decodes the end of a trace, without its cycles, which include the time of waiting for the line.
fn decode_traced(payload: &[u8]) -> Result<Decision, PayloadError> {
    let traced = table::Found::decode(payload)?;
    let expected = "0, as no cancel was sent";
    range("traced", "cancelled", traced.cancelled, 0..=0, expected)?;
    decision("traced", traced.column, traced.value)
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Red, Yellow};
    use super::*;
    use crate::contract::check_replies;
    use crate::{Note, Value};

    #[test]
    fn requests_are_encoded_by_column() {
        let mut controller = Controller::load("flat").expect("a built-in controller");
        controller.weights[2][3] = -2;
        let weights = Connect4::encode_controller(&controller).expect("weights");
        let mut expected = [1; 42];
        expected[15] = 0xfe;
        assert_eq!(weights.as_ref(), expected);

        let mut board = Board::default();
        for (column, stone) in [(0, Yellow), (0, Red), (6, Yellow)] {
            board.drop(column, stone);
        }
        let to_move = Red;
        let position = Position { board, to_move };
        let search = Connect4::encode_position(&controller, &position).expect("a position");
        let expected = [2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 4];
        assert_eq!(search.as_ref(), expected);
        for _ in 0..3 {
            board.drop(6, Yellow);
        }
        let position = Position { board, to_move };
        let refused = Connect4::encode_position(&controller, &position);
        assert!(refused.is_err_and(|why| why == over::<Connect4>()));
    }

    const FOUND: table::Found = table::Found {
        parts: 3,
        cancelled: 0,
        column: 4,
        value: -2,
        depth: 5,
        nodes: 600,
        cycles: 1 << 40,
    };

    #[test]
    fn found_promises_notes_unless_cancelled() {
        for cancelled in [0, 1] {
            let payload = table::Found { cancelled, ..FOUND }.encode();
            let (found, cycles) = Connect4::decode_decision(payload.as_ref()).expect("found");
            assert_eq!(cycles, 1 << 40);
            let decision = Decision {
                column: 4,
                value: -2,
            };
            assert_eq!(found.decision, decision);
            let note = |name, value| Note {
                name,
                value: Value::Number(value),
                promised: cancelled == 0,
            };
            assert_eq!(found.notes, [note("depth", 5), note("nodes", 600)]);
        }
    }

    /// Replies: their fields that are not 0, and the error.
    const REPLIES: &str = "
        found     | depth=5 column=255  | found.column is 255, expected 0 to 6
        found     | depth=5 column=7    | found.column is 7, expected 0 to 6
        found     | depth=5 cancelled=2 | found.cancelled is 2, expected 0 or 1
        found     | depth=0             | found.depth is 0, expected 1 to 42
        found     | depth=43            | found.depth is 43, expected 1 to 42
        traced    | cancelled=1         | traced.cancelled is 1, expected 0, as no cancel was sent
        traced    | column=7            | traced.column is 7, expected 0 to 6
        candidate | column=7 legal=1 nodes=1 | candidate.column is 7, expected 0 to 6
        candidate | column=6 legal=2 nodes=1 | candidate.legal is 2, expected 0 or 1
        candidate | column=6 value=1    | candidate.value is 1, expected 0 for a full column
        candidate | column=6 nodes=1    | candidate.nodes is 1, expected 0 for a full column
        candidate | column=0            |
        progress  | depth=43            | progress.depth is 43, expected 0 to 42
        progress  | depth=1 column=255  | progress.column is 255, expected 0 to 6
        progress  | depth=0 column=255  |
    ";

    #[test]
    fn reply_bad_field_errs() {
        check_replies::<Connect4>(REPLIES);
    }
}
