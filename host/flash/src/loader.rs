//! Runs openFPGALoader, which drives the boards' programmers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Board, FlashError};

const PROGRAM: &str = "openFPGALoader";

/// The memory that a bitstream is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The FPGA itself, which loses it without power.
    Fpga,
    /// The flash that the FPGA loads at power-up.
    Flash,
}

/// openFPGALoader.
#[derive(Debug, Clone)]
pub struct Loader {
    program: PathBuf,
}

impl Loader {
    /// The program with the given name or path, or openFPGALoader on `PATH`.
    ///
    /// # Errors
    /// When it does not exist or is not executable.
    pub fn find(named: Option<&Path>) -> Result<Self, FlashError> {
        let name = named.unwrap_or(Path::new(PROGRAM));
        let program = which::which(name).map_err(|why| {
            let name = name.display();
            FlashError(format!(
                "{name}: {why}; {PROGRAM} loads bitstreams into boards: install it (Debian and \
                 Ubuntu: openfpgaloader, Arch: openfpgaloader, macOS: brew install \
                 openfpgaloader), or give its path with --loader PATH"
            ))
        })?;
        Ok(Self { program })
    }

    /// Loads a file into a board's memory.
    ///
    /// The program writes to standard output, unless `quiet`, and standard error of this process.
    ///
    /// # Errors
    /// When the program cannot be run or fails.
    pub fn load(
        &self,
        board: Board,
        file: &Path,
        memory: Memory,
        quiet: bool,
    ) -> Result<(), FlashError> {
        let failed = |why| FlashError(format!("{}: {why}", self.program.display()));
        let mut command = Command::new(&self.program);
        command.args(board.word("loader").split(' '));
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
            false => Err(FlashError(format!(
                "{PROGRAM} ended with {status}: is the {board} (USB {}) connected and switched on, \
                 and may you use its USB port?",
                board.word("usb")
            ))),
        }
    }
}
