//! The errors of a virtual board.

use std::io;
use std::path::PathBuf;

use sim::SimError;

/// Why a virtual board cannot be opened or has stopped; the text contains the system's error.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The model cannot be created or has stopped itself.
    #[error("the simulated core: {0}")]
    Model(SimError),
    /// The model's thread cannot be started.
    #[error("the thread of the simulated core cannot be started: {0}")]
    Thread(io::Error),
    /// The model's thread has ended unexpectedly.
    #[error("the simulated core's thread has died")]
    Died,
    /// A pseudo-terminal cannot be created.
    #[error("a pseudo-terminal cannot be created: {0}")]
    Terminal(io::Error),
    /// This system has no pseudo-terminals with a readable rate.
    #[error("--pty needs Linux; --listen works here")]
    NoTerminals,
    /// The link's path exists and is no link to a terminal.
    #[error(
        "--pty {}: it exists, and is no link that a virtual board left behind; name another path, \
         or remove it if you do not need it", .0.display()
    )]
    Taken(PathBuf),
    /// The link leads to a terminal that exists.
    #[error(
        "--pty {}: it leads to {}, a terminal in use, perhaps that of another virtual board \
         (`lockstep boards` lists them); name another path, or remove it if nobody needs it",
        path.display(),
        target.display()
    )]
    InUse {
        /// The link.
        path: PathBuf,
        /// The terminal.
        target: PathBuf,
    },
    /// The link to the terminal cannot be created.
    #[error("--pty {}: the link cannot be created: {}", path.display(), linking(why))]
    Link {
        /// The link.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// The address cannot be listened on.
    #[error("--listen {address}: {}", listening(why))]
    Listen {
        /// The address.
        address: String,
        /// The system's error.
        why: io::Error,
    },
}

impl From<SimError> for BoardError {
    fn from(error: SimError) -> Self {
        Self::Model(error)
    }
}

fn linking(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => "there is no such folder; create it first".into(),
        _ => why.to_string(),
    }
}

fn listening(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there, perhaps another virtual board; port 0 picks a free \
             one"
            .into()
        }
        io::ErrorKind::AddrNotAvailable => {
            "this machine has no such address; 127.0.0.1 is its own".into()
        }
        io::ErrorKind::PermissionDenied => {
            format!("{why}: ports below 1024 need administrator rights; choose a higher one")
        }
        _ => format!("{why}; check the address"),
    }
}
