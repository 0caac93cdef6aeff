//! `lockstep record convert`

mod columns;
mod parquet;
mod text;

pub use parquet::Column;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use lockstep::Stop;
use lockstep::record::Form;

use super::check_apart;
use super::fresh::Fresh;
use crate::commands::Outcome;
use crate::commands::output::stdout;
use crate::failure::shown;
use crate::games::CliGame;
use crate::views::{DECISIONS, count};

pub const EXAMPLES: &str = "\
Examples:
  lockstep record convert games.jsonl games.jsonl.zst
  lockstep record convert games.jsonl.zst games.parquet
  lockstep record convert games.parquet games.jsonl --force";

#[derive(clap::Args)]
pub struct Args {
    /// The record: JSON lines, plain or compressed, or Parquet that this command wrote
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write: Parquet where its name ends in .parquet, else JSON lines, compressed
    /// where it ends in .zst
    #[arg(value_name = "OUT")]
    to: PathBuf,
    /// Overwrite it if it exists
    #[arg(long)]
    force: bool,
}

/// The header of a record in a table; `None` of any other file.
pub fn table_header(path: &Path) -> Option<String> {
    is_parquet(path).then(|| columns::header(path))?
}

fn is_parquet(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let Args { from, to, force } = args;
    check_apart(to, std::slice::from_ref(from))?;
    let form = Form::of(to);
    let (from_parquet, to_parquet) = (is_parquet(from), is_parquet(to));
    if from_parquet && to_parquet {
        bail!(
            "{} and {} are both Parquet; copy it",
            from.display(),
            to.display()
        );
    }
    // What cannot be read leaves nothing.
    let decisions = if from_parquet {
        let reader = columns::Reader::<G>::open(from)?;
        let fresh = Fresh::beside(to, *force)?;
        let decisions = reader.write(fresh.file()?, form, stop)?;
        fresh.keep()?;
        decisions
    } else {
        let mut lines = text::Lines::<G>::open(from)?;
        let fresh = Fresh::beside(to, *force)?;
        let decisions = match to_parquet {
            true => columns::write(&mut lines, fresh.file()?, stop).map_err(parquet::of_file)?,
            false => lines.write(fresh.file()?, form, stop)?,
        };
        fresh.keep()?;
        decisions
    };
    let to = shown(&to.display().to_string());
    writeln!(stdout(quiet), "{to}: {}", count(decisions, DECISIONS))?;
    Ok(Outcome::Agreed)
}
