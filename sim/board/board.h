// The C interface of the top of a board with a picture: shim.h's, and one function more. Rust's side
// of it is sim/src/ffi.rs.
#pragma once
#include "shim.h"

extern "C" {

// The pins of the picture when they changed. VGA: HSYNC, VSYNC, then 4 bits each of blue, green and
// red, from bit 0 on. DVI: the positive pins of blue, green, red and clock.
struct lockstep_video {
    uint64_t time;  // halves of a clock cycle since power-up; the clock rises at even ones
    uint32_t pins;
};

// What the pins of the picture did in the last call of run, valid until the next one; returns how
// many changes.
typedef uint64_t lockstep_video_of(void *model, const struct lockstep_video **changes);
}
