// One module behind the interface of bench.h. Compiled once a model, with MODEL
// (its class), MODEL_HEADER, MODEL_NAME (its top module), MODEL_API (the symbol
// to define) and MODEL_PORTS (a file with a PORT line each) set.
#include "bench.h"

#include <exception>

#include "instance.h"
#include MODEL_HEADER

namespace {

struct Bench : Instance<MODEL> {
    Bench(uint32_t fault, uint32_t power_up) : Instance{fault, power_up, MODEL_NAME} {}
};

Bench &bench(void *model) { return Life<Bench>::of(model); }

int eval(void *model) {
    Bench &instance = bench(model);
    try {
        instance.top.eval();
        return 0;
    } catch (const std::exception &e) {
        instance.error = e.what();
        return -1;
    }
}

// Up to 64 bits
template <class Value>
void copy_in(Value &value, const uint32_t *words) {
    uint64_t whole = words[0];
    if (sizeof(Value) > 4) whole |= static_cast<uint64_t>(words[1]) << 32;
    value = static_cast<Value>(whole);
}

template <class Value>
void copy_out(const Value &value, uint32_t *words) {
    words[0] = static_cast<uint32_t>(value);
    if (sizeof(Value) > 4) words[1] = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
}

// More
template <std::size_t Words>
void copy_in(VlWide<Words> &value, const uint32_t *words) {
    for (std::size_t i = 0; i < Words; i++) value[i] = words[i];
}

template <std::size_t Words>
void copy_out(const VlWide<Words> &value, uint32_t *words) {
    for (std::size_t i = 0; i < Words; i++) words[i] = value[i];
}

enum : uint32_t {
#define PORT(name, bits, input) port_##name,
#include MODEL_PORTS
#undef PORT
    port_count
};

const lockstep_port ports[] = {
#define PORT(name, bits, input) {#name, bits, input},
#include MODEL_PORTS
#undef PORT
};

void put(void *model, uint32_t port, const uint32_t *words) {
    MODEL &top = bench(model).top;
    switch (port) {
#define PORT(name, bits, input) \
    case port_##name: return copy_in(top.name, words);
#include MODEL_PORTS
#undef PORT
    }
}

void get(void *model, uint32_t port, uint32_t *words) {
    MODEL &top = bench(model).top;
    switch (port) {
#define PORT(name, bits, input) \
    case port_##name: return copy_out(top.name, words);
#include MODEL_PORTS
#undef PORT
    }
}

}  // namespace

extern "C" const lockstep_bench_api MODEL_API;
const lockstep_bench_api MODEL_API = {Life<Bench>::functions, eval, put, get, ports, port_count};
