//! The command line under ordinary, bad and odd use: exit status, what is
//! written where, and what is left alone.

mod bench;
mod boards;
mod connect4;
mod contracts;
mod converted;
#[path = "../../../session/tests/toy/core.rs"]
mod core;
mod decide;
#[cfg(unix)]
mod exec;
mod explain;
mod flash;
mod hostile;
mod info;
mod interrupt;
mod names;
mod parts;
mod place;
mod play;
mod programs;
mod pty;
mod recorded;
mod records;
mod replays;
mod reports;
mod resume;
mod running;
mod serve;
mod soak;
mod strength;
mod support;
mod terminal;
mod train;
mod watch;
mod wrong;

use std::fs::File;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::place::Place;
use crate::support::{PROGRAM, lockstep, run, stderr, stdout};

/// The slowest of the backends without a fault, at a rate that makes it quick.
const PINS: &str = "sim-uart:baud=12000000";
/// A backend that differs from the others in every first decision.
const FAULTY: &str = "sim:fault=landing-height-off-by-one";
/// An empty board as a line of `decide`.
const EMPTY: &str = r#"{"board":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"piece":"T"}"#;

/// A folder that goes with the test.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A file in it, as an argument.
fn file(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_string_lossy().into_owned()
}

fn write(path: &str, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap_or_else(|e| panic!("{path}: {e}"));
}

fn text(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("not JSON: {e}\n{text}"))
}

/// The whole of an output, for messages.
fn shown(output: &Output) -> String {
    format!(
        "{}\nstdout: {}\nstderr: {}",
        output.status,
        stdout(output),
        stderr(output)
    )
}

/// Runs the program and fails unless it ends with that status.
fn exits(status: i32, arguments: &[&str]) -> Output {
    let output = run(arguments, "");
    let found = output.status.code();
    assert_eq!(found, Some(status), "{arguments:?}: {}", shown(&output));
    output
}

/// Runs the program with a file as its standard input, which takes bytes of any
/// kind and number.
fn fed(arguments: &[&str], input: &Path) -> Output {
    let input = File::open(input).expect("an input");
    let mut program = lockstep();
    let program = program.args(arguments).stdin(Stdio::from(input));
    program.output().expect("lockstep runs")
}

/// What is wrong with how bad input was refused: status 2 and an error that
/// names all of `named`, says nothing twice, is no panic and has no colour.
fn misrefused(output: &Output, named: &[&str]) -> Option<String> {
    let error = stderr(output);
    let mut wrong = Vec::new();
    if output.status.code() != Some(2) {
        wrong.push("the exit status is not 2".to_owned());
    }
    if !error.contains("error: ") || error.contains("panicked") {
        wrong.push("that is no error message".to_owned());
    }
    if error.matches("os error").count() > 1 {
        wrong.push("the cause is told twice".to_owned());
    }
    if error.contains('\x1b') {
        wrong.push("escape codes without a terminal".to_owned());
    }
    for name in named.iter().filter(|name| !error.contains(**name)) {
        wrong.push(format!("'{name}' is not named"));
    }
    (!wrong.is_empty()).then(|| format!("{}\n{}", wrong.join("; "), shown(output)))
}

/// Fails when bad input was not refused as it should be.
fn refused(output: &Output, named: &[&str]) {
    if let Some(wrong) = misrefused(output, named) {
        panic!("{wrong}");
    }
}

/// Fails with all that went wrong in a table of cases.
fn none(wrong: &[String]) {
    let count = wrong.len();
    assert!(
        wrong.is_empty(),
        "{count} wrong:\n{}",
        wrong.join("\n---\n")
    );
}
