// What Verilator is told for every model, beside the file list of rtl/.
--cc
-O3
--x-assign unique
--x-initial unique
--assert
--no-timing
--threads 1
