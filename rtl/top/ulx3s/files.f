// The ULX3S's top and the game on it. Paths are relative to this file.
-F ../../games/tetris.f
../common/board_leds.sv
../common/board_tetris.sv
../common/pulse_stretch.sv
../common/reset_sync.sv
lockstep_ulx3s.sv
