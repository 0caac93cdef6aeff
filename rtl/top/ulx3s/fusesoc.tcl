# What FuseSoC's trellis flow has Yosys do. Its own script reads file by file with read_verilog,
# which does not know all of SystemVerilog: here the plugin slang reads all at once.

# read_files, set_params, top, name
source edalize_yosys_procs.tcl

set files {}
set parameters {}
proc read_verilog {args} { lappend ::files [lindex $args end] }
# chparam -set name value module
proc chparam {set name value module} { lappend ::parameters -G $name=$value }
read_files
set_params

yosys plugin -i slang
yosys read_slang -D SYNTHESIS --top $top --blackboxed-module EHXPLLL {*}$parameters {*}$files
yosys synth_ecp5 -top $top -json $name.json
