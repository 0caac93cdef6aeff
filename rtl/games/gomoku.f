// Gomoku: its core, on the kit. Packages first, paths are relative to this file.
-F ../link.f
../gomoku_proto_pkg.sv
../ai/gomoku/gomoku_pkg.sv
../ai/gomoku/gomoku_windows.sv
../ai/gomoku/gomoku_shapes.sv
../ai/gomoku/gomoku_runs.sv
../ai/gomoku/gomoku_lines.sv
../ai/gomoku/gomoku_maps.sv
../ai/gomoku/gomoku_board.sv
../ai/gomoku/gomoku_pick_row.sv
../ai/gomoku/gomoku_pick.sv
../ai/gomoku/gomoku_score.sv
../ai/gomoku/gomoku_value.sv
../ai/gomoku/gomoku_node.sv
../ai/gomoku/gomoku_operation.sv
../ai/gomoku/gomoku_search.sv
../board_reader/gomoku_reader.sv
../board_reader/gomoku_replies.sv
../board_reader/gomoku_request.sv
../top/cosim_gomoku.sv
../ai/gomoku/gomoku_axis.sv
