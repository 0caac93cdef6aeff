//! The signals of the Tetris core.

use lockstep_explain::waves::{Signal, Signals};
use protocol::layout::tetris::WEIGHT_FIELDS;

/// Groups that show a difference are first, groups that show its causes are last.
pub const TETRIS: Signals = Signals {
    groups: &[
        signals!("Decision", "u_tetris_reader.gen_serial.u_tetris_ai.": hex "clk_i", hex "req_valid_i",
            hex "req_ready_o", decimal "state_q", decimal "piece_q", decimal "cycles_q"),
        ("Features of a placement", FEATURES),
        signals!("Score of a placement", "u_tetris_reader.gen_serial.u_tetris_ai.": hex "score_valid",
            decimal "scored.candidate.number" as "placement",
            decimal "scored.candidate.rotation" as "rotation",
            decimal "scored.candidate.column" as "column", hex "scored.legal" as "legal",
            signed "score" as "score in millionths"),
        signals!("Best so far", "u_tetris_reader.gen_serial.u_tetris_ai.u_best.": decimal "arrived_q",
            hex "best_q.placement.legal" as "there is one",
            decimal "best_q.placement.candidate.number" as "placement",
            signed "best_q.score" as "score in millionths"),
        signals!("Answer", "u_tetris_reader.gen_serial.u_tetris_ai.": hex "rsp_valid_o", hex "rsp_ready_i",
            hex "rsp_o.legal" as "legal", decimal "rsp_o.rotation" as "rotation",
            decimal "rsp_o.column" as "column", decimal "rsp_o.row" as "row",
            decimal "rsp_o.rows_cleared" as "rows_cleared",
            signed "rsp_o.score" as "score in millionths", decimal "rsp_o.cycles" as "cycles"),
        signals!("Rows of a placement, from the top one down", "u_tetris_reader.gen_serial.u_tetris_ai.":
            hex "beat_valid",
            decimal "scanned.candidate.number" as "placement", hex "beat.first" as "first",
            hex "beat.last" as "last", binary "beat.filled" as "filled, column 9 first",
            binary "beat.piece" as "of these the piece's"),
        signals!("Candidates, and where they rest", "u_tetris_reader.gen_serial.u_tetris_ai.":
            hex "candidate_valid", hex "candidate_ready", decimal "candidate.number" as "candidate",
            decimal "candidate.rotation" as "rotation", decimal "candidate.column" as "column",
            hex "dropped_valid", hex "dropped_ready",
            decimal "dropped.candidate.number" as "dropped", hex "dropped.legal" as "legal",
            decimal "dropped.row" as "row", decimal "stack" as "height of the stack"),
        signals!("Board, column 9 first", "u_tetris_reader.gen_serial.u_tetris_ai.board_q.board_q":
            binary "[7]" as "row 7",
            binary "[6]" as "row 6", binary "[5]" as "row 5", binary "[4]" as "row 4",
            binary "[3]" as "row 3", binary "[2]" as "row 2", binary "[1]" as "row 1",
            binary "[0]" as "row 0"),
        signals!("Request and reply", "": hex "game_req.load.valid", hex "game_rsp.load.ready",
            hex "game_req.load.msg", hex "game_rsp.reply.valid", hex "game_req.reply.ready",
            hex "game_rsp.reply.msg"),
        signals!("Link", "": hex "rst_ni", hex "byte_valid_i", hex "byte_data_i",
            hex "byte_valid_o", hex "byte_data_o", hex "uart_rx_i", hex "uart_tx_o"),
    ],
    candidates: &[
        (
            FIELDS,
            "u_tetris_reader.gen_serial.u_tetris_ai.features_valid",
        ),
        (&[], "u_tetris_reader.gen_serial.u_tetris_ai.score_valid"),
    ],
    begins: "u_tetris_reader.gen_serial.u_tetris_ai.start",
    answers: "u_tetris_reader.gen_serial.u_tetris_ai.rsp_valid_o",
    clock: "clk_i",
};

/// The signals of the core with lanes.
pub const TETRIS_LANES: Signals = Signals {
    groups: &[
        signals!("Decision", "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.": hex "clk_i",
            hex "req_valid_i", hex "req_ready_o", decimal "state_q", decimal "cycles_q"),
        signals!("Best, once its board is done",
            "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.u_lanes.u_best.":
            hex "best_valid_o", hex "best_o.legal" as "there is one",
            signed "best_o.rank.score" as "score in millionths",
            decimal "best_o.row" as "row", decimal "removals_q" as "boards after removal"),
        signals!("Answer", "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.": hex "rsp_valid_o",
            hex "rsp_ready_i", hex "rsp_o.legal" as "legal",
            decimal "rsp_o.rotation" as "rotation", decimal "rsp_o.column" as "column",
            decimal "rsp_o.row" as "row", decimal "rsp_o.rows_cleared" as "rows_cleared",
            signed "rsp_o.score" as "score in millionths", decimal "rsp_o.cycles" as "cycles"),
        signals!("Lanes, a bit each", "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.u_lanes.":
            hex "load" as "a board's context is there", binary "used" as "placements",
            binary "removes" as "of these remove rows", binary "placed_valid" as "features"),
        signals!("Boards", "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.u_lanes.": hex "take",
            hex "scan_ready", hex "made_valid" as "after removal", hex "made_ready",
            hex "removed_valid" as "its score"),
        signals!("Request and reply", "": hex "game_req.load.valid", hex "game_rsp.load.ready",
            hex "game_req.load.msg", hex "game_rsp.reply.valid", hex "game_req.reply.ready",
            hex "game_rsp.reply.msg"),
        signals!("Link", "": hex "rst_ni", hex "byte_valid_i", hex "byte_data_i",
            hex "byte_valid_o", hex "byte_data_o", hex "uart_rx_i", hex "uart_tx_o"),
    ],
    candidates: &[(
        &[],
        "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.u_lanes.u_trace.score_valid_i",
    )],
    begins: "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.u_lanes.load",
    answers: "u_tetris_reader.gen_lanes.u_tetris_lanes_ai.rsp_valid_o",
    clock: "clk_i",
};

const FIELDS: &[&str] = &{
    let mut names = [""; WEIGHT_FIELDS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = WEIGHT_FIELDS[index].name;
        index += 1;
    }
    names
};

/// The signals of the features, named as on the wire.
const FEATURES: &[Signal] = signals!("u_tetris_reader.gen_serial.u_tetris_ai.":
    hex "features_valid",
    decimal "evaluated.candidate.number" as "placement",
    decimal "features.features[0]" as "landing_height",
    decimal "features.features[1]" as "eroded_cells",
    decimal "features.features[2]" as "rows_cleared",
    decimal "features.features[3]" as "row_transitions",
    decimal "features.features[4]" as "column_transitions",
    decimal "features.features[5]" as "holes",
    decimal "features.features[6]" as "cumulative_wells",
    decimal "features.features[7]" as "well_sums",
    decimal "features.features[8]" as "hole_depth",
    decimal "features.features[9]" as "rows_with_holes",
    decimal "features.features[10]" as "diversity",
    decimal "features.features[11]" as "aggregate_height",
    decimal "features.features[12]" as "bumpiness",
    decimal "features.features[13]" as "max_height");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_names_of_wire() {
        let features = FEATURES.iter().enumerate().skip(2);
        for ((index, signal), field) in features.zip(WEIGHT_FIELDS) {
            assert_eq!(signal.name, field.name);
            let number = format!("features[{}]", index - 2);
            assert!(signal.path.ends_with(&number), "{}", signal.path);
        }
        assert_eq!(FEATURES.len(), WEIGHT_FIELDS.len() + 2);
    }
}
