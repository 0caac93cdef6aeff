// The next operation of a Gomoku search on its board, and the operations in progress.
//
// `valid_o` is high in an operation's cycle 0 (gomoku_board), with `op_o`, `point_o` and
// `colour_o`, which stay until the next one. In its cycle 6 `enter_o` is high for a stone of
// StPlay, `looked_o` in StLooked. `ready_o`: after a stone was taken off the board the next may be
// put. `leaf_o` is high in a leaf's cycle 10, when its value is taken; `last_leaf_o` if no other
// leaf in progress follows. If a block is forced after the leaf, it is put on the board
// (`extend_o`). `leave_i` takes the stone `stone_i` of a finished node off the board, unless the
// node is the root, and drops its leaves; `cancel_i` drops all.
module gomoku_operation
  import gomoku_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  state_e state_i,
  input  logic   cancel_i,
  // The pick
  input  logic   done_i,
  input  logic   found_i,
  input  point_t point_i,
  // The node
  input  logic   mover_i,
  input  logic   at_root_i,
  input  logic   horizon_i,
  input  point_t stone_i,
  input  point_t next_i,     // the candidate picked before the stone was put
  input  logic   ends_i,     // nothing is searched below the stone
  input  logic   forces_i,   // below a leaf only a forced block is searched
  input  logic   leave_i,
  // The operation
  output logic   valid_o,
  output op_e    op_o,
  output point_t point_o,
  output logic   colour_o,
  output logic   kill_o,
  // What is under way
  output logic   ready_o,
  output logic   enter_soon_o,
  output logic   enter_o,
  output logic   looked_o,
  output logic   leaf_soon_o,  // there is a leaf in cycle 9, which will be taken
  output logic   leaf_o,
  output point_t leaf_point_o,
  output logic   extend_o,
  output logic   last_leaf_o
);

  logic   issue, valid_q, kill;
  op_e    op_q, op_d;
  point_t point_q, point_d;
  logic   colour_q, colour_d;

  // By cycle
  logic [6:1]    stage_q;
  logic [10:1]   leaf_q;
  point_t [10:1] leaf_point_q;
  logic          enter_q, later_q;

  logic extend;
  assign extend = leaf_q[10] && forces_i;
  assign kill   = extend || (leave_i && leaf_q[10]) || cancel_i;

  // The point is the one picked unless another one stands here.
  always_comb begin
    issue    = 1'b0;
    op_d     = horizon_i ? OpScore : OpPut;
    point_d  = point_i;
    colour_d = mover_i;
    unique case (state_i)
      StOwn, StOpponent: begin
        issue    = done_i && found_i;
        op_d     = OpPut;
        colour_d = state_i == StOpponent;
      end
      StLook: begin
        issue = done_i;
        op_d  = OpLook;
      end
      StPick: issue = done_i && found_i;
      StPlay: begin
        issue   = enter_q && ends_i;
        op_d    = OpTake;
        point_d = point_q;
      end
      StLeaf: begin
        issue = extend || (done_i && found_i);
        if (extend) begin
          op_d    = OpPut;
          point_d = leaf_point_q[10];
        end
      end
      StResume: begin
        issue   = ready_o;
        point_d = next_i;
      end
      default: ;
    endcase
    if (leave_i) begin
      issue    = !at_root_i;
      op_d     = OpTake;
      point_d  = stone_i;
      colour_d = !mover_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      enter_q <= 1'b0;
      stage_q <= '0;
      leaf_q  <= '0;
    end else begin
      valid_q <= issue && !cancel_i;
      enter_q <= enter_soon_o;
      stage_q <= kill ? '0 : {stage_q[5:1], valid_q};
      leaf_q  <= kill ? '0 : {leaf_q[9:1], valid_q && op_q == OpScore};
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      op_q     <= op_d;
      colour_q <= colour_d;
    end
    // Whether a point was found comes late, and without one nothing depends on it.
    if (issue || (done_i && state_i inside {StOwn, StOpponent, StPick, StLeaf})) begin
      point_q <= point_d;
    end
    leaf_point_q <= {leaf_point_q[9:1], point_q};
    later_q      <= (done_i && found_i) || state_i == StResume || valid_q || leaf_q[8:1] != '0;
  end

  assign valid_o      = valid_q;
  assign op_o         = op_q;
  assign point_o      = point_q;
  assign colour_o     = colour_q;
  assign kill_o       = kill;
  assign ready_o      = !valid_q && stage_q[4:1] == '0;
  assign enter_soon_o = state_i == StPlay && stage_q[5] && !cancel_i;
  assign enter_o      = enter_q;
  assign looked_o     = stage_q[6];
  assign leaf_soon_o  = leaf_q[9] && !kill;
  assign leaf_o       = leaf_q[10];
  assign leaf_point_o = leaf_point_q[10];
  assign extend_o     = extend;
  assign last_leaf_o  = !later_q;

endmodule
