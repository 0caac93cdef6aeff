// A placement lands: the first four stages of a lane. It gives the landing row, the gaps under the
// piece's columns, and the rows and columns of the board that its features depend on.
//
// `landed_o` and `form_o` are there four cycles after `placing_i`. Of the context, the heights are used in the
// cycle of `placing_i`, the columns two cycles later.
module tetris_lane_land
  import tetris_pkg::Columns, tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::height_t,
         tetris_pkg::heights_t, tetris_pkg::row_t;
  import tetris_lanes_pkg::columns_t, tetris_lanes_pkg::placing_t;
  import tetris_lane_pkg::*;
#(
  parameter row_t Seen = '1  // columns in which a placement can be
) (
  input  logic     clk_i,
  input  logic [3:0] valid_i,   // [k]: the placement of k cycles ago is one
  input  heights_t heights_i,
  input  columns_t columns_i,
  input  placing_t placing_i,
  output landed_t  landed_o,
  output form_t    form_o     // of the same
);

  typedef height_t [PieceSpan-1:0] spans_t;

  // Columns right of a placement
  localparam row_t Right = (Seen << 1) | (Seen << 2) | (Seen << 3) | (Seen << 4);

  // ------------------------------------------------------------------------ stage 1: heights
  placing_t           placing1_q;
  row_t               at, at1_q;
  height_t            left1_q, left;
  height_t [PieceSpan:0] heights1_q, heights;  // of column x and the four right of it

  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) at[c] = Seen[c] && placing_i.column == 4'(c);
  end

  tetris_lane_pick #(.Width(5), .Of(Seen >> 1)) u_left (
    .values_i(heights_i),
    .at_i    (at >> 1),
    .value_o (left)
  );
  for (genvar i = 0; i <= PieceSpan; i++) begin : gen_height
    tetris_lane_pick #(.Width(5), .Of(Seen << i)) u_height (
      .values_i(heights_i),
      .at_i    (at << i),
      .value_o (heights[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[0]) begin
      placing1_q <= placing_i;
      at1_q      <= at;
      left1_q    <= left;
      heights1_q <= heights;
    end
  end

  // ------------------------------------------------- stage 2: where each column would stop it
  form_t form1;
  assign form1 = Forms[{placing1_q.piece, placing1_q.rotation}];

  placing_t      placing2_q;
  row_t          at2_q, right_at2_q;
  spans_t        stops, stops2_q;           // the peak, if the piece rested on that column
  height_t [1:0] highest, highest2_q;       // of two columns
  spans_t        walls;
  height_t [1:0] lowest, lowest2_q;
  height_t       hung2_q;
  logic signed [5:0] left2_q, right2_q;     // the peak for which there is no step
  height_t       right;

  always_comb begin
    for (int unsigned i = 0; i < PieceSpan; i++) begin
      stops[i] = '0;
      walls[i] = '1;
      if (form1.occupied[i]) begin
        stops[i] = heights1_q[i] + 5'd2 - 5'(form1.bottom[i]);
        walls[i] = heights1_q[i];
      end
    end
    for (int unsigned k = 0; k < 2; k++) begin
      highest[k] = stops[2*k] > stops[2*k+1] ? stops[2*k] : stops[2*k+1];
      lowest[k]  = walls[2*k] < walls[2*k+1] ? walls[2*k] : walls[2*k+1];
    end
    case (form1.width)
      3'd1:    right = heights1_q[1];
      3'd2:    right = heights1_q[2];
      3'd3:    right = heights1_q[3];
      default: right = heights1_q[4];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[1]) begin
      placing2_q  <= placing1_q;
      at2_q       <= at1_q;
      right_at2_q <= at1_q << form1.width;
      stops2_q    <= stops;
      highest2_q  <= highest;
      lowest2_q   <= lowest;
      hung2_q     <= form1.hung == 2'd0 ? heights1_q[0] :
                     form1.hung == 2'd1 ? heights1_q[1] : heights1_q[2];
      left2_q     <= signed'({1'b0, left1_q}) + 6'sd1 - signed'({4'b0, form1.left_top});
      right2_q    <= signed'({1'b0, right}) + 6'sd1 - signed'({4'b0, form1.right_top});
    end
  end

  // ---------------------------------------------------------------- stage 3: peak and columns
  placing_t placing3_q;
  row_t     at3_q, right_at3_q;
  height_t  peak3_q, lowest3_q, hung3_q;
  spans_t   stops3_q;
  logic signed [5:0] left_flat3_q, right_flat3_q;
  cells_t   left3_q, far_left3_q, right3_q, far_right3_q, hung3_cells_q;
  cells_t   left_cells, far_left_cells, right_cells, far_right_cells, hung_cells;
  row_t     left_at, far_left_at, far_right_at;

  assign left_at      = at2_q >> 1;
  assign far_left_at  = at2_q >> 2;
  assign far_right_at = right_at2_q << 1;

  tetris_lane_pick #(.Width(Rows), .Of(Seen >> 1)) u_left_cells (
    .values_i(columns_i),
    .at_i    (left_at),
    .value_o (left_cells)
  );
  tetris_lane_pick #(.Width(Rows), .Of(Seen >> 2)) u_far_left_cells (
    .values_i(columns_i),
    .at_i    (far_left_at),
    .value_o (far_left_cells)
  );
  tetris_lane_pick #(.Width(Rows), .Of(Right)) u_right_cells (
    .values_i(columns_i),
    .at_i    (right_at2_q),
    .value_o (right_cells)
  );
  tetris_lane_pick #(.Width(Rows), .Of(Right << 1)) u_far_right_cells (
    .values_i(columns_i),
    .at_i    (far_right_at),
    .value_o (far_right_cells)
  );
  // Only where it overhangs by two rows, in J and L of two columns, can a hole be below it.
  tetris_lane_pick #(.Width(Rows), .Of(Seen | (Seen << 1))) u_hung_cells (
    .values_i(columns_i),
    .at_i    (placing2_q.piece == tetris_pkg::PieceJ ? at2_q << 1 : at2_q),
    .value_o (hung_cells)
  );

  always_ff @(posedge clk_i) begin
    if (valid_i[2]) begin
      placing3_q    <= placing2_q;
      at3_q         <= at2_q;
      right_at3_q   <= right_at2_q;
      peak3_q       <= highest2_q[0] > highest2_q[1] ? highest2_q[0] : highest2_q[1];
      lowest3_q     <= lowest2_q[0] < lowest2_q[1] ? lowest2_q[0] : lowest2_q[1];
      hung3_q       <= hung2_q;
      stops3_q      <= stops2_q;
      left_flat3_q  <= left2_q;
      right_flat3_q <= right2_q;
      // The walls are filled columns.
      left3_q       <= left_cells | {Rows{left_at == '0}};
      far_left3_q   <= far_left_cells | {Rows{far_left_at == '0}};
      right3_q      <= right_cells | {Rows{right_at2_q == '0}};
      far_right3_q  <= far_right_cells | {Rows{far_right_at == '0}};
      hung3_cells_q <= hung_cells;
    end
  end

  // ---------------------------------------------------------------- stage 4: what is around it
  form_t   form3;
  form_t   form4_q;
  landed_t landed4_q;
  height_t left_peak, right_peak;

  assign form3      = Forms[{placing3_q.piece, placing3_q.rotation}];
  assign left_peak  = peak3_q + height_t'(form3.left_bottom);
  assign right_peak = peak3_q + height_t'(form3.right_bottom);

  // The cells of a column below a peak
  function automatic cells_t below(cells_t cells, height_t peak);
    return cells & cells_t'(~(tall_t'('1) << peak) >> 2);
  endfunction

  gaps_t gaps;
  span_t occupied3;
  assign occupied3 = form3.occupied;
  always_comb begin
    for (int unsigned i = 0; i < PieceSpan; i++) begin
      gaps[i] = (peak3_q - stops3_q[i]) & {5{occupied3[i]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[3]) begin
      landed4_q.placing     <= placing3_q;
      // The highest cell is in row 19 at most.
      landed4_q.legal       <= 6'(peak3_q) + 6'(form3.rise) < 6'd22;
      landed4_q.peak        <= peak3_q;
      landed4_q.row         <= peak3_q - 5'd2;
      landed4_q.at          <= at3_q;
      landed4_q.right_at    <= right_at3_q;
      landed4_q.hung_at     <= at3_q << form3.hung;
      landed4_q.shut_at     <= at3_q << form3.shut;
      landed4_q.gaps        <= gaps;
      landed4_q.lowest      <= lowest3_q;
      landed4_q.hung_height <= hung3_q;
      landed4_q.left_step   <= signed'({1'b0, peak3_q}) - left_flat3_q;
      landed4_q.right_step  <= signed'({1'b0, peak3_q}) - right_flat3_q;
      landed4_q.left        <= slice({3'b0, left3_q, 2'b0}, peak3_q);
      landed4_q.far_left    <= slice({3'b0, far_left3_q, 2'b0}, peak3_q);
      landed4_q.right       <= slice({3'b0, right3_q, 2'b0}, peak3_q);
      landed4_q.far_right   <= slice({3'b0, far_right3_q, 2'b0}, peak3_q);
      landed4_q.hung_cell   <= 1'(slice({3'b0, hung3_cells_q, 2'b0}, peak3_q));
      landed4_q.left_below  <= below(left3_q, left_peak);
      landed4_q.right_below <= below(right3_q, right_peak);
      landed4_q.hung_below  <= below(hung3_cells_q, peak3_q);
      form4_q               <= form3;
    end
  end

  assign landed_o = landed4_q;
  assign form_o   = form4_q;

  logic unused;  // what others need of a form
  assign unused = ^form1;

endmodule
