//! Compares records with each other, without backends.

use std::path::Path;

use lockstep_games::{BoardSize, Boards, Capabilities, Rules};
use serde::Serialize;

use crate::backend::{Identity, Kind};
use crate::event::{Event, Header, Round};
use crate::listeners::Listeners;
use crate::record::{Ending, Entry, Reader, RecordError};
use crate::session::SessionError;
use crate::text::ForeignText;

/// Maximum number of listed games whose positions differ; all are counted.
pub const MAX_PARTINGS: usize = 100;

/// Which decisions two records have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Common {
    /// Decisions that were compared.
    pub decisions: u64,
    /// Decisions of each record that were not compared: the other record lacks them, or the positions
    /// of their game had parted.
    pub alone: Vec<u64>,
    /// Number of games whose positions parted.
    pub parted: u64,
    /// The first [`MAX_PARTINGS`] of them.
    pub partings: Vec<PositionDifference>,
}

/// The first decision at which a game's positions differ in two records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PositionDifference {
    /// Game, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// Its line in each of the records, from 1.
    pub lines: Vec<u64>,
}

/// A comparison of one or two records.
pub struct RecordComparison<G: Rules> {
    sides: Vec<Side<G>>,
    common: Common,
    /// The last game in which positions differed.
    parted: Option<u64>,
}

/// A record, decision by decision.
struct Side<G: Rules> {
    reader: Reader<G>,
    /// The names of its backends in reports.
    names: Vec<String>,
    /// The next decision, with its line.
    next: Option<(u64, Entry<G>)>,
}

impl<G: Rules> Side<G> {
    /// Game and move of the next decision.
    fn place(&self) -> Option<(u64, u64)> {
        let (_, entry) = self.next.as_ref()?;
        Some((entry.game, entry.step))
    }

    fn advance(&mut self) -> Result<(), RecordError> {
        let before = self.place();
        let entry = self.reader.next().transpose()?;
        self.next = entry.map(|entry| (self.reader.line(), entry));
        if let (Some((game, step)), Some(now)) = (before, self.place())
            && now <= (game, step)
        {
            let why = format!(
                "it comes after move {step} of game {game}, and records are compared in the order \
                 of their games and moves"
            );
            return Err(self.reader.wrong(why));
        }
        Ok(())
    }
}

impl<G: Rules> RecordComparison<G> {
    /// A comparison of the backends of one record, or of two records by the same controller. Backends
    /// of two records are named with the label of their record; labels are unique.
    pub fn new(records: Vec<(String, Reader<G>)>) -> Self {
        let labelled = records.len() > 1;
        let side = |(label, reader): (String, Reader<G>)| {
            let named = |name: &str| match labelled {
                true => format!("{label}:{name}"),
                false => name.to_owned(),
            };
            let backends = &reader.head().backends;
            let names = match backends.as_slice() {
                [] => vec![label],
                backends => backends.iter().map(|b| named(b.name.raw())).collect(),
            };
            Side {
                names,
                reader,
                next: None,
            }
        };
        let sides: Vec<_> = records.into_iter().map(side).collect();
        let common = Common {
            alone: vec![0; sides.len()],
            ..Common::default()
        };
        Self {
            sides,
            common,
            parted: None,
        }
    }

    /// The recorded backends.
    pub fn identities(&self) -> Vec<Identity> {
        let described = |side: &Side<G>| {
            let backends = side.reader.head().backends.iter();
            let mut described: Vec<_> = backends.map(|b| b.description.clone()).collect();
            described.resize_with(side.names.len(), Default::default);
            described
        };
        let names = self.sides.iter().flat_map(|side| &side.names);
        let identity = |(name, description): (&String, ForeignText)| Identity {
            name: name.into(),
            kind: Kind::Recorded,
            description,
            // It cannot decide.
            capabilities: Capabilities::plain(Boards::UpTo(BoardSize::new(0, 0))),
            core: None,
        };
        let described = self.sides.iter().flat_map(described);
        names.zip(described).map(identity).collect()
    }

    /// Compares the records game by game and move by move, with the events of a session.
    ///
    /// # Errors
    /// When a record or a listener fails; the listeners get [`Event::Ended`] even then.
    pub async fn compare(
        &mut self,
        header: &Header<G>,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        listeners.notify(Event::Started(header.clone())).await?;
        let result = self.all(listeners).await;
        let links = header.backends.iter().map(|_| None).collect();
        listeners.end(result, links).await?;
        Ok(())
    }

    /// The decisions in common, as far as the records were compared.
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// How each record ends.
    pub fn endings(&self) -> Vec<Ending> {
        let endings = self.sides.iter().map(|side| side.reader.ending());
        endings.collect()
    }

    async fn all(&mut self, listeners: &mut Listeners<'_, G>) -> Result<(), SessionError> {
        for side in &mut self.sides {
            side.advance()?;
        }
        let mut game = None;
        // The first decision that is not reported yet.
        while let Some(place) = self.sides.iter().filter_map(Side::place).min() {
            if listeners.stop().requested() {
                return Err(SessionError::Interrupted);
            }
            if let Some(round) = self.round(place) {
                if game.replace(round.game) != Some(round.game) {
                    let started = Event::GameStarted { game: round.game };
                    listeners.notify(started).await?;
                }
                listeners.notify(Event::Decided(round)).await?;
            }
            for side in &mut self.sides {
                if side.place() == Some(place) {
                    side.advance()?;
                }
            }
        }
        Ok(())
    }

    /// The recorded answers to a decision; `None` if a record lacks it, or the positions differ.
    fn round(&mut self, place: (u64, u64)) -> Option<Round<G>> {
        let (game, step) = place;
        let is_here = |side: &&Side<G>| side.place() == Some(place);
        let here = self.sides.iter().filter(is_here);
        let here: Vec<_> = here.filter_map(|s| Some((s, s.next.as_ref()?))).collect();
        let (_, (line, first)) = *here.first()?;
        if here.len() == self.sides.len() && self.parted != Some(game) {
            if here.iter().all(|(_, (_, e))| e.position == first.position) {
                self.common.decisions += 1;
                let (mut asked, mut answers, mut before) = (Vec::new(), Vec::new(), 0);
                for (side, (_, entry)) in &here {
                    let (indices, own) = entry.answers(side.reader.head());
                    asked.extend(indices.into_iter().map(|index| before + index));
                    answers.extend(own);
                    before += side.names.len();
                }
                return Some(Round {
                    line: Some(*line),
                    ..Round::new(place, first.position.clone(), None, asked, answers)
                });
            }
            self.parted = Some(game);
            self.common.parted += 1;
            if self.common.partings.len() < MAX_PARTINGS {
                let lines = here.iter().map(|(_, (line, _))| *line).collect();
                self.common
                    .partings
                    .push(PositionDifference { game, step, lines });
            }
        }
        for (alone, side) in self.common.alone.iter_mut().zip(&self.sides) {
            *alone += u64::from(is_here(&side));
        }
        None
    }
}

/// Labels of records: their files' names, or their whole paths if two names are the same.
pub fn labels(paths: &[&Path]) -> Vec<String> {
    let whole = |path: &Path| path.display().to_string();
    let name = |path: &Path| {
        let name = path.file_name().map(|name| name.display().to_string());
        name.unwrap_or_else(|| whole(path))
    };
    let names: Vec<_> = paths.iter().map(|path| name(path)).collect();
    let same = names
        .first()
        .is_some_and(|first| names.iter().skip(1).any(|n| n == first));
    match same {
        true => paths.iter().map(|path| whole(path)).collect(),
        false => names,
    }
}
