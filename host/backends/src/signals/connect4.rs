//! The signals of the Connect Four core.

use lockstep_explain::waves::Signals;

/// Groups that show a difference are first, groups that show its causes are last.
pub const CONNECT4: Signals = Signals {
    groups: &[
        signals!("Search", "u_connect4_reader.u_connect4_search.": hex "clk_i", hex "req_valid_i",
            hex "req_ready_o", decimal "state_q", decimal "depth_q" as "depth",
            decimal "ply_q" as "stones dropped", decimal "column" as "column tried",
            signed "value_q" as "value of the column", hex "four" as "four in a row"),
        signals!("Position, row 5 first", "u_connect4_reader.u_connect4_search.":
            binary "u_position.stones_q.[0].stones_q[0][0]" as "side to move, column 0",
            binary "u_position.stones_q.[0].stones_q[0][1]" as "side to move, column 1",
            binary "u_position.stones_q.[0].stones_q[0][2]" as "side to move, column 2",
            binary "u_position.stones_q.[0].stones_q[0][3]" as "side to move, column 3",
            binary "u_position.stones_q.[0].stones_q[0][4]" as "side to move, column 4",
            binary "u_position.stones_q.[0].stones_q[0][5]" as "side to move, column 5",
            binary "u_position.stones_q.[0].stones_q[0][6]" as "side to move, column 6",
            binary "u_position.stones_q.[1].stones_q[1][0]" as "other side, column 0",
            binary "u_position.stones_q.[1].stones_q[1][1]" as "other side, column 1",
            binary "u_position.stones_q.[1].stones_q[1][2]" as "other side, column 2",
            binary "u_position.stones_q.[1].stones_q[1][3]" as "other side, column 3",
            binary "u_position.stones_q.[1].stones_q[1][4]" as "other side, column 4",
            binary "u_position.stones_q.[1].stones_q[1][5]" as "other side, column 5",
            binary "u_position.stones_q.[1].stones_q[1][6]" as "other side, column 6",
            signed "score" as "weights of the side that moves less the other's"),
        signals!("Best so far", "u_connect4_reader.u_connect4_search.":
            decimal "root_q" as "best column",
            hex "depth_done_o", decimal "nodes_q" as "nodes", decimal "cycles_q" as "cycles"),
        signals!("Answer", "u_connect4_reader.u_connect4_search.":
            hex "rsp_valid_o", hex "rsp_ready_i",
            hex "cancelled_o", hex "candidate_valid_o", hex "candidate_ready_i"),
    ],
    candidates: &[],
    begins: "u_connect4_reader.u_connect4_search.accept",
    answers: "u_connect4_reader.u_connect4_search.rsp_valid_o",
    clock: "clk_i",
};
