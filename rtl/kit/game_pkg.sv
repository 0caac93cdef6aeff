// The port between the link and a game: one struct each way. docs/kit.md has the contract.
package game_pkg;

  // Link to game
  typedef struct packed {
    logic             valid;        // a request is offered: msg and slot
    logic [7:0]       msg;          // its message number
    frame_pkg::slot_t slot;         // where its payload lies in the request memory
    logic [7:0]       rdata;        // the byte read, two cycles after mem_en
    logic             cancel;       // streams are to end; high until they have
    logic             room;         // a part offered now waits neither for the line nor for credit
    logic             reply_ready;  // the header offered is taken
    logic             byte_ready;   // the payload byte offered is taken
  } game_req_t;

  // Game to link
  typedef struct packed {
    logic                 ready;        // the request offered is taken
    logic                 loaded;       // high for a cycle: its payload has been read
    logic                 mem_en;       // read a byte of the request memory
    frame_pkg::mem_addr_t mem_addr;
    logic                 reply_valid;  // a reply's header is offered: the next three
    logic [7:0]           reply_msg;
    logic                 reply_empty;  // it has no payload
    logic                 reply_part;   // it is a part of a stream: more replies follow
    logic                 byte_valid;   // a payload byte is offered
    logic [7:0]           byte_data;
    logic                 byte_last;
  } game_rsp_t;

endpackage
