//! Errors of ports that cannot be opened, each with its remedy.

use std::io;

use serialport::ErrorKind;

/// The system's error for a device that is not a terminal.
const NO_TERMINAL: &str = "Not a typewriter";
/// The remedy where there is no board.
const NO_BOARD: &str = "plug a board in, or start a virtual one: `lockstep serve --pty`";
/// The path is not a serial port, but for example a file.
pub(super) const NOT_SERIAL: &str =
    "it is not a serial port; `lockstep boards` lists the serial ports";

/// The remedy where another client has the board, also after a wait.
pub(super) const WAIT_LONGER: &str = "add wait=SECONDS, or raise it, to wait for the board";

/// The error of a port that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{port}: {why}")]
pub struct PortError {
    /// The port as it was named.
    pub port: String,
    /// Why, with the remedy.
    pub why: String,
}

impl PortError {
    pub(super) fn new(port: &str, why: impl Into<String>) -> Self {
        Self {
            port: port.into(),
            why: why.into(),
        }
    }
}

/// Why a serial port cannot be opened; `there` lists all ports.
pub(super) fn serial(error: &serialport::Error, there: impl FnOnce() -> Vec<String>) -> String {
    match error.kind {
        ErrorKind::Io(io::ErrorKind::NotFound) => {
            format!("there is no such port; {}", listed(&there()))
        }
        ErrorKind::Io(io::ErrorKind::PermissionDenied) => {
            "no permission to open it: add yourself to the group it belongs to (`ls -l` shows it; \
             `sudo usermod -aG dialout $USER` on Debian, then log in again), or add a udev rule \
             (docs/use.md has one)"
                .into()
        }
        // The crate reports a locked port so.
        ErrorKind::NoDevice => {
            "it is busy: another program has it open; close that one (`fuser -v` names it)".into()
        }
        ErrorKind::Unknown if error.description == NO_TERMINAL => NOT_SERIAL.into(),
        _ => format!("it cannot be opened: {}", error.description),
    }
}

/// Why a TCP connection fails.
pub(super) fn connection(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "no server listens there; start the board's server \
                                             (`lockstep serve --listen`, ser2net)"
            .into(),
        _ => format!("it cannot be opened: {error}"),
    }
}

/// Why a USB device cannot be opened that is not among these ports.
pub fn not_plugged(there: &[String]) -> String {
    format!("no such USB device is plugged in; {}", listed(there))
}

fn listed(ports: &[String]) -> String {
    match ports {
        [] => format!("there is no serial port here; {NO_BOARD}"),
        [port] => format!("the only port is {port}"),
        ports => format!("the ports are {}", ports.join(", ")),
    }
}

/// Why no port was chosen: the ports that were tried, each with its result, and the virtual boards
/// that run, as names of backends.
pub(super) fn nobody(tried: &[String], boards: &[String]) -> String {
    let tried = match tried {
        [] => "there is no USB serial port here".to_owned(),
        tried => format!("tried {}", tried.join("; ")),
    };
    let rest = match boards {
        [] => NO_BOARD.to_owned(),
        boards => format!("virtual boards must be named: {}", boards.join(", ")),
    };
    format!("no board answers; {tried}; {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_error_of_the_system_is_recognised() {
        let serial = |kind| {
            let error = serialport::Error::new(kind, "what the system says");
            serial(&error, || vec!["/dev/ttyUSB0".into()])
        };
        let system = |kind| serial(ErrorKind::Io(kind));
        for (why, words) in [
            (
                system(io::ErrorKind::NotFound),
                "no such port; the only port is /dev/ttyUSB0",
            ),
            (system(io::ErrorKind::PermissionDenied), "no permission"),
            (serial(ErrorKind::NoDevice), "it is busy"),
            (serial(ErrorKind::Unknown), "opened: what the system says"),
            (
                connection(&io::ErrorKind::ConnectionRefused.into()),
                "no server listens there",
            ),
        ] {
            assert!(why.contains(words), "{why}");
        }
    }
}
