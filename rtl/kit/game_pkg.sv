// The port between the link and a game: one struct each way, with a part for the kit's
// request_loader and one for its reply_sender. docs/kit.md has the contract.
package game_pkg;

  // Link to game: a request and its payload
  typedef struct packed {
    logic             valid;  // a request is offered: msg and slot
    logic [7:0]       msg;    // its message number
    frame_pkg::slot_t slot;   // where its payload lies in the request memory
    logic [7:0]       rdata;  // the byte read, two cycles after mem_en
  } load_req_t;

  // Game to link
  typedef struct packed {
    logic                 ready;   // the request offered is taken
    logic                 loaded;  // high for a cycle: its payload has been read
    logic                 mem_en;  // read a byte of the request memory
    frame_pkg::mem_addr_t mem_addr;
  } load_rsp_t;

  // Game to link: a reply
  typedef struct packed {
    logic       valid;  // its header is offered: the next three
    logic [7:0] msg;
    logic       empty;  // it has no payload
    logic       part;   // it is a part of a stream: more replies follow
    logic       byte_valid;  // a payload byte is offered
    logic [7:0] byte_data;
    logic       byte_last;
  } reply_t;

  // Link to game
  typedef struct packed {
    logic ready;       // the header offered is taken
    logic byte_ready;  // the payload byte offered is taken
  } reply_ack_t;

  // Link to game
  typedef struct packed {
    load_req_t  load;
    logic       cancel;  // streams are to end; high until they have
    logic       room;    // a part offered now waits neither for the line nor for credit
    reply_ack_t reply;
  } game_req_t;

  // Game to link
  typedef struct packed {
    load_rsp_t load;
    reply_t    reply;
  } game_rsp_t;

endpackage
