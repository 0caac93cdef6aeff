// Stands in for draw_sign in tetris_play_proof: draws any piece, and is done with a draw and with
// a value at any time (free inputs of the harness). What is shifted in passes it.
module draw_sign (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        shift_i,
  input  logic [7:0]  byte_i,
  output logic [7:0]  byte_o,
  input  logic        draw_i,
  output logic        drawn_valid_o,
  output logic [2:0]  drawn_o,
  input  logic        sign_i,
  output logic        sign_ready_o,
  input  logic [7:0]  value_i,
  output logic        signing_o,
  output logic [63:0] signature_o
);

  logic       draw_q, sign_q;
  logic [2:0] drawn_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      draw_q <= 1'b0;
      sign_q <= 1'b0;
    end else begin
      draw_q <= draw_i || (draw_q && !tetris_play_proof.drawn_now_i);
      sign_q <= sign_i || (sign_q && !tetris_play_proof.signed_now_i);
      if (draw_q && tetris_play_proof.drawn_now_i) drawn_q <= tetris_play_proof.drawn_piece_i;
    end
  end

  assign byte_o        = byte_i;
  assign drawn_valid_o = !draw_q;
  assign drawn_o       = drawn_q;
  assign sign_ready_o  = !sign_q;
  assign signing_o     = sign_q;
  assign signature_o   = '0;

endmodule
