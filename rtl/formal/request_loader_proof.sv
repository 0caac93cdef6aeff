// request_loader: requests one at a time; each byte of a payload is read once, in order, in
// the request's slot, none beyond its length, none while it is held; the bytes that came are
// offered and the first ones kept; what was loaded stays until it is released.
//
// The tag is one byte of any number of the request under way: what holds for it holds for each.
module request_loader_proof
  import frame_pkg::mem_addr_t, frame_pkg::offset_t, frame_pkg::slot_t, game_pkg::load_req_t;
#(
  parameter int unsigned Bytes = 4
) (
  input logic       clk_i,
  input logic       reset_i,
  input load_req_t  req_i,
  input offset_t    length_i,
  input logic       hold_i,
  input logic       release_i,
  input offset_t    tag_i
);

  logic live_q = 1'b0;
  logic rst_n;
  always_ff @(posedge clk_i) live_q <= 1'b1;
  assign rst_n = live_q && !reset_i;

  logic               req_ready, req_loaded, mem_en, byte_valid, loaded;
  mem_addr_t          mem_addr;
  offset_t            byte_index;
  logic [7:0]         msg;
  logic [8*Bytes-1:0] payload;

  game_pkg::load_rsp_t rsp;
  assign {req_ready, req_loaded, mem_en, mem_addr} = rsp;

  request_loader #(
    .Bytes (Bytes)
  ) u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .req_i,
    .rsp_o        (rsp),
    .length_i,
    .hold_i,
    .byte_valid_o (byte_valid),
    .byte_index_o (byte_index),
    .loaded_o     (loaded),
    .release_i,
    .msg_o        (msg),
    .payload_o    (payload)
  );

  // The request under way, and how far it has come
  logic       busy_q, whole_q;
  logic [7:0] msg_q;
  slot_t      slot_q;
  offset_t    length_q, asked_q, came_q, tag_q;
  logic [1:0] way_q;       // bytes on their way: of the next cycle, of this one
  logic [7:0] byte_q;      // the tagged one, once it came
  always_ff @(posedge clk_i) begin
    way_q <= {way_q[0], mem_en};
    if (!rst_n) begin
      busy_q <= 1'b0;
      way_q  <= '0;
    end else if (req_i.valid && req_ready) begin
      busy_q   <= 1'b1;
      whole_q  <= 1'b0;
      msg_q    <= req_i.msg;
      slot_q   <= req_i.slot;
      length_q <= length_i;
      tag_q    <= tag_i;
      asked_q  <= '0;
      came_q   <= '0;
    end else begin
      if (mem_en) asked_q <= asked_q + 1'b1;
      if (way_q[1]) came_q <= came_q + 1'b1;
      if (way_q[1] && came_q == tag_q) byte_q <= req_i.rdata;
      if (req_loaded) whole_q <= 1'b1;
      if (release_i) busy_q <= 1'b0;
    end
  end

  always_comb begin
    Release_M: assume (!release_i || (busy_q && whole_q));
    if (rst_n) begin
      Ready_A:  assert (req_ready == !busy_q);
      Asks_A:   assert (mem_en == (busy_q && !whole_q && !hold_i && asked_q < length_q));
      Where_A:  assert (!mem_en || mem_addr == {slot_q, asked_q});
      Ends_A:   assert (req_loaded == (busy_q && !whole_q && !hold_i && asked_q == length_q &&
                                       !way_q[0]));
      Loaded_A: assert (loaded == (busy_q && whole_q));
      Msg_A:    assert (!busy_q || msg == msg_q);
      Byte_A:   assert (byte_valid == way_q[1] && (!way_q[1] || byte_index == came_q));
      Kept_A:   assert (!(busy_q && tag_q < came_q && tag_q < offset_t'(Bytes)) ||
                        payload[8*tag_q[1:0] +: 8] == byte_q);
      All_A:    assert (!(busy_q && whole_q) || (came_q == length_q && way_q == '0));
      // How it keeps all this
      Count_A:  assert (!busy_q || (asked_q <= length_q &&
                        asked_q == came_q + offset_t'(way_q[0]) + offset_t'(way_q[1]) &&
                        u_dut.issued_q == asked_q && u_dut.came_q == came_q &&
                        u_dut.length_q == length_q && u_dut.slot_q == slot_q));
      State_A:  assert (u_dut.state_q == (!busy_q ? 2'd0 : whole_q ? 2'd2 : 2'd1));
      Way_A:    assert ({u_dut.rvalid_q, u_dut.reading_q} == way_q && (busy_q || way_q == '0));
    end
    Kept_C:  cover (rst_n && loaded && length_q == 7'd5 && tag_q == 7'd3);
    Held_C:  cover (rst_n && busy_q && hold_i && asked_q == 7'd2 && way_q == 2'b00);
    Empty_C: cover (rst_n && loaded && length_q == '0);
  end

endmodule
