//! `lockstep record verify`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lockstep::Stop;
use lockstep::record::{Ending, Follow, Reader, RecordError, RecordErrorKind};
use serde::Serialize;

use super::ends;
use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::{BAD, DECISIONS, GAMES, GOOD, Json, Outcome, count, stdout};

pub const EXAMPLES: &str = "\
  lockstep record verify games.jsonl
  lockstep record verify monday.jsonl.zst tuesday.jsonl.zst --json verified.json";

#[derive(clap::Args)]
pub struct Args {
    /// Records. The exit status is 1 unless each is complete, its games and moves are numbered in
    /// order, each position follows from the decision before it, and each piece is the one that the
    /// generator draws from the seed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// The result for one record.
#[derive(Serialize)]
struct Verified {
    #[serde(serialize_with = "crate::output::files::name")]
    record: PathBuf,
    /// Whether the record is complete and correct.
    whole: bool,
    #[serde(serialize_with = "super::word")]
    ending: Ending,
    /// Decisions before the first error.
    decisions: u64,
    games: u64,
    /// Games whose deal is unknown, so that their pieces were not checked.
    games_not_dealt: u64,
    /// The first error, with its line.
    wrong: Option<String>,
}

impl Verified {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let path = shown(self.record.display());
        let (decisions, games) = (count(self.decisions, DECISIONS), count(self.games, GAMES));
        match &self.wrong {
            Some(why) => {
                let why = shown(why);
                writeln!(
                    out,
                    "{path}: {BAD}wrong{BAD:#} after {decisions} of {games}: {why}"
                )?;
            }
            None => {
                let colour = if self.whole { GOOD } else { BAD };
                let (_, ends) = ends(self.ending);
                let gap = if self.whole { ':' } else { ';' };
                writeln!(
                    out,
                    "{path}: {colour}{ends}{colour:#}{gap} {decisions} of {games}, all by the rules"
                )?;
            }
        }
        if self.games_not_dealt > 0 {
            let games = count(self.games_not_dealt, GAMES);
            writeln!(
                out,
                "  pieces of {games} are not checked: the record does not say how they were dealt"
            )?;
        }
        Ok(())
    }
}

/// Reads a record and replays it by the rules; fails if it cannot be read.
fn verify<G: CliGame>(path: &Path, stop: &Stop) -> anyhow::Result<Verified> {
    let mut verified = Verified {
        record: path.into(),
        whole: false,
        ending: Ending::Unread,
        decisions: 0,
        games: 0,
        games_not_dealt: 0,
        wrong: None,
    };
    match follow::<G>(path, stop, &mut verified) {
        Ok(()) => {}
        Err(error) => match error.downcast::<RecordError>() {
            Ok(error) if is_of_what_it_holds(&error) => verified.wrong = Some(error.to_string()),
            Ok(error) => return Err(error.into()),
            Err(error) => return Err(error),
        },
    }
    verified.whole = verified.wrong.is_none() && !matches!(verified.ending, Ending::Cut { .. });
    Ok(verified)
}

/// Whether the content of the record, and not the file system, is the cause of an error.
fn is_of_what_it_holds(error: &RecordError) -> bool {
    match &error.kind {
        RecordErrorKind::Missing(_) | RecordErrorKind::Interrupted => false,
        RecordErrorKind::File(why) => why.kind() == io::ErrorKind::InvalidData,
        _ => true,
    }
}

fn follow<G: CliGame>(path: &Path, stop: &Stop, verified: &mut Verified) -> anyhow::Result<()> {
    let mut reader = Reader::<G>::open(path, stop)?;
    let mut follow = Follow::new(reader.head());
    while let Some(entry) = reader.next().transpose()? {
        let games = follow.games();
        follow.entry(&entry).map_err(|why| reader.wrong(why))?;
        verified.decisions += 1;
        verified.games = follow.games();
        if follow.games() > games && follow.state().is_none() {
            verified.games_not_dealt += 1;
        }
    }
    verified.ending = reader.ending();
    let games = follow.games();
    // One may have been begun and not been asked anything.
    let begun = games + u64::from(reader.ending() == Ending::Interrupted);
    match reader.tail() {
        Some(tail) if !(games..=begun).contains(&tail.games) => {
            let count = tail.games;
            let why = format!("its last line counts {count} games, but it holds {games}");
            Err(reader.wrong(why).into())
        }
        _ => Ok(()),
    }
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.json.check(&inputs)?;
    let mut out = stdout(args.json.silences(quiet));
    let mut records = Vec::new();
    for path in &args.files {
        let verified = verify::<G>(path, stop)?;
        verified.print(&mut *out)?;
        records.push(verified);
    }
    let outcome = match records.iter().all(|verified| verified.whole) {
        true => Outcome::Agreed,
        false => Outcome::Diverged,
    };
    args.json.write(&BTreeMap::from([("records", records)]))?;
    Ok(outcome)
}
