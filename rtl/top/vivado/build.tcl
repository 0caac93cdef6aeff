# Builds a board's bitstream with Vivado, without a project:
#
#   vivado -mode batch -source rtl/top/vivado/build.tcl -tclargs BOARD BUILD_ID LAYOUT_HASH FOLDER
#
# `make bitstream BOARD=...` calls it. The two numbers are those of rtl/build_id.py, eight
# hexadecimal digits each: the build id goes into the design, and into the file as USERID; the
# layout hash into the file as USR_ACCESS. Both are what `lockstep flash` reads. The folder takes
# lockstep.bit and the reports. Ends with 1 when the clock is not met.

if {[llength $argv] != 4} {
  puts stderr "build.tcl takes four arguments: BOARD BUILD_ID LAYOUT_HASH FOLDER"
  exit 2
}
lassign $argv board build_id layout_hash out
foreach number [list $build_id $layout_hash] {
  if {![regexp {^[0-9a-f]{8}$} $number]} {
    puts stderr "$number: eight hexadecimal digits were expected, see rtl/build_id.py"
    exit 2
  }
}

source [file join [file dirname [info script]] board.tcl]

# The files of a list, and of those it names by -F; paths are relative to their list.
proc listed {list} {
  set channel [open $list]
  set lines [split [read $channel] \n]
  close $channel
  set files {}
  foreach line $lines {
    set line [string trim $line]
    if {$line eq "" || [string match "//*" $line]} continue
    set file [file normalize [file join [file dirname $list] [lindex $line end]]]
    if {[lindex $line 0] eq "-F"} {
      lappend files {*}[listed $file]
    } else {
      lappend files $file
    }
  }
  return $files
}

file mkdir $out
read_verilog -sv [listed [file join $folder files.f]]
read_xdc [file join $folder $top.xdc]

synth_design -top $top -part $part -verilog_define SYNTHESIS -generic BuildId=32'h$build_id
opt_design
place_design
phys_opt_design
route_design

report_utilization -file [file join $out utilization.txt]
report_timing_summary -file [file join $out timing.txt]
report_drc -file [file join $out drc.txt]

set slack [get_property SLACK [get_timing_paths -delay_type max]]
set hold [get_property SLACK [get_timing_paths -delay_type min]]
puts "slack: $slack ns for setup, $hold ns for hold"
if {$slack < 0 || $hold < 0} {
  puts stderr "the clock is not met: see [file join $out timing.txt]"
  exit 1
}

set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]
set_property BITSTREAM.CONFIG.USERID 0x$build_id [current_design]
set_property BITSTREAM.CONFIG.USR_ACCESS 0x$layout_hash [current_design]
write_bitstream -force [file join $out lockstep.bit]
puts "[file join $out lockstep.bit]: build $build_id, layout $layout_hash"
