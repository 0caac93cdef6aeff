// One model behind the interface of shim.h. Compiled once a model, with MODEL
// (its class), MODEL_HEADER, MODEL_NAME (its top module) and MODEL_API (the
// symbol to define) set.
#include "shim.h"

#include <exception>

#include "instance.h"
#include MODEL_HEADER
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace {

// Makes the next evaluation with a high clock a rising edge, without an evaluation with a low clock
// before it: with the same inputs that one computes nothing. It sets the value that Verilator
// compares the clock with. False if this Verilator has no such member: then the clock has to fall.
template <class Root>
auto low_clock_skipped(Root *root, int) -> decltype(root->__Vtrigprevexpr___TOP__clk_i__0, true) {
    root->__Vtrigprevexpr___TOP__clk_i__0 = 0;
    return true;
}
template <class Root>
bool low_clock_skipped(Root *, ...) {
    return false;
}

// A core alone has no board with buttons.
template <class Top>
auto press_nothing(Top &top, int) -> decltype(top.buttons_i, void()) {
    top.buttons_i = 0;
}
template <class Top>
void press_nothing(Top &, ...) {}

struct Core : Instance<MODEL> {
    uint8_t uart_tx = 1;
    // Of what is evaluated next, in steps of 5 ns
    uint64_t time = 0;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> waves;
#endif

    Core(uint32_t fault, uint32_t power_up) : Instance{fault, power_up, MODEL_NAME} {}

    void eval() {
        top.eval();
#if VM_TRACE
        if (waves) waves->dump(5 * time);
#endif
        time++;
    }
};

int run(void *model, const lockstep_inputs *in, lockstep_outputs *out, uint64_t max_cycles,
        uint64_t *cycles) {
    Core &instance = Life<Core>::of(model);
    MODEL &top = instance.top;
    try {
        top.baud_inc_i = in->baud_inc;
        top.build_id_i = in->build_id;
        top.rst_ni = in->rst_ni;
        top.uart_rx_i = in->uart_rx;
        top.byte_link_i = in->byte_link;
        top.byte_valid_i = in->byte_valid;
        top.byte_data_i = in->byte_data;
        top.byte_ready_i = in->byte_ready;
        press_nothing(top, 0);
        const uint8_t before = instance.uart_tx;
        for (uint64_t i = 0; i < max_cycles; i++) {
            // Waveforms show the clock fall.
            if (i == 0 || VM_TRACE || !low_clock_skipped(top.rootp, 0)) {
                top.clk_i = 0;
                instance.eval();
            }
            instance.uart_tx = top.uart_tx_o;
            out->uart_tx = top.uart_tx_o;
            out->byte_valid = top.byte_valid_o;
            out->byte_data = top.byte_data_o;
            out->busy = top.busy_o;
            top.clk_i = 1;
            instance.eval();
            instance.context.timeInc(1);
            ++*cycles;
            if (out->byte_valid || out->uart_tx != before) break;
        }
        return 0;
    } catch (const std::exception &e) {
        instance.error = e.what();
        return -1;
    }
}

#if VM_TRACE
int waves(void *model, const char *file) {
    Core &instance = Life<Core>::of(model);
    try {
        if (instance.waves) instance.waves->close();
        instance.waves.reset();
        if (!file) return 0;
        auto waves = std::make_unique<VerilatedFstC>();
        instance.top.trace(waves.get(), 99);
        waves->set_time_unit("1ns");
        waves->set_time_resolution("1ns");
        waves->open(file);
        if (!waves->isOpen()) throw std::runtime_error("it cannot be opened");
        instance.waves = std::move(waves);
        return 0;
    } catch (const std::exception &e) {
        instance.error = e.what();
        return -1;
    }
}
#else
constexpr auto waves = nullptr;
#endif

#if VM_COVERAGE
int coverage(void *model, const char *file) {
    Core &instance = Life<Core>::of(model);
    try {
        VerilatedCovContext *counts = instance.context.coveragep();
        if (file) counts->write(file);
        else counts->zero();
        return 0;
    } catch (const std::exception &e) {
        instance.error = e.what();
        return -1;
    }
}
#else
constexpr auto coverage = nullptr;
#endif

}  // namespace

extern "C" const lockstep_api MODEL_API;
const lockstep_api MODEL_API = {Life<Core>::functions, run, waves, coverage};
