// What the boards' tops share. Paths are relative to this file.
-F ../../video/files.f
bcd_counter.sv
board_leds.sv
board_tetris.sv
debounce.sv
pulse_stretch.sv
reset_sync.sv
seven_segment.sv
tetris_scene.sv
tetris_video.sv
