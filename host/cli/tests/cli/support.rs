//! What the tests of the command line share.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use lockstep_games::tetris::Controller;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("host/cli lies in the repository")
}

/// A text file of the repository.
pub fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn controller(name: &str) -> Controller {
    Controller::load(name).unwrap_or_else(|e| panic!("{e}"))
}

/// The `lockstep` program, built as the tests are.
pub fn lockstep() -> Command {
    let mut command = match cfg!(target_os = "linux") {
        // Whoever runs the tests may ignore some signals (nohup does), and the
        // program would take that over.
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

/// Where the program lies.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_lockstep");

/// Runs the program with some standard input.
pub fn run(arguments: &[&str], input: &str) -> Output {
    use std::io::Write as _;
    let mut child = lockstep()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lockstep runs");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_owned();
    // Beside the reading of its output, or both would wait for each other. A
    // program that fails early does not read it all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("lockstep ends");
    writer.join().expect("the input is written");
    output
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
