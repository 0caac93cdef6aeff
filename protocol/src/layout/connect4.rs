//! The table of Connect Four.
//!
//! Cells are numbered column by column: cell 6 c + r is row r from the bottom in column c.

use super::GameTable;

table! {
    payloads {
        /// The value of a stone in each cell.
        "weights" Weights {
            /// One signed byte a cell: byte 6 c + r is the weight of column c, row r from the
            /// bottom.
            weights: [u8; COLUMNS * ROWS],
        }

        /// A position and the depth to search.
        "search" Search {
            /// Stones of the side to move: byte c is column c, bit r is row r from the bottom.
            /// Bits 6 and 7 are 0.
            own: [u8; COLUMNS],
            /// Stones of the other side, in the same way.
            opponent: [u8; COLUMNS],
            /// Moves to look ahead, 1 to 42; at most as many as there are empty cells are made.
            depth: u8,
        }

        /// The progress of a search.
        "progress" Progress {
            /// Number of the part, from 0 on.
            part: u16,
            /// The last depth that was completed; 0 before the first.
            depth: u8,
            /// Column chosen at that depth, 0 to 6; 255 before the first.
            column: u8,
            /// Value of that column for the side to move; 0 before the first.
            value: i16,
            /// Stones dropped until now.
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
            /// Column chosen, 0 to 6. 255 when a search was cancelled before its first depth was
            /// complete.
            column: u8,
            /// Value of that column for the side to move.
            value: i16,
            /// The last depth that was completed; 0 before the first.
            depth: u8,
            /// Stones dropped.
            nodes: u64,
            /// Clock cycles from the beginning to the end; of a trace those among them in which
            /// parts were waited for.
            cycles: u64,
        }

        /// A column of a traced search; if it is full, `legal` and the later fields are 0.
        "candidate" Candidate {
            /// Number of the part, from 0 on: the columns in the order 3, 2, 4, 1, 5, 0, 6.
            part: u16,
            /// Column, 0 to 6.
            column: u8,
            /// 1 if a stone can be dropped there, otherwise 0.
            legal: u8,
            /// Value of the column for the side to move.
            value: i16,
            /// Stones dropped to find it, the one in this column included.
            nodes: u64,
        }
    }
    messages {
        /// Sets all weights.
        SET_WEIGHTS = 0x10, "set_weights", Weights;
        /// Reply to set_weights: they hold for every request after it.
        SET_WEIGHTS_REPLY = 0x90, "set_weights_reply", ();
        /// Asks for the weights back.
        GET_WEIGHTS = 0x11, "get_weights", ();
        /// Reply to get_weights.
        WEIGHTS = 0x91, "weights", Weights;
        /// Asks for the best column: a stream.
        SEARCH = 0x12, "search", Search;
        /// Part of a search: how far it has come.
        PROGRESS = 0xb2, "progress", Progress;
        /// The end of a search.
        FOUND = 0x92, "found", Found;
        /// Asks for the value of every column, and for the best of them: a stream.
        TRACE = 0x13, "trace", Search;
        /// Part of a trace: one column.
        CANDIDATE = 0xb3, "candidate", Candidate;
        /// The end of a trace.
        TRACED = 0x93, "traced", Found;
    }
    errors {
        /// The stones are no position: one lies above an empty cell, two in one cell, or one
        /// outside of the board.
        BAD_BOARD = 0x40, "bad_board";
        /// The game is over: a side has four in a row, or no cell is empty.
        GAME_OVER = 0x41, "game_over";
        /// The depth is 0 or more than 42.
        BAD_DEPTH = 0x42, "bad_depth";
        /// No weights were set since power-up or the last reset.
        WEIGHTS_UNSET = 0x43, "weights_unset";
    }
    constants {
        /// Columns of the board.
        COLUMNS: usize = 7, "columns", 32;
        /// Rows of the board.
        ROWS: usize = 6, "rows", 32;
        /// Value of a win; each stone up to it, itself included, takes 1 off.
        WIN: u16 = 10_000, "win", 16;
        /// Most clock cycles between two parts of a search that has credit.
        PROGRESS_CYCLES: u32 = 1 << 20, "progress_cycles", 32;
    }
}

/// The game's table.
pub const GAME: GameTable = GameTable {
    name: "connect4",
    number: 2,
    messages: MESSAGES,
    decision: FOUND,
    worked: None,
    errors: ERRORS,
    constants: CONSTANTS,
};
