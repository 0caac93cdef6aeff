// The C interface of one module as a model of its own, for benches. No logic:
// ports in, evaluation, ports out. Rust's side of it is sim/src/ffi.rs.
//
// A model is created, used and destroyed on one thread, as those of shim.h.
#pragma once
#include <stdint.h>

#include "life.h"

extern "C" {

struct lockstep_port {
    const char *name;
    uint32_t bits;
    uint32_t input;  // 1: an input, 0: an output
};

struct lockstep_bench_api {
    lockstep_life life;

    // Evaluates the model with its inputs as they are. Returns 0, or -1 when the
    // model stopped itself: error() then tells why, and it must not be used again.
    int (*eval)(void *model);

    // A port's value, the lowest word first; (bits + 31) / 32 words.
    void (*put)(void *model, uint32_t port, const uint32_t *words);
    void (*get)(void *model, uint32_t port, uint32_t *words);

    const lockstep_port *ports;
    uint32_t port_count;
};
}
