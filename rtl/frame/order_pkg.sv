// Order of replies: may the oldest request be served now, or does it wait for the game?
// docs/wire.md has the rule (Streams, what may come between).
package order_pkg;

  // The link's requests have the numbers below this one, the game's begin here.
  localparam int unsigned FirstOfGame = 16;
  // Requests that the game takes ahead
  localparam int unsigned MostPending = 2;

  // The game's requests without their last reply
  typedef enum logic [1:0] {
    GameIdle,       // none
    GamePending,    // one, no part of whose reply has left
    GameStreaming,  // one, a part of whose reply has left
    GameFull        // as many as it takes
  } game_e;

  function automatic game_e game_state(logic [1:0] pending, logic streaming);
    if (pending == 2'd0) return GameIdle;
    if (pending == 2'(MostPending)) return GameFull;
    return streaming ? GameStreaming : GamePending;
  endfunction

  // `refused`: busy, of no known number or of a wrong length, whatever the number says
  function automatic logic may_begin(logic [7:0] msg, logic refused, game_e game);
    // The game's are handed over, as long as it takes them.
    if (!refused && msg >= 8'(FirstOfGame)) return game != GameFull;
    // A cancel's reply says that the streams before it are over.
    if (!refused && msg == link_proto_pkg::MsgCancel) return game == GameIdle;
    // All others are answered in order, or between the parts of a stream.
    return game == GameIdle || game == GameStreaming;
  endfunction

endpackage
