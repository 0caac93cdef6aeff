// Connect Four: its core, on the kit. Packages first, paths are relative to this file.
-F ../link.f
../connect4_proto_pkg.sv
../ai/connect4/connect4_pkg.sv
../ai/connect4/connect4_win.sv
../ai/connect4/connect4_position.sv
../ai/connect4/connect4_search.sv
../board_reader/connect4_reader.sv
../board_reader/connect4_replies.sv
../board_reader/connect4_request.sv
../top/cosim_connect4.sv
