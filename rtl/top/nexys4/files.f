// The Nexys4's top and the game on it. Paths are relative to this file.
-F ../../games/tetris.f
../common/bcd_counter.sv
../common/board_leds.sv
../common/board_tetris.sv
../common/pulse_stretch.sv
../common/reset_sync.sv
../common/seven_segment.sv
lockstep_nexys4.sv
