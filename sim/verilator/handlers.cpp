// What a Verilated model calls when it wants to print or to end the process: what
// it prints and why it ends become an exception, which the shims hand to the caller
// as an error.
#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "verilated.h"

namespace {

// What was printed on this thread since the last stop; no more than this is kept.
constexpr std::size_t kept = 4096;
thread_local std::string printed;

[[noreturn]] void stop(const char *what, const char *file, int line, const std::string &detail) {
    std::string said;
    said.swap(printed);
    // "[time] %Error: file:line: Assertion failed in place.name: ..."
    const std::size_t error = said.rfind("Error: ");
    if (error != std::string::npos) {
        const std::size_t end = said.find('\n', error);
        throw std::runtime_error(said.substr(error + 7, end - error - 7));
    }
    throw std::runtime_error(std::string(what) + " at " + file + ":" + std::to_string(line) + detail);
}

}  // namespace

extern "C" int lockstep_print(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printed += text;
    if (printed.size() > kept) printed.erase(0, printed.size() - kept);
    return length;
}

void vl_finish(const char *filename, int linenum, const char *) VL_MT_UNSAFE {
    stop("$finish", filename, linenum, "");
}

void vl_stop(const char *filename, int linenum, const char *) VL_MT_UNSAFE {
    stop("assertion failed", filename, linenum, "");
}

void vl_fatal(const char *filename, int linenum, const char *, const char *msg) VL_MT_UNSAFE {
    stop("fatal", filename, linenum, std::string(": ") + msg);
}
