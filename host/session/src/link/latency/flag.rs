//! Sets the flag "low latency" of a serial port on Linux, which no safe crate offers.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulong, c_ushort};
use std::io;
use std::os::fd::AsRawFd;

/// `ASYNC_LOW_LATENCY`.
const LOW_LATENCY: c_int = 0x2000;

/// `struct serial_struct` of `linux/serial.h`.
#[repr(C)]
struct Settings {
    kind: c_int,
    line: c_int,
    port: c_uint,
    irq: c_int,
    flags: c_int,
    xmit_fifo_size: c_int,
    custom_divisor: c_int,
    baud_base: c_int,
    close_delay: c_ushort,
    io_type: c_char,
    reserved_char: [c_char; 1],
    hub6: c_int,
    closing_wait: c_ushort,
    closing_wait2: c_ushort,
    iomem_base: *mut c_uchar,
    iomem_reg_shift: c_ushort,
    port_high: c_uint,
    iomap_base: c_ulong,
}

/// Sets the flag on an open port, which then passes bytes on as soon as they come.
pub(super) fn set(port: &impl AsRawFd) -> io::Result<()> {
    let file = port.as_raw_fd();
    let mut settings = std::mem::MaybeUninit::<Settings>::zeroed();
    // SAFETY: the kernel writes one `serial_struct` at most, and there is room for
    // one; the descriptor is open as long as `port` is borrowed.
    let read = unsafe { libc::ioctl(file, libc::TIOCGSERIAL, settings.as_mut_ptr()) };
    if read != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: all of it is numbers and a pointer that is never followed, for which
    // zeros are valid, and the kernel has written it since.
    let mut settings = unsafe { settings.assume_init() };
    settings.flags |= LOW_LATENCY;
    // SAFETY: the kernel reads one `serial_struct`, as it has written it.
    let written = unsafe { libc::ioctl(file, libc::TIOCSSERIAL, &raw const settings) };
    match written {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's structure has these sizes; a field too few would let it write
    /// past the end.
    #[test]
    fn settings_have_the_kernel_size() {
        let expected = if cfg!(target_pointer_width = "64") {
            72
        } else {
            60
        };
        assert_eq!(size_of::<Settings>(), expected);
    }

    #[test]
    fn set_latency_on_file_is_refused() {
        let file = tempfile::tempfile().expect("a file");
        let error = set(&file).expect_err("a file has no such settings");
        assert_eq!(error.raw_os_error(), Some(libc::ENOTTY));
    }
}
