//! The signals of the Connect Four core.

use lockstep_explain::waves::Signals;

/// What a difference shows in comes first, what leads to it behind.
pub const CONNECT4: Signals = Signals {
    groups: &[
        (
            "Search",
            signals!("u_connect4_reader.u_connect4_search.": hex "clk_i", hex "req_valid_i",
                hex "req_ready_o", decimal "state_q", decimal "depth_q" as "depth",
                decimal "ply_q" as "stones dropped", decimal "column" as "column tried",
                signed "value_q" as "value of the column", hex "four" as "four in a row"),
        ),
        (
            "Position",
            signals!("u_connect4_reader.u_connect4_search.": hex "stones_q" as "stones",
                signed "score_q" as "weights of side 0 less those of side 1"),
        ),
        (
            "Best so far",
            signals!("u_connect4_reader.u_connect4_search.": decimal "root_q" as "best column",
                hex "depth_done_o", decimal "nodes_q" as "nodes", decimal "cycles_q" as "cycles"),
        ),
        (
            "Answer",
            signals!("u_connect4_reader.u_connect4_search.": hex "rsp_valid_o", hex "rsp_ready_i",
                hex "cancelled_o", hex "candidate_valid_o", hex "candidate_ready_i"),
        ),
    ],
    weighed: &[(&[], "u_connect4_reader.u_connect4_search.candidate_valid_o")],
    begins: "u_connect4_reader.u_connect4_search.accept",
    clock: "clk_i",
};
