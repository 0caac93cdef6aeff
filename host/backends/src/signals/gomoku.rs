//! The signals of the Gomoku core.

use lockstep_explain::waves::Signals;

/// Groups that show a difference are first, groups that show its causes are last.
pub const GOMOKU: Signals = Signals {
    groups: &[
        signals!("Search", "u_gomoku_reader.u_gomoku_search.": hex "clk_i", hex "req_valid_i",
            hex "req_ready_o", decimal "state_q", decimal "ply" as "stones played",
            decimal "point.x" as "column picked",
            decimal "point.y" as "row picked", signed "compared" as "value of the stone",
            decimal "nodes_q" as "nodes", decimal "cycles_q" as "cycles"),
        signals!("Operation on the board", "u_gomoku_reader.u_gomoku_search.":
            hex "op_valid", decimal "op", decimal "op_point.x" as "column",
            decimal "op_point.y" as "row", hex "op_colour" as "colour", hex "kill"),
        signals!("Answer", "u_gomoku_reader.u_gomoku_search.": hex "rsp_valid_o", hex "rsp_ready_i",
            decimal "point_q.x" as "best column",
            decimal "point_q.y" as "best row", signed "answer_q" as "its value",
            hex "cancelled_o", hex "node_valid_o", hex "node_ready_i"),
    ],
    candidates: &[],
    begins: "u_gomoku_reader.u_gomoku_search.accept",
    answers: "u_gomoku_reader.u_gomoku_search.rsp_valid_o",
    clock: "clk_i",
};
