//! The beginning of a session: a new one, or the end of its record.

use std::io::{self, Write};
use std::path::Path;

use lockstep::record::{Head, Origin, Recorder, ResumePlan, Resumed};
use lockstep::report::{Standings, Totals};
use lockstep::session::Start;
use lockstep::{Event, Header, Sink as _, Stop};
use lockstep_lab::files::header::differences;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Games;
use crate::games::CliGame;
use crate::input::shards;
use crate::output::failure::shown;
use crate::output::{DECISIONS, GAMES, count};
use crate::version::tools;

/// The record and the state with which a session begins.
pub struct Beginning<G: CliGame> {
    pub recorder: Option<Recorder<G>>,
    pub start: Start<G>,
    /// The size of the record so far, and its totals.
    pub before: Option<(Before, Totals)>,
}

/// The size of the record that a session continues.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Before {
    pub decisions: u64,
    /// Games in the record, the last one perhaps incomplete.
    pub games: u64,
}

impl Before {
    pub fn print(self, out: &mut dyn Write, path: &Path, goes_on: bool) -> io::Result<()> {
        let (decisions, games) = (count(self.decisions, DECISIONS), count(self.games, GAMES));
        let path = shown(path.display());
        let how = match goes_on {
            true => "is continued after",
            false => "is complete:",
        };
        writeln!(out, "record {path} {how} {decisions} of {games}")?;
        out.flush()
    }
}

impl<G: CliGame> Games<G> {
    /// Opens the record to be continued, or creates a new one, if one is wanted.
    ///
    /// `standings` also count the games of the record.
    pub(super) fn begin(
        &self,
        header: &Header<G>,
        mut standings: Option<&mut Standings>,
        stop: &Stop,
    ) -> anyhow::Result<Beginning<G>> {
        // The two games of an opening count as one result.
        let together = if standings.is_some() { 2 } else { 1 };
        let origin = Origin {
            shard: shards::header(self.shard, self.games, "game", together)?,
            ..Origin::default()
        };
        let Some(path) = self.output.record().filter(|_| self.resume) else {
            return Ok(Beginning {
                start: Start {
                    shard: origin.shard.clone(),
                    ..Start::default()
                },
                recorder: self.output.recorder(origin)?,
                before: None,
            });
        };
        let wanted = ResumePlan {
            head: Head::of(header, origin, tools()),
            games: self.games,
            max_moves: self.max_moves,
        };
        let mut totals = Totals::default();
        let mut counted = totals.take(&Event::Started(header.clone()));
        let mut count = |event| {
            let taken = totals.take(&event).and_then(|()| match &mut standings {
                Some(standings) => standings.take(&event),
                None => Ok(()),
            });
            if counted.is_ok() {
                counted = taken;
            }
        };
        let same = |found: &Head<G>| same(found, &wanted.head);
        let resumed = Resumed::open(path, &wanted, same, &mut count, stop)?;
        counted?;
        let before = Before {
            decisions: resumed.decisions,
            games: resumed.games,
        };
        Ok(Beginning {
            recorder: resumed.recorder.map(|mut recorder| {
                recorder.tools = tools();
                recorder
            }),
            start: resumed.start,
            before: Some((before, totals)),
        })
    }
}

fn same<G: CliGame>(found: &Head<G>, wanted: &Head<G>) -> Result<(), String> {
    let mut differ = differences(&about(found), &about(wanted));
    if differ.is_empty() {
        return Ok(());
    }
    // Two controllers can differ in every weight: the first difference of each setting will do.
    let of = |name: &str| name.split('.').next().map(str::to_owned);
    differ.dedup_by_key(|differ| of(&differ.name));
    let texts = differ
        .iter()
        .map(|differ| differ.text("in the record", "in this command"));
    Err(texts.collect::<Vec<_>>().join("; "))
}

/// The settings that determine a session's games, by name.
fn about<G: CliGame>(head: &Head<G>) -> Value {
    let backends = head.backends.iter().enumerate().map(|(index, backend)| {
        let build = backend.build_id.as_ref();
        let build = build.map_or(String::new(), |build| format!(", RTL build {build}"));
        let text = format!("{}{build}", backend.name);
        ((index + 1).to_string(), Value::from(text))
    });
    let seats = head.seats.iter().map(|seat| {
        let names = seat.backends.iter().filter_map(|i| head.backends.get(*i));
        let names: Vec<_> = names.map(|backend| backend.name.raw()).collect();
        (seat.seat.clone(), Value::from(names.join(", ")))
    });
    let mut about = head.players();
    about["setup"] = json!(head.setup);
    about["rules"] = json!(head.rules.as_ref().map(|rules| &rules.name));
    about["generator"] = json!(head.generator.as_ref().map(|generator| &generator.name));
    about["backend"] = backends.collect::<Map<_, _>>().into();
    about["shard"] = json!(head.origin.shard);
    about["seat"] = seats.collect::<Map<_, _>>().into();
    about
}
