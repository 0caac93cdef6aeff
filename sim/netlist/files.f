// Models of the ECP5's cells, for the netlist that rtl/netlist.py makes. Paths are relative to this
// file.
netlist_pkg.sv
CCU2C.sv
DP16KD.sv
L6MUX21.sv
LUT4.sv
MULT18X18D.sv
PFUMX.sv
TRELLIS_DPR16X4.sv
TRELLIS_FF.sv
