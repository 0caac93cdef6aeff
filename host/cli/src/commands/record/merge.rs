//! `lockstep record merge`

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep::Stop;
use lockstep::record::{BackendLine, Ending, Head, Origin, Part, Reader, SeatLine};

use super::check_alike;
use super::new_record::NewRecord;

use crate::games::CliGame;
use crate::output::Outcome;
use crate::output::failure::shown;
use crate::output::files::is_same;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record merge monday.jsonl tuesday.jsonl --out both.jsonl.zst
  lockstep record merge diverging-*.jsonl --out diverging.jsonl --force")]
pub struct Args {
    /// Records of the same controller, rules and board
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write. Its games are numbered from 1; the header says how each was dealt
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the file of --out if it exists
    #[arg(long)]
    force: bool,
}

/// The games of several records, one record after the other.
struct Games<G: CliGame> {
    parts: Vec<Part<G>>,
    games: u64,
    /// Whether the first move of some game is missing.
    broken: bool,
    complete: bool,
}

impl<G: CliGame> Games<G> {
    fn add(&mut self, head: &Head<G>, game: u64, step: u64) {
        self.games += 1;
        self.broken |= step != 1;
        let dealt = head.dealt(game);
        let setup = dealt.map(|(setup, _)| setup.clone());
        let number = dealt.map_or(game, |(_, number)| number);
        if let Some(last) = self.parts.last_mut()
            && last.setup == setup
            && last.dealt + last.games == number
        {
            last.games += 1;
            return;
        }
        self.parts.push(Part {
            game: self.games,
            games: 1,
            dealt: number,
            setup,
        });
    }

    /// The setup of all games, if they are the first games of one session.
    fn session(&self) -> Option<G::Setup> {
        match &self.parts[..] {
            [all] if all.dealt == 1 => all.setup.clone(),
            _ => None,
        }
    }
}

/// The backends of all records, each once.
fn backends<G: CliGame>(heads: &[(&Path, Head<G>)]) -> anyhow::Result<Vec<BackendLine>> {
    let mut all: Vec<BackendLine> = Vec::new();
    for (path, head) in heads {
        for backend in &head.backends {
            match all.iter().find(|known| known.name == backend.name) {
                None => all.push(backend.clone()),
                Some(known) if known.build_id == backend.build_id => {}
                Some(known) => {
                    let build = |b: &BackendLine| b.build_id.clone().unwrap_or("none".into());
                    bail!(
                        "record {}: its {} has RTL build {}, another record's has {}; merge \
                         records of one build",
                        path.display(),
                        backend.name,
                        build(backend),
                        build(known)
                    );
                }
            }
        }
    }
    Ok(all)
}

/// Reads all records and lists their games.
fn games<G: CliGame>(files: &[PathBuf], stop: &Stop) -> anyhow::Result<Games<G>> {
    let mut games = Games {
        parts: Vec::new(),
        games: 0,
        broken: false,
        complete: true,
    };
    for path in files {
        let mut reader = Reader::<G>::open(path, stop)?;
        let mut last = None;
        while let Some(entry) = reader.next().transpose()? {
            if last.replace(entry.game) != Some(entry.game) {
                games.add(reader.head(), entry.game, entry.step);
            }
        }
        games.complete &= reader.ending() == Ending::Complete;
    }
    Ok(games)
}

/// The header of the merged record.
fn head<G: CliGame>(
    heads: &[(&Path, Head<G>)],
    games: &Games<G>,
    backends: Vec<BackendLine>,
) -> anyhow::Result<Head<G>> {
    let (_, first) = heads.first().context("there are no records")?;
    let mut tools = first.tools.clone();
    tools.retain(|name, version| {
        let mut others = heads.iter().map(|(_, head)| head.tools.get(name));
        others.all(|other| other == Some(version))
    });
    let setup = games.session();
    let parts = match setup {
        Some(_) => Vec::new(),
        None => games.parts.clone(),
    };
    let excerpts = heads.iter().map(|(_, head)| &head.origin.excerpt);
    let origin = Origin {
        parts,
        shard: None,
        excerpt: excerpts.flatten().next().filter(|_| games.broken).cloned(),
    };
    let mut head = Head::new(first.controller.clone(), setup, origin, backends, tools);
    head.board = first.board;
    head.move_time_ms = first.move_time_ms;
    head.seats = seats(heads, &head.backends);
    Ok(head)
}

/// The seats, each with all backends that it has in any record; empty if no record has seats.
fn seats<G: CliGame>(heads: &[(&Path, Head<G>)], backends: &[BackendLine]) -> Vec<SeatLine<G>> {
    let Some((_, seated)) = heads.iter().find(|(_, head)| !head.seats.is_empty()) else {
        return Vec::new();
    };
    let mut seats = seated.seats.clone();
    for (index, seat) in seats.iter_mut().enumerate() {
        let played = |backend: &BackendLine| {
            heads.iter().any(|(_, head)| {
                let own = head.backends.iter().position(|b| b.name == backend.name);
                let of_seat = head.seats.get(index).map(|seat| &seat.backends);
                own.is_some_and(|own| of_seat.is_none_or(|of_seat| of_seat.contains(&own)))
            })
        };
        let all = backends.iter().enumerate();
        let all = all.filter(|(_, backend)| played(backend));
        seat.backends = all.map(|(index, _)| index).collect();
    }
    seats
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let mut heads = Vec::new();
    for (index, path) in args.files.iter().enumerate() {
        if !quiet && args.files[..index].iter().any(|other| is_same(path, other)) {
            anstream::eprintln!("warning: {} is named twice", shown(path.display()));
        }
        let reader = Reader::<G>::open(path, stop)?;
        heads.push((path.as_path(), reader.head().clone()));
    }
    for (path, head) in &heads {
        check_alike("merged", (path, head), (heads[0].0, &heads[0].1))?;
    }
    let backends = backends(&heads)?;
    let mut written = NewRecord::beside(&args.out, args.force, &args.files)?;
    let games = games::<G>(&args.files, stop)?;
    if games.games == 0 {
        bail!("the records hold no decisions; nothing is written");
    }
    written.head(&head(&heads, &games, backends)?)?;
    let mut number = 0;
    for path in &args.files {
        let mut reader = Reader::<G>::open(path, stop)?;
        let mut last = None;
        while let Some(mut entry) = reader.next().transpose()? {
            number += u64::from(last.replace(entry.game) != Some(entry.game));
            entry.game = number;
            written.entry(&entry)?;
        }
    }
    written.end(games.complete, quiet)?;
    Ok(Outcome::Agreed)
}
