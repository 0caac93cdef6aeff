//! The table of Tetris, whose definitions are in `host/games/src/tetris/README.md`.

use super::{Field, GameTable, WorkedExample};
use crate::payload::Payload;

table! {
    payloads {
        /// One weight for each feature, in millionths.
        "weights" WeightFields {
            /// Weight of the doubled landing height, in millionths: half the published weight.
            landing_height: i32,
            /// Weight of the rows cleared times the piece's cells in them, in millionths.
            eroded_cells: i32,
            /// Weight of the rows cleared, in millionths.
            rows_cleared: i32,
            /// Weight of the changes between neighbouring cells of a row, in millionths.
            row_transitions: i32,
            /// Weight of the changes between neighbouring cells of a column, in millionths.
            column_transitions: i32,
            /// Weight of the empty cells with a filled one above them, in millionths.
            holes: i32,
            /// Weight of the cumulative wells, in millionths.
            cumulative_wells: i32,
            /// Weight of the well sums, in millionths.
            well_sums: i32,
            /// Weight of the filled cells in unbroken runs over a hole, in millionths.
            hole_depth: i32,
            /// Weight of the rows with a hole, in millionths.
            rows_with_holes: i32,
            /// Weight of how many of the steps -2 to 2 occur between columns, in millionths.
            diversity: i32,
            /// Weight of the sum of the column heights, in millionths.
            aggregate_height: i32,
            /// Weight of the sum of the steps between neighbouring columns, in millionths.
            bumpiness: i32,
            /// Weight of the height of the tallest column, in millionths.
            max_height: i32,
        }

        /// A position to decide.
        "decide" DecideFields {
            /// The cells: bit 10 r + c is row r from the bottom, column c from the left; 1 is
            /// filled. Bit b is bit b mod 8 of byte b / 8.
            board: [u8; COLUMNS * ROWS / 8],
            /// Number of the piece to place, 0 to 6.
            piece: u8,
            /// What the core looks ahead to: the number of the next piece, 0 to 6, or `any_piece`
            /// for each of the seven; `no_piece` for nothing.
            next_piece: u8,
        }

        /// The chosen placement; if none is legal, every field but the cycles is 0.
        "decision" DecisionFields {
            /// 1 if some placement is legal, otherwise 0.
            legal: u8,
            /// Rotation, 0 to 3, as drawn in the game's definitions.
            rotation: u8,
            /// Leftmost column of the piece, 0 to 9.
            column: u8,
            /// Landing row, 0 to 19: the lowest row of the piece, before rows are cleared.
            row: u8,
            /// Rows the placement clears, 0 to 20; more than 4 only if rows were full before.
            rows_cleared: u8,
            /// Score of the placement in millionths: the sum of weight times feature.
            score: i64,
            /// Clock cycles the AI core took for the decision.
            cycles: u32,
        }

        /// A placement of a traced decision; if it is not legal, the fields after `legal` are 0.
        "placement" PlacementFields {
            /// Number of the part, from 0 on: that of the placement, rotations ascending, in
            /// each the columns ascending.
            part: u16,
            /// Rotation, 0 to 3.
            rotation: u8,
            /// Leftmost column of the piece, 0 to 9.
            column: u8,
            /// 1 if it is legal, otherwise 0.
            legal: u8,
            /// Landing row, 0 to 19.
            row: u8,
            /// The doubled landing height.
            landing_height: u16,
            /// The rows cleared times the piece's cells in them.
            eroded_cells: u16,
            /// The rows cleared.
            rows_cleared: u16,
            /// The changes between neighbouring cells of a row.
            row_transitions: u16,
            /// The changes between neighbouring cells of a column.
            column_transitions: u16,
            /// The empty cells with a filled one above them.
            holes: u16,
            /// The cumulative wells.
            cumulative_wells: u16,
            /// The well sums.
            well_sums: u16,
            /// The filled cells in unbroken runs over a hole.
            hole_depth: u16,
            /// The rows with a hole.
            rows_with_holes: u16,
            /// How many of the steps -2 to 2 occur between columns.
            diversity: u16,
            /// The sum of the column heights.
            aggregate_height: u16,
            /// The sum of the steps between neighbouring columns.
            bumpiness: u16,
            /// The height of the tallest column.
            max_height: u16,
            /// Score in millionths: the sum of weight times feature.
            score: i64,
        }

        /// The end of a traced decision.
        "traced" TracedFields {
            /// Parts sent before.
            parts: u16,
            /// 1 if it was cancelled: what follows is 0 then. Otherwise 0.
            cancelled: u8,
            /// The rest is the decision, see `decision`.
            legal: u8,
            /// Rotation, 0 to 3.
            rotation: u8,
            /// Leftmost column of the piece, 0 to 9.
            column: u8,
            /// Landing row, 0 to 19.
            row: u8,
            /// Rows the placement clears, 0 to 20.
            rows_cleared: u8,
            /// Score of the placement in millionths.
            score: i64,
            /// Clock cycles from the beginning to the end, those among them in which parts
            /// were waited for.
            cycles: u32,
        }

        /// A board and the pieces to place.
        "play" PlayFields {
            /// The cells, as in `decide`.
            board: [u8; COLUMNS * ROWS / 8],
            /// How many pieces: 1 to `play_pieces`.
            pieces: u16,
            /// Their numbers, 0 to 6, four bits each: piece i in byte i / 2, in its lower bits
            /// where i is even. What lies after the last one counts for nothing.
            numbers: [u8; PLAY_PIECES / 2],
        }

        /// Moves of a run.
        "moves" MovesFields {
            /// Number of the part, from 0 on.
            part: u16,
            /// How many moves: `part_moves`, but for the last part.
            count: u8,
            /// One a byte: 16 times the rotation plus the leftmost column. 0 after the last.
            moves: [u8; PART_MOVES],
        }

        /// A board and the parameters of self-play.
        "self_play" SelfPlayFields {
            /// The cells, as in `decide`.
            board: [u8; COLUMNS * ROWS / 8],
            /// How many games are played side by side, 1 to `self_play_games`; 1 for a core
            /// without lanes.
            games: u8,
            /// How many pieces, at least 1.
            pieces: u32,
            /// Pieces from one checkpoint to the next, at least 1.
            spacing: u32,
            /// State of the generator before it draws the first piece.
            generator: u64,
            /// Signature of the moves before.
            signature: u64,
        }

        /// The totals of a self-play so far.
        "checkpoint" CheckpointFields {
            /// Number of the part, from 0 on, modulo 65,536.
            part: u16,
            /// Pieces decided, those that found no place among them.
            pieces: u32,
            /// Games lost, each by a piece that found no place.
            games: u32,
            /// Rows removed.
            rows_cleared: u32,
            /// Sum of the scores of the placements, in millionths.
            score: i64,
            /// Clock cycles in which a decision was under way.
            cycles: u64,
            /// Signature of the moves.
            signature: u64,
        }

        /// The totals at the end of a run or self-play.
        "played" PlayedFields {
            /// Parts sent before, modulo 65,536.
            parts: u16,
            /// Pieces decided, those that found no place among them.
            pieces: u32,
            /// Games lost, each by a piece that found no place.
            games: u32,
            /// Rows removed.
            rows_cleared: u32,
            /// Sum of the scores of the placements, in millionths.
            score: i64,
            /// Clock cycles in which a decision was under way.
            cycles: u64,
            /// Signature of the moves.
            signature: u64,
            /// 1 if it was cancelled before the last piece, otherwise 0.
            cancelled: u8,
            /// CRC-32 of the board at the end, as `decide` would have it: of its 25 bytes. Of
            /// several games the boards follow each other, game 0 first.
            board_crc: u32,
        }
    }
    messages {
        /// Sets all weights.
        SET_WEIGHTS = 0x10, "set_weights", WeightFields;
        /// Reply to set_weights: they hold for every request after it.
        SET_WEIGHTS_REPLY = 0x90, "set_weights_reply", ();
        /// Asks for the weights back.
        GET_WEIGHTS = 0x11, "get_weights", ();
        /// Reply to get_weights.
        WEIGHTS = 0x91, "weights", WeightFields;
        /// Asks for the best placement of a piece.
        DECIDE = 0x12, "decide", DecideFields;
        /// Reply to decide: the legal placement with the highest score; of equal
        /// ones that of the lowest rotation, then of the lowest column.
        DECISION = 0x92, "decision", DecisionFields;
        /// Asks for the best placement, and for all others on the way to it: a stream.
        TRACE = 0x13, "trace", DecideFields;
        /// Part of a trace: one placement.
        PLACEMENT = 0xb3, "placement", PlacementFields;
        /// The end of a trace: the decision.
        TRACED = 0x93, "traced", TracedFields;
        /// Asks for the placements of a run of pieces, each put where it is decided before the
        /// next one is: a stream. It ends early when a piece finds no place.
        PLAY = 0x14, "play", PlayFields;
        /// Part of a play: the next moves.
        MOVES = 0xb4, "moves", MovesFields;
        /// The end of a play.
        PLAYED = 0x94, "played", PlayedFields;
        /// Asks to play on with pieces that the core draws, from an empty board again when one
        /// finds no place: a stream.
        SELF_PLAY = 0x15, "self_play", SelfPlayFields;
        /// Part of a self-play: how far it has come, after every `spacing` pieces.
        CHECKPOINT = 0xb5, "checkpoint", CheckpointFields;
        /// The end of a self-play.
        SELF_PLAYED = 0x95, "self_played", PlayedFields;
    }
    errors {
        /// The number of the piece is not 0 to 6.
        BAD_PIECE = 0x40, "bad_piece";
        /// The next piece is neither a piece number nor the number for any or none.
        BAD_NEXT_PIECE = 0x41, "bad_next_piece";
        /// No weights were set since power-up or the last reset.
        WEIGHTS_UNSET = 0x42, "weights_unset";
        /// A number of pieces, of those between checkpoints, or of games is out of its range.
        BAD_COUNT = 0x43, "bad_count";
    }
    constants {
        /// Columns of the board.
        COLUMNS: usize = 10, "columns", 32;
        /// Rows of the board.
        ROWS: usize = 20, "rows", 32;
        /// Value of `next_piece` without lookahead.
        NO_PIECE: u8 = 0xff, "no_piece", 8;
        /// Value of `next_piece` when each piece may follow: the core plays for the mean.
        ANY_PIECE: u8 = 0xfe, "any_piece", 8;
        /// Pieces that a `play` has room for.
        PLAY_PIECES: usize = 160, "play_pieces", 16;
        /// Moves in a part of a `play`, but for its last one.
        PART_MOVES: usize = 32, "part_moves", 8;
        /// Games that a self_play plays side by side at most.
        SELF_PLAY_GAMES: u8 = 16, "self_play_games", 8;
        /// Number of the piece I.
        PIECE_I: u8 = 0, "piece_i", 8;
        /// Number of the piece O.
        PIECE_O: u8 = 1, "piece_o", 8;
        /// Number of the piece T.
        PIECE_T: u8 = 2, "piece_t", 8;
        /// Number of the piece S.
        PIECE_S: u8 = 3, "piece_s", 8;
        /// Number of the piece Z.
        PIECE_Z: u8 = 4, "piece_z", 8;
        /// Number of the piece J.
        PIECE_J: u8 = 5, "piece_j", 8;
        /// Number of the piece L.
        PIECE_L: u8 = 6, "piece_l", 8;
    }
}

/// Names of the pieces, by number.
pub const PIECES: &[&str] = &["I", "O", "T", "S", "Z", "J", "L"];

/// The features in the order of their weights, as in MDPTetris by Thiery and Scherrer.
pub const WEIGHT_FIELDS: &[Field] = WeightFields::FIELDS;

const WORKED: WorkedExample = WorkedExample {
    message: DECIDE,
    seq: 3,
    about: "row 0 is filled but for column 0, row 1 has\ncolumns 0 and 9, the other rows are \
            empty; piece 2 (T), without lookahead",
    payload: worked,
};

fn worked() -> Payload {
    let mut board = [0; COLUMNS * ROWS / 8];
    board[..3].copy_from_slice(&[0xfe, 0x07, 0x08]);
    let (piece, next_piece) = (2, NO_PIECE);
    let decide = DecideFields {
        board,
        piece,
        next_piece,
    };
    decide.encode()
}

/// The game's table.
pub const GAME: GameTable = GameTable {
    name: "tetris",
    number: 1,
    messages: MESSAGES,
    decision: DECISION,
    worked: Some(WORKED),
    errors: ERRORS,
    constants: CONSTANTS,
};
