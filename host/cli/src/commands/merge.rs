//! `lockstep merge`

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use lockstep::Stop;
use lockstep::record::{Ending, Reader, peek};
use lockstep_lab::files::NewFile;
use lockstep_lab::journal::merge::{ShardFile, is_journal, join, merge};
use serde_json::to_value;

use super::record::new_record::NewRecord;
use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::files::{check_writable, is_same};
use crate::output::{Outcome, stdout};
use crate::run::interrupt::listen;

/// Joins what the shards of a command wrote: the states of `strength`, `soak`, `faults` and
/// `replay`, or the records of `match` and `play`, in any order. The command itself prints the
/// result: run it without --shard on the file that is written (--state, or --record and --resume).
#[derive(clap::Args)]
#[command(after_help = "\
  lockstep merge shard-*.jsonl --out whole.jsonl
  lockstep strength --games 10000 --state whole.jsonl
  lockstep merge monday-*.jsonl --out so-far.jsonl --partial --force")]
pub struct Args {
    /// The files of all shards
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file of the whole run
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Join only the shards that are given; the command then continues with the missing ones. Not
    /// for records, which continue only at their end
    #[arg(long)]
    partial: bool,
    /// Overwrite the file of --out if it exists
    #[arg(long)]
    force: bool,
}

pub fn run<G: CliGame>(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let stop = listen();
    let out = args.out.display();
    if let Some(input) = args.files.iter().find(|input| is_same(&args.out, input)) {
        bail!(
            "--out {out}: it is the input {}; name another file",
            input.display()
        );
    }
    check_writable("--out", &args.out)?;
    if !args.force && fs::exists(&args.out).unwrap_or(true) {
        bail!("--out {out}: the file exists; --force overwrites it");
    }
    let mut journals = Vec::new();
    for path in &args.files {
        let name = path.display().to_string();
        // Records are too long to be read at once.
        let mut content = peek(path, 64, &stop).with_context(|| name.clone())?;
        if is_journal(&content) {
            content = fs::read(path).with_context(|| name.clone())?;
        }
        journals.push((name, content));
    }
    match journals.iter().all(|(_, content)| !is_journal(content)) {
        true => records::<G>(args, quiet, &stop)?,
        false => {
            let text = merge(&journals, args.partial).map_err(anyhow::Error::msg)?;
            let file = NewFile::beside(&args.out).with_context(|| format!("--out {out}"))?;
            file.file().write_all(text.as_bytes())?;
            file.keep(args.force)
                .with_context(|| format!("--out {out}"))?;
            let shards = args.files.len();
            writeln!(stdout(quiet), "{}: {shards} shards", shown(out))?;
        }
    }
    Ok(Outcome::Agreed)
}

/// Joins records, which hold one line for each decision.
fn records<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<()> {
    if args.partial {
        bail!(
            "--partial: these are records, which continue only at their end; leave --partial out"
        );
    }
    let mut heads = Vec::new();
    let mut files = Vec::new();
    for (index, path) in args.files.iter().enumerate() {
        let mut reader = Reader::<G>::open(path, stop)?;
        let mut head = reader.head().clone();
        let shard = head.origin.shard.take();
        // For each game the file, and the number of its decisions there.
        let mut entries = Vec::new();
        while let Some(entry) = reader.next().transpose()? {
            match entries.last_mut() {
                Some((game, (_, decisions))) if *game == entry.game - 1 => *decisions += 1,
                _ => entries.push((entry.game - 1, (index, 1))),
            }
        }
        if reader.ending() != Ending::Complete {
            // Its last game may go on.
            entries.pop();
        }
        files.push(ShardFile {
            name: path.display().to_string(),
            header: to_value(&head)?,
            shard,
            entries,
        });
        heads.push(head);
    }
    let games = join(&files, false).map_err(|why| anyhow!(why))?;
    let mut written = NewRecord::beside(&args.out, args.force, &args.files)?;
    written.head(&heads[0])?;
    let readers = args.files.iter().map(|path| Reader::<G>::open(path, stop));
    let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
    for (_, &(file, decisions)) in games {
        for entry in readers[file].by_ref().take(decisions) {
            written.entry(&entry?)?;
        }
    }
    written.end(true, quiet)
}
