// Counts of one row of a placement, rows from the top down, and the state of the columns for the
// next row. Combinational; its user keeps above_o, and gives an above_i
// of all zeros for the topmost row.
//
// A full row is removed: it leaves what is known as it is, and only marks_o.full, .gaps and
// .silhouette mean anything.
module tetris_row_step
  import tetris_pkg::Columns, tetris_pkg::above_t, tetris_pkg::marks_t, tetris_pkg::pairs_t,
         tetris_pkg::planes_add, tetris_pkg::planes_t, tetris_pkg::row_t;
(
  input  above_t above_i,
  input  row_t   filled_i,
  output above_t above_o,
  output marks_t marks_o
);

  // The counters of the columns in mask count up; those outside keep fall to 0.
  function automatic planes_t count(planes_t planes, row_t mask, row_t keep);
    planes_t sum;
    sum = planes_add(planes, mask);
    for (int unsigned k = 0; k < 5; k++) sum[k] &= keep;
    return sum;
  endfunction

  row_t   empty, left_filled, right_filled, well, in_well;
  logic   full;
  row_t   silhouette;
  pairs_t steps;

  assign full         = &filled_i;
  assign empty        = ~filled_i;
  assign left_filled  = {filled_i[Columns-2:0], 1'b1};
  assign right_filled = {1'b1, filled_i[Columns-1:1]};
  assign well         = empty & left_filled & right_filled;
  // Below a well cell of the same empty run, or one itself
  assign in_well      = well | above_i.depth[0] | above_i.depth[1] | above_i.depth[2] |
                        above_i.depth[3] | above_i.depth[4];
  assign silhouette   = above_i.covered | filled_i;
  assign steps        = silhouette[Columns-2:0] ^ silhouette[Columns-1:1];

  always_comb begin
    above_o = above_i;
    if (!full) begin
      above_o.covered = silhouette;
      above_o.above   = filled_i;
      above_o.run     = count(above_i.run, filled_i, filled_i);
      above_o.wells   = count(above_i.wells, well, empty);
      above_o.depth   = count(above_i.depth, in_well, empty);
      above_o.by1     = above_i.by1 | steps;
      above_o.by2     = above_i.by2 | (above_i.by1 & steps);
      above_o.by3     = above_i.by3 | (above_i.by2 & steps);
      above_o.left    = above_i.left | (steps & silhouette[Columns-2:0]);
    end
  end

  always_comb begin
    marks_o = '{
      full:       full,
      gaps:       empty & left_filled,
      edges:      above_i.above & empty,
      holes:      above_i.covered & empty,
      silhouette: silhouette,
      steps:      steps,
      buried:     '0
    };
    for (int unsigned k = 0; k < 5; k++) marks_o.buried[k] = above_i.run[k] & empty;
  end

endmodule
