//! A running program: its output, signals to it, its end.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Timeout that makes a program that hangs fail its test; longer than anything here takes.
pub const HANGS: Duration = Duration::from_secs(60);

/// Sends a signal, named as `kill` names it.
pub fn send(signal: &str, process: u32) {
    let line = format!("kill -s {signal} {process}");
    let sent = Command::new("sh").args(["-c", &line]).status();
    assert!(sent.expect("sh runs").success(), "it has ended already");
}

/// A running program, whose standard output is read line by line.
pub struct Running {
    child: Child,
    errors: BufReader<ChildStderr>,
    lines: Receiver<String>,
    pub input: Option<ChildStdin>,
}

impl Running {
    pub fn spawn(program: &mut Command) -> Self {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lockstep runs");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let errors = BufReader::new(child.stderr.take().expect("piped"));
        let input = child.stdin.take();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut read = output.lines().map_while(Result::ok);
            read.try_for_each(|line| sender.send(line))
        });
        Self {
            child,
            errors,
            lines,
            input,
        }
    }

    /// The next line, waiting at most until `until`; `None` at the end.
    fn line(&mut self, until: Instant) -> Option<String> {
        let left = until.saturating_duration_since(Instant::now());
        let next = match left.is_zero() {
            true => Err(RecvTimeoutError::Timeout),
            false => self.lines.recv_timeout(left),
        };
        match next {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.child.kill().expect("killed");
                panic!("it does not end, or not write what it should");
            }
        }
    }

    /// The next line.
    pub fn next_line(&mut self) -> String {
        let line = self.line(Instant::now() + HANGS);
        line.expect("it ended before it wrote a line")
    }

    /// The next line of standard error.
    pub fn error_line(&mut self) -> String {
        let mut line = String::new();
        let read = self.errors.read_line(&mut line).expect("text");
        assert!(read > 0, "it ended before it wrote an error");
        line
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Reads lines up to one that contains a text.
    pub fn wait_for(&mut self, text: &str) {
        let until = Instant::now() + HANGS;
        while let Some(line) = self.line(until) {
            if line.contains(text) {
                return;
            }
        }
        panic!("it ended before it wrote '{text}'");
    }

    pub fn interrupt(&self) {
        self.signal("INT");
    }

    /// Sends it a signal, named as `kill` names it.
    pub fn signal(&self, name: &str) {
        send(name, self.id());
    }

    /// Waits until the program has used 0.2 s of processor time, which is far beyond its start.
    pub fn wait_until_busy(&self) {
        const TICKS: u64 = 20;
        let stat = format!("/proc/{}/stat", self.child.id());
        let begun = Instant::now();
        loop {
            let text = std::fs::read_to_string(&stat).expect("it runs");
            // After the name of the program, which is in parentheses; the 14th is
            // the time its threads took.
            let fields = text.rsplit(')').next().expect("fields");
            let taken = fields.split_whitespace().nth(11).expect("a time");
            if taken.parse::<u64>().expect("a number") >= TICKS {
                return;
            }
            assert!(begun.elapsed() < HANGS, "it does nothing");
            std::thread::yield_now();
        }
    }

    /// Kills the program.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("it ends");
    }

    /// Interrupts the program, which must end without an error; returns the rest of its output.
    pub fn interrupted(self) -> String {
        self.interrupt();
        let (status, rest, error) = self.end();
        assert_eq!((status, error.as_str()), (Some(130), ""), "{rest}");
        rest
    }

    /// Waits for the end; returns the exit status, the rest of the output, and standard error.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        let mut rest = String::new();
        let until = Instant::now() + HANGS;
        while let Some(line) = self.line(until) {
            rest += &(line + "\n");
        }
        let status = self.child.wait().expect("it ends").code();
        let mut error = String::new();
        self.errors.read_to_string(&mut error).expect("text");
        (status, rest, error)
    }
}
