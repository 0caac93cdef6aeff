// The C interface of one module as a model of its own, for benches. No logic:
// ports in, evaluation, ports out. Rust's side of it is sim/src/ffi.rs.
//
// A model is created, used and destroyed on one thread, as those of shim.h.
#pragma once
#include <stdint.h>

extern "C" {

struct lockstep_port {
    const char *name;
    uint32_t bits;
    uint32_t input;  // 1: an input, 0: an output
};

struct lockstep_bench_api {
    // A model in its power-up state: its registers 0, or from a seed that is not
    // 0 any value. NULL when it cannot be made.
    void *(*create)(uint32_t fault, uint32_t power_up);

    // Whether assertions stop the model. At first they do not: before its reset
    // they say nothing.
    void (*assertions)(void *model, int on);

    // Frees a model; not to be used after.
    void (*destroy)(void *model);

    // Evaluates the model with its inputs as they are. Returns 0, or -1 when the
    // model stopped itself: error() then tells why, and it must not be used again.
    int (*eval)(void *model);

    // A port's value, the lowest word first; (bits + 31) / 32 words.
    void (*put)(void *model, uint32_t port, const uint32_t *words);
    void (*get)(void *model, uint32_t port, uint32_t *words);

    // Why the model stopped itself: zero-terminated, valid until destroy.
    const char *(*error)(void *model);

    const lockstep_port *ports;
    uint32_t port_count;
};
}
