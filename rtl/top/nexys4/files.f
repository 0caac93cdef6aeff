// The Nexys4's top and the game on it. Paths are relative to this file.
-F ../../games/tetris.f
-F ../common/files.f
lockstep_nexys4.sv
