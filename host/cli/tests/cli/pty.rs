//! The program on a pseudo-terminal: its output, and the content of the screen.

use std::io::{Read as _, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::running::{HANGS, send};
use crate::support::{PROGRAM, root};

/// A program that runs on a terminal.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    written: Receiver<Vec<u8>>,
    /// All output so far.
    seen: Vec<u8>,
    screen: vt100::Parser,
    keyboard: Box<dyn Write + Send>,
    /// The other end of the terminal, which dropping closes.
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Starts the program on a terminal of `rows` rows and `cols` columns.
    pub fn start(size: (u16, u16), arguments: &[String], environment: &[(&str, &str)]) -> Self {
        let mut command = Self::command(PROGRAM);
        command.args(arguments);
        for (name, value) in environment {
            command.env(name, value);
        }
        Self::run(size, command)
    }

    /// A command to run on a terminal, in the folder of the repository.
    pub fn command(program: &str) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.cwd(root());
        command.env_remove("NO_COLOR");
        command.env("TERM", "xterm");
        command
    }

    /// Runs a command on a terminal.
    pub fn run((rows, cols): (u16, u16), command: CommandBuilder) -> Self {
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let child = pair.slave.spawn_command(command).expect("lockstep runs");
        // Else the terminal would never end.
        drop(pair.slave);
        let some = |size| NonZero::new(size).expect("a terminal has a size");
        let keyboard = pair.master.take_writer().expect("its keyboard");
        let mut output = pair.master.try_clone_reader().expect("its output");
        let (sender, written) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the program has ended, the terminal has an error or an end.
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            written,
            seen: Vec::new(),
            // What scrolls off the screen is kept to be found.
            screen: vt100::Parser::new(some(rows), some(cols), 1_000),
            keyboard,
            _master: pair.master,
        }
    }

    /// Reads more output, waiting at most until `until`; `false` at the end.
    fn more(&mut self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        let next = match left.is_zero() {
            true => Err(RecvTimeoutError::Timeout),
            false => self.written.recv_timeout(left),
        };
        match next {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.seen.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Disconnected) => false,
            Err(RecvTimeoutError::Timeout) => {
                self.child.kill().expect("killed");
                let end: String = self.text().chars().rev().take(2_000).collect();
                let end: String = end.chars().rev().collect();
                panic!("it does not end, or not show what it should:\n{end}");
            }
        }
    }

    /// All output so far, including control codes.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }

    /// Waits until the screen satisfies `right`; returns its lines.
    pub fn wait_until(&mut self, right: impl Fn(&[String]) -> bool) -> Vec<String> {
        let until = Instant::now() + HANGS;
        loop {
            let lines = self.lines();
            if right(&lines) {
                return lines;
            }
            assert!(self.more(until), "it ended before: {}", self.text());
        }
    }

    /// The screen.
    pub fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        let sent = self.keyboard.write_all(keys.as_bytes());
        sent.and_then(|()| self.keyboard.flush()).expect("sent");
    }

    /// Waits until the screen contains a text.
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(|lines| lines.iter().any(|line| line.contains(text)));
    }

    /// The lines of the screen, without trailing blanks.
    fn lines(&self) -> Vec<String> {
        let screen = self.screen.screen();
        let (_, columns) = screen.size();
        let rows = screen.rows(0, columns.into());
        rows.map(|row| row.trim_end().to_owned()).collect()
    }

    /// Interrupts the program as Ctrl-C does.
    pub fn interrupt(&mut self) {
        self.signal("INT");
    }

    /// Sends a signal, directly: a terminal's driver would also drop output that is being written.
    pub fn signal(&mut self, name: &str) {
        send(name, self.child.process_id().expect("it runs"));
    }

    /// Waits for the end; returns the exit status and all output.
    pub fn end(mut self) -> (Option<i32>, String) {
        let until = Instant::now() + HANGS;
        while self.more(until) {}
        let status = self.child.wait().expect("it ends");
        let code = status.signal().is_none().then_some(status.exit_code());
        (code.map(|code| code as i32), self.text())
    }
}
