//! The encoding of Gomoku on the wire.

use protocol::layout::gomoku::{
    self as table, MAX_DEPTH, NO_POINT, PROFILE_LINES, PROFILE_WUJIAN, PROGRESS_CYCLES, TRACE_NODES,
};
use protocol::layout::{self, ErrorCode, Message};
use protocol::payload::link::Info;
use protocol::payload::{Payload, PayloadError, flag, range};

use super::Position;
use super::board::POINTS;
use super::controller::{Controller, Profile};
use super::cycles;
use super::decision::{Candidate, Decision};
use super::game::{BOARD, Gomoku};
use crate::stones::over;
use crate::{BoardSize, Codec, GameError, SearchProgress, SearchResult, Searching, Tracing};

impl Codec for Gomoku {
    const WIRE: &'static layout::GameTable = &table::GAME;
    const BOARD: BoardSize = BOARD;
    const CONFIGURE: &'static Message = &table::SET_WEIGHTS;
    const READ_BACK: &'static Message = &table::GET_WEIGHTS;
    const DECIDE: &'static Message = &table::SEARCH;
    const UNSET: ErrorCode = table::WEIGHTS_UNSET;
    const TRACING: Option<Tracing<Self>> = Some(Tracing {
        request: &table::TRACE,
        max_parts: TRACE_NODES as u64,
        candidate: decode_node,
        decision: decode_traced,
    });
    const SEARCHING: Option<Searching<Self>> = Some(Searching {
        progress: decode_progress,
        max_gap: PROGRESS_CYCLES as u64,
    });

    fn encode_controller(controller: &Controller) -> Result<Payload, GameError> {
        let weights = match controller.profile {
            Profile::Wujian => table::Weights {
                profile: PROFILE_WUJIAN,
                ..Default::default()
            },
            Profile::Lines(lines) => table::Weights {
                profile: PROFILE_LINES,
                width: lines.width,
                extend: lines.extend.into(),
                attack: lines.attack,
                defend: lines.defend,
                key: lines.key,
            },
        };
        Ok(weights.encode())
    }

    fn encode_position(controller: &Controller, position: &Position) -> Result<Payload, GameError> {
        if position.board.is_over() {
            return Err(over::<Gomoku>());
        }
        Ok(table::Search {
            own: position.board.rows(position.to_move),
            opponent: position.board.rows(position.to_move.other()),
            depth: controller.depth,
        }
        .encode())
    }

    fn expected_cycles(
        controller: &Controller,
        position: &Position,
        decision: &Decision,
        _: &Info,
    ) -> Option<u64> {
        cycles::expected(controller, position, decision)
    }

    /// Requires a decision, as the host cancels a search only after the first one.
    fn decode_decision(payload: &[u8]) -> Result<(SearchResult<Self>, u64), PayloadError> {
        let found = table::Found::decode(payload)?;
        flag("found", "cancelled", found.cancelled)?;
        let decision = decision("found", &found)?;
        Ok((SearchResult::plain(decision), found.cycles))
    }
}

fn point(payload: &'static str, byte: u8) -> Result<u8, PayloadError> {
    let most = POINTS as u8 - 1;
    range(payload, "point", byte, 0..=most, "0 to 224")
}

fn decision(payload: &'static str, found: &table::Found) -> Result<Decision, PayloadError> {
    let point = point(payload, found.point)?;
    Ok(Decision::new(point.into(), found.value, found.nodes))
}

/// Decodes a part of a search.
fn decode_progress(payload: &[u8]) -> Result<SearchProgress<Gomoku>, PayloadError> {
    let progress = table::Progress::decode(payload)?;
    range(
        "progress",
        "depth",
        progress.depth,
        1..=MAX_DEPTH,
        "1 to 24",
    )?;
    let best = match progress.point {
        NO_POINT => None,
        byte => {
            let point = point("progress", byte)?;
            let (value, nodes) = (progress.value, progress.nodes);
            Some(Decision::new(point.into(), value, nodes))
        }
    };
    Ok(SearchProgress {
        best,
        notes: Vec::new(),
        cycles: Some(progress.cycles),
    })
}

/// Decodes a part of a trace.
fn decode_node(payload: &[u8]) -> Result<Candidate, PayloadError> {
    let node = table::Node::decode(payload)?;
    // A search places at most one stone on each point.
    let most = POINTS as u8;
    let ply = range("node", "ply", node.ply, 1..=most, "1 to 225")?;
    Ok(Candidate::new(ply, point("node", node.point)?, node.value))
}

/// Decodes the end of a trace, without its cycles, which include the time of waiting for the line.
fn decode_traced(payload: &[u8]) -> Result<Decision, PayloadError> {
    let traced = table::Found::decode(payload)?;
    range(
        "traced",
        "cancelled",
        traced.cancelled,
        0..=0,
        "0, as no cancel was sent",
    )?;
    decision("traced", &traced)
}

#[cfg(test)]
mod tests {
    use super::super::{Black, Board, White};
    use super::*;
    use crate::contract::check_replies;

    #[test]
    fn controller_is_encoded_by_profile() {
        let encoded = |name: &str| {
            let controller = Controller::load(name).expect("a built-in controller");
            let payload = Gomoku::encode_controller(&controller).expect("weights");
            payload.as_ref().to_vec()
        };
        let lines = encoded("lines");
        assert_eq!(lines[..7], [1, 16, 1, 10, 0, 35, 0]);
        assert_eq!(lines[29..], [0xd0, 7, 1, 2, 3, 8, 9, 24, 31]);
        assert_eq!(encoded("wujian"), [0; 38]);
    }

    #[test]
    fn position_is_encoded_by_row() {
        let controller = Controller::load("lines").expect("a built-in controller");
        let mut board = Board::default();
        for (point, stone) in [(9, White), (14, Black), (210, Black)] {
            board.put(point, stone);
        }
        let to_move = White;
        let position = Position { board, to_move };
        let search = Gomoku::encode_position(&controller, &position).expect("a position");
        let mut expected = [0; 61];
        (expected[1], expected[31], expected[58], expected[60]) = (2, 0x40, 1, 4);
        assert_eq!(search.as_ref(), expected);
        for point in 211..215 {
            board.put(point, Black);
        }
        let won = Position { board, to_move };
        let refused = Gomoku::encode_position(&controller, &won);
        assert!(refused.is_err_and(|why| why == over::<Gomoku>()));
    }

    const FOUND: table::Found = table::Found {
        parts: 3,
        cancelled: 0,
        point: 113,
        value: -2,
        nodes: 600,
        cycles: 1 << 40,
    };

    #[test]
    fn found_is_decoded_with_nodes() {
        for cancelled in [0, 1] {
            let payload = table::Found { cancelled, ..FOUND }.encode();
            let (found, cycles) = Gomoku::decode_decision(payload.as_ref()).expect("found");
            assert_eq!((cycles, found.notes), (1 << 40, Vec::new()));
            let decision = Decision {
                x: 8,
                y: 7,
                value: Some(-2),
                nodes: Some(600),
            };
            assert_eq!(found.decision, decision);
        }
        let traced = decode_traced(FOUND.encode().as_ref()).expect("traced");
        assert_eq!(traced, Decision::new(113, -2, 600));
    }

    /// Replies: their fields that are not 0, and the error.
    const REPLIES: &str = "
        found    | point=255         | found.point is 255, expected 0 to 224
        found    | cancelled=2       | found.cancelled is 2, expected 0 or 1
        traced   | point=225         | traced.point is 225, expected 0 to 224
        traced   | cancelled=1       | traced.cancelled is 1, expected 0, as no cancel was sent
        node     | ply=0             | node.ply is 0, expected 1 to 225
        node     | ply=1 point=225   | node.point is 225, expected 0 to 224
        progress | depth=25          | progress.depth is 25, expected 1 to 24
        progress | depth=1 point=225 | progress.point is 225, expected 0 to 224
    ";

    #[test]
    fn reply_bad_field_errs() {
        check_replies::<Gomoku>(REPLIES);
    }

    #[test]
    fn parts_are_decoded() {
        let node = table::Node {
            ply: 25,
            point: 224,
            ..Default::default()
        };
        let decoded = decode_node(node.encode().as_ref());
        assert_eq!(decoded, Ok(Candidate::new(25, 224, 0)));
        let decision = Decision::new(16, 0, 0);
        for (depth, point, best) in [(24, 255, None), (1, 16, Some(decision))] {
            let progress = table::Progress {
                depth,
                point,
                ..Default::default()
            };
            let decoded = decode_progress(progress.encode().as_ref());
            assert_eq!(decoded.map(|progress| progress.best), Ok(best));
        }
    }
}
