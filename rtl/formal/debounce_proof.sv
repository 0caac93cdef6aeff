// debounce with 5 cycles: a press counts in the cycle in which the button, two cycles ago, had been
// pressed for 5 cycles without a break, if it has been released for 5 since the press before.
module debounce_proof (
  input logic clk_i,
  input logic button_i
);

  localparam logic [2:0] Steady = 3'd5;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic press;

  debounce #(
    .Steady (32'(Steady))
  ) u_dut (
    .clk_i,
    .rst_ni   (rst_n),
    .button_i,
    .press_o  (press)
  );

  // Cycles for which it has had its level, at most Steady
  function automatic logic [2:0] longer(logic [2:0] cycles);
    return (cycles == Steady) ? Steady : cycles + 3'd1;
  endfunction

  logic [1:0] before_q;  // its levels in the last two cycles
  logic [2:0] pressed_q, released_q, pressed, released;
  logic       counts_q;  // the next press does
  logic       again_q;   // there was one

  assign pressed  = before_q[1] ? longer(pressed_q) : 3'd0;
  assign released = before_q[1] ? 3'd0 : longer(released_q);

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      before_q   <= '0;
      pressed_q  <= '0;
      released_q <= '0;
      counts_q   <= 1'b1;
      again_q    <= 1'b0;
    end else begin
      again_q    <= again_q || press;
      before_q   <= {before_q[0], button_i};
      pressed_q  <= pressed;
      released_q <= released;
      if (press) counts_q <= 1'b0;
      else if (released == Steady) counts_q <= 1'b1;
    end
  end

  always_comb begin
    if (rst_n) Press_A: assert (press == (counts_q && pressed == Steady));
    Press_C: cover (rst_n && press);
    Again_C: cover (rst_n && counts_q && again_q);
  end

endmodule
