// Board of a game: pieces are put on it, and full rows removed.
//
// Drive it: `clear_i` empties the board; `load_i` adds cells to it; in the cycle after a clear it
// sets the whole board. A placement is offered with `put_valid_i`, and steady until `put_ready_o`:
// it has to be a legal one. Then the board is the one after it: what stands above a removed row has
// moved down by one, whatever the piece. Rows that were full before are removed, too. `take_i`
// moves all rows down by one, the lowest being lost, a cycle later: that is how a board is read
// out. One of the four at a time.
//
// A placement takes as many cycles as the piece has rows, four more, and two for each row
// removed; `put_ready_o` is high in the last one.
module tetris_board
  import tetris_pkg::Rows, tetris_pkg::board_t, tetris_pkg::height_t, tetris_pkg::piece_t,
         tetris_pkg::rotation_t, tetris_pkg::row_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,
  input  logic       load_i,
  input  board_t     load_board_i,
  input  logic       put_valid_i,
  output logic       put_ready_o,
  input  piece_t     piece_i,
  input  rotation_t  rotation_i,
  input  logic [3:0] column_i,
  input  height_t    row_i,        // bottom row of the piece
  input  logic       take_i,
  output board_t     board_o
);

  typedef logic [Rows-1:0] marks_t;  // [r] = row r

  typedef enum logic [2:0] {
    StPut,     // row by row
    StWait,    // until the last one has been put
    StLook,    // for full rows
    StRemove,  // the lowest of them
    StRemoved,
    StDone
  } state_e;

  state_e     state_q, state_d;
  logic [1:0] dy_q, dy_d;      // row of the piece
  board_t     board_q;
  marks_t     full_q;          // rows to be removed

  // What is done to the board, from registers because much hangs on each: rows that take cells,
  // and those that take what is above them
  row_t       cells_q, cells_d;
  marks_t     put_q, put_d, moved_q, moved_d;
  logic       active_q;  // a row may change, or is looked at; else there is nothing to simulate
  logic [1:0] rise;
  assign cells_d = row_t'(tetris_pkg::Shapes[{piece_i, rotation_i}].cells[dy_q]) << column_i;
  assign rise    = tetris_pkg::Shapes[{piece_i, rotation_i}].rise;

  always_comb begin
    put_d = '0;
    if (state_q == StPut && put_valid_i) begin
      for (int unsigned r = 0; r < Rows; r++) put_d[r] = height_t'(r) == row_i + height_t'(dy_q);
    end
    // The lowest full row and those above
    moved_d = {Rows{take_i}};
    if (state_q == StRemove) begin
      for (int unsigned r = 0; r < Rows; r++) moved_d[r] = take_i || |(full_q << (Rows - 1 - r));
    end
  end

  always_comb begin
    state_d = state_q;
    dy_d    = dy_q;

    unique case (state_q)
      StPut: if (put_valid_i) begin
        dy_d = dy_q + 2'd1;
        if (dy_q == rise) begin
          state_d = StWait;
          dy_d    = '0;
        end
      end

      StWait: state_d = StLook;

      StLook: state_d = StRemove;

      StRemove: begin
        state_d = StRemoved;
        if (full_q == '0) state_d = StDone;
      end

      StRemoved: state_d = StRemove;

      StDone: state_d = StPut;

      default: state_d = StPut;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StPut;
      dy_q     <= '0;
      put_q    <= '0;
      moved_q  <= '0;
      active_q <= 1'b1;
    end else begin
      state_q  <= state_d;
      dy_q     <= dy_d;
      put_q    <= put_d;
      moved_q  <= moved_d;
      active_q <= put_valid_i || take_i || state_q != StPut;
    end
  end

  always_ff @(posedge clk_i) cells_q <= cells_d;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      board_q <= '0;
      full_q  <= '0;
    end else if (active_q || load_i) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        if (moved_q[r]) begin
          board_q[r] <= (r + 1 < Rows) ? board_q[(r+1)%Rows] : '0;
          full_q[r]  <= (r + 1 < Rows) ? full_q[(r+1)%Rows] : 1'b0;
        end else begin
          if (load_i) board_q[r] <= board_q[r] | load_board_i[r];
          else if (put_q[r]) board_q[r] <= board_q[r] | cells_q;
          if (state_q == StLook) full_q[r] <= &board_q[r];
        end
      end
    end
  end

  assign board_o     = board_q;
  assign put_ready_o = state_q == StDone;

`ifndef SYNTHESIS
  PutHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    put_valid_i && !put_ready_o |=>
    put_valid_i && $stable({piece_i, rotation_i, column_i, row_i}));
  OneAtATime_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $onehot0({clear_i, load_i, put_valid_i, take_i}));
  // Looked at only in the clock cycles that put cells: the others take no time.
  always_ff @(posedge clk_i) begin
    if (rst_ni && put_q != '0) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        if (put_q[r]) Free_A: assert ((board_q[r] & cells_q) == '0);
      end
    end
  end
  OnBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    put_valid_i && state_q == StPut |-> put_d != '0);
  FourRows_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    $countones(full_q) == 4);
`endif

endmodule
