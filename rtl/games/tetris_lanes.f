// Tetris: the core with lanes. Packages first, paths are relative to this file.
-F tetris.f
../ai/tetris/lanes/tetris_lanes_pkg.sv
../ai/tetris/lanes/tetris_lane_pkg.sv
../ai/tetris/lanes/tetris_lane_pick.sv
../ai/tetris/lanes/tetris_lane_floor.sv
../ai/tetris/lanes/tetris_lane_side.sv
../ai/tetris/lanes/tetris_lane_land.sv
../ai/tetris/lanes/tetris_lane_wells.sv
../ai/tetris/lanes/tetris_lane.sv
../ai/tetris/lanes/tetris_context_step.sv
../ai/tetris/lanes/tetris_context_wells.sv
../ai/tetris/lanes/tetris_context_by_row.sv
../ai/tetris/lanes/tetris_context_reader.sv
../ai/tetris/lanes/tetris_context_sums.sv
../ai/tetris/lanes/tetris_context_pairs.sv
../ai/tetris/lanes/tetris_context.sv
../ai/tetris/lanes/tetris_context_hold.sv
../ai/tetris/lanes/tetris_maker.sv
../ai/tetris/lanes/tetris_steps.sv
../ai/tetris/lanes/tetris_landing_queue.sv
../ai/tetris/lanes/tetris_lane_score.sv
../ai/tetris/lanes/tetris_lanes_best.sv
../ai/tetris/lanes/tetris_removals.sv
../ai/tetris/lanes/tetris_lanes.sv
../ai/tetris/lanes/tetris_lookahead.sv
../ai/tetris/lanes/tetris_games.sv
../ai/tetris/lanes/tetris_lanes_ai.sv
