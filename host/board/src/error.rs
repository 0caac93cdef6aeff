//! Why a virtual board cannot be had or cannot go on.

use std::io;
use std::path::PathBuf;

use sim::SimError;

/// Why a virtual board cannot be had or cannot go on. What the system said is part
/// of the text.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The model cannot be made or has stopped itself.
    #[error("the simulated core: {0}")]
    Model(SimError),
    /// There is no thread for the model.
    #[error("no thread for the simulated core: {0}")]
    Thread(io::Error),
    /// The model's thread has ended without a word.
    #[error("the simulated core's thread has died")]
    Died,
    /// No pseudo-terminal can be had.
    #[error("a pseudo-terminal cannot be made: {0}")]
    Terminal(io::Error),
    /// This system has no pseudo-terminals that a rate can be read from.
    #[error("--pty needs Linux; --listen works here")]
    NoTerminals,
    /// Something else is where the link to the terminal should be.
    #[error(
        "--pty {}: it exists, and is no link that a virtual board left behind; name another path, \
         or remove it if you do not need it", .0.display()
    )]
    Taken(PathBuf),
    /// Another virtual board is there.
    #[error(
        "--pty {}: it leads to {}, a terminal in use, perhaps that of another virtual board \
         (`lockstep boards` lists them); name another path, or remove it if nobody needs it",
        path.display(),
        target.display()
    )]
    InUse {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// The link to the terminal cannot be made.
    #[error("--pty {}: the link cannot be made: {}", path.display(), linking(why))]
    Link {
        /// The link.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// Nobody can be listened for there.
    #[error("--listen {address}: {}", listening(why))]
    Listen {
        /// The address.
        address: String,
        /// What the system said.
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
            format!("{why}: ports below 1024 are for the administrator; name a higher one")
        }
        _ => why.to_string(),
    }
}
