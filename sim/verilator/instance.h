// What every model has around it: its context, with the seeded fault and the
// power-up state it is to have, and why it stopped itself.
#pragma once
#include <stdint.h>

#include <string>

#include "verilated.h"

struct Context : VerilatedContext {
    // A fault of 0 is none; a power_up of 0 starts every register at 0, any other
    // is the seed of what they start with.
    Context(uint32_t fault, uint32_t power_up) {
        const std::string chosen = "+lockstep_fault=" + std::to_string(fault);
        const char *arguments[] = {"lockstep", chosen.c_str()};
        commandArgs(2, arguments);
        randReset(power_up == 0 ? 0 : 2);
        randSeed(static_cast<int>(power_up & 0x7fffffff));
        assertOn(false);
    }
};

template <class Model>
struct Instance {
    Context context;
    Model top;
    std::string error;

    Instance(uint32_t fault, uint32_t power_up, const char *name)
        : context{fault, power_up}, top{&context, name} {}
};
