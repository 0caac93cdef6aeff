//! Functions that the tests of the command line share.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("host/cli lies in the repository")
}

/// The content of a text file, with a path in the repository or an absolute one.
pub fn text(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn write(path: &str, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap_or_else(|e| panic!("{path}: {e}"));
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("not JSON: {e}\n{text}"))
}

/// The lines of a file or an output, each a JSON value.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(json).collect()
}

/// Fails unless a document has these members: a pointer and a value each, separated by ` | `.
pub fn members(document: &Value, rows: &str) {
    for row in rows.split(" | ") {
        let (pointer, value) = row.split_once(' ').expect("a value");
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        assert_eq!(document.pointer(pointer), Some(&value), "{row}: {document}");
    }
}

/// The path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_lockstep");

/// A command that runs the program, as built for the tests.
pub fn lockstep() -> Command {
    let mut command = match cfg!(target_os = "linux") {
        // The tests may have been started with some signals ignored (by nohup), which the program
        // would inherit.
        true => {
            let mut command = Command::new("env");
            command.args(["--default-signal=INT,TERM,HUP", PROGRAM]);
            command
        }
        false => Command::new(PROGRAM),
    };
    command.current_dir(root()).env_remove("NO_COLOR");
    // Where the tests run on GitHub they are no step of their own.
    command.env_remove("GITHUB_ACTIONS");
    command
}

/// Runs a program with this standard input.
pub fn fed(program: &mut Command, input: impl AsRef<[u8]>) -> Output {
    use std::io::Write as _;
    let piped = program.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.stderr(Stdio::piped()).spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.as_ref().to_vec();
    // Beside the reading of its output, or both would wait for each other. A program that fails
    // early does not read it all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the input is written");
    output
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Status, standard output and standard error, for messages.
pub fn shown(output: &Output) -> String {
    let (out, error) = (stdout(output), stderr(output));
    format!("{}\nstdout: {out}\nstderr: {error}", output.status)
}

/// Fails unless a program ended with that status; returns its standard output.
pub fn ended(status: i32, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(status), "{}", shown(output));
    stdout(output)
}

/// Fails unless a text contains all parts; ` | ` separates the parts.
pub fn has(text: &str, parts: &str) {
    let missing: Vec<_> = parts
        .split(" | ")
        .filter(|part| !text.contains(part))
        .collect();
    assert!(missing.is_empty(), "no {missing:?} in\n{text}");
}

/// The first mistake in how bad input was refused, if any.
///
/// The status must be 2, and the error must contain all of `named`, repeat nothing, be no panic and
/// have no colour.
pub fn misrefused(output: &Output, named: &[&str]) -> Option<String> {
    let error = stderr(output);
    let is_message = error.contains("error: ") && !error.contains("panicked");
    let checks = [
        (output.status.code() == Some(2), "the exit status is not 2"),
        (is_message, "that is no error message"),
        (
            error.matches("os error").count() < 2,
            "the cause is there twice",
        ),
        (!error.contains('\x1b'), "escape codes without a terminal"),
    ];
    let wrong = checks.into_iter().filter(|(holds, _)| !holds);
    let wrong = wrong.map(|(_, why)| why.to_owned());
    let missing = named.iter().filter(|name| !error.contains(**name));
    let missing = missing.map(|name| format!("'{name}' is not named"));
    let wrong: Vec<_> = wrong.chain(missing).collect();
    (!wrong.is_empty()).then(|| format!("{}\n{}", wrong.join("; "), shown(output)))
}

/// Fails unless bad input was refused correctly, see [`misrefused`].
pub fn refused(output: &Output, named: &[&str]) {
    if let Some(wrong) = misrefused(output, named) {
        panic!("{wrong}");
    }
}

/// Fails if a table of cases had errors, and prints all of them.
pub fn none(wrong: &[String]) {
    let count = wrong.len();
    let all = wrong.join("\n---\n");
    assert!(wrong.is_empty(), "{count} wrong:\n{all}");
}
