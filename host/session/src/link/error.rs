//! Errors of ports that cannot be opened, each with its remedy.

use std::io;
use std::time::Duration;

use serialport::ErrorKind;

/// The system's error for a device that is no terminal.
const NO_TERMINAL: &str = "Not a typewriter";
/// The remedy where there is no board.
const NO_BOARD: &str = "plug a board in, or start a virtual one: `lockstep serve --pty`";

/// The error of a port that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{port}: {kind}")]
pub struct PortError {
    /// The port as it was named.
    pub port: String,
    /// Why.
    pub kind: PortErrorKind,
}

/// Why a port cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortErrorKind {
    /// There is no such port.
    #[error("there is no such port; {}", listed(.0))]
    Missing(Vec<String>),
    /// The link to the terminal of a virtual board that was killed; the terminal may belong to another
    /// program by now.
    #[error(
        "the virtual board that was there was killed; start it again \
         (`lockstep serve --pty {0}`), or remove {0}"
    )]
    Killed(String),
    /// The path is no serial port, but for example a file.
    #[error("that is not a serial port; `lockstep boards` lists those there are")]
    NotSerial,
    /// The user has no permission.
    #[error(
        "no permission to open it: add yourself to the group it belongs to (`ls -l` shows it; \
         `sudo usermod -aG dialout $USER` on Debian, then log in anew), or add a udev rule \
         (docs/use.md has one)"
    )]
    Permission,
    /// Another program has it open.
    #[error("it is busy: another program has it open; close that one (`fuser -v` names it)")]
    Busy,
    /// The named USB device is not plugged in.
    #[error("no such USB device is plugged in; {}", listed(.0))]
    NotPlugged(Vec<String>),
    /// None of the ports that were tried has a board that answers.
    #[error("no board answers; {}", nobody(tried, boards))]
    Nobody {
        /// The ports that were tried, each with its result.
        tried: Vec<String>,
        /// Virtual boards that run, as names of backends.
        boards: Vec<String>,
    },
    /// Several ports have a board that answers.
    #[error(
        "several boards answer: {}; name one of them, by its path or as VID:PID:SERIAL",
        .0.join("; ")
    )]
    Several(Vec<String>),
    /// The host of a network address is not known.
    #[error("the host is not known: {0}; check its name")]
    UnknownHost(String),
    /// No program listens at the network address.
    #[error("nobody listens there; start the board's server (`lockstep serve --listen`, ser2net)")]
    Refused,
    /// The network address does not answer.
    #[error("no connection within {0:?}; check the address, and firewalls on the way")]
    TimedOut(Duration),
    /// Another error of the system.
    #[error("it cannot be opened: {0}")]
    Other(String),
}

impl PortErrorKind {
    /// The error of that port.
    pub fn of(self, port: &str) -> PortError {
        PortError {
            port: port.into(),
            kind: self,
        }
    }

    /// The error of a serial port that cannot be opened; `there` lists all ports.
    pub(super) fn serial(error: &serialport::Error, there: impl FnOnce() -> Vec<String>) -> Self {
        match error.kind {
            ErrorKind::Io(io::ErrorKind::NotFound) => Self::Missing(there()),
            ErrorKind::Io(io::ErrorKind::PermissionDenied) => Self::Permission,
            // The crate reports a locked port so.
            ErrorKind::NoDevice => Self::Busy,
            ErrorKind::Unknown if error.description == NO_TERMINAL => Self::NotSerial,
            _ => Self::Other(error.description.clone()),
        }
    }

    /// The error of a TCP connection that fails.
    pub(super) fn connection(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            _ => Self::Other(error.to_string()),
        }
    }
}

fn listed(ports: &[String]) -> String {
    match ports {
        [] => format!("there is no serial port here; {NO_BOARD}"),
        [port] => format!("the only port is {port}"),
        ports => format!("the ports are {}", ports.join(", ")),
    }
}

fn nobody(tried: &[String], boards: &[String]) -> String {
    let tried = match tried {
        [] => "there is no USB serial port here".to_owned(),
        tried => format!("tried {}", tried.join("; ")),
    };
    let rest = match boards {
        [] => NO_BOARD.to_owned(),
        boards => format!(
            "virtual boards are only taken by name: {}",
            boards.join(", ")
        ),
    };
    format!("{tried}; {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "what the system says";

    fn serial(kind: ErrorKind) -> PortErrorKind {
        let error = serialport::Error::new(kind, WORDS);
        PortErrorKind::serial(&error, || vec!["/dev/ttyUSB0".into()])
    }

    #[test]
    fn port_error_of_the_system_is_recognised() {
        let there = vec!["/dev/ttyUSB0".to_owned()];
        let system = |kind| serial(ErrorKind::Io(kind));
        for (kind, expected) in [
            (
                system(io::ErrorKind::NotFound),
                PortErrorKind::Missing(there),
            ),
            (
                system(io::ErrorKind::PermissionDenied),
                PortErrorKind::Permission,
            ),
            (serial(ErrorKind::NoDevice), PortErrorKind::Busy),
            (
                serial(ErrorKind::Unknown),
                PortErrorKind::Other(WORDS.into()),
            ),
        ] {
            assert_eq!(kind, expected);
        }
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        assert_eq!(PortErrorKind::connection(&refused), PortErrorKind::Refused);
    }

    /// With none, one or several ports and boards.
    #[test]
    fn port_error_lists_ports_and_boards() {
        let list = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let nobody = |tried: &[&str], boards: &[&str]| PortErrorKind::Nobody {
            tried: list(tried),
            boards: list(boards),
        };
        for (kind, words) in [
            (
                PortErrorKind::Missing(Vec::new()),
                "no serial port here; plug a board in",
            ),
            (
                PortErrorKind::NotPlugged(list(&["/a", "/b"])),
                "the ports are /a, /b",
            ),
            (
                nobody(&["/a: x"], &["serial:/b"]),
                "tried /a: x; virtual boards are only taken by",
            ),
            (nobody(&[], &[]), "no USB serial port here; plug a board in"),
        ] {
            let text = kind.of("port").to_string();
            assert!(text.starts_with("port: ") && text.contains(words), "{text}");
        }
    }
}
