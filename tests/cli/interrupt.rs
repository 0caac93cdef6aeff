//! Ctrl-C: status 130, and what was done stays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::*;

/// Longer than anything here takes: only so that a program that hangs fails the
/// test instead of hanging it.
const HANGS: Duration = Duration::from_secs(60);

/// A program under way, its standard output line by line.
pub(super) struct Running {
    child: Child,
    lines: Receiver<String>,
    input: Option<ChildStdin>,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        Self::spawn(lockstep().args(arguments))
    }

    pub(super) fn spawn(program: &mut Command) -> Self {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lockstep runs");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let input = child.stdin.take();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut read = output.lines().map_while(Result::ok);
            read.try_for_each(|line| sender.send(line))
        });
        Self {
            child,
            lines,
            input,
        }
    }

    /// The next line; `None` at the end.
    fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(HANGS) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.child.kill().expect("killed");
                panic!("neither writes nor ends");
            }
        }
    }

    /// Reads on to a line that holds some text.
    pub(super) fn wait_for(&mut self, text: &str) {
        while let Some(line) = self.line() {
            if line.contains(text) {
                return;
            }
        }
        panic!("it ended before it wrote '{text}'");
    }

    pub(super) fn interrupt(&self) {
        let process = self.child.id().to_string();
        let sent = Command::new("sh")
            .args(["-c", "kill -INT \"$0\"", &process])
            .status();
        assert!(sent.expect("sh runs").success(), "it has ended already");
    }

    /// Ends it as nothing it could notice does.
    pub(super) fn kill(mut self) {
        self.child.kill().expect("it still runs");
        self.child.wait().expect("it ends");
    }

    /// Its status, the rest of its output and its errors.
    pub(super) fn end(mut self) -> (Option<i32>, String, String) {
        let mut rest = String::new();
        while let Some(line) = self.line() {
            rest += &(line + "\n");
        }
        let status = self.child.wait().expect("it ends").code();
        let mut error = String::new();
        let mut stderr = self.child.stderr.take().expect("piped");
        stderr.read_to_string(&mut error).expect("text");
        (status, rest, error)
    }
}

#[test]
fn an_interrupted_session_leaves_a_record_that_can_be_replayed() {
    let folder = folder();
    let (summary, record) = (file(&folder, "summary.json"), file(&folder, "games.jsonl"));
    let what = ["play", "--games", "1000000", "--max-pieces", "20"];
    let to = ["--json", &summary, "--record", &record];
    let mut running = Running::start(&[&what[..], &to].concat());
    running.wait_for("game 2 of");
    running.interrupt();
    let (status, rest, error) = running.end();
    assert_eq!((status, error.as_str()), (Some(130), ""), "{rest}");
    assert!(rest.contains("interrupted"), "{rest}");
    let summary = json(&text(&summary));
    assert_eq!(summary["interrupted"], true, "{summary}");
    let decisions = summary["decisions"].as_u64().expect("a number");
    assert!(decisions >= 40, "two games were played: {summary}");
    assert_eq!(text(&record).lines().count() as u64, decisions + 1);
    let again = exits(0, &["replay", &record, "--backend", "software"]);
    let agreed = format!("{decisions} agreed, 0 diverged");
    assert!(stdout(&again).contains(&agreed), "{}", shown(&again));
}

#[test]
fn an_interrupted_replay_is_no_agreement() {
    let folder = folder();
    let (summary, record) = (file(&folder, "summary.json"), file(&folder, "long.jsonl"));
    let what = ["play", "--backend", "software", "--max-pieces", "1"];
    exits(0, &[&what[..], &["--record", &record]].concat());
    let one = text(&record);
    let (head, entry) = one.split_once('\n').expect("two lines");
    write(&record, format!("{head}\n{}", entry.repeat(50_000)));
    let arguments = ["replay", &record, "--backend", "software"];
    let mut running = Running::start(&[&arguments[..], &["--json", &summary]].concat());
    running.wait_for("5000 of 50000");
    running.interrupt();
    let (status, rest, _) = running.end();
    let summary = json(&text(&summary));
    assert!(summary["decisions"].as_u64() < Some(50_000), "it stopped");
    assert_eq!(status, Some(130), "{rest}");
    assert_eq!(summary["interrupted"], true, "{summary}");
    assert!(rest.contains("interrupted"), "{rest}");
}

/// It waits for a position when the user has had enough.
#[test]
fn decide_can_be_interrupted_while_it_waits() {
    let mut running = Running::start(&["decide"]);
    // Standard input stays open to the end.
    let mut input = running.input.take().expect("piped");
    writeln!(input, "{EMPTY}").expect("written");
    running.wait_for("\"column\"");
    running.interrupt();
    let (status, rest, _) = running.end();
    assert_eq!((status, rest.as_str()), (Some(130), ""));
    drop(input);
}
