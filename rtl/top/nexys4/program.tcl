# Loads a bitstream into a Nexys4 with Vivado, until the power goes off:
#
#   vivado -mode batch -source rtl/top/nexys4/program.tcl -tclargs FILE
#
# `lockstep flash` does the same with openFPGALoader, and looks at the file first.

if {[llength $argv] != 1} {
  puts stderr "program.tcl takes one argument: FILE"
  exit 2
}
set file [lindex $argv 0]
if {![file readable $file]} {
  puts stderr "$file cannot be read: `make bitstream BOARD=nexys4` makes it"
  exit 2
}

open_hw_manager
connect_hw_server
open_hw_target
set devices [get_hw_devices xc7a100t_*]
if {[llength $devices] == 0} {
  puts stderr "no XC7A100T answers: is the board connected and switched on?"
  exit 1
}
set device [lindex $devices 0]
current_hw_device $device
set_property PROGRAM.FILE $file $device
program_hw_devices $device
close_hw_manager
