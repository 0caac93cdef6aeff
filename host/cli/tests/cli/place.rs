//! A temporary folder for a test, and commands as lines of text, in which `{}` is that folder.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::running::Running;
use crate::support::*;

pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }

    /// The content of a file in it.
    pub fn text(&self, name: &str) -> String {
        text(&self.file(name))
    }

    /// Writes a file in it and returns the path.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.file(name);
        write(&path, content);
        path
    }

    /// Names of all files and folders in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |e: std::fs::DirEntry| e.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.map(|e| name(e.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// Splits a line into the words of a command, quoted as in a shell.
    pub fn words(&self, line: &str) -> Vec<String> {
        let folder = self.folder.path().to_string_lossy();
        let words = shlex::split(line).expect("closed quotes").into_iter();
        words.map(|word| word.replace("{}", &folder)).collect()
    }

    /// The program, with the user's state and runtime folders inside this folder.
    pub fn command(&self, line: &str) -> Command {
        let mut command = lockstep();
        command.args(self.words(line));
        command.env("XDG_STATE_HOME", self.file("home"));
        command.env("XDG_RUNTIME_DIR", self.file("run"));
        command
    }

    /// Runs a command, after ` < ` with a file of the folder as its standard input.
    pub fn run(&self, line: &str) -> Output {
        match line.split_once(" < ") {
            Some((line, name)) => self.feed(line, self.text(name)),
            None => self.feed(line, ""),
        }
    }

    /// Runs a command with this standard input.
    pub fn feed(&self, line: &str, input: impl AsRef<[u8]>) -> Output {
        fed(&mut self.command(line), input)
    }

    /// Runs a command that may write files of at most `blocks` blocks.
    #[cfg(target_os = "linux")]
    pub fn limited(&self, blocks: u32, line: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
        shell.arg(PROGRAM).args(self.words(line));
        shell.current_dir(root()).output().expect("sh runs")
    }

    /// Runs a command, which must end with this status; returns its standard output.
    pub fn exits(&self, status: i32, line: &str) -> String {
        let output = self.run(line);
        let found = output.status.code();
        assert_eq!(found, Some(status), "{line}: {}", shown(&output));
        stdout(&output)
    }

    /// Runs a command, which must succeed; returns its standard output.
    pub fn ok(&self, line: &str) -> String {
        self.exits(0, line)
    }

    /// Runs a command, which must end with this status; returns its JSON document.
    pub fn json(&self, status: i32, line: &str) -> Value {
        json(&self.exits(status, &format!("{line} --json -")))
    }

    /// Records a game of the golden model with `pieces` decisions in `{}/game`; returns the place.
    pub fn recorded(pieces: u64) -> Self {
        let place = Self::new();
        let play = "play --backend software --record {}/game --max-pieces";
        place.ok(&format!("{play} {pieces}"));
        place
    }

    pub fn start(&self, line: &str) -> Running {
        Running::spawn(&mut self.command(line))
    }

    /// Fails unless each command of a table ends with its status and prints the expected parts.
    ///
    /// A row is `STATUS command => part | part`. No command may panic.
    pub fn shows(&self, table: &str) {
        let wrong = rows(table).filter_map(|(row, parts)| {
            let (status, line) = row.split_once(' ').expect("a status");
            let output = self.run(line);
            let all = stdout(&output) + &stderr(&output);
            let holds = output.status.code() == status.parse().ok()
                && parts.iter().all(|part| all.contains(part))
                && !all.contains("panicked");
            (!holds).then(|| format!("{row}: {parts:?}: {}", shown(&output)))
        });
        none(&wrong.collect::<Vec<_>>());
    }

    /// Fails unless each command of a table is refused with the expected parts of an error.
    ///
    /// A row is `command => part | part`.
    pub fn refuses(&self, table: &str) {
        self.refuses_after("", table);
    }

    /// As [`Self::refuses`], with these words before each row, and nothing on standard output.
    pub fn refuses_after(&self, words: &str, table: &str) {
        let wrong = rows(table).filter_map(|(row, parts)| {
            let line = format!("{words} {row}");
            let output = self.run(&line);
            let began = !words.is_empty() && !output.stdout.is_empty();
            let why = misrefused(&output, &parts).or(began.then(|| shown(&output)))?;
            Some(format!("{line}: {why}"))
        });
        none(&wrong.collect::<Vec<_>>());
    }

    /// Copies a record with one line changed, counted from 1; returns the path.
    pub fn edited(&self, name: &str, line: usize, change: impl FnOnce(&mut Value)) -> String {
        let text = self.text(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut value = json(&lines[line - 1]);
        change(&mut value);
        assert_ne!(value, json(&lines[line - 1]), "the edit changes it");
        lines[line - 1] = value.to_string();
        self.put(&format!("{name}.edited"), lines.join("\n") + "\n")
    }
}

/// The rows of a table: the text before `=>`, and the parts separated by ` | `.
pub fn rows(table: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let rows = table.lines().map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| {
        let (text, parts) = row.split_once("=>").expect("an arrow");
        let parts = parts.split(" | ").map(str::trim);
        (text.trim(), parts.filter(|part| !part.is_empty()).collect())
    })
}

/// Changes the piece in a line of a record.
pub fn other_piece(line: &mut Value) {
    let piece = if line["piece"] == "I" { "O" } else { "I" };
    line["piece"] = piece.into();
}
