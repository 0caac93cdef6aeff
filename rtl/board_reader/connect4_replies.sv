// The payloads of Connect Four's replies, and when a stream's next part is made.
//
// Drive it: `start_i` for a cycle begins a stream, `searching_i` is high while its parts may be
// made. A part is copied when it is made (`making_o`), so that the search goes on while it is sent:
// `part_o` is high from the next cycle until `sent_i`. A search's first part is made at once, then
// one for each depth that is complete, and one `Interval` cycles after the last part; a part
// without room is dropped. A trace waits with the next column until it can be copied.
//
// The payload of the part, or else of the reply to `msg_i`, has `length_o` bytes; `byte_o` is byte
// `index_i`, in the same cycle. Weights are a queue: with `fetch_i` one is taken by
// `weights_turn_o`.
module connect4_replies
  import connect4_proto_pkg::*;
#(
  parameter int unsigned Interval = ProgressCycles  // most cycles between two parts, at least 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // Parts
  input  logic                     start_i,
  input  logic                     searching_i,
  input  logic                     room_i,
  output logic                     making_o,
  output logic                     part_o,
  input  logic                     sent_i,
  // The payload
  input  logic [7:0]               msg_i,
  output frame_pkg::offset_t       length_o,
  input  logic                     fetch_i,
  input  frame_pkg::offset_t       index_i,
  output logic [7:0]               byte_o,
  // What it is made of
  input  logic [7:0]               weights_byte_i,
  output logic                     weights_turn_o,
  input  logic [15:0]              parts_i,  // number of the next part
  input  logic                     depth_done_i,
  input  connect4_pkg::progress_t  progress_i,
  input  logic                     candidate_valid_i,
  output logic                     candidate_ready_o,
  input  connect4_pkg::candidate_t candidate_i,
  input  logic                     done_i,
  input  logic                     cancelled_i
);

  import frame_pkg::offset_t;

  localparam int unsigned SinceWidth = $clog2(Interval);
  typedef logic [SinceWidth-1:0] since_t;

  progress_t payload_q, payload_d;  // of the part; a candidate is shorter
  logic      part_q, part_d;        // there is one
  logic      first_q, first_d;      // no part was made yet
  since_t    since_q, since_d;      // cycles since the last one
  logic      late_q, late_d;        // the interval is over
  logic      traces, due;
  assign traces = msg_i == MsgTrace;

  logic [7:0] column;
  assign column = (progress_i.depth == '0) ? 8'hff : 8'(progress_i.column);

  assign due = depth_done_i || (late_q && !done_i);
  always_comb begin
    making_o = searching_i && !part_q;
    if (traces) making_o = making_o && candidate_valid_i;
    else making_o = making_o && (first_q || (due && room_i));
  end
  assign candidate_ready_o = making_o && traces;

  always_comb begin
    payload_d = payload_q;
    part_d    = (part_q && !sent_i) || making_o;
    first_d   = start_i || (first_q && !making_o);
    since_d   = late_q ? since_q : since_q + 1'b1;
    late_d    = (late_q || since_q == since_t'(Interval - 2)) && !making_o;
    if (making_o) begin
      since_d   = '0;
      payload_d = '{part: parts_i, depth: 8'(progress_i.depth), column: column,
                    value: progress_i.value, nodes: progress_i.nodes, cycles: progress_i.cycles};
      if (traces) begin
        payload_d[8*CandidateBytes-1:0] = candidate_t'{
          part: parts_i, column: 8'(candidate_i.column), legal: 8'(candidate_i.legal),
          value: candidate_i.value, nodes: candidate_i.nodes};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_q <= 1'b0;
    else part_q <= part_d;
  end

  // These are set when a stream starts, so they need no reset.
  always_ff @(posedge clk_i) begin
    payload_q <= payload_d;
    first_q   <= first_d;
    since_q   <= since_d;
    late_q    <= late_d;
  end

  assign part_o = part_q;

  found_t found, payload;  // the longest
  always_comb begin
    found = '{parts: parts_i, cancelled: 8'(cancelled_i), column: column, value: progress_i.value,
              depth: 8'(progress_i.depth), nodes: progress_i.nodes, cycles: progress_i.cycles};
    if (traces && cancelled_i) found = '{parts: parts_i, cancelled: 8'd1, default: '0};

    length_o = offset_t'(FoundBytes);
    payload  = found;
    if (part_q) begin
      length_o = offset_t'(traces ? CandidateBytes : ProgressBytes);
      payload  = $bits(payload)'(payload_q);
    end
    if (msg_i == MsgSetWeights) length_o = offset_t'(SetWeightsReplyBytes);
    if (msg_i == MsgGetWeights) length_o = offset_t'(WeightsBytes);
  end

  assign byte_o = (msg_i == MsgGetWeights) ? weights_byte_i : 8'(payload >> {index_i, 3'b0});
  assign weights_turn_o = fetch_i && msg_i == MsgGetWeights;

endmodule
