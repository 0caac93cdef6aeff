// The Arty A7-35T's top and the game on it. Paths are relative to this file.
-F ../../games/tetris.f
-F ../common/files.f
lockstep_arty_a7_35t.sv
