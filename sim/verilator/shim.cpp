// One model behind the interface of shim.h. Compiled once a model, with MODEL
// (its class), MODEL_HEADER, MODEL_NAME (its top module) and MODEL_API (the
// symbol to define) set.
#include "shim.h"

#include <exception>

#include "instance.h"
#include MODEL_HEADER

namespace {

struct Core : Instance<MODEL> {
    uint8_t uart_tx = 1;

    Core(uint32_t fault, uint32_t power_up) : Instance{fault, power_up, MODEL_NAME} {}
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
        const uint8_t before = instance.uart_tx;
        for (uint64_t i = 0; i < max_cycles; i++) {
            top.clk_i = 0;
            top.eval();
            instance.uart_tx = top.uart_tx_o;
            out->uart_tx = top.uart_tx_o;
            out->byte_valid = top.byte_valid_o;
            out->byte_data = top.byte_data_o;
            top.clk_i = 1;
            top.eval();
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

}  // namespace

extern "C" const lockstep_api MODEL_API;
const lockstep_api MODEL_API = {Life<Core>::functions, run};
