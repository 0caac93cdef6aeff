//! Runs openFPGALoader, which knows the boards' programmers.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::Board;

/// The program's name.
const PROGRAM: &str = "openFPGALoader";

/// Memory that a bitstream is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The FPGA itself, until the power goes off.
    Fpga,
    /// The flash it is loaded from at power-up.
    Flash,
}

/// Why nothing was loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoaderError {
    /// The program was not found.
    #[error(
        "{program}: {why}; {PROGRAM} loads bitstreams into boards: install it (Debian and Ubuntu: \
         openfpgaloader, Arch: openfpgaloader, macOS: brew install openfpgaloader), or name it \
         with --loader PATH"
    )]
    Missing {
        /// The name or path that was looked for.
        program: String,
        /// Why it was not found.
        why: which::Error,
    },
    /// The program cannot be run.
    #[error("{}: {why}", program.display())]
    Run {
        /// The program.
        program: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// The program failed; it has written why to standard error.
    #[error(
        "{PROGRAM} ended with {0}: is the board connected and switched on, and may you use its \
         USB port?"
    )]
    Failed(ExitStatus),
}

/// openFPGALoader.
#[derive(Debug, Clone)]
pub struct Loader {
    program: PathBuf,
}

impl Loader {
    /// The program named, or the one on `PATH`.
    ///
    /// # Errors
    /// When there is none that can be run.
    pub fn find(named: Option<&Path>) -> Result<Self, LoaderError> {
        let name = named.unwrap_or(Path::new(PROGRAM));
        let program = which::which(name).map_err(|why| LoaderError::Missing {
            program: name.display().to_string(),
            why,
        })?;
        Ok(Self { program })
    }

    /// Loads a file. The program writes to standard output and standard error of this
    /// process; only to the latter if `quiet`.
    ///
    /// # Errors
    /// When the program cannot be run or fails.
    pub fn load(
        &self,
        board: Board,
        file: &Path,
        memory: Memory,
        quiet: bool,
    ) -> Result<(), LoaderError> {
        let failed = |why| LoaderError::Run {
            program: self.program.clone(),
            why,
        };
        let mut command = Command::new(&self.program);
        command.args(board.loader_arguments());
        command.arg(match memory {
            Memory::Fpga => "--write-sram",
            Memory::Flash => "--write-flash",
        });
        // An absolute path is never read as an option.
        command.arg(std::path::absolute(file).map_err(failed)?);
        command.stdin(Stdio::null());
        if quiet {
            command.stdout(Stdio::null());
        }
        let status = command.status().map_err(failed)?;
        match status.success() {
            true => Ok(()),
            false => Err(LoaderError::Failed(status)),
        }
    }
}
