// What a Verilated model calls when it wants to end the process: it becomes an
// exception, which shim.cpp hands to the caller as an error.
#include <stdexcept>
#include <string>

#include "verilated.h"

namespace {

[[noreturn]] void stop(const char *what, const char *file, int line, const std::string &detail) {
    throw std::runtime_error(std::string(what) + " at " + file + ":" + std::to_string(line) + detail);
}

}  // namespace

void vl_finish(const char *filename, int linenum, const char *) VL_MT_UNSAFE {
    stop("$finish", filename, linenum, "");
}

void vl_stop(const char *filename, int linenum, const char *) VL_MT_UNSAFE {
    stop("assertion failed", filename, linenum, "");
}

void vl_fatal(const char *filename, int linenum, const char *, const char *msg) VL_MT_UNSAFE {
    stop("fatal", filename, linenum, std::string(": ") + msg);
}
