// A push button without its bounces: one pulse for each press.
//
// Drive it: `button_i` is high while the button is pressed, and asynchronous. `press_o` is high for a
// cycle when it has been pressed for Steady cycles without a break; the next press counts after it
// has been released for as long. Latency: two cycles more.
module debounce #(
  parameter int unsigned Steady = 1_000_000  // at least 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic button_i,
  output logic press_o
);

  localparam int unsigned Width = $clog2(Steady);

  (* async_reg = "true" *) logic [1:0] button_sync_q;

  logic             pressed_q;
  logic [Width-1:0] steady_q;  // cycles for which the button has had the other level
  logic             differs, turns;

  assign differs = button_sync_q[1] != pressed_q;
  assign turns   = differs && steady_q == Width'(Steady - 1);
  assign press_o = turns && !pressed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      button_sync_q <= '0;
      pressed_q     <= 1'b0;
      steady_q      <= '0;
    end else begin
      button_sync_q <= {button_sync_q[0], button_i};
      pressed_q     <= pressed_q ^ turns;
      steady_q      <= (differs && !turns) ? steady_q + 1'b1 : '0;
    end
  end

endmodule
