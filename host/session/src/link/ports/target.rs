//! The serial port named on the command line.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::Port;
use crate::text::ForeignText;

/// The serial port named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The port at a path.
    Path(String),
    /// The port of a USB device.
    Usb {
        /// Vendor id.
        vid: u16,
        /// Product id.
        pid: u16,
        /// Serial number; `None` for any.
        serial: Option<String>,
    },
    /// The only port with a board that answers.
    Auto,
}

/// The error of a text that does not name a serial port.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a serial port: expected a path, auto, or a USB device as VID:PID or \
     VID:PID:SERIAL, both numbers in four hexadecimal digits"
)]
pub struct TargetError(pub String);

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let wrong = || TargetError(text.into());
        if text == "auto" {
            return Ok(Self::Auto);
        }
        // A path may hold colons, as those in /dev/serial/by-path do.
        if text.contains(['/', '\\']) || (!text.is_empty() && !text.contains(':')) {
            return Ok(Self::Path(text.into()));
        }
        let mut parts = text.splitn(3, ':');
        let mut number = || {
            let digits = parts.next().filter(|part| part.len() == 4)?;
            let all = digits.bytes().all(|b| b.is_ascii_hexdigit());
            all.then(|| u16::from_str_radix(digits, 16).ok())?
        };
        let (vid, pid) = number().zip(number()).ok_or_else(wrong)?;
        match parts.next() {
            Some("") => Err(wrong()),
            serial => Ok(Self::Usb {
                vid,
                pid,
                serial: serial.map(Into::into),
            }),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path),
            Self::Auto => f.write_str("auto"),
            Self::Usb { vid, pid, serial } => {
                write!(f, "{vid:04x}:{pid:04x}")?;
                serial.iter().try_for_each(|serial| write!(f, ":{serial}"))
            }
        }
    }
}

impl Target {
    /// The ports that it may mean, the likeliest first; a path always means the port at that path.
    ///
    /// The second channel of a device comes first: on FPGA boards with an FT2232 the first channel is
    /// for JTAG.
    pub fn candidates(&self, ports: &[Port]) -> Vec<Port> {
        let meant = |port: &Port| match (self, &port.usb) {
            (Self::Path(path), _) => is_same(path, &port.path),
            (Self::Auto, usb) => usb.is_some(),
            (Self::Usb { vid, pid, serial }, Some(usb)) => {
                let same = |serial: &String| {
                    let own = usb
                        .serial
                        .as_ref()
                        .map(ForeignText::raw)
                        .unwrap_or_default();
                    own.eq_ignore_ascii_case(serial)
                };
                (usb.vid, usb.pid) == (*vid, *pid) && serial.as_ref().is_none_or(same)
            }
            (Self::Usb { .. }, None) => false,
        };
        let mut found: Vec<Port> = ports.iter().filter(|port| meant(port)).cloned().collect();
        if let Self::Path(path) = self {
            // Opened by the name that was given, whatever it will point to.
            let usb = found.into_iter().find_map(|port| port.usb);
            let path = path.clone();
            return vec![Port { path, usb }];
        }
        let interface = |port: &Port| port.usb.as_ref().and_then(|usb| usb.interface);
        found.sort_by(|a, b| {
            let rank = |port| (interface(port) != Some(1), port);
            let ((a_rank, a), (b_rank, b)) = (rank(a), rank(b));
            (a_rank, a.sort_key()).cmp(&(b_rank, b.sort_key()))
        });
        found
    }
}

/// Whether both paths lead to the same port, also through links.
pub fn is_same(a: &str, b: &str) -> bool {
    let target = |path: &str| Path::new(path).canonicalize().ok();
    a == b || target(a).is_some_and(|target_a| target(b) == Some(target_a))
}

#[cfg(test)]
mod tests {
    use super::super::tests::ftdi;
    use super::*;

    #[test]
    fn target_is_read_and_written() {
        let usb = |serial: Option<&str>| Target::Usb {
            vid: 0x0403,
            pid: 0x6010,
            serial: serial.map(Into::into),
        };
        let by_path = "/dev/serial/by-path/pci-0:1";
        for path in ["/dev/ttyUSB1", "COM3", "./0403:6010", by_path] {
            assert_eq!(path.parse(), Ok(Target::Path(path.into())));
        }
        for (text, target) in [
            ("auto", Target::Auto),
            ("0403:6010", usb(None)),
            ("0403:6010:210292A", usb(Some("210292A"))),
            ("0403:6010:A:B", usb(Some("A:B"))),
        ] {
            assert_eq!(text.parse(), Ok(target.clone()), "{text}");
            assert_eq!(target.to_string(), text);
        }
        for text in [
            "",
            "0403:",
            "403:6010",
            "0403:6010:",
            "+403:6010",
            "x:y",
            "::",
        ] {
            let error = text.parse::<Target>().expect_err(text).to_string();
            let is_named = error.contains(&format!("'{text}'"));
            assert!(is_named && error.contains("VID:PID:SERIAL"), "{error}");
        }
    }

    #[test]
    fn target_candidates_have_the_second_channel_first() {
        let mut other = ftdi("/dev/ttyACM0", Some("C"), 0);
        other.usb.as_mut().expect("a device").vid = 0x1366;
        let ports = [
            Port::of("/dev/ttyS0"),
            other,
            ftdi("/dev/ttyUSB0", Some("A"), 0),
            ftdi("/dev/ttyUSB10", Some("A"), 1),
            ftdi("/dev/ttyUSB2", Some("B"), 0),
            ftdi("/dev/ttyUSB9", Some("B"), 1),
        ];
        for (target, count, expected) in [
            ("0403:6010", 6, "USB9 USB10 USB0 USB2"),
            ("0403:6010:a", 6, "USB10 USB0"),
            ("0403:6010:X", 6, ""),
            ("0403:6001", 6, ""),
            // No port without a device is tried.
            ("auto", 6, "USB9 USB10 ACM0 USB0 USB2"),
            ("auto", 1, ""),
        ] {
            let parsed: Target = target.parse().expect("a target");
            let found = parsed.candidates(&ports[..count]).into_iter();
            let names = found.map(|port| port.path.replace("/dev/tty", ""));
            assert_eq!(names.collect::<Vec<_>>().join(" "), expected, "{target}");
        }
    }

    /// A name under /dev/serial/by-id is a link to the port.
    #[test]
    fn target_path_finds_its_device_through_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let (device, link) = (name("ttyUSB1"), name("by-id"));
        std::fs::write(&device, "").expect("written");
        std::os::unix::fs::symlink(&device, &link).expect("linked");
        let ports = [ftdi("/dev/null", Some("B"), 1), ftdi(&device, Some("A"), 1)];
        let target = Target::Path(link.clone());
        let found = target.candidates(&ports);
        assert_eq!(found.len(), 1);
        assert_eq!((&found[0].path, &found[0].usb), (&link, &ports[1].usb));
        let nowhere = Target::Path("/dev/ttyUSB7".into());
        assert_eq!(nowhere.candidates(&ports), [Port::of("/dev/ttyUSB7")]);
    }
}
