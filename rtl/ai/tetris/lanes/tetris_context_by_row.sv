// The number of empty cells of each row of a board, and of rows without a hole below each row.
//
// Takes a group of rows each cycle, upper groups first, and three cycles after it `hole_rows_i`.
// The outputs are valid for one cycle: `empty_o` two cycles after a board's last group, `clean_o`
// four. Both are invalid if the board has a full row.
module tetris_context_by_row
  import tetris_pkg::Columns, tetris_pkg::Rows, tetris_pkg::height_t, tetris_pkg::row_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned Groups = Rows / RowsPerCycle
) (
  input  logic                    clk_i,
  input  logic                    first_i,
  input  logic [Groups-1:0]       group_i,
  input  row_t [RowsPerCycle-1:0] rows_i,
  input  logic [RowsPerCycle-1:0] hole_rows_i,
  output logic [Rows-1:0][2:0]    empty_o,
  output height_t [Rows:0]        clean_o
);

  // [k]: the group of k cycles ago
  logic [Groups-1:0] group_q [1:3];
  logic              first_q [1:3];
  always_ff @(posedge clk_i) begin
    group_q[1] <= group_i;
    first_q[1] <= first_i;
    for (int unsigned k = 2; k <= 3; k++) begin
      group_q[k] <= group_q[k-1];
      first_q[k] <= first_q[k-1];
    end
  end

  // ------------------------------------------------------------------ empty cells
  function automatic logic [2:0] empty_of(row_t row);
    logic [3:0] count;
    count = tetris_pkg::ones(~row);
    return (count > 4'd5) ? 3'd5 : count[2:0];
  endfunction

  row_t [RowsPerCycle-1:0]      rows_q;
  logic [RowsPerCycle-1:0][2:0] empty;
  always_comb for (int unsigned i = 0; i < RowsPerCycle; i++) empty[i] = empty_of(rows_q[i]);
  always_ff @(posedge clk_i) begin
    rows_q <= rows_i;
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        // The rows above the first group are empty.
        if (group_q[1][g]) empty_o[g*RowsPerCycle+i] <= empty[i];
        else if (first_q[1]) empty_o[g*RowsPerCycle+i] <= 3'd5;
      end
    end
  end

  // ------------------------------------------------------------------ rows without a hole
  // Counted down from above: 20 rows less those without a hole that are not below. The rows above
  // the first group have none.
  height_t                    above_q, above;
  height_t [RowsPerCycle-1:0] clean;
  height_t [Rows-1:0]         clean_q;
  always_comb begin
    above = above_q;
    if (first_q[3]) begin
      above = '0;
      for (int unsigned g = 0; g < Groups; g++) begin
        if (group_q[3][g]) above |= height_t'((g + 1) * RowsPerCycle);
      end
    end
    for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
      above    = above - height_t'(!hole_rows_i[i]);
      clean[i] = above;
    end
  end

  always_ff @(posedge clk_i) begin
    above_q <= above;
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        if (group_q[3][g]) clean_q[g*RowsPerCycle+i] <= clean[i];
        else if (first_q[3]) clean_q[g*RowsPerCycle+i] <= height_t'(g * RowsPerCycle + i);
      end
    end
  end

  assign clean_o = {height_t'(Rows), clean_q};

endmodule
