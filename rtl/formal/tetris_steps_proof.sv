// tetris_steps: after a start every placement of the piece that fits between the walls is given
// once, in a lane that takes its column, and no other one is. There is one at least in each cycle,
// from the one after the start on; `end_o` is high with the last ones, and `free_o` then and as
// long as nothing is under way. The only assumption is that it is free at a start.
//
// Any placement is watched: what holds for it holds for all. Proved for each number of lanes.
module tetris_steps_proof
  import tetris_def_pkg::fits, tetris_lanes_pkg::placing_t;
(
  input logic       clk_i,
  input logic [3:0] start_i,  // one for each number of lanes
  input logic [2:0] piece_i,
  input logic [1:0] tag_rotation_i,
  input logic [3:0] tag_column_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0] tag_rotation_q;
  logic [3:0] tag_column_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      tag_rotation_q <= tag_rotation_i;
      tag_column_q   <= tag_column_i;
    end
  end

  for (genvar g = 0; g < 4; g++) begin : gen_lanes
    localparam int unsigned Lanes = 1 << g;

    logic                 free, last;
    logic [Lanes-1:0]     used;
    placing_t [Lanes-1:0] placing;

    tetris_steps #(
      .Lanes (Lanes)
    ) u_dut (
      .clk_i,
      .rst_ni    (rst_n),
      .start_i   (start_i[g]),
      .piece_i,
      .free_o    (free),
      .end_o     (last),
      .used_o    (used),
      .placing_o (placing)
    );

    logic       running_q, given_q;  // the watched one has been given
    logic [2:0] piece_q;
    logic [5:0] cycles_q;
    logic       fits_all, lanes_ok;
    logic [3:0] watched;             // lanes with the watched one
    always_comb begin
      fits_all = 1'b1;
      lanes_ok = 1'b1;
      watched  = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (used[l]) begin
          if (placing[l].piece != piece_q ||
              !fits(placing[l].piece, placing[l].rotation, placing[l].column)) fits_all = 1'b0;
          if (32'(placing[l].column) % Lanes != l &&
              !(Lanes >= 4 && l == 1 && placing[l].column == 4'd8)) lanes_ok = 1'b0;
          if (placing[l].rotation == tag_rotation_q && placing[l].column == tag_column_q) begin
            watched = watched + 4'd1;
          end
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_n) begin
        running_q <= 1'b0;
      end else begin
        if (start_i[g]) begin
          running_q <= 1'b1;
          piece_q   <= piece_i;
          given_q   <= 1'b0;
          cycles_q  <= 6'd0;
        end else begin
          if (last) running_q <= 1'b0;
          if (watched != '0) given_q <= 1'b1;
          cycles_q <= cycles_q + 6'd1;
        end
      end
    end

    always_comb begin
      Start_M: assume (!start_i[g] || (free && piece_i <= 3'd6));
      if (rst_n) begin
        Running_A: assert (running_q == (used != '0) && free == (!running_q || last));
        Last_A:    assert (!last || running_q);
        if (running_q) begin
          Fits_A:    assert (fits_all);
          Lane_A:    assert (lanes_ok);
          Once_A:    assert (watched + 4'(given_q) <= 4'd1);
          All_A:     assert (!last || !fits(piece_q, tag_rotation_q, tag_column_q) ||
                             given_q || watched == 4'd1);
          Ends_A:    assert (cycles_q < 6'd34);
        end
      end
    end
  end

  always_comb begin
    Again_C: cover (rst_n && gen_lanes[2].last && start_i[2] && gen_lanes[2].piece_q == 3'd2);
    Eight_C: cover (rst_n && gen_lanes[3].last && gen_lanes[3].cycles_q == 6'd4);
  end

endmodule
