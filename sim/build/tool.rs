//! Finds Verilator.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::digest::Digest;

const REMEDY: &str = "\
`make build` fetches Verilator into .tools/ and uses it. Or give your own \
(5.006 or newer) with VERILATOR=/path/to/verilator, or build without the \
simulator: cargo build -p lockstep-cli --no-default-features";

pub(crate) struct Verilator {
    program: PathBuf,
    root: PathBuf,
    version: String,
}

impl Verilator {
    /// Finds Verilator: `VERILATOR`, else the package in `.tools/`, else the one on `PATH`.
    ///
    /// # Errors
    /// When it is missing, too old or does not run; the text names the remedy.
    pub(crate) fn find(workspace: &Path) -> Result<Self> {
        for name in ["VERILATOR", "VERILATOR_ROOT", "PATH"] {
            println!("cargo::rerun-if-env-changed={name}");
        }
        let packaged = workspace.join(".tools/verilator/verilator/bin/verilator_bin");
        println!("cargo::rerun-if-changed={}", packaged.display());
        let program = match env::var_os("VERILATOR").filter(|v| !v.is_empty()) {
            Some(named) => PathBuf::from(named),
            None if packaged.exists() => packaged,
            None => which::which("verilator")
                .map_err(|e| format!("Verilator was not found: {e}. {REMEDY}"))?,
        };
        let root = root_of(&program)?;
        let mut verilator = Self {
            program,
            root,
            version: String::new(),
        };
        println!("cargo::rerun-if-changed={}", verilator.program.display());
        let runtime = verilator.include().join("verilated.cpp");
        if !runtime.exists() {
            return Err(format!(
                "{} has no include/verilated.cpp. {REMEDY}",
                verilator.root.display()
            ));
        }
        verilator.version = verilator.run(verilator.command().arg("--version"))?;
        if let Some((major, minor)) = release(&verilator.version)
            && (major, minor) < (5, 6)
        {
            return Err(format!(
                "{}: expected version 5.006 or newer, got {major}.{minor:03}. {REMEDY}",
                verilator.program.display()
            ));
        }
        Ok(verilator)
    }

    /// Its version in one line, without its name.
    pub(crate) fn version(&self) -> &str {
        let line = self.version.lines().next().unwrap_or_default().trim();
        line.strip_prefix("Verilator ").unwrap_or(line)
    }

    /// Folder of the run-time library's sources.
    pub(crate) fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }

    /// Runs a command to its end and returns what it printed.
    ///
    /// # Errors
    /// When it fails; the text has its output.
    pub(crate) fn run(&self, command: &mut Command) -> Result<String> {
        let output = command
            .output()
            .map_err(|e| format!("{}: {e}. {REMEDY}", self.program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("{command:?} failed:\n{text}{errors}"))
    }

    /// Adds its version, program and run-time library to a key.
    pub(crate) fn add_to(&self, digest: &mut Digest) -> Result<()> {
        digest.add("verilator version", self.version.as_bytes());
        digest.add_file(&self.root, &self.program)?;
        digest.add_tree(&self.include(), &["h", "cpp"])
    }
}

/// The folder of Verilator's files: `VERILATOR_ROOT`, the package's, or as the program prints it.
fn root_of(program: &Path) -> Result<PathBuf> {
    if let Some(root) = env::var_os("VERILATOR_ROOT").filter(|v| !v.is_empty()) {
        return Ok(root.into());
    }
    // A path, or a name on PATH.
    let full = which::which(program)
        .and_then(|found| {
            found
                .canonicalize()
                .map_err(|_| which::Error::CannotCanonicalize)
        })
        .map_err(|e| format!("VERILATOR: {}: {e}. {REMEDY}", program.display()))?;
    if let Some(root) = full.parent().and_then(Path::parent)
        && root.join("include/verilated.cpp").exists()
    {
        return Ok(root.into());
    }
    let output = Command::new(program)
        .args(["--getenv", "VERILATOR_ROOT"])
        .output()
        .map_err(|e| format!("{}: {e}. {REMEDY}", program.display()))?;
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}

/// Parses `Verilator 5.006 2023-01-22 …` as (5, 6); the prebuilt package prints no number.
fn release(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_whitespace().nth(1)?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
