// connect4_reader: every request gets one reply, a stream's parts and their end, or a refusal, in
// the order of the requests, from its own payload, as docs/wire.md says; nothing is sent otherwise.
// The next request is read while one is served, each byte once, from its slot, weights once nobody
// is served. The core gets one request for each search or trace that can be served, with its
// position and the weights set last; its answer is taken with the last byte of the end.
//
// Parts are numbered from 0 on without a gap. A search's first part is made in its first cycle, the
// others only with room: one when a depth is complete, one `Interval` cycles after the last, when
// none is being sent. Each says how far the search was when it was made. A trace's are its columns,
// each once, in order. The end comes after them, with their number and whether it was cancelled;
// of a trace that was, with nothing else. There is no deadlock. Resets may come at any time, so may
// cancels, which the core hears: that it ends then is connect4_search's.
//
// The core is connect4_search_stub; four in a row are connect4_win_proof's. The tag is one byte of
// the weights: what holds for it holds for every byte.
module connect4_reader_proof
  import frame_pkg::mem_addr_t, frame_pkg::slot_t;
#(
  parameter int unsigned Interval = 6
) (
  input logic       clk_i,
  input logic       reset_i,
  input logic       cancel_i,
  input logic       room_i,
  input logic       req_valid_i,
  input logic [7:0] req_msg_i,
  input slot_t      req_slot_i,
  input logic [7:0] mem_rdata_i,
  input logic       reply_ready_i,
  input logic       byte_ready_i,
  // The core, free
  input logic       core_ready_i,
  input logic       depth_done_i,
  input logic       candidate_valid_i,
  input logic       done_i,
  input connect4_pkg::progress_t  progress_i,
  input connect4_pkg::candidate_t candidate_i,
  // The tagged byte; with `eager_i` the request `second_i` comes as early as allowed
  input logic [5:0] tag_i,
  input logic       eager_i,
  input logic [7:0] second_i,
  input logic       cancels_i
);

  localparam logic [7:0] SetWeights = 8'h10, GetWeights = 8'h11, Search = 8'h12, Trace = 8'h13;

  logic begun = 1'b0;
  always_ff @(posedge clk_i) begun <= 1'b1;
  logic rst_n;
  assign rst_n = begun && !reset_i;

  game_pkg::game_req_t req;
  game_pkg::game_rsp_t rsp;
  assign req = '{load:  '{valid: req_valid_i, msg: req_msg_i, slot: req_slot_i,
                          rdata: mem_rdata_i}, cancel: cancel_i, room: room_i,
                 reply: '{ready: reply_ready_i, byte_ready: byte_ready_i}};

  connect4_reader #(
    .Interval (Interval)
  ) u_dut (
    .clk_i,
    .rst_ni (rst_n),
    .req_i  (req),
    .rsp_o  (rsp)
  );

  logic       req_ready, mem_en, loaded, reply_valid, reply_empty, reply_part;
  logic       byte_valid, byte_last;
  mem_addr_t  mem_addr;
  logic [7:0] reply_msg, byte_data;
  assign {req_ready, loaded, mem_en, mem_addr} = rsp.load;
  assign {reply_valid, reply_msg, reply_empty, reply_part, byte_valid, byte_data, byte_last} =
         rsp.reply;

  // The core
  logic                     search_valid, search_fire, done, cancelled, column_valid, column_taken;
  connect4_pkg::progress_t  progress;
  connect4_pkg::candidate_t column;
  logic [41:0][7:0]         core_weights;
  assign search_valid = u_dut.u_connect4_search.req_valid_i;
  assign search_fire  = search_valid && u_dut.u_connect4_search.req_ready_o;
  assign done         = u_dut.u_connect4_search.rsp_valid_o;
  assign cancelled    = u_dut.u_connect4_search.cancelled_o;
  assign column_valid = u_dut.u_connect4_search.candidate_valid_o;
  assign column_taken = column_valid && u_dut.u_connect4_search.candidate_ready_i;
  assign progress     = u_dut.u_connect4_search.progress_o;
  assign column       = u_dut.u_connect4_search.candidate_o;
  assign core_weights = u_dut.u_connect4_search.weights_i;

  // ------------------------------------------------------------ requests, as docs/wire.md has them
  typedef logic [14:0][7:0] position_t;  // own stones, the opponent's, depth

  function automatic logic [7:0] request_length(logic [7:0] msg);
    return (msg == SetWeights) ? 8'd42 : (msg == GetWeights) ? 8'd0 : 8'd15;
  endfunction

  // Why it is refused; 0 if it is served
  function automatic logic [7:0] refusal(logic [7:0] msg, position_t at, logic four,
                                         logic weights_set);
    logic bad, full;
    bad  = 1'b0;
    full = 1'b1;
    for (int unsigned c = 0; c < 7; c++) begin
      for (int unsigned r = 0; r < 8; r++) begin
        if (at[c][r] && at[7+c][r]) bad = 1'b1;
        if ((at[c][r] || at[7+c][r]) &&
            (r > 5 || (r != 0 && !at[c][r-1] && !at[7+c][r-1]))) bad = 1'b1;
      end
      if (!at[c][5] && !at[7+c][5]) full = 1'b0;
    end
    if (msg == SetWeights) return '0;
    if (msg != GetWeights) begin
      if (bad) return 8'h40;
      if (full || four) return 8'h41;
      if (at[14] == '0 || at[14] > 8'd42) return 8'h42;
    end
    return weights_set ? '0 : 8'h43;
  endfunction

  // ------------------------------------------------------------------ the request that is read
  logic       load_q, wait_q;  // it is; all of it was, and it waits to be served
  logic [7:0] l_msg_q;
  slot_t      slot_q;
  logic [7:0] read_q, got_q;   // payload bytes read, arrived
  logic [1:0] way_q;           // bytes on their way
  position_t  position_q;
  logic [7:0] l_weight_q;      // the tagged byte
  logic [5:0] tag_q;

  // ---------------------------------------------------------------- the request that is served
  logic        busy_q, over_q;    // there is one; it is a reply's turn, or the core's
  logic [7:0]  msg_q, code_q;
  logic        set_q;             // there are weights
  logic [7:0]  weight_q;          // the tagged byte
  logic        header_q, part_q;  // a reply's header was taken; it is a part
  logic [7:0]  sent_q;            // bytes of the reply
  logic [15:0] parts_q;           // parts that have left
  logic        pending_q;         // a part was made and has not left
  logic [22:0][7:0] made_q;       // its payload
  logic        first_q;           // none was made yet
  logic [7:0]  since_q;           // cycles since the last one, at most those of the interval
  logic        end_q;             // there was nothing left but the end

  logic [7:0] length;
  logic       searches, traces, gets, held, there, begins, serves, searching;
  assign length    = request_length(l_msg_q);
  assign searches  = (msg_q == Search || msg_q == Trace) && code_q == '0;
  assign traces    = msg_q == Trace;
  assign gets      = msg_q == GetWeights && code_q == '0;
  assign held      = busy_q && !over_q;
  assign there     = load_q || wait_q || held;
  assign begins    = wait_q && !busy_q;
  assign serves    = held && (!searches || search_fire);
  assign searching = busy_q && over_q && searches;

  // Nothing is left but the end; a part is made in this cycle.
  logic ending, makes;
  assign ending = u_dut.state_q == 2'd3;
  assign makes = searching && !pending_q && !ending &&
                 (traces ? column_valid
                         : first_q || (room_i && (u_dut.u_connect4_search.depth_done_o ||
                                                  (since_q == 8'(Interval - 1) && !done))));
  // The reply's length, and its payload but for weights
  logic             part;
  logic [7:0]       reply_length, shown;
  logic [22:0][7:0] payload;
  assign part  = header_q ? part_q : reply_part;
  assign shown = (progress.depth == '0) ? 8'd255 : {5'd0, progress.column};
  always_comb begin
    payload = made_q;
    if (code_q != '0) begin
      reply_length = 8'd2;
      payload      = {168'd0, msg_q, code_q};
    end else if (!searches) begin
      reply_length = gets ? 8'd42 : 8'd0;
    end else if (part) begin
      reply_length = traces ? 8'd14 : 8'd22;
    end else begin
      reply_length = 8'd23;
      payload      = {progress.cycles, progress.nodes, 2'd0, progress.depth, progress.value, shown,
                      7'd0, cancelled, parts_q};
      if (traces && cancelled) payload = {160'd0, 8'd1, parts_q};
    end
  end

  logic last, ends;
  assign last = byte_valid && byte_ready_i && sent_q + 8'd1 == reply_length;
  assign ends = (last && !part_q) || (reply_valid && reply_ready_i && reply_length == '0);

  // The cycle before
  logic       reply_held_q, byte_held_q;
  logic [9:0] reply_q;
  logic [8:0] byte_q;

  always_ff @(posedge clk_i) begin
    reply_q <= {reply_msg, reply_empty, reply_part};
    byte_q  <= {byte_data, byte_last};
    if (!begun) tag_q <= tag_i;
    if (!rst_n) begin
      load_q       <= 1'b0;
      wait_q       <= 1'b0;
      way_q        <= '0;
      busy_q       <= 1'b0;
      over_q       <= 1'b0;
      set_q        <= 1'b0;
      header_q     <= 1'b0;
      pending_q    <= 1'b0;
      end_q        <= 1'b0;
      reply_held_q <= 1'b0;
      byte_held_q  <= 1'b0;
    end else begin
      reply_held_q <= reply_valid && !reply_ready_i;
      byte_held_q  <= byte_valid && !byte_ready_i;
      way_q        <= {way_q[0], mem_en};
      end_q        <= searching && done && !pending_q && !makes && !ends;

      // Read
      if (mem_en) read_q <= read_q + 8'd1;
      if (way_q[1]) begin
        got_q <= got_q + 8'd1;
        if (got_q < 8'd15) position_q[4'(got_q)] <= mem_rdata_i;
        if (got_q == 8'(tag_q)) l_weight_q <= mem_rdata_i;
      end
      if (loaded) begin
        load_q <= 1'b0;
        wait_q <= 1'b1;
      end
      if (req_valid_i && req_ready) begin
        load_q  <= 1'b1;
        l_msg_q <= req_msg_i;
        slot_q  <= req_slot_i;
        read_q  <= '0;
        got_q   <= '0;
      end

      // Served
      if (begins) begin
        wait_q  <= 1'b0;
        busy_q  <= 1'b1;
        over_q  <= 1'b0;
        msg_q   <= l_msg_q;
        code_q  <= refusal(l_msg_q, position_q, u_dut.u_connect4_request.own_four ||
                           u_dut.u_connect4_request.opponent_four, set_q);
        parts_q <= '0;
      end
      if (serves) begin
        over_q  <= 1'b1;
        first_q <= 1'b1;
        if (msg_q == SetWeights) begin
          set_q    <= 1'b1;
          weight_q <= l_weight_q;
        end
      end
      if (since_q != 8'(Interval - 1)) since_q <= since_q + 8'd1;
      if (makes) begin
        pending_q <= 1'b1;
        first_q   <= 1'b0;
        since_q   <= '0;
        made_q    <= traces ? {72'd0, column.nodes, column.value, 7'd0, column.legal,
                               5'd0, column.column, parts_q}
                            : {8'd0, progress.cycles, progress.nodes, progress.value, shown,
                               2'd0, progress.depth, parts_q};
      end
      if (reply_valid && reply_ready_i) begin
        header_q <= reply_length != '0;
        part_q   <= reply_part;
        sent_q   <= '0;
      end
      if (byte_valid && byte_ready_i) sent_q <= sent_q + 8'd1;
      if (last) begin
        header_q <= 1'b0;
        if (part_q) begin
          parts_q   <= parts_q + 16'd1;
          pending_q <= 1'b0;
        end
      end
      if (ends) busy_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------- what the reader holds
  localparam logic [1:0] RdIdle = 2'd0, RdServe = 2'd1, RdSearch = 2'd2, RdReply = 2'd3;
  localparam logic [1:0] LdIdle = 2'd0, LdLoad = 2'd1, LdDone = 2'd2;
  logic [14:0][7:0] kept;
  logic [41:0][7:0] weights;
  assign kept    = u_dut.u_connect4_request.u_request_loader.payload_q;
  assign weights = u_dut.u_weights.value_q;

  logic kept_ok, stones_ok;
  always_comb begin
    stones_ok = 1'b1;
    for (int unsigned c = 0; c < 7; c++) begin
      if ({1'b0, u_dut.u_connect4_search.req_i.own[c]} != position_q[c] ||
          {1'b0, u_dut.u_connect4_search.req_i.opponent[c]} != position_q[7+c]) stones_ok = 1'b0;
    end
    kept_ok = 1'b1;
    for (int unsigned k = 0; k < 15; k++) begin
      if (got_q > 8'(k) && kept[k] != position_q[k]) kept_ok = 1'b0;
    end
  end

  // The register of weights rotates while they are read in or sent: its bytes change places.
  logic       new_weights;
  logic [5:0] weight_at;
  always_comb begin
    new_weights = there && l_msg_q == SetWeights && got_q != '0;
    weight_at   = tag_q;
    if (new_weights) begin
      weight_at = 6'(8'd42 - got_q + 8'(tag_q));
    end else if (header_q && gets) begin
      weight_at = (8'(tag_q) > sent_q) ? tag_q - 6'(sent_q + 8'd1)
                                       : tag_q + 6'd42 - 6'(sent_q + 8'd1);
    end
  end

  // The covers are far away. Those who want to be there soon take everything at once, and send
  // weights, then a request; a cancel comes in its first part.
  logic       eager_q, cancels_q, taken_q;
  logic [7:0] second_q;
  always_ff @(posedge clk_i) begin
    if (!begun) begin
      eager_q   <= eager_i;
      second_q  <= second_i;
      cancels_q <= cancels_i;
    end
    if (!rst_n) taken_q <= 1'b0;
    else if (req_valid_i && req_ready) taken_q <= 1'b1;
  end

  always_comb begin
    Game_M:  assume (!req_valid_i || req_msg_i inside {SetWeights, GetWeights, Search, Trace});
    Tag_M:   assume (tag_i < 6'd42);
    Eager_M: assume (!(begun && eager_q) || (!reset_i && reply_ready_i && byte_ready_i &&
                     core_ready_i && room_i && req_valid_i && candidate_valid_i &&
                     req_msg_i == (taken_q ? second_q : SetWeights) &&
                     cancel_i == (cancels_q && header_q) &&
                     done_i == (parts_q == 16'd2)));
    if (begun) Tagged_A: assert (tag_q < 6'd42);
    if (rst_n) begin
      // Requests
      Ready_A:   assert (req_ready == !there);
      Memory_A:  assert (mem_en == (load_q && read_q < length &&
                                    !(l_msg_q == SetWeights && busy_q)) &&
                         (!mem_en || (mem_addr.slot == slot_q && 8'(mem_addr.offset) == read_q)));
      Loaded_A:  assert (loaded == (load_q && read_q == length && !way_q[0] &&
                                    !(l_msg_q == SetWeights && busy_q)) &&
                         (!loaded || got_q + 8'(way_q[1]) == length));

      // The core
      Asks_A:    assert (search_valid == (held && searches));
      Asked_A:   assert (!search_valid || (u_dut.u_connect4_search.req_i.trace == traces &&
                         8'(u_dut.u_connect4_search.req_i.depth) == position_q[14]));
      Stones_A:  assert (!search_valid || stones_ok);
      Weights_A: assert (!(search_valid || searching) || core_weights[tag_q] == weight_q);
      Cancel_A:  assert (u_dut.u_connect4_search.cancel_i == cancel_i);
      Taken_A:   assert ((done && u_dut.u_connect4_search.rsp_ready_i) ==
                         (last && !part_q && searches));
      Column_A:  assert (column_taken == (makes && traces));

      // Replies
      Made_A:    assert (u_dut.making == makes);
      Header_A:  assert (!reply_valid || (busy_q && over_q && !header_q &&
                         reply_part == pending_q && reply_empty == (reply_length == '0) &&
                         (reply_part ? searching : !searches || done) &&
                         reply_msg == (code_q != '0 ? 8'hff :
                                       msg_q | 8'h80 | (reply_part ? 8'h20 : 8'h00))));
      Byte_A:    assert (byte_valid == (busy_q && header_q) && (!byte_valid ||
                         (sent_q < reply_length && byte_last == (sent_q + 8'd1 == reply_length))));
      Data_A:    assert (!byte_valid || gets || byte_data == payload[sent_q[4:0]]);
      Sent_A:    assert (!(byte_valid && gets) || sent_q != 8'(tag_q) || byte_data == weight_q);
      ReplyHeld_A: assert (!reply_held_q || (reply_valid &&
                           {reply_msg, reply_empty, reply_part} == reply_q));
      ByteHeld_A:  assert (!byte_held_q || (byte_valid && {byte_data, byte_last} == byte_q));
      // There is no deadlock: what is served is sent, a part at once, the end after the last one.
      Serves_A:  assert (!(busy_q && over_q && (!searches || pending_q)) || reply_valid ||
                         header_q);
      Ends_A:    assert (!end_q || reply_valid || header_q);

      // How it keeps all this
      State_A:   assert (u_dut.state_q == (!busy_q ? RdIdle : !over_q ? RdServe :
                         !searches || ending ? RdReply : RdSearch));
      Ending_A:  assert (!searching || (ending ? done && !pending_q : !header_q || part_q));
      Load_A:    assert (u_dut.u_connect4_request.u_request_loader.state_q ==
                         (load_q ? LdLoad : (wait_q || held) ? LdDone : LdIdle) &&
                         !(load_q && wait_q) && !(held && (load_q || wait_q)));
      Message_A: assert ((!there || u_dut.u_connect4_request.u_request_loader.msg_q == l_msg_q) &&
                         (!busy_q || u_dut.msg_q == msg_q) && (!held || l_msg_q == msg_q) &&
                         (!load_q || u_dut.u_connect4_request.u_request_loader.slot_q == slot_q));
      Kinds_A:   assert ((!there || l_msg_q inside {SetWeights, GetWeights, Search, Trace}) &&
                         (!busy_q || msg_q inside {SetWeights, GetWeights, Search, Trace}));
      Way_A:     assert (u_dut.u_connect4_request.u_request_loader.reading_q == way_q[0] &&
                         u_dut.u_connect4_request.u_request_loader.rvalid_q == way_q[1]);
      Came_A:    assert (!there || (got_q <= length &&
                         8'(u_dut.u_connect4_request.u_request_loader.came_q) == got_q &&
                         8'(u_dut.u_connect4_request.u_request_loader.length_q) == length));
      Read_A:    assert ((!load_q || (
                         8'(u_dut.u_connect4_request.u_request_loader.issued_q) == read_q &&
                         read_q <= length && got_q + 8'(way_q[0]) + 8'(way_q[1]) == read_q)) &&
                         (load_q || way_q == '0) && (!(wait_q || held) || got_q == length));
      Alone_A:   assert (!(l_msg_q == SetWeights && busy_q && !held) ||
                         (!wait_q && (!load_q || read_q == '0)));
      Kept_A:    assert (!there || kept_ok);
      Why_A:     assert (!held || (code_q == refusal(l_msg_q, position_q,
                         u_dut.u_connect4_request.own_four ||
                         u_dut.u_connect4_request.opponent_four,
                         set_q)));
      Served_A:  assert (!busy_q || !searches || set_q);
      Code_A:    assert (!busy_q || (u_dut.error_q == (code_q != '0) &&
                         (code_q == '0 || u_dut.code_q == code_q)));
      Gets_A:    assert (!(busy_q && gets) || set_q);
      Set_A:     assert (u_dut.u_weights.set_q == set_q);
      Weight_A:  assert (new_weights ? got_q <= 8'(tag_q) || weights[weight_at] == l_weight_q
                                     : !set_q || weights[weight_at] == weight_q);
      Core_A:    assert (u_dut.u_connect4_search.busy_q == searching &&
                         (!u_dut.u_connect4_search.done_q || searching) &&
                         (!u_dut.u_connect4_search.offered_q ||
                          (searching && !done && traces)) &&
                         (!searching || u_dut.u_connect4_search.trace_q == traces));
      Part_A:    assert (u_dut.u_connect4_replies.part_q == pending_q &&
                         (!pending_q || (searching && !ending && (traces ?
                          u_dut.u_connect4_replies.payload_q[111:0] == made_q[13:0] :
                          u_dut.u_connect4_replies.payload_q == made_q[21:0]))));
      First_A:   assert (!searching || u_dut.u_connect4_replies.first_q == first_q);
      Since_A:   assert (!searching || first_q || (since_q < 8'(Interval) &&
                         8'(u_dut.u_connect4_replies.since_q) == since_q &&
                         u_dut.u_connect4_replies.late_q == (since_q == 8'(Interval - 1))));
      Early_A:   assert (!(searching && first_q) || (!pending_q && parts_q == '0));
      Parts_A:   assert (u_dut.u_reply_sender.parts_q == (busy_q ? parts_q : '0) &&
                         (!held || parts_q == '0));
      Plain_A:   assert (!(busy_q && !searches) || parts_q == '0);
      Sending_A: assert (u_dut.u_reply_sender.bytes_q == header_q &&
                         (!header_q || (busy_q && over_q && sent_q < reply_length &&
                          part_q == pending_q)) &&
                         8'(u_dut.u_reply_sender.index_q) == (header_q ? sent_q + 8'd1 : 8'd0));
      Payload_A: assert (!header_q || gets ||
                         u_dut.u_reply_sender.data_q == payload[sent_q[4:0]]);
    end
    Progress_C:  cover (rst_n && eager_q && second_q == Search && !cancels_q && last && !part_q &&
                        parts_q == 16'd3);
    Cancelled_C: cover (rst_n && eager_q && second_q == Search && cancels_q && last && !part_q &&
                        parts_q == 16'd1 && searches);
    Columns_C:   cover (rst_n && eager_q && second_q == Trace && !cancels_q && last && !part_q &&
                        parts_q == 16'd3 && wait_q);
    Refused_C:   cover (rst_n && eager_q && second_q == Search && last && code_q == 8'h41);
    Weights_C:   cover (rst_n && eager_q && second_q == GetWeights && last && gets);
  end

endmodule
