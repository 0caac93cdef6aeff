# Loads a bitstream into a board with Vivado, until the power goes off:
#
#   vivado -mode batch -source rtl/top/vivado/program.tcl -tclargs BOARD FILE
#
# `lockstep flash` does the same with openFPGALoader, and looks at the file first.

if {[llength $argv] != 2} {
  puts stderr "program.tcl takes two arguments: BOARD FILE"
  exit 2
}
lassign $argv board file
source [file join [file dirname [info script]] board.tcl]
if {![file readable $file]} {
  puts stderr "$file cannot be read: `make bitstream BOARD=$board` makes it"
  exit 2
}

open_hw_manager
connect_hw_server
open_hw_target
set devices [get_hw_devices ${device}_*]
if {[llength $devices] == 0} {
  puts stderr "no $table(fpga) answers: is the board connected and switched on?"
  exit 1
}
set device [lindex $devices 0]
current_hw_device $device
set_property PROGRAM.FILE $file $device
program_hw_devices $device
close_hw_manager
