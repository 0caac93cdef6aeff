// Receives the scene that scene_sender sends, and keeps it for video_picture: the end in the pixels'
// clock.
//
// Drive it: with `blank_i`, an enabled cycle at the end of a picture, it asks for a scene. That has
// to come before the next picture begins. `shown_o` is low until the first one is there.
// `cell_o` is the cell of `cell_addr_i` an enabled cycle later.
//
// A strobe takes its bit three cycles after it has changed; `en_i` does not matter to that.
module scene_receiver
  import video_pkg::*;
#(
  parameter int unsigned Cells = 200
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     en_i,
  input  logic                     blank_i,
  // The sender
  output logic                     ask_o,
  input  logic                     bit_i,     // asynchronous
  input  logic                     strobe_i,  // asynchronous
  // The picture
  output logic                     shown_o,
  output panel_t                   panel_o,
  input  logic [$clog2(Cells)-1:0] cell_addr_i,
  output cell_t                    cell_o
);

  localparam int unsigned Bits       = scene_bits(Cells);
  localparam int unsigned CellBits   = Cells * $bits(cell_t);
  localparam int unsigned CountWidth = $clog2(Bits + 1);

  (* async_reg = "true" *) logic [1:0] bit_sync_q, strobe_sync_q;

  logic                  ask_q, strobe_q, shown_q;
  logic [CountWidth-1:0] count_q;  // bits of this scene
  panel_t                panel_q;
  logic                  first_q;  // of the cell that comes
  cell_t                 cells_q [Cells];
  cell_t                 cell_q;
  logic                  takes, asks, is_cell;

  assign takes   = strobe_q != strobe_sync_q[1] && count_q != CountWidth'(Bits);
  assign asks    = en_i && blank_i;
  assign is_cell = count_q < CountWidth'(CellBits);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bit_sync_q    <= '0;
      strobe_sync_q <= '0;
      strobe_q      <= 1'b0;
      ask_q         <= 1'b0;
      count_q       <= '0;
      shown_q       <= 1'b0;
    end else begin
      bit_sync_q    <= {bit_sync_q[0], bit_i};
      strobe_sync_q <= {strobe_sync_q[0], strobe_i};
      strobe_q      <= strobe_sync_q[1];
      if (asks) begin
        ask_q   <= !ask_q;
        count_q <= '0;
      end else if (takes) begin
        count_q <= count_q + 1'b1;
        if (count_q == CountWidth'(Bits - 1)) shown_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (takes && is_cell) first_q <= bit_sync_q[1];
    if (takes && !is_cell) panel_q <= {panel_q[$bits(panel_t)-2:0], bit_sync_q[1]};
  end

  // The second bit of a cell writes it.
  logic [$clog2(Cells)-1:0] write_addr;
  assign write_addr = count_q[$clog2(Cells):1];

  always_ff @(posedge clk_i) begin
    if (takes && is_cell && count_q[0]) cells_q[write_addr] <= {first_q, bit_sync_q[1]};
    if (en_i) cell_q <= cells_q[cell_addr_i];
  end

  assign ask_o   = ask_q;
  assign shown_o = shown_q;
  assign panel_o = panel_q;
  assign cell_o  = cell_q;

endmodule
