//! `lockstep record convert`

use std::io::Write as _;
use std::path::PathBuf;

use lockstep::Stop;
use lockstep::record::Reader;

use super::new_record::NewRecord;

use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::{DECISIONS, Outcome, count, stdout};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record convert games.jsonl games.jsonl.zst
  lockstep record convert games.jsonl.zst games.jsonl")]
pub struct Args {
    /// The record: JSON lines, plain or compressed
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write: JSON lines, compressed if its name ends in .zst
    #[arg(value_name = "OUT")]
    to: PathBuf,
    /// Overwrite the file of --out if it exists
    #[arg(long)]
    force: bool,
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let Args { from, to, force } = args;
    let mut reader = Reader::<G>::open(from, stop)?;
    let mut output = NewRecord::beside(to, *force, std::slice::from_ref(from))?;
    let writer = &mut output.writer;
    writer.text(reader.header())?;
    // Header and end have frames of their own, so that `play --resume` can append.
    writer.write()?;
    let mut decisions = 0;
    while reader.next().transpose()?.is_some() {
        writer.text(reader.text())?;
        decisions += 1;
    }
    writer.write()?;
    if reader.tail().is_some() {
        writer.text(reader.text())?;
        writer.write()?;
    }
    output.keep()?;
    let to = shown(to.display());
    writeln!(stdout(quiet), "{to}: {}", count(decisions, DECISIONS))?;
    Ok(Outcome::Agreed)
}
