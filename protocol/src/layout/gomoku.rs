//! The table of Gomoku.
//!
//! Point 15 y + x is column x of row y, both from 0.

use super::GameTable;

table! {
    payloads {
        /// The parameters of a search, without its depth.
        "weights" Weights {
            /// The search: 0 is wujian, 1 is lines. The fields after it belong to lines, and wujian
            /// ignores their values.
            profile: u8,
            /// Most candidates of a node, 0 to 225; 0 is no limit.
            width: u8,
            /// 1 if forced blocks continue below the horizon, otherwise 0.
            extend: u8,
            /// Weights of the mover's shapes 1 to 7 in the score, each i16.
            attack: [i16; SHAPES],
            /// Weights of the opponent's shapes 1 to 7 in the score, each i16.
            defend: [i16; SHAPES],
            /// Weights of the shapes 1 to 7 in the order of candidates, each a byte of 0 to 31.
            key: [u8; SHAPES],
        }

        /// A position and the depth to search.
        "search" Search {
            /// Stones of the side to move: a u16 a row, row 0 first; bit x is column x, bit 15 is 0.
            own: [u16; ROWS],
            /// Stones of the other side, in the same way.
            opponent: [u16; ROWS],
            /// Stones to look ahead, 1 to 24.
            depth: u8,
        }

        /// The progress of a search.
        "progress" Progress {
            /// Number of the part, from 0 on.
            part: u16,
            /// Depth of the search.
            depth: u8,
            /// Best point of those searched so far, 0 to 224; 255 before the first.
            point: u8,
            /// Value of that point for the side to move; 0 before the first.
            value: i32,
            /// Nodes until now.
            nodes: u64,
            /// Clock cycles until now.
            cycles: u64,
        }

        /// The end of a search or trace.
        "found" Found {
            /// Parts sent before.
            parts: u16,
            /// 1 if it was cancelled, otherwise 0. A cancelled trace has 0 in every field after it.
            cancelled: u8,
            /// Point chosen, 0 to 224; 255 if there is none.
            point: u8,
            /// Value for the side to move.
            value: i32,
            /// Nodes of the search.
            nodes: u64,
            /// Clock cycles from the beginning to the end; of a trace those among them in which
            /// parts were waited for.
            cycles: u64,
        }

        /// A node of a traced search, reported when it is left.
        "node" Node {
            /// Number of the part, from 0 on.
            part: u16,
            /// Stones since the root, this one included: 1 and more.
            ply: u8,
            /// Point of the stone, 0 to 224.
            point: u8,
            /// Value of the node as its parent compares it: in lines for the side of the stone, in
            /// wujian for the side to move at the root.
            value: i32,
        }
    }
    messages {
        /// Sets all parameters but the depth.
        SET_WEIGHTS = 0x10, "set_weights", Weights;
        /// Reply to set_weights: they hold for every request after it.
        SET_WEIGHTS_REPLY = 0x90, "set_weights_reply", ();
        /// Asks for the parameters back.
        GET_WEIGHTS = 0x11, "get_weights", ();
        /// Reply to get_weights.
        WEIGHTS = 0x91, "weights", Weights;
        /// Asks for the best point: a stream.
        SEARCH = 0x12, "search", Search;
        /// Part of a search: how far it has come.
        PROGRESS = 0xb2, "progress", Progress;
        /// The end of a search.
        FOUND = 0x92, "found", Found;
        /// Asks for the best point and for the nodes of the search: a stream.
        TRACE = 0x13, "trace", Search;
        /// Part of a trace: one node.
        NODE = 0xb3, "node", Node;
        /// The end of a trace.
        TRACED = 0x93, "traced", Found;
    }
    errors {
        /// The stones are no position: two lie on one point, or one outside of the board.
        BAD_BOARD = 0x40, "bad_board";
        /// The depth is 0, more than 24, or more than this core searches.
        BAD_DEPTH = 0x41, "bad_depth";
        /// No weights were set since power-up or the last reset.
        WEIGHTS_UNSET = 0x42, "weights_unset";
        /// The profile, width, extend or a key is out of range, or the core lacks the profile. The
        /// weights set before still hold.
        BAD_WEIGHTS = 0x43, "bad_weights";
    }
    constants {
        /// Columns of the board.
        COLUMNS: usize = 15, "columns", 32;
        /// Rows of the board.
        ROWS: usize = 15, "rows", 32;
        /// Shapes with a weight.
        SHAPES: usize = 7, "shapes", 32;
        /// The profile wujian.
        PROFILE_WUJIAN: u8 = 0, "profile_wujian", 8;
        /// The profile lines.
        PROFILE_LINES: u8 = 1, "profile_lines", 8;
        /// The greatest depth, and in lines the last ply at which a block continues a search.
        MAX_DEPTH: u8 = 24, "max_depth", 8;
        /// The point of an answer without one.
        NO_POINT: u8 = 255, "no_point", 8;
        /// Most parts of a trace: its first nodes. The search goes on after them.
        TRACE_NODES: u16 = 65_535, "trace_nodes", 16;
        /// Most clock cycles between two parts of a search that has credit.
        PROGRESS_CYCLES: u32 = 1 << 20, "progress_cycles", 32;
    }
}

/// The game's table.
pub const GAME: GameTable = GameTable {
    name: "gomoku",
    number: 3,
    messages: MESSAGES,
    decision: FOUND,
    worked: None,
    errors: ERRORS,
    constants: CONSTANTS,
};
