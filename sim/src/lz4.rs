//! The C functions of `verilator/lz4.h`, with which the models compress waveforms.

use std::ffi::{c_char, c_int};

use lz4_flex::block::{compress_into, get_maximum_output_size};

/// The most bytes that `size` bytes take when compressed.
#[unsafe(no_mangle)]
extern "C" fn LZ4_compressBound(size: c_int) -> c_int {
    let most = usize::try_from(size).map(get_maximum_output_size);
    most.ok().and_then(|n| n.try_into().ok()).unwrap_or(0)
}

/// Compresses `size` bytes into at most `room`. Returns how many they are, 0 when there is no
/// room or no data.
#[unsafe(no_mangle)]
unsafe extern "C" fn LZ4_compress_default(
    from: *const c_char,
    into: *mut c_char,
    size: c_int,
    room: c_int,
) -> c_int {
    let (Ok(size), Ok(room)) = (usize::try_from(size), usize::try_from(room)) else {
        return 0;
    };
    if from.is_null() || into.is_null() {
        return 0;
    }
    // SAFETY: neither is null, and the caller owns `size` bytes at `from` and, apart from them,
    // `room` bytes at `into`.
    let (from, into) = unsafe {
        (
            std::slice::from_raw_parts(from.cast::<u8>(), size),
            std::slice::from_raw_parts_mut(into.cast::<u8>(), room),
        )
    };
    let done = compress_into(from, into);
    done.ok().and_then(|n| n.try_into().ok()).unwrap_or(0)
}
