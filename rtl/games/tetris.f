// Tetris: its core, and what stands around that in a system on chip. Packages first, paths are
// relative to this file.
-F ../link.f
../tetris_proto_pkg.sv
../board_reader/tetris_kind_pkg.sv
../ai/tetris/tetris_pkg.sv
../ai/tetris/tetris_ai.sv
../ai/tetris/tetris_best.sv
../ai/tetris/tetris_board.sv
../ai/tetris/tetris_trace.sv
../ai/tetris/tetris_drop.sv
../ai/tetris/tetris_enum.sv
../ai/tetris/tetris_eval.sv
../ai/tetris/tetris_heights.sv
../ai/tetris/tetris_row_step.sv
../ai/tetris/tetris_rows.sv
../ai/tetris/tetris_score.sv
../board_reader/tetris_play.sv
../board_reader/tetris_reader.sv
../board_reader/tetris_replies.sv
../board_reader/tetris_request.sv
../play/draw_sign.sv
../top/cosim_tetris.sv
../bus/tetris_axil_pkg.sv
../bus/axil_regs.sv
../bus/tetris_axil.sv
../bus/tetris_fetch.sv
../examples/tetris_ai_example.sv
../examples/tetris_axil_example.sv
