// What Verilated code prints, assertions' names and places, is kept for the error
// that follows. Included before everything else; VL_PRINTF is lockstep_print.
#pragma once

#ifdef __cplusplus
extern "C"
#endif
int lockstep_print(const char *format, ...);
