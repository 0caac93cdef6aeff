// A picture of any game: what makes it, shows it and sends it. Paths are relative to this file.
video_pkg.sv
scene_receiver.sv
scene_sender.sv
tmds_encoder.sv
tmds_serializer.sv
video_dvi.sv
video_picture.sv
video_timing.sv
