// The top of a board with a picture behind the interface of shim.h: its serial pins, its buttons,
// and the pins of the picture. The other inputs have no meaning. Compiled once a model, as
// shim.cpp is, with MODEL_VIDEO, the name of the function for the picture, set as well.
#include "board.h"

#include <exception>
#include <vector>

#include "instance.h"
#include MODEL_HEADER

namespace {

// VGA
template <class Top>
auto video_pins(const Top &top, int) -> decltype(top.vga_hs_no, uint32_t{}) {
    return top.vga_hs_no | top.vga_vs_no << 1 | top.vga_b_o << 2 | top.vga_g_o << 6 |
           top.vga_r_o << 10;
}
// DVI
template <class Top>
auto video_pins(const Top &top, long) -> decltype(top.gpdi_dp_o, uint32_t{}) {
    return top.gpdi_dp_o;
}

struct Board : Instance<MODEL> {
    uint8_t uart_tx = 1;
    uint64_t time = 0;
    uint32_t pins = 0;
    std::vector<lockstep_video> changes;

    Board(uint32_t fault, uint32_t power_up) : Instance{fault, power_up, MODEL_NAME} {}

    void eval(uint8_t clk) {
        top.clk_i = clk;
        top.eval();
        const uint32_t now = video_pins(top, 0);
        if (now != pins || time == 0) changes.push_back({time, now});
        pins = now;
        time++;
    }
};

int run(void *model, const lockstep_inputs *in, lockstep_outputs *out, uint64_t max_cycles,
        uint64_t *cycles) {
    Board &board = Life<Board>::of(model);
    board.changes.clear();
    try {
        board.top.rst_ni = in->rst_ni;
        board.top.uart_rx_i = in->uart_rx;
        board.top.button_i = in->buttons;
        out->byte_valid = out->byte_data = out->busy = 0;
        const uint8_t before = board.uart_tx;
        for (uint64_t i = 0; i < max_cycles; i++) {
            board.uart_tx = out->uart_tx = board.top.uart_tx_o;
            board.eval(1);
            board.eval(0);
            board.context.timeInc(1);
            ++*cycles;
            if (out->uart_tx != before) break;
        }
        return 0;
    } catch (const std::exception &e) {
        board.error = e.what();
        return -1;
    }
}

}  // namespace

extern "C" const lockstep_api MODEL_API;
const lockstep_api MODEL_API = {Life<Board>::functions, run, nullptr, nullptr};

extern "C" uint64_t MODEL_VIDEO(void *model, const lockstep_video **changes) {
    Board &board = Life<Board>::of(model);
    *changes = board.changes.data();
    return board.changes.size();
}
