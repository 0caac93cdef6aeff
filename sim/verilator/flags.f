// What Verilator is told for every model, beside the file list of rtl/.
--cc
-O3
--x-assign fast
--x-initial fast
--assert
--no-timing
--threads 1
