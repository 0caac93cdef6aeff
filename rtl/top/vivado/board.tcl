# Reads a board's table, rtl/top/BOARD/board.txt: sets folder, top, part and device.

if {![file exists [file join [file dirname [info script]] .. $board board.txt]]} {
  puts stderr "$board is no board: expected a folder below rtl/top/ with a board.txt"
  exit 2
}
set folder [file normalize [file join [file dirname [info script]] .. $board]]
set channel [open [file join $folder board.txt]]
foreach line [split [read $channel] \n] {
  if {[regexp {^(\w+)\s+(.*\S)} $line - word value]} { set table($word) $value }
}
close $channel
if {$table(flow) ne "vivado"} {
  puts stderr "$board is not made by Vivado: use `make bitstream BOARD=$board`, `lockstep flash`"
  exit 2
}
set top lockstep_[string map {- _} $board]
set part $table(place)
set device [string tolower $table(fpga)]
