//! `lockstep coverage`

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use lockstep_games::tetris::Tetris;
use lockstep_lab::coverage::{Effort, document, measure};
use lockstep_lab::files::write::write;

use super::Outcome;
use super::files::check_writable;
use super::interrupt::listen;
use super::numbers::number;
use super::options::GameName;
use super::output::stdout;
use super::wait::wait;
use crate::views::coverage::{html, text};

pub const EXAMPLES: &str = "\
Examples:
  lockstep coverage
  lockstep coverage --seed 7 --pieces 2000 --benches 8
  lockstep coverage --out out/coverage --write docs/coverage.md";

#[derive(clap::Args)]
pub struct Args {
    /// Seed of the games, the directed positions and the bench of the core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Pieces of each controller's game
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = number::<u64>(1..=1_000_000))]
    pieces: u64,
    /// Runs of the bench of the whole core
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(0..=1_000))]
    benches: u64,
    /// Folder of the RTL, the one that this lockstep was built from
    #[arg(long, value_name = "DIR", default_value = "rtl")]
    rtl: PathBuf,
    /// Folder for the page, index.html
    #[arg(long, value_name = "DIR", default_value = "out/coverage")]
    out: PathBuf,
    /// Also write it as a document in Markdown to this file
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    game: GameName<Tetris>,
}

/// Exit status 1 when too few lines are reached, a bin is empty, or what is said to be out of reach
/// is not.
pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let page = args.out.join("index.html");
    if args.out.is_dir() {
        check_writable("--out", &page)?;
    } else if args.out.exists() {
        bail!("--out {}: that is no folder; name one", args.out.display());
    }
    if let Some(file) = &args.write {
        check_writable("--write", file)?;
    }
    let effort = Effort {
        seed: args.seed,
        pieces: args.pieces as usize,
        benches: args.benches,
    };
    let stop = listen();
    let seen = !quiet && io::stderr().is_terminal();
    let mut tell = |what: &str| {
        if seen {
            let _ = writeln!(io::stderr(), "{what} …");
        }
    };
    let measured = measure(&args.rtl, effort, &mut tell);
    let report = wait("reaching for the RTL", true, &stop, measured).await?;
    fs::create_dir_all(&args.out).with_context(|| format!("--out {}", args.out.display()))?;
    write(&page, html::whole(&report).as_bytes())?;
    if let Some(file) = &args.write {
        write(file, document::markdown(&report).as_bytes())?;
    }
    let mut out = stdout(quiet);
    write!(out, "{}", text(&report))?;
    writeln!(out, "line by line: {}", page.display())?;
    out.flush()?;
    let failures = report.failures();
    for failure in &failures {
        anstream::eprintln!("error: {failure}");
    }
    Ok(match failures.is_empty() {
        true => Outcome::Agreed,
        false => Outcome::Diverged,
    })
}
