// What stands for the FPGA's own cells where there is no FPGA: for simulation and Verilator's lint.
EHXPLLL.sv
ODDRX1F.sv
