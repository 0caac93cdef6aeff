// The kinds of requests of Tetris, one bit each: much depends on them.
package tetris_kind_pkg;

  typedef struct packed {
    logic sets;     // set_weights
    logic gets;     // get_weights
    logic decides;  // decide
    logic traces;   // trace
    logic gives;    // play: its pieces are given
    logic draws;    // self_play: they are drawn
  } kind_t;

  function automatic kind_t kind_of(logic [7:0] msg);
    return '{sets:    msg == tetris_proto_pkg::MsgSetWeights,
             gets:    msg == tetris_proto_pkg::MsgGetWeights,
             decides: msg == tetris_proto_pkg::MsgDecide,
             traces:  msg == tetris_proto_pkg::MsgTrace,
             gives:   msg == tetris_proto_pkg::MsgPlay,
             draws:   msg == tetris_proto_pkg::MsgSelfPlay};
  endfunction

endpackage
