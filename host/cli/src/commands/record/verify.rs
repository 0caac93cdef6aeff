//! `lockstep record verify`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lockstep::backend::Kind;
use lockstep::compare::compare;
use lockstep::record::{
    BackendLine, Ending, Entry, Follow, Head, Reader, RecordError, RecordErrorKind,
};
use lockstep::{Answer, Stop};
use lockstep_games::{SearchControl, SearchProgress, Watch};
use protocol::payload::link::Info;
use serde::Serialize;
use serde_json::json;

use super::ends;
use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::{BAD, DECISIONS, GAMES, GOOD, Json, Outcome, count, stdout};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record verify games.jsonl
  lockstep record verify monday.jsonl.zst tuesday.jsonl.zst --json verified.json")]
pub struct Args {
    /// Records. The exit status is 1 unless each is complete, its games and moves are numbered in
    /// order, each position follows from the decision before it, each piece is the one that the
    /// generator draws from the seed, and decisions and clock cycles are the golden model's
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check only the rules; do not recompute decisions and clock cycles with the golden model
    #[arg(long)]
    rules_only: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Verified {
    record: String,
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
    fn print(&self, out: &mut dyn Write, rules_only: bool) -> io::Result<()> {
        let path = shown(&self.record);
        let (decisions, games) = (count(self.decisions, DECISIONS), count(self.games, GAMES));
        let colour = if self.whole { GOOD } else { BAD };
        match &self.wrong {
            Some(why) => {
                writeln!(out, "{path}: {colour}wrong{colour:#}: {}", shown(why))?;
                writeln!(out, "  correct before that: {decisions} of {games}")?;
            }
            None => {
                let how = ends(self.ending).1;
                let not = if rules_only {
                    " (decisions not recomputed)"
                } else {
                    ""
                };
                writeln!(
                    out,
                    "{path}: {colour}{how}{colour:#}: {decisions} of {games}, all by the rules{not}"
                )?;
            }
        }
        if self.games_not_dealt > 0 {
            let games = count(self.games_not_dealt, GAMES);
            let why = "the record does not say how they were dealt";
            writeln!(out, "  pieces of {games} are not checked: {why}")?;
        }
        Ok(())
    }
}

/// Reads a record and replays it by the rules; fails if it cannot be read.
fn verify<G: CliGame>(path: &Path, args: &Args, stop: &Stop) -> anyhow::Result<Verified> {
    let mut verified = Verified {
        record: path.display().to_string(),
        whole: false,
        ending: Ending::Unread,
        decisions: 0,
        games: 0,
        games_not_dealt: 0,
        wrong: None,
    };
    match follow::<G>(path, args, stop, &mut verified) {
        Ok(()) => {}
        Err(error) if is_of_what_it_holds(&error) => verified.wrong = Some(error.to_string()),
        Err(error) => return Err(error.into()),
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

fn follow<G: CliGame>(
    path: &Path,
    args: &Args,
    stop: &Stop,
    verified: &mut Verified,
) -> Result<(), RecordError> {
    let mut reader = Reader::<G>::open(path, stop)?;
    let mut follow = Follow::new(reader.head());
    while let Some(entry) = reader.next().transpose()? {
        let games = follow.games();
        follow.entry(&entry).map_err(|why| reader.wrong(why))?;
        // The decisions before the first wrong one count.
        if verified.wrong.is_none() && !args.rules_only {
            let differs = difference(reader.head(), &entry, stop);
            verified.wrong = differs.map(|why| reader.wrong(why).to_string());
        }
        if verified.wrong.is_none() {
            verified.decisions += 1;
            verified.games = follow.games();
        }
        if follow.games() > games && follow.state().is_none() {
            verified.games_not_dealt += 1;
        }
    }
    verified.ending = reader.ending();
    reader.check_tail(follow.games())
}

/// Ends a search at an interrupt.
struct UntilStop<'a>(&'a Stop);

impl<G: CliGame> Watch<G> for UntilStop<'_> {
    fn progress(&mut self, _progress: SearchProgress<G>) {}

    fn control(&self) -> SearchControl {
        match self.0.requested() {
            true => SearchControl::Abandon,
            false => SearchControl::Continue,
        }
    }
}

/// The first field in which a decision, or the clock cycles expected for it, differ from the golden
/// model's; `None` for a program, and with a time limit.
fn difference<G: CliGame>(head: &Head<G>, entry: &Entry<G>, stop: &Stop) -> Option<String> {
    let position = &entry.position;
    let seat = head.seats.get(G::seat(position));
    let controller = seat.map_or(&head.controller, |seat| &seat.controller);
    let asked = head.asked(position).into_iter();
    let asked: Vec<&BackendLine> = asked.filter_map(|i| head.backends.get(i)).collect();
    let name = asked.first()?.name.raw();
    let spec = G::backends().parse(name).ok();
    let kind = spec.and_then(|spec| G::backends().kind(&spec));
    if head.move_time_ms.is_some() || matches!(kind, None | Some(Kind::Program)) {
        return None;
    }
    let found = match G::search(controller, position, &mut UntilStop(stop)) {
        Ok(found) => found?,
        Err(why) => return Some(why.to_string()),
    };
    let mut answers = vec![Answer::<G>::plain(entry.decision.clone())];
    for backend in asked {
        let name = backend.name.raw();
        let cycles = entry.expected_cycles.get(name).or(entry.cycles.get(name));
        if let (Some([lanes, multipliers]), Some(cycles)) = (backend.exact_cycles, cycles) {
            let mut core = Info::default();
            (core.lanes, core.multipliers) = (lanes, multipliers);
            let decision = entry.diverged.get(name).unwrap_or(&entry.decision);
            answers.push(Answer {
                cycles: Some(*cycles),
                expected_cycles: G::expected_cycles(controller, position, decision, &core),
                ..Answer::plain(found.decision.clone())
            });
        }
    }
    let all: Vec<_> = (0..answers.len()).collect();
    let found = compare(&found.decision, &all, &answers);
    let (game, step, field) = (entry.game, entry.step, &found.first()?.difference);
    Some(format!(
        "the golden model differs at game {game}, move {step}: {field}"
    ))
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.json.check(&inputs)?;
    let mut out = stdout(args.json.silences(quiet));
    let mut records = Vec::new();
    for path in &args.files {
        let verified = verify::<G>(path, args, stop)?;
        verified.print(&mut *out, args.rules_only)?;
        records.push(verified);
    }
    let outcome = match records.iter().all(|verified| verified.whole) {
        true => Outcome::Agreed,
        false => Outcome::Diverged,
    };
    args.json.write(&json!({"records": records}))?;
    Ok(outcome)
}
