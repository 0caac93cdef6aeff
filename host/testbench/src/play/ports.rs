//! Ports of `tetris_play`.

use sim::{Input, Output};

pub struct Ports {
    pub reset: Input,
    pub clear: Input,
    pub load: Input,
    pub load_board: Input,
    pub take: Input,
    pub board: Output,
    pub piece: [Input; 3],
    pub shift: [Input; 2],
    pub drawn_numbers: [Output; 2],
    pub start: Input,
    pub drawn: Input,
    pub pieces: Input,
    pub stop: Input,
    pub done: Output,
    pub unfinished: Output,
    pub finish: Input,
    pub ask: (Output, Input),
    pub ask_piece: Output,
    pub rsp: (Input, Output),
    pub answer: Input,
    pub moves: Output,
    pub a_move: (Output, Input),
    pub checkpoint: (Output, Input),
    pub tally: Output,
    pub signature: Output,
}

impl Ports {
    pub fn of(bench: &sim::Bench) -> Result<Self, sim::SimError> {
        let (input, output) = (
            |name: &str| bench.input(name),
            |name: &str| bench.output(name),
        );
        Ok(Self {
            reset: input("rst_ni")?,
            clear: input("clear_i")?,
            load: input("load_i")?,
            load_board: input("load_board_i")?,
            take: input("take_i")?,
            board: output("board_o")?,
            piece: [
                input("piece_we_i")?,
                input("piece_addr_i")?,
                input("piece_data_i")?,
            ],
            shift: [input("draws_shift_i")?, input("draws_byte_i")?],
            drawn_numbers: [output("draws_pieces_o")?, output("draws_spacing_o")?],
            start: input("start_i")?,
            drawn: input("drawn_i")?,
            pieces: input("pieces_i")?,
            stop: input("stop_i")?,
            done: output("done_o")?,
            unfinished: output("unfinished_o")?,
            finish: input("finish_i")?,
            ask: (output("ask_valid_o")?, input("ask_ready_i")?),
            ask_piece: output("ask_piece_o")?,
            rsp: (input("rsp_valid_i")?, output("rsp_ready_o")?),
            answer: input("rsp_i")?,
            moves: output("moves_o")?,
            a_move: (output("move_o")?, input("move_ready_i")?),
            checkpoint: (output("checkpoint_valid_o")?, input("checkpoint_ready_i")?),
            tally: output("tally_o")?,
            signature: output("signature_o")?,
        })
    }
}
