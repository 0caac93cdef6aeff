// The ULX3S's top, beside the design (rtl/files.f). Paths are relative to this file.
../common/board_leds.sv
../common/board_tetris.sv
../common/pulse_stretch.sv
../common/reset_sync.sv
lockstep_ulx3s.sv
