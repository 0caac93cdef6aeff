// What the modules of a picture share.
package video_pkg;

  localparam int unsigned Digits = 6;  // of a seat's number

  // A pixel's place; the first one is the upper left one.
  typedef logic [9:0] place_t;

  // 4 bits a colour
  typedef struct packed {
    logic [3:0] red;
    logic [3:0] green;
    logic [3:0] blue;
  } colour_t;

  // A cell of the board: 0 is empty, the others are colours of the palette.
  typedef logic [1:0] cell_t;

  // Four rows of four cells, the upper left one is [15].
  typedef logic [15:0] piece_t;

  // What a picture shows beside the board. Seat 0 is the first player's.
  typedef struct packed {
    piece_t                     now;      // the piece that is placed
    piece_t                     next;     // the piece after it
    logic [1:0][Digits-1:0][3:0] numbers;  // decimal, of each seat
    logic [1:0]                 turn;     // the seat that is to move
  } panel_t;

  // Bits of a scene as it travels to the pixel clock: cells from the upper left one on, row by
  // row, then the panel; the highest bit of each comes first.
  function automatic int unsigned scene_bits(int unsigned cells);
    return cells * $bits(cell_t) + $bits(panel_t);
  endfunction

  // 3 x 5 pixels of a character, the upper left one is [14]; blank if it is not here.
  function automatic logic [14:0] glyph(logic [7:0] character);
    unique case (character)
      "0": return 15'b111_101_101_101_111;
      "1": return 15'b010_110_010_010_111;
      "2": return 15'b111_001_111_100_111;
      "3": return 15'b111_001_111_001_111;
      "4": return 15'b101_101_111_001_001;
      "5": return 15'b111_100_111_001_111;
      "6": return 15'b111_100_111_101_111;
      "7": return 15'b111_001_001_001_001;
      "8": return 15'b111_101_111_101_111;
      "9": return 15'b111_101_111_001_111;
      "C": return 15'b111_100_100_100_111;
      "D": return 15'b110_101_101_101_110;
      "E": return 15'b111_100_111_100_111;
      "I": return 15'b111_010_010_010_111;
      "L": return 15'b100_100_100_100_111;
      "M": return 15'b101_111_111_101_101;
      "N": return 15'b110_101_101_101_101;
      "O": return 15'b111_101_101_101_111;
      "P": return 15'b111_101_111_100_100;
      "R": return 15'b110_101_110_101_101;
      "S": return 15'b111_100_111_001_111;
      "T": return 15'b111_010_010_010_010;
      "V": return 15'b101_101_101_101_010;
      "W": return 15'b101_101_111_111_101;
      "X": return 15'b101_101_010_101_101;
      "Y": return 15'b101_101_111_010_010;
      default: return '0;
    endcase
  endfunction

endpackage
