// What the boards' tops share. Paths are relative to this file.
bcd_counter.sv
board_leds.sv
board_tetris.sv
pulse_stretch.sv
reset_sync.sv
seven_segment.sv
