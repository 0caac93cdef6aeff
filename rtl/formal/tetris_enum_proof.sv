// tetris_enum: every candidate that fits is listed once, in order of rotation, then column, and
// numbered from 0; none that does not fit; the count is right and comes after the last one.
//
// The watched candidate is any that fits: what holds for it holds for all of them.
module tetris_enum_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::fits;
(
  input logic       clk_i,
  input logic       start_i,
  input logic       ready_i,
  input logic [2:0] piece_i,
  input logic [1:0] rotation_i,
  input logic [3:0] column_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                   valid;
  tetris_pkg::candidate_t candidate;
  logic [5:0]             count;
  logic [2:0]             piece_q;

  // How many candidates a piece has: for each rotation, the columns less its width, plus one.
  function automatic logic [5:0] total(logic [2:0] piece);
    logic [5:0] sum;
    sum = '0;
    for (int unsigned r = 0; r < 4; r++) begin
      for (int unsigned c = 0; c < Columns; c++) begin
        if (fits(piece, 2'(r), 4'(c))) sum = sum + 6'd1;
      end
    end
    return sum;
  endfunction

  tetris_enum u_dut (
    .clk_i,
    .rst_ni            (rst_n),
    .start_i,
    .piece_i           (piece_q),
    .candidate_valid_o (valid),
    .candidate_ready_i (ready_i),
    .candidate_o       (candidate),
    .count_o           (count)
  );

  logic       take, begins;
  logic       listing_q;   // between a start and the last candidate
  logic [5:0] number_q;    // of the next candidate
  logic [5:0] last_q;      // {rotation, column} of the one before
  logic       watched_q;   // it has been listed
  logic [1:0] rotation_q;  // the watched one
  logic [3:0] column_q;
  logic       ended_q;     // a listing has ended, and none begun

  assign take   = valid && ready_i;
  assign begins = start_i && !listing_q;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      listing_q  <= 1'b0;
      number_q   <= '0;
      watched_q  <= 1'b0;
      ended_q    <= 1'b0;
    end else begin
      if (begins) begin
        listing_q <= 1'b1;
        number_q  <= '0;
        watched_q <= 1'b0;
        ended_q   <= 1'b0;
      end
      if (take) begin
        number_q  <= number_q + 6'd1;
        last_q    <= {candidate.rotation, candidate.column};
        watched_q <= watched_q || {candidate.rotation, candidate.column} == {rotation_q, column_q};
        if (number_q + 6'd1 == total(piece_q)) begin
          listing_q <= 1'b0;
          ended_q   <= 1'b1;
        end
      end
    end
    // The piece is held from the start on.
    if (!rst_n || begins) begin
      piece_q    <= piece_i;
      rotation_q <= rotation_i;
      column_q   <= column_i;
    end
  end

  always_comb begin
    Piece_M:   assume (piece_i < 3'd7);
    Watched_M: assume (fits(piece_i, rotation_i, column_i));
    if (rst_n) begin
      // The count says how many, so that none comes too many and none is left out.
      Listing_A: assert (valid == listing_q);
      Fits_A:    assert (!valid || fits(piece_q, candidate.rotation, candidate.column));
      Order_A:   assert (!valid || number_q == '0 ||
                         {candidate.rotation, candidate.column} > last_q);
      Number_A:  assert (!valid || candidate.number == number_q);
      Count_A:   assert (count == (ended_q ? total(piece_q) : 6'd0));
      Each_A:    assert (!ended_q || watched_q);
    end
    MostI_C:  cover (rst_n && ended_q && piece_q == 3'd0);
    Waits_C:  cover (rst_n && valid && !ready_i && number_q == 6'd3);
  end

endmodule
