# What FuseSoC's flows of open tools have Yosys do. Their own script reads file by file with
# read_verilog, which does not know all of SystemVerilog: here the plugin slang reads all at once.

# read_files, set_params, synth, top, name
source edalize_yosys_procs.tcl

set read {}
proc read_verilog {args} {
  set file [lindex $args end]
  lappend ::read $file
  # Only cells of the FPGA have capitals in their names.
  set module [file rootname [file tail $file]]
  if {[regexp {[A-Z]} $module]} { lappend ::read --blackboxed-module $module }
}
# chparam -set name value module
proc chparam {set name value module} { lappend ::read -G $name=$value }
read_files
set_params

yosys plugin -i slang
yosys read_slang -D SYNTHESIS --top $top {*}$read
# Its command is the synthesis of the family.
proc unknown {args} { yosys {*}$args -json $::name.json }
synth $top
