// What every model has around it: its context, with the seeded fault and the
// power-up state it is to have, and why it stopped itself.
#pragma once
#include <stdint.h>

#include <memory>
#include <string>

#include "life.h"
#include "verilated.h"

struct Context : VerilatedContext {
    // A fault of 0 is none; a power_up of 0 starts every register at 0 (of a netlist, at what
    // the chip's would), any other is the seed of what they start with.
    Context(uint32_t fault, uint32_t power_up) {
        const std::string chosen = "+lockstep_fault=" + std::to_string(fault);
        const char *arguments[] = {"lockstep", chosen.c_str(), "+lockstep_power_up"};
        commandArgs(power_up == 0 ? 2 : 3, arguments);
        randReset(power_up == 0 ? 0 : 2);
        randSeed(static_cast<int>(power_up & 0x7fffffff));
        traceEverOn(true);
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

// The functions of lockstep_life for a kind of instance.
template <class Kind>
struct Life {
    static void *create(uint32_t fault, uint32_t power_up) {
        try {
            return new Kind(fault, power_up);
        } catch (...) {
            return nullptr;
        }
    }

    static void assertions(void *model, int on) { of(model).context.assertOn(on != 0); }

    static void destroy(void *model) {
        std::unique_ptr<Kind> instance{&of(model)};
        try {
            instance->top.final();
        } catch (...) {
            // Nobody is left to tell.
        }
    }

    static const char *error(void *model) { return of(model).error.c_str(); }

    static Kind &of(void *model) { return *static_cast<Kind *>(model); }

    static constexpr lockstep_life functions = {create, assertions, destroy, error};
};
