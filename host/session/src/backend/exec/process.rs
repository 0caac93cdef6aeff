//! A running program that answers each request with a line.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use futures::FutureExt as _;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::BufReader;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::text::{ForeignText, printable};

/// Longest line of an answer in bytes, as long as the longest position that `decide` reads.
pub(super) const LONGEST: usize = 1 << 20;
/// Longest line of standard error that is shown as one, in bytes.
const SHOWN: usize = 2_000;
/// Maximum number of characters of a line that are quoted.
const QUOTED: usize = 200;
/// How long a program that closed a stream has to end by itself, and to write its last words.
const GRACE: Duration = Duration::from_secs(1);

/// A command with its time limit.
pub(super) struct Command {
    /// Name of the backend's kind, for remedies.
    pub factory: &'static str,
    pub program: String,
    pub arguments: Vec<String>,
    /// Time limit of an answer.
    pub limit: Duration,
}

/// A program that runs; dropping it kills the program and what it started.
pub(super) struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// Logs its standard error and returns its last line; `None` once that was taken.
    stderr: Option<JoinHandle<Option<String>>>,
    factory: &'static str,
}

impl Process {
    /// Starts a program with additional environment variables.
    pub fn start(
        name: &ForeignText,
        command: &Command,
        context: [(&str, &str); 2],
    ) -> Result<Self, String> {
        let mut ready = tokio::process::Command::new(&command.program);
        ready
            .args(&command.arguments)
            .envs(context)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // The terminal's interrupt does not reach it: this process kills it.
        ready.process_group(0);
        let fail = |why: io::Error| {
            let program = &command.program;
            format!(
                "{program} cannot be started: {why}. {}",
                remedy(command, &why)
            )
        };
        let mut child = ready.spawn().map_err(fail)?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(fail(io::ErrorKind::BrokenPipe.into()));
        };
        Ok(Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            stderr: Some(tokio::spawn(show(name.clone(), stderr))),
            factory: command.factory,
        })
    }

    /// Writes a text and waits for the line that answers it: the first that `answer` takes.
    pub async fn ask<T>(
        &mut self,
        text: &[u8],
        limit: Duration,
        answer: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<T, String> {
        self.check_silent(&answer).await?;
        let mut came = Vec::new();
        let answered = timeout(limit, self.exchange(text, &mut came, answer)).await;
        match answered {
            Ok(answered) => answered,
            Err(_) => {
                let came = match &came[..] {
                    [] => String::new(),
                    came => format!(" but {} without an end of line", quoted(came)),
                };
                Err(format!(
                    "no answer within {} s{came}; the program must flush its output after every \
                     line, and {}:timeout=SECONDS,COMMAND allows it more time",
                    limit.as_secs_f64(),
                    self.factory
                ))
            }
        }
    }

    /// Fails if an answer came before the position: it would be taken for that of the position.
    async fn check_silent<T>(&mut self, answer: impl Fn(&[u8]) -> Option<T>) -> Result<(), String> {
        // Lets the runtime notice output that has come.
        tokio::task::yield_now().await;
        while let Some(early) = self.stdout.fill_buf().now_or_never() {
            let early = early.map_err(|why| why.to_string())?;
            if early.is_empty() {
                return Err(self.end("output").await);
            }
            let end = early.iter().position(|byte| *byte == b'\n');
            let line = &early[..end.unwrap_or(early.len())];
            if answer(line).is_some() {
                return Err(format!(
                    "the program wrote {} before it got the next position; it must write one line \
                     for each position, and anything else to standard error",
                    quoted(line)
                ));
            }
            let Some(end) = end else {
                return Ok(());
            };
            self.stdout.consume(end + 1);
        }
        Ok(())
    }

    /// Writes a text and reads lines up to the answer; `came` is the last line, perhaps a part of it.
    async fn exchange<T>(
        &mut self,
        text: &[u8],
        came: &mut Vec<u8>,
        answer: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<T, String> {
        if self.stdin.write_all(text).await.is_err() {
            return Err(self.end("input").await);
        }
        loop {
            came.clear();
            let read = read_line(&mut self.stdout, came, LONGEST).await;
            match read.map_err(|why| why.to_string())? {
                Read::Line => {
                    if let Some(answer) = answer(came) {
                        return Ok(answer);
                    }
                }
                Read::TooLong => {
                    return Err(format!(
                        "the program wrote a line longer than {LONGEST} bytes, which no decision \
                         is; it begins with {}",
                        quoted(came)
                    ));
                }
                Read::End => return Err(self.end("output").await),
            }
        }
    }

    /// The error of a stream that ended: with the program, or closed by it.
    async fn end(&mut self, stream: &'static str) -> String {
        let Ok(ended) = timeout(GRACE, self.child.wait()).await else {
            return format!(
                "the program closed its standard {stream} but still runs; it must answer every position"
            );
        };
        let last = self.last_words().await.map_or(String::new(), |words| {
            format!("; its standard error ends with {words}")
        });
        match ended {
            Ok(status) => format!(
                "the program ended ({status}){last}; it must answer until its standard input ends"
            ),
            Err(why) => format!("the program cannot be reached: {why}"),
        }
    }

    /// Kills it, once its standard error is logged.
    pub async fn kill(mut self) {
        self.kill_group();
        let _ = self.child.start_kill();
        self.last_words().await;
    }

    /// Waits until its standard error is logged, so that the error follows it; returns its last line.
    async fn last_words(&mut self) -> Option<String> {
        let last = timeout(GRACE, self.stderr.take()?).await;
        last.ok().and_then(Result::ok).flatten()
    }

    /// Kills the program with all its children.
    fn kill_group(&self) {
        // `None` once it is reaped: its id may belong to another process.
        let id = self.child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(group) = id.and_then(Pid::from_raw) {
            // It may have just ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

/// The remedy for a program that cannot be started.
fn remedy(command: &Command, why: &io::Error) -> String {
    let Command {
        factory, program, ..
    } = command;
    match why.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "Make it executable by `chmod +x {program}`, or name its interpreter, as in \
             {factory}:python3 {program}"
        ),
        _ => format!(
            "The command is split into words and no shell runs it; {factory}:sh -c '...' runs one"
        ),
    }
}

/// A line in quotes for a message: shortened, with control characters escaped.
pub fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii_end());
    let cut = match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    };
    format!("'{}'", printable(&cut))
}

/// How reading a line ended.
enum Read {
    Line,
    TooLong,
    /// The stream ended, perhaps within the line.
    End,
}

/// Reads a line of at most `longest` bytes, without its line break.
async fn read_line(
    reader: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    longest: usize,
) -> io::Result<Read> {
    let mut reader = reader.take(longest as u64 + 1);
    reader.read_until(b'\n', line).await?;
    Ok(match line.pop() {
        Some(b'\n') => Read::Line,
        Some(last) => {
            line.push(last);
            match line.len() > longest {
                true => Read::TooLong,
                false => Read::End,
            }
        }
        None => Read::End,
    })
}

/// Logs a program's standard error line by line; returns its last line, quoted.
async fn show(name: ForeignText, stderr: ChildStderr) -> Option<String> {
    let mut stderr = BufReader::new(stderr);
    let mut last = None;
    loop {
        let mut line = Vec::new();
        let read = read_line(&mut stderr, &mut line, SHOWN).await;
        if !line.trim_ascii().is_empty() {
            let text = String::from_utf8_lossy(line.trim_ascii_end());
            tracing::warn!("{name}: {}", printable(&text));
            last = Some(quoted(&line));
        }
        if matches!(read, Ok(Read::End) | Err(_)) {
            return last;
        }
    }
}
