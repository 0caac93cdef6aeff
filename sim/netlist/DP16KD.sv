// Simulation model of the ECP5's block RAM DP16KD, which Yosys knows as a black box: 2048 words
// of 9 bits behind two ports, or 512 of 36 bits, port A writing and port B reading. There is no
// output register.
//
// Written from Lattice's description of the block (FPGA-TN-02204, ECP5 Memory Usage Guide), for the
// modes that Yosys makes of request_mem and gomoku_lines. What is not among them is refused: a
// parameter when the model is elaborated, a pin in the cycle in which it is driven.
//
// - It holds zeros once the chip is configured.
// - The address counts bits: a word of 9 is AD[13:3], one of 36 AD[13:5]. Of such a word ADA[3:0]
//   enable its bytes of 9 bits; its lower half has the pins of port A, its upper one those of B.
// - A port with CE shows its word from the clock edge on. While it writes it shows the word
//   before (READBEFOREWRITE).
// - A port that reads a word which the other one is writing shows the word before. What the block
//   shows then is not said.
module DP16KD #(
  parameter int    DATA_WIDTH_A = 18,
  parameter int    DATA_WIDTH_B = 18,
  parameter string WRITEMODE_A  = "NORMAL",
  parameter string WRITEMODE_B  = "NORMAL",
  parameter string REGMODE_A    = "NOREG",
  parameter string REGMODE_B    = "NOREG",
  parameter string CSDECODE_A   = "0b000",
  parameter string CSDECODE_B   = "0b000",
  parameter string CLKAMUX      = "CLKA",
  parameter string CLKBMUX      = "CLKB",
  // Of the reset, which stays low, and of the global one, which nothing drives
  parameter string RESETMODE           = "SYNC",
  parameter string ASYNC_RESET_RELEASE = "SYNC",
  parameter string GSR                 = "ENABLED",
  // What it holds once the chip is configured
  parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0,
    INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0,
    INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0,
    INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0,
    INITVAL_17 = 0, INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C = 0,
    INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0,
    INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 = 0,
    INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0,
    INITVAL_2F = 0, INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0,
    INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0,
    INITVAL_3B = 0, INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0
) (
  input  ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input  DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
         DIA3, DIA2, DIA1, DIA0,
  input  CLKA, CEA, OCEA, WEA, RSTA, CSA2, CSA1, CSA0,
  input  ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input  DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
         DIB3, DIB2, DIB1, DIB0,
  input  CLKB, CEB, OCEB, WEB, RSTB, CSB2, CSB1, CSB0,
  output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
         DOA3, DOA2, DOA1, DOA0,
  output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
         DOB3, DOB2, DOB1, DOB0
);

  localparam logic [64*320-1:0] Init = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B,
    INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33,
    INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
    INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23,
    INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B,
    INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13,
    INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B,
    INITVAL_0A, INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03,
    INITVAL_02, INITVAL_01, INITVAL_00};

  localparam bit Wide = DATA_WIDTH_A == 36 && DATA_WIDTH_B == 36;
  localparam bit Modelled =
    (Wide || (DATA_WIDTH_A == 9 && DATA_WIDTH_B == 9
              && WRITEMODE_A == "READBEFOREWRITE" && WRITEMODE_B == "READBEFOREWRITE"))
    && REGMODE_A == "NOREG" && REGMODE_B == "NOREG"
    && CSDECODE_A == "0b000" && CSDECODE_B == "0b000"
    && CLKAMUX == "CLKA" && CLKBMUX == "CLKB" && !(|Init);
  if (!Modelled) begin : gen_refused
    $fatal(1, "a DP16KD in a mode that sim/netlist/DP16KD.sv does not model");
  end

  wire [10:0] addr_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3};
  wire [10:0] addr_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3};
  wire [35:0] wdata = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7,
    DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0, DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11,
    DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  logic [35:0] read;

  if (Wide) begin : gen_wide
    wire [3:0] bytes = {ADA3, ADA2, ADA1, ADA0};

    logic [35:0] mem_q [512];
    logic [35:0] read_q;

    initial begin
      for (int unsigned i = 0; i < 512; i++) mem_q[i] = '0;
    end

    always @(posedge CLKA) begin
      for (int unsigned i = 0; i < 4; i++) begin
        if (CEA && bytes[i]) mem_q[addr_a[10:2]][9*i +: 9] <= wdata[9*i +: 9];
      end
      if (RSTA || !WEA || CSA2 || CSA1 || CSA0) $fatal(1, "DP16KD: RSTA, WEA or CSA is driven");
    end

    always @(posedge CLKB) begin
      if (CEB) read_q <= mem_q[addr_b[10:2]];
      if (RSTB || WEB || CSB2 || CSB1 || CSB0) $fatal(1, "DP16KD: RSTB, WEB or CSB is driven");
    end

    assign read = read_q;
  end else begin : gen_two_ports
    logic [8:0] mem_q [2048];
    logic [8:0] read_a_q, read_b_q;

    initial begin
      for (int unsigned i = 0; i < 2048; i++) mem_q[i] = '0;
    end

    // Plain `always`, one a port: two of them write.
    always @(posedge CLKA) begin
      if (CEA) begin
        read_a_q <= mem_q[addr_a];
        if (WEA) mem_q[addr_a] <= wdata[8:0];
      end
      if (RSTA || !OCEA || CSA2 || CSA1 || CSA0) $fatal(1, "DP16KD: RSTA, OCEA or CSA is driven");
    end

    always @(posedge CLKB) begin
      if (CEB) begin
        read_b_q <= mem_q[addr_b];
        if (WEB) mem_q[addr_b] <= wdata[26:18];
      end
      if (RSTB || !OCEB || CSB2 || CSB1 || CSB0) $fatal(1, "DP16KD: RSTB, OCEB or CSB is driven");
    end

    assign read = {9'd0, read_b_q, 9'd0, read_a_q};
  end

  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0, DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7,
    DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = read;

endmodule
