// tetris_heights: two cycles after en_i the heights of that board and of its stack, and until the
// next one.
module tetris_heights_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_def_pkg::height;
(
  input logic   clk_i,
  input logic   en_i,
  input board_t board_i
);

  tetris_pkg::heights_t heights;
  logic [4:0]           stack;

  tetris_heights u_dut (
    .clk_i,
    .en_i,
    .board_i,
    .heights_o (heights),
    .stack_o   (stack)
  );

  // The board taken last, and since when
  board_t     board_q;
  logic       taken_q = 1'b0;
  logic       there_q = 1'b0;

  always_ff @(posedge clk_i) begin
    if (en_i) board_q <= board_i;
    taken_q <= taken_q || en_i;
    there_q <= taken_q && !en_i;
  end

  tetris_pkg::heights_t expected;
  logic [4:0]           tallest;
  always_comb begin
    tallest = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      expected[c] = height(board_q, c);
      if (expected[c] > tallest) tallest = expected[c];
    end
    if (there_q && !en_i) begin
      Heights_A: assert (heights == expected);
      Stack_A:   assert (stack == tallest);
    end
    Full_C:  cover (there_q && !en_i && tallest == 5'(Rows) && heights[3] == 5'd0);
    Again_C: cover (there_q && en_i && heights[0] == 5'd7);
  end

endmodule
