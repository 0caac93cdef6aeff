// What Verilator's writer of waveforms calls of LZ4; sim/src/lz4.rs has it.
#pragma once

extern "C" {

// The most bytes that so many take when compressed.
int LZ4_compressBound(int size);

// Compresses size bytes of from into at most room bytes of into. Returns how many
// they are, 0 when there is no room or no data.
int LZ4_compress_default(const char *from, char *into, int size, int room);
}
