// The Tang Nano 20K's top and the game on it. Paths are relative to this file.
-F ../../games/tetris.f
-F ../common/files.f
lockstep_tang_nano_20k.sv
