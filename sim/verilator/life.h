// How a model is made and ends, whatever its ports: the first part of the C
// interfaces of shim.h and bench.h.
#pragma once
#include <stdint.h>

extern "C" {

struct lockstep_life {
    // A model in its power-up state, not yet reset: its registers 0, or from a
    // seed that is not 0 any value. A fault of 0 is none. NULL when it cannot be
    // made.
    void *(*create)(uint32_t fault, uint32_t power_up);

    // Whether assertions stop the model. At first they do not: before its reset
    // they say nothing.
    void (*assertions)(void *model, int on);

    // Frees a model; not to be used after.
    void (*destroy)(void *model);

    // Why the model stopped itself: zero-terminated, valid until destroy.
    const char *(*error)(void *model);
};
}
