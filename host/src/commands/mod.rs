//! The subcommands: each its arguments and what they make happen.

pub mod bench;
pub mod controllers;
pub mod decide;
#[cfg(feature = "faults")]
pub mod faults;
pub mod info;
mod options;
pub mod play;
pub mod replay;
pub mod signature;
pub mod strength;
pub mod train;

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use anyhow::{Context as _, bail};
use host::backend::{Backend, Spec};
use host::event::{Header, Sink};
use host::games::Game;
use host::games::tetris::{Position, Tetris};
use host::report::terminal::Terminal;
use host::report::totals::Totals;
use host::session::Session;
use serde::Serialize;
use tokio::sync::watch;

/// For the word before an error.
pub const RED: Style = AnsiColor::Red.on_default().bold();

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All decisions agreed.
    Agreed,
    /// Some did not.
    Diverged,
    /// The user stopped it.
    Interrupted,
}

impl Outcome {
    fn of(totals: &Totals) -> Self {
        match totals {
            Totals { diverged: 1.., .. } => Self::Diverged,
            Totals {
                interrupted: true, ..
            } => Self::Interrupted,
            _ => Self::Agreed,
        }
    }
}

/// Where reports go.
#[derive(clap::Args)]
pub struct Output {
    /// Write the summary as JSON to this file (- for standard output, which
    /// silences the report)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Record every decision in this file (JSON lines, for `lockstep replay`)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Standard output, or nothing; colour where the other end shows it.
fn stdout(silent: bool) -> Box<dyn Write> {
    if silent {
        Box::new(io::sink())
    } else {
        Box::new(anstream::stdout())
    }
}

impl Output {
    /// Fails before any work is done when the outputs cannot be had.
    fn check(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let outputs = [("--json", &self.json), ("--record", &self.record)];
        for (option, file) in outputs {
            let Some(file) = file else { continue };
            if file == Path::new(STDOUT) {
                if option == "--record" {
                    bail!("--record -: a record is a file; name one");
                }
                continue;
            }
            check_writable(option, file)?;
            if let Some(input) = inputs.iter().find(|input| is_same(file, input)) {
                bail!(
                    "{option} {}: that is {}, which is read; name another file",
                    file.display(),
                    input.display()
                );
            }
        }
        if let (Some(json), Some(record)) = (&self.json, &self.record)
            && is_same(json, record)
        {
            bail!("--json and --record name the same file; give each its own");
        }
        Ok(())
    }

    fn json_on_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new(STDOUT))
    }

    fn silent(&self, quiet: bool) -> bool {
        quiet || self.json_on_stdout()
    }

    fn terminal(&self, quiet: bool, games: Option<u64>, bar: bool) -> Terminal<Box<dyn Write>> {
        let silent = self.silent(quiet);
        let bar = bar && !silent && io::stderr().is_terminal();
        Terminal::new(stdout(silent), bar, games)
    }

    /// Writes the summary of a session: what it was about, then its numbers.
    fn write_json(&self, about: impl Serialize, totals: &Totals) -> anyhow::Result<()> {
        #[derive(Serialize)]
        struct Summary<'a, A> {
            #[serde(flatten)]
            about: A,
            #[serde(flatten)]
            totals: &'a Totals,
            record: Option<&'a Path>,
        }
        let Some(file) = &self.json else {
            return Ok(());
        };
        let record = self.record.as_deref();
        let summary = Summary {
            about,
            totals,
            record,
        };
        write_json(file, &summary)
    }

    fn record_name(&self) -> Option<String> {
        self.record.as_ref().map(|path| path.display().to_string())
    }
}

/// Standard output as the name of a file.
const STDOUT: &str = "-";

/// Writes a document to a file or standard output.
fn write_json(file: &Path, document: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(document)? + "\n";
    if file == Path::new(STDOUT) {
        return Ok(io::stdout().write_all(text.as_bytes())?);
    }
    let failed = || format!("--json {}", file.display());
    let mut out = File::create(file).with_context(failed)?;
    out.write_all(text.as_bytes()).with_context(failed)
}

/// Opens backends for Tetris.
async fn open(specs: &[Spec]) -> anyhow::Result<Vec<Box<dyn Backend<Tetris>>>> {
    let mut backends: Vec<Box<dyn Backend<Tetris>>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].contains(spec) {
            bail!("--backend {spec} is named twice; every backend needs a name of its own");
        }
        backends.push(open_one(spec, index).await?);
    }
    Ok(backends)
}

/// Opens one; no two of a process have the same index.
async fn open_one(spec: &Spec, index: usize) -> anyhow::Result<Box<dyn Backend<Tetris>>> {
    let nonce = u64::from(std::process::id()) << 8 | index as u64;
    Ok(spec.open::<Tetris>(nonce).await?)
}

/// Fails when a file cannot be created where it is named.
fn check_writable(option: &str, file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|f| !f.is_dir()) {
        let folder = folder.display();
        bail!("{option} {name}: there is no folder {folder}; create it first");
    }
    if file.is_dir() {
        bail!("{option} {name}: that is a folder; name a file in it");
    }
    Ok(())
}

/// Whether two names are those of one file, also through links, and also when
/// it does not exist yet.
fn is_same(a: &Path, b: &Path) -> bool {
    match same_file::is_same_file(a, b) {
        Ok(same) => same,
        Err(_) => matches!((target(a), target(b)), (Some(a), Some(b)) if a == b),
    }
}

/// The full name of a file that may not exist yet, a link followed.
fn target(file: &Path) -> Option<PathBuf> {
    let linked = fs::read_link(file).ok();
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let named = linked.map_or(file.to_owned(), |to| folder.join(to));
    let folder = named.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(named.file_name()?))
}

/// Turns true when the user asks to stop.
type Interrupt = watch::Receiver<bool>;

/// Listens for an interrupt from now on. The first is to end things in good
/// order; the second ends the program.
fn listen() -> Interrupt {
    let (raise, raised) = watch::channel(false);
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if raise.send_replace(true) {
                // Asked twice: whatever it waits for does not come.
                std::process::exit(130);
            }
        }
    });
    raised
}

/// A session that ends in good order at the first interrupt.
fn interruptible(backends: Vec<Box<dyn Backend<Tetris>>>) -> Session<Tetris> {
    let interrupt = listen();
    Session::new(backends, move || *interrupt.borrow())
}

/// Refuses a position with a known next piece, which the backend of that name
/// cannot use.
fn refuse_lookahead(without: Option<&str>, position: &Position) -> Result<(), String> {
    match without {
        Some(name) if Tetris::needs_lookahead(position) => Err(format!(
            "the position names the next piece, and backend {name} has no lookahead \
             with this controller; leave \"next\" out"
        )),
        _ => Ok(()),
    }
}

/// The header of a session that is about to begin.
fn header<G: Game>(
    session: &Session<G>,
    controller: G::Controller,
    setup: Option<G::Setup>,
    planned: Option<u64>,
) -> Header<G> {
    Header {
        backends: session.identities(),
        controller,
        setup,
        planned,
    }
}

/// The sinks of a session, in the order they are told.
fn sinks<'a, G: Game>(
    terminal: &'a mut Terminal<Box<dyn Write>>,
    totals: &'a mut Totals,
    recorder: &'a mut Option<host::record::Recorder>,
) -> Vec<&'a mut dyn Sink<G>> {
    let mut sinks: Vec<&mut dyn Sink<G>> = Vec::new();
    if let Some(recorder) = recorder {
        sinks.push(recorder);
    }
    sinks.push(terminal);
    sinks.push(totals);
    sinks
}
