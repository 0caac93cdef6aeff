//! Runs openFPGALoader, which knows the boards' programmers.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::Board;

/// The program's name.
const PROGRAM: &str = "openFPGALoader";
/// Longest line that is understood, in bytes; what is longer is cut.
const LONGEST_LINE: usize = 1_000;
/// Lines of its output that an error tells.
const LINES: usize = 12;

/// Where a bitstream goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The FPGA itself, until the power goes off.
    Fpga,
    /// The flash it is loaded from at power-up.
    Flash,
}

/// How far a load is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What it does, in openFPGALoader's words.
    pub step: String,
    /// Part of that step that is done, 0 to 100.
    pub percent: f32,
}

/// Why nothing was loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoaderError {
    /// It is not there.
    #[error(
        "{program}: {why}; {PROGRAM} loads bitstreams into boards: install it (Debian and Ubuntu: \
         openfpgaloader, Arch: openfpgaloader, macOS: brew install openfpgaloader), or name it \
         with --loader PATH"
    )]
    Missing {
        /// What was looked for.
        program: String,
        /// Why it was not found.
        why: which::Error,
    },
    /// It cannot be run, or not be read.
    #[error("{}: {why}", program.display())]
    Run {
        /// The program.
        program: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// It failed.
    #[error(
        "{PROGRAM} ended with {status}: is the board connected and switched on, and may you use \
         its USB port?{said}"
    )]
    Failed {
        /// Its exit status.
        status: ExitStatus,
        /// The end of what it wrote, on lines of their own.
        said: String,
    },
}

/// openFPGALoader.
#[derive(Debug, Clone)]
pub struct Loader {
    program: PathBuf,
}

impl Loader {
    /// The program named, or the one on `PATH`.
    ///
    /// # Errors
    /// When there is none that can be run.
    pub fn find(named: Option<&Path>) -> Result<Self, LoaderError> {
        let name = named.unwrap_or(Path::new(PROGRAM));
        let program = which::which(name).map_err(|why| LoaderError::Missing {
            program: name.display().to_string(),
            why,
        })?;
        Ok(Self { program })
    }

    /// Loads a file, and tells how far that is.
    ///
    /// # Errors
    /// When the program cannot be run or fails.
    pub fn load(
        &self,
        board: Board,
        file: &Path,
        memory: Memory,
        mut progress: impl FnMut(Progress),
    ) -> Result<(), LoaderError> {
        let failed = |why| LoaderError::Run {
            program: self.program.clone(),
            why,
        };
        // Absolute, so that it is none of its options whatever it is called.
        let file = std::path::absolute(file).map_err(failed)?;
        let mut child = Command::new(&self.program)
            .args(board.loader_arguments())
            .arg(match memory {
                Memory::Fpga => "--write-sram",
                Memory::Flash => "--write-flash",
            })
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        // Beside each other, or it could wait for us to read the other one.
        let errors = child.stderr.take();
        let errors = std::thread::spawn(move || {
            let mut said = Said::default();
            errors.map_or(Ok(()), |errors| follow(errors, |line| said.add(line)))?;
            Ok(said)
        });
        let mut said = Said::default();
        let read = match child.stdout.take() {
            Some(output) => follow(output, |line| match progress_of(line) {
                Some(told) => progress(told),
                None => said.add(line),
            }),
            None => Ok(()),
        };
        let status = child.wait().map_err(failed)?;
        let nobody = || io::Error::other("its errors could not be read");
        let more = errors.join().map_err(|_| failed(nobody()))?;
        read.map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let more: Said = more.map_err(failed)?;
        let said = said.0.into_iter().chain(more.0);
        let said = said.map(|line| format!("\n  {line}")).collect();
        Err(LoaderError::Failed { status, said })
    }
}

/// The last lines of an output.
#[derive(Default)]
struct Said(VecDeque<String>);

impl Said {
    fn add(&mut self, line: &str) {
        if self.0.len() == LINES {
            self.0.pop_front();
        }
        self.0.push_back(line.to_owned());
    }
}

/// Reads an output to its end, line by line: a line also ends where a terminal would
/// go back to its beginning. Colours and empty lines are left out.
fn follow(mut output: impl Read, mut line: impl FnMut(&str)) -> io::Result<()> {
    let mut bytes = [0; 4_096];
    let mut text = Vec::new();
    let mut end = |text: &mut Vec<u8>| {
        let plain = plain(&String::from_utf8_lossy(text));
        if !plain.trim().is_empty() {
            line(plain.trim());
        }
        text.clear();
    };
    loop {
        let count = match output.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        for byte in &bytes[..count] {
            match byte {
                b'\r' | b'\n' => end(&mut text),
                _ if text.len() < LONGEST_LINE => text.push(*byte),
                _ => {}
            }
            // A bar is whole with its percentage; what is to end it comes with the next.
            if *byte == b'%' {
                end(&mut text);
            }
        }
    }
    end(&mut text);
    Ok(())
}

/// A text without what makes a terminal change its colour.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            // ESC [ numbers, then a letter
            '\u{1b}' => drop(characters.find(char::is_ascii_alphabetic)),
            character if character.is_control() => {}
            character => plain.push(character),
        }
    }
    plain
}

/// A bar: `Loading: [====    ] 45.00%`.
fn progress_of(line: &str) -> Option<Progress> {
    let (step, bar) = line.split_once(": [")?;
    let percent = bar.rsplit_once(']')?.1.trim().strip_suffix('%')?;
    let percent: f32 = percent.parse().ok()?;
    let percent = percent.is_finite().then(|| percent.clamp(0.0, 100.0))?;
    Some(Progress {
        step: step.to_owned(),
        percent,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        follow(bytes, |line| lines.push(line.to_owned())).expect("bytes can be read");
        lines
    }

    #[test]
    fn bars_and_words_are_told_apart() {
        let text = b"\x1b[0mempty\r\nOpen file: DONE\n\rLoad SRAM: [==   ] 45.50%\r\
            Load SRAM: [=====] 100.00%\n\x1b[32mDone\x1b[0m";
        let all = lines(text);
        let bars: Vec<_> = all.iter().filter_map(|line| progress_of(line)).collect();
        let bar = |percent| Progress {
            step: "Load SRAM".into(),
            percent,
        };
        assert_eq!(bars, [bar(45.5), bar(100.0)]);
        let words: Vec<_> = all.iter().filter(|l| progress_of(l).is_none()).collect();
        assert_eq!(words, ["empty", "Open file: DONE", "Done"]);
        assert_eq!(progress_of("Erasing: [] nan%"), None);
        assert_eq!(progress_of("x: [=] 250%").map(|p| p.percent), Some(100.0));
    }

    proptest! {
        #[test]
        fn any_output_is_followed(bytes in proptest::collection::vec(any::<u8>(), 0..3_000)) {
            for line in lines(&bytes) {
                prop_assert!(!line.chars().any(char::is_control));
                let _ = progress_of(&line);
            }
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named_with_the_remedy() {
        let error = Loader::find(Some(Path::new("/no/such/loader"))).expect_err("not there");
        let text = error.to_string();
        assert!(
            text.contains("/no/such/loader") && text.contains("--loader"),
            "{text}"
        );
    }
}
