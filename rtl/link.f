// What every game's core is made of, packages first: it knows no game. Paths are relative to this
// file.
link_proto_pkg.sv
frame/crc32_pkg.sv
frame/frame_pkg.sv
frame/order_pkg.sv
kit/game_pkg.sv
frame/cobs_decoder.sv
frame/cobs_encoder.sv
frame/frame_rx.sv
frame/frame_stats.sv
frame/frame_tx.sv
frame/request_mem.sv
frame/request_queue.sv
frame/sat_counter.sv
frame/stream_buffer.sv
frame/reply_buffer.sv
kit/request_loader.sv
kit/reply_sender.sv
kit/setting_register.sv
top/byte_core.sv
top/command.sv
top/cosim_link.sv
uart/uart_link.sv
uart/uart_rate.sv
uart/uart_rx.sv
uart/uart_tx.sv
