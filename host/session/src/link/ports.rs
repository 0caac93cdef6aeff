//! Lists and selects serial ports.

mod target;

use std::fmt;
use std::path::Path;

use serde::Serialize;
use serialport::{SerialPortInfo, SerialPortType};

use crate::text::ForeignText;

pub use target::{Target, TargetError, is_same};

/// A serial port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Path it is opened by.
    pub path: String,
    /// Its USB device, if it has one.
    pub usb: Option<Usb>,
}

/// The USB device of a port, with the interface that the port is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usb {
    /// Vendor id.
    pub vid: u16,
    /// Product id.
    pub pid: u16,
    /// Its serial number.
    pub serial: Option<ForeignText>,
    /// Name of its vendor.
    pub manufacturer: Option<ForeignText>,
    /// Name of the product.
    pub product: Option<ForeignText>,
    /// Number of the interface, from 0.
    pub interface: Option<u8>,
}

impl Usb {
    /// Vendor and product id as usually written: `0403:6010`.
    pub fn id(&self) -> String {
        format!("{:04x}:{:04x}", self.vid, self.pid)
    }

    /// Whether both are the same interface of the same device, as far as ids and serial numbers show.
    fn is(&self, other: &Self) -> bool {
        let identity = |usb: &Self| (usb.vid, usb.pid, usb.serial.clone(), usb.interface);
        identity(self) == identity(other)
    }
}

impl Port {
    /// A port of which only the path is known.
    pub fn of(path: &str) -> Self {
        Self {
            path: path.into(),
            usb: None,
        }
    }

    /// Finds this port among the present ones: a USB device that was plugged in again may have another
    /// path. `None` when it is missing, or cannot be distinguished from other devices.
    pub fn found_again(&self, ports: &[Self]) -> Option<Self> {
        let Some(usb) = &self.usb else {
            return Some(self.clone());
        };
        let same = |port: &&Self| port.usb.as_ref().is_some_and(|other| usb.is(other));
        let found: Vec<&Self> = ports.iter().filter(same).collect();
        let at_its_place = found.iter().find(|port| port.path == self.path);
        match (at_its_place, found.as_slice()) {
            (Some(port), _) | (None, [port]) => Some((*port).clone()),
            _ => None,
        }
    }

    /// A key to sort paths by, in which `ttyUSB9` comes before `ttyUSB10`.
    fn sort_key(&self) -> (&str, usize, &str) {
        let name = self.path.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &self.path[name.len()..];
        (name, number.len(), number)
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        let Some(usb) = &self.usb else {
            return Ok(());
        };
        write!(f, " ({}", usb.id())?;
        for part in [&usb.product, &usb.serial].into_iter().flatten() {
            write!(f, ", {part}")?;
        }
        f.write_str(")")
    }
}

/// The serial ports of this machine, by path.
pub fn available() -> Vec<Port> {
    // `serialport` panics without this folder.
    if cfg!(target_os = "linux") && !Path::new("/sys/class/tty").is_dir() {
        return Vec::new();
    }
    let listed = serialport::available_ports().unwrap_or_else(|why| {
        tracing::warn!("serial ports cannot be listed: {why}");
        Vec::new()
    });
    let mut ports: Vec<Port> = listed.into_iter().map(Port::from).collect();
    ports.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    ports
}

impl From<SerialPortInfo> for Port {
    fn from(info: SerialPortInfo) -> Self {
        let usb = match info.port_type {
            SerialPortType::UsbPort(usb) => Some(Usb {
                vid: usb.vid,
                pid: usb.pid,
                serial: usb.serial_number.filter(|s| !s.is_empty()).map(Into::into),
                manufacturer: usb.manufacturer.map(Into::into),
                product: usb.product.map(Into::into),
                interface: usb.interface,
            }),
            _ => None,
        };
        Self {
            path: info.port_name,
            usb,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A port of an FTDI chip on a board by Digilent.
    pub(super) fn ftdi(path: &str, serial: Option<&str>, interface: u8) -> Port {
        Port {
            path: path.into(),
            usb: Some(Usb {
                vid: 0x0403,
                pid: 0x6010,
                serial: serial.map(Into::into),
                manufacturer: Some("Digilent".into()),
                product: Some("Digilent USB Device".into()),
                interface: Some(interface),
            }),
        }
    }

    /// By its serial number; without one, by its path, or because it is the only one of its kind.
    #[test]
    fn port_found_again_only_if_unambiguous() {
        let port = ftdi("/dev/ttyUSB1", Some("A"), 1);
        let moved = ftdi("/dev/ttyUSB3", Some("A"), 1);
        let other_channel = ftdi("/dev/ttyUSB1", Some("A"), 0);
        let other_board = ftdi("/dev/ttyUSB1", Some("B"), 1);
        let ports = [other_channel, other_board, moved.clone()];
        assert_eq!(port.found_again(&ports), Some(moved));
        assert_eq!(port.found_again(&ports[..2]), None);
        let port = ftdi("/dev/ttyUSB1", None, 1);
        let (b, c) = (ftdi("/dev/ttyUSB3", None, 1), ftdi("/dev/ttyUSB5", None, 1));
        let both = [b.clone(), c];
        assert_eq!(port.found_again(&both), None);
        assert_eq!(port.found_again(&both[..1]), Some(b.clone()));
        assert_eq!(port.found_again(&[b, port.clone()]), Some(port));
        let port = Port::of("/dev/ttyS0");
        assert_eq!(port.found_again(&[]), Some(port));
    }

    #[test]
    fn port_is_shown_with_its_device() {
        let port = ftdi("/dev/ttyUSB1", Some("210\n292"), 1);
        let text = r"/dev/ttyUSB1 (0403:6010, Digilent USB Device, 210\n292)";
        assert_eq!(port.to_string(), text);
        assert_eq!(Port::of("/dev/ttyS0").to_string(), "/dev/ttyS0");
    }

    /// Listing the ports of any machine does not panic.
    #[test]
    fn available_ports_are_listed_by_path() {
        let ports = available();
        let keys: Vec<_> = ports.iter().map(Port::sort_key).collect();
        assert!(keys.is_sorted(), "{ports:?}");
    }
}
