// The payloads of Gomoku's replies, and when a stream's next part is made.
//
// Drive it: `start_i` for a cycle begins a stream, `searching_i` is high while its parts may be
// made. A part is copied when it is made (`making_o`), so that the search goes on while it is sent:
// `part_o` is high from the next cycle until `sent_i`. A search's first part is made at once, then
// one `Interval` cycles after the last one; a part without room is dropped. A trace waits with a
// node until it can be copied; those after the first TraceNodes are not reported.
//
// The payload of the part, or else of the reply to `msg_i`, has `length_o` bytes; `byte_o` is the
// one with the number `index_i`, in the same cycle; so must be that of the weights. Both are known
// one cycle after `msg_i`, and at the end of `searching_i`.
module gomoku_replies
  import gomoku_proto_pkg::*;
#(
  parameter int unsigned Interval = ProgressCycles  // most cycles between two parts, at least 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Parts
  input  logic                  start_i,
  input  logic                  searching_i,
  input  logic                  room_i,
  output logic                  making_o,
  output logic                  part_o,
  input  logic                  sent_i,
  // The payload
  input  logic [7:0]            msg_i,
  output frame_pkg::offset_t    length_o,
  input  logic [4:0]            index_i,
  output logic [7:0]            byte_o,
  // What it is made of
  input  logic [7:0]            weights_byte_i,
  input  logic [15:0]           parts_i,  // number of the next part
  input  gomoku_pkg::ply_t      depth_i,
  input  gomoku_pkg::progress_t progress_i,
  input  logic                  node_valid_i,
  output logic                  node_ready_o,
  input  gomoku_pkg::node_t     node_i,
  input  logic                  done_i,
  input  logic                  cancelled_i
);

  import frame_pkg::offset_t;

  localparam int unsigned SinceWidth = $clog2(Interval);
  typedef logic [SinceWidth-1:0] since_t;

  found_t    payload_q, payload_d;  // of the part or the end; both parts begin like it
  offset_t   length_q, length_d;
  logic      part_q, part_d;        // there is one
  logic      first_q, first_d;      // no part was made yet
  since_t    since_q, since_d;      // cycles since the last one
  logic      late_q, late_d;        // the interval is over
  logic      traces_q, all;
  assign all = parts_i == TraceNodes;  // nodes that are reported have been

  always_comb begin
    making_o = searching_i && !part_q;
    if (traces_q) making_o = making_o && node_valid_i && !all;
    else making_o = making_o && (first_q || (late_q && !done_i && room_i));
  end
  assign node_ready_o = traces_q && (making_o || (searching_i && !part_q && all));

  always_comb begin
    part_d    = (part_q && !sent_i) || making_o;
    first_d   = start_i || (first_q && !making_o);
    since_d   = late_q ? since_q : since_q + 1'b1;
    late_d    = (late_q || since_q == since_t'(Interval - 2)) && !making_o;
    if (making_o) since_d = '0;

    length_d = offset_t'(FoundBytes);
    if (part_d) length_d = offset_t'(traces_q ? NodeBytes : ProgressBytes);
    if (msg_i == MsgSetWeights) length_d = offset_t'(SetWeightsReplyBytes);
    if (msg_i == MsgGetWeights) length_d = offset_t'(WeightsBytes);

    // That a part is made comes late, so one byte alone depends on it: depth or ply.
    payload_d = '{parts: parts_i, cancelled: 8'(cancelled_i), point: progress_i.point,
                  value: 32'(progress_i.value), nodes: progress_i.nodes,
                  cycles: progress_i.cycles};
    if (traces_q && cancelled_i) payload_d = '{parts: parts_i, cancelled: 8'd1, default: '0};
    if (traces_q && node_valid_i && !all) begin
      payload_d.point = node_i.point;
      payload_d.value = 32'(node_i.value);
    end
    if (making_o) payload_d.cancelled = traces_q ? 8'(node_i.ply) : 8'(depth_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_q <= 1'b0;
    else part_q <= part_d;
  end

  // What a stream sets needs no reset.
  always_ff @(posedge clk_i) begin
    traces_q  <= msg_i == MsgTrace;
    length_q  <= length_d;
    if (searching_i && !part_q) payload_q <= payload_d;
    first_q   <= first_d;
    since_q   <= since_d;
    late_q    <= late_d;
  end

  assign part_o   = part_q;
  assign length_o = length_q;

  assign byte_o = (msg_i == MsgGetWeights) ? weights_byte_i : payload_q[8*index_i +: 8];

endmodule
