//! Which signals of each game's core are worth looking at in a waveform.

use lockstep_explain::waves::{Signal, Signals};

/// Paths of a module's signals.
macro_rules! below {
    ($scope:literal: $($kind:ident $name:literal),+ $(,)?) => {
        &[$(Signal::$kind(concat!($scope, $name))),+]
    };
}

/// Those of the Tetris core, in the order in which a decision passes through it.
pub const TETRIS: Signals = Signals {
    groups: &[
        (
            "Clock and link",
            below!("": hex "clk_i", hex "rst_ni", hex "byte_valid_i", hex "byte_data_i",
                hex "byte_valid_o", hex "byte_data_o", hex "uart_rx_i", hex "uart_tx_o"),
        ),
        (
            "Request and reply",
            below!("": hex "game_req_valid", hex "game_req_ready", hex "game_req_msg",
                hex "game_reply_valid", hex "game_reply_ready", hex "game_reply_msg"),
        ),
        (
            "Decision",
            below!("u_tetris_reader.u_tetris_ai.": hex "req_valid_i", hex "req_ready_o",
                decimal "state_q", decimal "piece_q", decimal "stack", decimal "cycles_q"),
        ),
        (
            "Board, from row 0 up",
            below!("u_tetris_reader.u_tetris_ai.board_q.board_q": binary "[0]", binary "[1]",
                binary "[2]", binary "[3]", binary "[4]", binary "[5]", binary "[6]",
                binary "[7]"),
        ),
        (
            "Candidates and where they rest",
            below!("u_tetris_reader.u_tetris_ai.": hex "candidate_valid",
                hex "candidate_ready", decimal "candidate.number", decimal "candidate.rotation",
                decimal "candidate.column", hex "dropped_valid", hex "dropped_ready",
                decimal "dropped.candidate.number", hex "dropped.legal", decimal "dropped.row"),
        ),
        (
            "Rows of a placement, from the top one down",
            below!("u_tetris_reader.u_tetris_ai.": hex "beat_valid", hex "beat.first",
                hex "beat.last", binary "beat.filled", binary "beat.piece",
                decimal "scanned.candidate.number"),
        ),
        ("Features", FEATURES),
        (
            "Score",
            below!("u_tetris_reader.u_tetris_ai.": hex "score_valid",
                decimal "scored.candidate.number", decimal "scored.candidate.rotation",
                decimal "scored.candidate.column", hex "scored.legal", signed "score"),
        ),
        (
            "Best so far",
            below!("u_tetris_reader.u_tetris_ai.u_best.": decimal "arrived_q",
                hex "best_q.placement.legal", decimal "best_q.placement.candidate.number",
                signed "best_q.score"),
        ),
        (
            "Answer",
            below!("u_tetris_reader.u_tetris_ai.": hex "rsp_valid_o", hex "rsp_ready_i",
                hex "rsp_o.legal", decimal "rsp_o.rotation", decimal "rsp_o.column",
                decimal "rsp_o.row", decimal "rsp_o.rows_cleared", signed "rsp_o.score",
                decimal "rsp_o.cycles"),
        ),
    ],
    weighed: "u_tetris_reader.u_tetris_ai.score_valid",
    begins: "u_tetris_reader.u_tetris_ai.start",
    clock: "clk_i",
};

macro_rules! features {
    ($($name:literal $number:literal),+ $(,)?) => {
        &[
            Signal::hex("u_tetris_reader.u_tetris_ai.features_valid"),
            Signal::decimal("u_tetris_reader.u_tetris_ai.evaluated.candidate.number"),
            $(Signal::decimal(concat!(
                "u_tetris_reader.u_tetris_ai.features.features[", $number, "]"
            )).called($name)),+
        ]
    };
}

/// By the names they have on the wire.
const FEATURES: &[Signal] = features!(
    "landing_height" 0,
    "eroded_cells" 1,
    "rows_cleared" 2,
    "row_transitions" 3,
    "column_transitions" 4,
    "holes" 5,
    "cumulative_wells" 6,
    "well_sums" 7,
    "hole_depth" 8,
    "rows_with_holes" 9,
    "diversity" 10,
    "aggregate_height" 11,
    "bumpiness" 12,
    "max_height" 13,
);

#[cfg(test)]
mod tests {
    use protocol::layout::tetris::WEIGHT_FIELDS;

    use super::*;

    #[test]
    fn features_are_called_as_on_the_wire() {
        let named: Vec<_> = FEATURES.iter().filter_map(|signal| signal.name).collect();
        let wire: Vec<_> = WEIGHT_FIELDS.iter().map(|field| field.name).collect();
        assert_eq!(named, wire);
    }
}
