//! A folder of a test's own, and commands written as lines, in which `{}` is that folder.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::running::Running;
use super::{json, misrefused, none, run, shown, stdout};
use crate::support::{PROGRAM, lockstep, root};

pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: super::folder(),
        }
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        super::file(&self.folder, name)
    }

    /// Names of all that is in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |e: std::fs::DirEntry| e.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.map(|e| name(e.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// The words of a command, which are apart by spaces.
    pub fn words(&self, line: &str) -> Vec<String> {
        let folder = self.folder.path().to_string_lossy();
        let words = line.split(' ').filter(|word| !word.is_empty());
        words.map(|word| word.replace("{}", &folder)).collect()
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = lockstep();
        command.args(self.words(line));
        command
    }

    pub fn run(&self, line: &str) -> Output {
        let words = self.words(line);
        run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "")
    }

    /// Runs a command that may write files of so many blocks.
    #[cfg(target_os = "linux")]
    pub fn limited(&self, blocks: u32, line: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
        shell.arg(PROGRAM).args(self.words(line));
        shell.current_dir(root()).output().expect("sh runs")
    }

    /// The standard output of a command that ends with this status.
    pub fn exits(&self, status: i32, line: &str) -> String {
        let output = self.run(line);
        let found = output.status.code();
        assert_eq!(found, Some(status), "{line}: {}", shown(&output));
        stdout(&output)
    }

    /// The standard output of a command that succeeds.
    pub fn ok(&self, line: &str) -> String {
        self.exits(0, line)
    }

    /// The JSON document of a command that ends with this status.
    pub fn json(&self, status: i32, line: &str) -> Value {
        json(&self.exits(status, &format!("{line} --json -")))
    }

    pub fn start(&self, line: &str) -> Running {
        Running::spawn(&mut self.command(line))
    }

    /// Fails unless each command is refused with an error that names all of its list.
    pub fn refuses(&self, cases: &[(&str, &[&str])]) {
        let wrong = cases.iter().filter_map(|(line, named)| {
            let wrong = misrefused(&self.run(line), named)?;
            Some(format!("{line}: {wrong}"))
        });
        none(&wrong.collect::<Vec<_>>());
    }
}
