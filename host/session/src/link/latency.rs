//! The latency timer of FTDI's USB chips.
//!
//! It is the time for which a chip keeps received bytes before it sends them to the host, 16 ms by
//! default. Only a full packet is sent at once, and a reply is shorter.

#[cfg(target_os = "linux")]
mod flag;

use std::fs;
use std::path::{Path, PathBuf};

/// The folder in which Linux lists its devices.
pub const SYSFS: &str = "/sys";

/// The shortest possible timer, in milliseconds.
const SHORT: u32 = 1;

/// A rule for udev that shortens the timer of every such port when it is plugged in.
pub const RULE: &str = "ACTION==\"add\", SUBSYSTEM==\"usb-serial\", DRIVER==\"ftdi_sio\", \
                        ATTR{latency_timer}=\"1\"";

/// A note on the cost of a timer in milliseconds, with the remedy; `None` when it is as short as
/// possible.
pub fn remark(timer: u32) -> Option<String> {
    (timer > SHORT).then(|| {
        format!(
            "the port's latency timer delays every reply by {timer} ms, and this user may not \
             shorten it; a udev rule does: {RULE}"
        )
    })
}

/// Reads the latency timer of a port in milliseconds; `None` if it has none.
///
/// `sysfs` is [`SYSFS`], or another folder in tests.
pub fn read(sysfs: &Path, port: &str) -> Option<u32> {
    let text = fs::read_to_string(file(sysfs, port)?).ok()?;
    text.trim().parse().ok()
}

/// Shortens the latency timer of an open port if this user may: by a flag of the open port, or else by
/// the timer's file. Returns the timer after that; `None` if the port has none.
#[cfg(target_os = "linux")]
pub fn shorten(sysfs: &Path, port: &str, open: &impl std::os::fd::AsRawFd) -> Option<u32> {
    let timer = read(sysfs, port)?;
    if timer > SHORT
        && let Err(why) = flag::set(open)
    {
        tracing::debug!(port, %why, "no low latency by its flag");
    }
    shorten_by_file(sysfs, port)
}

/// As on Linux; other systems have no such timer.
#[cfg(not(target_os = "linux"))]
pub fn shorten<P>(sysfs: &Path, port: &str, _open: &P) -> Option<u32> {
    shorten_by_file(sysfs, port)
}

/// Shortens the timer by its file.
fn shorten_by_file(sysfs: &Path, port: &str) -> Option<u32> {
    let timer = read(sysfs, port)?;
    if timer > SHORT {
        let written = file(sysfs, port).map(|file| fs::write(file, SHORT.to_string()));
        if let Some(Err(why)) = written {
            tracing::debug!(port, %why, "no low latency by its file");
        }
    }
    read(sysfs, port)
}

fn file(sysfs: &Path, port: &str) -> Option<PathBuf> {
    // The port's path may be a link.
    let device = Path::new(port).canonicalize();
    let device = device.unwrap_or_else(|_| PathBuf::from(port));
    let devices = sysfs.join("bus/usb-serial/devices");
    Some(devices.join(device.file_name()?).join("latency_timer"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sysfs(port: &str, timer: &str) -> tempfile::TempDir {
        let sysfs = tempfile::tempdir().expect("a folder");
        let device = sysfs.path().join("bus/usb-serial/devices").join(port);
        fs::create_dir_all(&device).expect("a folder");
        fs::write(device.join("latency_timer"), timer).expect("written");
        sysfs
    }

    #[test]
    fn latency_long_timer_is_shortened() {
        let sysfs = sysfs("ttyUSB1", "16\n");
        let port = "/dev/ttyUSB1";
        assert_eq!(read(sysfs.path(), port), Some(16));
        // A file has no such flag.
        let open = tempfile::tempfile().expect("a file");
        assert_eq!(shorten(sysfs.path(), port, &open), Some(1));
        assert_eq!(read(sysfs.path(), port), Some(1));
    }

    #[test]
    fn latency_linked_port_is_found() {
        let sysfs = sysfs("ttyUSB1", "16");
        let (device, link) = (sysfs.path().join("ttyUSB1"), sysfs.path().join("by-id"));
        fs::write(&device, "").expect("written");
        std::os::unix::fs::symlink(&device, &link).expect("linked");
        let link = link.to_string_lossy();
        assert_eq!(read(sysfs.path(), &link), Some(16));
    }

    #[test]
    fn latency_port_without_timer_is_left_alone() {
        let sysfs = sysfs("ttyUSB1", "many");
        assert_eq!(
            shorten_by_file(sysfs.path(), "/dev/ttyUSB1"),
            None,
            "no number"
        );
        assert_eq!(shorten_by_file(sysfs.path(), "/dev/ttyACM0"), None);
        assert_eq!(shorten_by_file(sysfs.path(), "/"), None);
    }

    #[test]
    fn latency_long_timer_is_noted() {
        assert_eq!(remark(1), None);
        assert_eq!(remark(0), None);
        let text = remark(16).expect("it is long");
        assert!(text.contains("16 ms") && text.contains(RULE), "{text}");
    }
}
