// What a simulated netlist is told when it is made: its arguments.
package netlist_pkg;

  function automatic int unsigned chosen();
    int unsigned number;
    if ($value$plusargs("lockstep_fault=%d", number) != 0) return number;
    return 0;
  endfunction

  // The look-up table that is inverted, by its FAULT; 0 for none.
  int unsigned Fault = chosen();
  // Registers begin with what Verilator draws, not with what the bitstream sets.
  bit Drawn = $test$plusargs("lockstep_power_up") != 0;

endpackage
