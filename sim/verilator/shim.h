// The C interface of one Verilated model. No logic: inputs in, clock, outputs
// out. Rust's side of it is sim/src/ffi.rs.
//
// A model is created, used and destroyed on one thread. Different models may
// run on different threads: each has a context of its own and nothing is
// shared.
#pragma once
#include <stdint.h>

#include "life.h"

extern "C" {

// Ports of a game's top module, one member each; all games have the same.
struct lockstep_inputs {
    uint32_t baud_inc;
    uint32_t build_id;
    uint8_t rst_ni;
    uint8_t uart_rx;
    uint8_t byte_link;
    uint8_t byte_valid;
    uint8_t byte_data;
    uint8_t byte_ready;
    uint8_t buttons;  // of a board in board.h: bit 0 is button_i[0]
};

// As they stood just before the last clock edge. With byte_valid and
// byte_ready set, that edge took the byte.
struct lockstep_outputs {
    uint8_t uart_tx;
    uint8_t byte_valid;
    uint8_t byte_data;
    uint8_t busy;
};

struct lockstep_api {
    lockstep_life life;

    // Clocks the model with the same inputs, up to max_cycles times. Stops
    // after a cycle in which byte_valid was set or uart_tx differed from what
    // it was in the cycle before this call. Adds the cycles to *cycles.
    // Returns 0, or -1 when the model stopped itself (an assertion, $finish or
    // $fatal): error() then tells why, and it must not be run again.
    int (*run)(void *model, const lockstep_inputs *in, lockstep_outputs *out, uint64_t max_cycles,
               uint64_t *cycles);

    // Writes a waveform (FST) into a file from the next cycle on, or, with NULL, ends it. A
    // cycle is 10 ns, counted from power-up; the clock rises in its middle. NULL where the
    // model was not made for it. Returns 0, or -1 when the file cannot be written: error()
    // then tells why.
    int (*waves)(void *model, const char *file);

    // Writes into a file how often each line and branch of the RTL was reached and each bit
    // changed, as Verilator has it; with NULL it is counted from now on instead of from power-up
    // on. NULL where the model was not made for it. Returns 0, or -1 when the file cannot be
    // written: error() then tells why.
    int (*coverage)(void *model, const char *file);
};
}
