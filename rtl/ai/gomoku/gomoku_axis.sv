// Gomoku's core with the streams of an earlier player on an FPGA: control_in, data_in and data_out,
// words of 32 bits on AXI4-Stream (docs/bus.md). The board is kept here.
//
// Drive it: 0 on control_in clears the board. 1 on control_in starts a move: x, then y of the host's
// stone follow on data_in. The stone is put, the core searches and puts its own stone, and x, then y
// of that are offered on data_out; its tvalid serves as an interrupt. Instead of a stone, (15, 15)
// has the core move as if the host had passed, and (99, 99) clears the board, without an answer.
//
// The streams have no errors. What cannot be served changes nothing and is not answered: a point
// that is taken or outside of the board, another word on control_in, a move on a board that is full,
// also by the host's stone, which stays. After five in a row of either side the lowest empty point
// answers. control_in is not ready during a move, nor data_in outside of one: words wait there.
// A started move waits for both words. A reset clears the board and ends a move.
//
// The profile is `wujian`, or with Lines `lines` with the host's default weights.
//
// Latency: data_out is valid 5 cycles after y is taken, plus the cycles of the search
// (gomoku_search); one more for each point that is passed over after five in a row, and up to 60
// more right after another move or a reset. Each valid and ready is decoded from a register.
module gomoku_axis
  import gomoku_pkg::*;
#(
  parameter int unsigned Depth = 4,    // 1 .. MaxDepth
  parameter bit          Lines = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // What to do
  input  logic        control_in_tvalid_i,
  output logic        control_in_tready_o,
  input  logic [31:0] control_in_tdata_i,
  // The host's stones
  input  logic        data_in_tvalid_i,
  output logic        data_in_tready_o,
  input  logic [31:0] data_in_tdata_i,
  // The core's stones
  output logic        data_out_tvalid_o,
  input  logic        data_out_tready_i,
  output logic [31:0] data_out_tdata_o
);

  localparam logic [31:0] ControlClear = 32'd0;
  localparam logic [31:0] ControlMove  = 32'd1;
  localparam logic [31:0] DataFirst    = 32'd15;  // as x and y: the core moves
  localparam logic [31:0] DataClear    = 32'd99;  // as x and y: the board is cleared

  localparam coord_t Last = coord_t'(Side - 1);

  localparam weights_t Weights = !Lines ? '0 : '{
    key:    {5'd31, 5'd24, 5'd9, 5'd8, 5'd3, 5'd2, 5'd1},
    defend: {16'd2000, 16'd700, 16'd190, 16'd145, 16'd40, 16'd25, 16'd10},
    attack: {16'd0, 16'd0, 16'd220, 16'd155, 16'd50, 16'd35, 16'd10},
    extend: 1'b1,
    width:  8'd16,
    lines:  1'b1
  };

  typedef enum logic [3:0] {
    StControl,  // waits for a word on control_in
    StX,        // ... and for two on data_in
    StY,
    StCheck,    // what do they ask for?
    StRequest,  // the board is offered to the core
    StSearch,
    StPut,      // puts the core's stone on the first empty point from here
    StAnswerX,
    StAnswerY
  } state_e;

  // What a word on data_in is
  typedef enum logic [1:0] {
    WordCoord,
    WordFirst,
    WordClear,
    WordOther
  } word_e;

  state_e state_q, state_d;
  map_t   own_q, own_d, opponent_q, opponent_d;  // stones of the core, of the host
  point_t point_q, point_d;
  word_e  x_word_q, x_word_d, y_word_q, y_word_d;

  function automatic word_e word(logic [31:0] data);
    if (data < 32'(Side))  return WordCoord;
    if (data == DataFirst) return WordFirst;
    if (data == DataClear) return WordClear;
    return WordOther;
  endfunction

  // 15 y + x is 16 y + (x - y): the sum of its halves is x, or x + 15 where x < y lends 16.
  function automatic point_t point(index_t of);
    logic [4:0] sum;
    sum = 5'(of[7:4]) + 5'(of[3:0]);
    if (sum < 5'(Side)) return '{y: of[7:4], x: sum[3:0]};
    return '{y: of[7:4] + 4'd1, x: 4'(sum - 5'(Side))};
  endfunction

  // ------------------------------------------------------------------------------- the core
  logic      req_valid, req_ready, rsp_valid, rsp_ready;
  progress_t progress;

  // Only the point is answered; nothing is traced or cancelled.
  node_t                         unused_node;
  logic                          unused_node_valid, unused_cancelled;
  logic [$bits(progress_t)-9:0]  unused_progress;
  assign unused_progress = {progress.value, progress.nodes, progress.cycles};

  gomoku_search u_gomoku_search (
    .clk_i,
    .rst_ni,
    .weights_i    (Weights),
    .cancel_i     (1'b0),
    .req_valid_i  (req_valid),
    .req_ready_o  (req_ready),
    .req_i        ('{own: own_q, opponent: opponent_q, depth: ply_t'(Depth), trace: 1'b0}),
    .progress_o   (progress),
    .node_valid_o (unused_node_valid),
    .node_ready_i (1'b1),
    .node_o       (unused_node),
    .rsp_valid_o  (rsp_valid),
    .rsp_ready_i  (rsp_ready),
    .cancelled_o  (unused_cancelled)
  );

  // ------------------------------------------------------------------------------ the board
  logic taken;
  assign taken = own_q[point_q.y][point_q.x] || opponent_q[point_q.y][point_q.x];

  always_comb begin
    state_d    = state_q;
    own_d      = own_q;
    opponent_d = opponent_q;
    point_d    = point_q;
    x_word_d   = x_word_q;
    y_word_d   = y_word_q;

    unique case (state_q)
      StControl: if (control_in_tvalid_i) begin
        if (control_in_tdata_i == ControlMove) state_d = StX;
        if (control_in_tdata_i == ControlClear) begin
          own_d      = '0;
          opponent_d = '0;
        end
      end

      StX: begin
        point_d.x = data_in_tdata_i[3:0];
        x_word_d  = word(data_in_tdata_i);
        if (data_in_tvalid_i) state_d = StY;
      end

      StY: begin
        point_d.y = data_in_tdata_i[3:0];
        y_word_d  = word(data_in_tdata_i);
        if (data_in_tvalid_i) state_d = StCheck;
      end

      StCheck: begin
        state_d = StControl;
        if (x_word_q == y_word_q) begin
          unique case (x_word_q)
            WordCoord: if (!taken) begin
              opponent_d[point_q.y][point_q.x] = 1'b1;
              state_d = StRequest;
            end

            WordFirst: state_d = StRequest;

            WordClear: begin
              own_d      = '0;
              opponent_d = '0;
            end

            default: ;
          endcase
        end
      end

      StRequest: if (req_ready) state_d = StSearch;

      // No point: five in a row, or a full board.
      StSearch: begin
        point_d = (progress.point == NoPoint) ? '0 : point(progress.point);
        if (rsp_valid) state_d = StPut;
      end

      StPut: begin
        if (!taken) begin
          own_d[point_q.y][point_q.x] = 1'b1;
          state_d = StAnswerX;
        end else if (point_q == point_t'{y: Last, x: Last}) begin
          state_d = StControl;
        end else begin
          point_d.x = point_q.x + 4'd1;
          if (point_q.x == Last) point_d = '{y: point_q.y + 4'd1, x: '0};
        end
      end

      StAnswerX: if (data_out_tready_i) state_d = StAnswerY;

      StAnswerY: if (data_out_tready_i) state_d = StControl;

      default: state_d = StControl;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StControl;
      own_q      <= '0;
      opponent_q <= '0;
    end else begin
      state_q    <= state_d;
      own_q      <= own_d;
      opponent_q <= opponent_d;
    end
  end

  // These mean something in some states alone.
  always_ff @(posedge clk_i) begin
    point_q  <= point_d;
    x_word_q <= x_word_d;
    y_word_q <= y_word_d;
  end

  assign control_in_tready_o = state_q == StControl;
  assign data_in_tready_o    = state_q == StX || state_q == StY;
  assign data_out_tvalid_o   = state_q == StAnswerX || state_q == StAnswerY;
  assign data_out_tdata_o    = 32'((state_q == StAnswerX) ? point_q.x : point_q.y);
  assign req_valid           = state_q == StRequest;
  assign rsp_ready           = state_q == StSearch;

`ifndef SYNTHESIS
  Disjoint_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    (own_q & opponent_q) == '0);
  AnswerHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    data_out_tvalid_o && !data_out_tready_i |=> data_out_tvalid_o && $stable(data_out_tdata_o));
  // The core chooses an empty point.
  Empty_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $past(rsp_valid && rsp_ready && progress.point != NoPoint) |-> !taken);
`endif

endmodule
