//! Resumes a record.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use lockstep_games::{Game, Match as _, Rules};

use super::follow::Follow;
use super::write::locked;
use super::{
    Ending, Entry, Form, Head, OLDEST, Reader, RecordError, RecordErrorKind, Recorder, VERSION,
    Writer,
};
use crate::compare::compare;
use crate::event::{self, Event, GameEnd, Round};
use crate::session::Start;
use crate::stop::Stop;
use crate::text::printable;

/// The oldest version to which lines of [`VERSION`] can be appended: version 3 lacks seats.
const fn oldest<G: Game>() -> u32 {
    if G::SEATS.len() > 1 { VERSION } else { OLDEST }
}

/// The whole session that the record should hold.
#[derive(Debug, Clone)]
pub struct ResumePlan<G: Rules> {
    /// The header of its record.
    pub head: Head<G>,
    /// Number of games.
    pub games: u64,
    /// Moves after which a game is stopped.
    pub max_moves: u64,
}

/// A record that a session continues.
pub struct Resumed<G: Rules> {
    /// Writes the rest of it; `None` if it is complete.
    pub recorder: Option<Recorder<G>>,
    /// Where the session continues.
    pub start: Start<G>,
    /// Decisions in it.
    pub decisions: u64,
    /// Games begun in it.
    pub games: u64,
}

impl<G: Rules> Resumed<G> {
    /// Opens a record and checks it to its end, or creates it. The file is not changed until the
    /// session begins.
    ///
    /// `same` compares the options with the header; `notify` receives the events of the recorded part.
    ///
    /// # Errors
    /// When it cannot be read or written, another program writes it, it was played with other options
    /// or against the rules, or nothing can be appended to it.
    pub fn open(
        path: &Path,
        plan: &ResumePlan<G>,
        same: impl FnOnce(&Head<G>) -> Result<(), String>,
        notify: &mut dyn FnMut(Event<G>),
        stop: &Stop,
    ) -> Result<Self, RecordError> {
        let file = locked(path)?;
        let failed = |why| RecordError::file(path, why);
        let about = file.metadata().map_err(failed)?;
        if !about.is_file() {
            return Err(no_resume(path, "it is not an ordinary file; name one"));
        }
        if is_begun(path, &plan.head).map_err(failed)? {
            let mut recorder = Recorder::of(path, file, Form::of(path))?;
            recorder.origin = plan.head.origin.clone();
            return Ok(Self {
                recorder: Some(recorder),
                start: Start {
                    shard: plan.head.origin.shard.clone(),
                    ..Start::default()
                },
                decisions: 0,
                games: 0,
            });
        }
        let mut reader = Reader::<G>::open(path, stop)?;
        let version = reader.head().lockstep_record;
        if version < oldest::<G>() {
            let why = format!(
                "it is of version {version}, and lines of version {VERSION} cannot be added; play the games again"
            );
            return Err(no_resume(path, &why));
        }
        if reader.head().setup.is_none() || reader.head().origin.excerpt.is_some() {
            return Err(no_resume(path, "it was merged or cut"));
        }
        let same = same(reader.head());
        same.map_err(|why| RecordErrorKind::OtherOptions(why).of(path))?;
        let head = reader.head().clone();
        let mut recorded = RecordedPart::new(&head, plan);
        let mut decisions = 0;
        // Decisions of a frame whose end was not read yet; in a cut frame they are made again.
        let mut frame = VecDeque::new();
        loop {
            let entry = reader.next().transpose()?;
            while decisions < reader.appendable().entries
                && let Some((line, entry)) = frame.pop_front()
            {
                let wrong = |why: String| RecordErrorKind::Line(line, printable(&why)).of(path);
                recorded.entry(entry, notify).map_err(wrong)?;
                decisions += 1;
            }
            let Some(entry) = entry else { break };
            if frame.len() == MOST_IN_FRAME {
                return Err(no_resume(path, FOREIGN));
            }
            frame.push_back((reader.line(), entry));
        }
        if !reader.is_resumable() {
            return Err(no_resume(path, FOREIGN));
        }
        let whole = reader.ending() == Ending::Complete && reader.ends_whole();
        let games = recorded.follow.games();
        let start = recorded.start();
        let recorder = match whole && start.left(plan.games).next().is_none() {
            true => None,
            false => {
                let mut recorder = Recorder::of(path, file, reader.form())?;
                recorder.after(reader.appendable().bytes, decisions, games);
                Some(recorder)
            }
        };
        Ok(Self {
            recorder,
            start,
            decisions,
            games,
        })
    }
}

/// Maximum number of decisions of a frame that a [`Recorder`] writes: a frame holds 1 MiB of lines.
const MOST_IN_FRAME: usize = 1 << 16;

/// Why nothing can be appended to a record whose frames end within its lines.
const FOREIGN: &str = "another program compressed it; run `lockstep record convert` on it first";

fn no_resume(path: &Path, why: &str) -> RecordError {
    RecordErrorKind::NoResume(why.into()).of(path)
}

/// Whether a file holds only the beginning of that header: its writer was killed before the first
/// line was complete.
fn is_begun<G: Rules>(path: &Path, head: &Head<G>) -> std::io::Result<bool> {
    let mut begun = Vec::new();
    let mut writer = Writer::new(&mut begun, Form::of(path))?;
    writer.line(head)?;
    writer.write()?;
    drop(writer);
    let mut found = Vec::new();
    let most = begun.len() as u64;
    File::open(path)?.take(most).read_to_end(&mut found)?;
    Ok(found.len() < begun.len() && begun.starts_with(&found))
}

/// The recorded part of a session, checked against the plan.
struct RecordedPart<'a, G: Rules> {
    plan: &'a ResumePlan<G>,
    head: &'a Head<G>,
    follow: Follow<G>,
    /// The game recorded last.
    game: u64,
    /// Why that game ended; `None` while it is in progress.
    ended: Option<event::End>,
}

impl<'a, G: Rules> RecordedPart<'a, G> {
    fn new(head: &'a Head<G>, plan: &'a ResumePlan<G>) -> Self {
        Self {
            plan,
            head,
            follow: Follow::new(head),
            game: 0,
            ended: None,
        }
    }

    fn entry(&mut self, entry: Entry<G>, notify: &mut dyn FnMut(Event<G>)) -> Result<(), String> {
        let Entry { game, step, .. } = entry;
        let begins = game != self.game;
        self.expect(game, step, begins)?;
        self.follow.check(&entry)?;
        if begins {
            self.game = game;
            self.ended = None;
            notify(Event::GameStarted { game });
        }
        let mut round = self.round(&entry);
        let diverged = !entry.agreed();
        if !diverged {
            self.follow.play(&entry)?;
        }
        let state = self.follow.state();
        round.outcome = state.and_then(|state| state.outcome());
        notify(Event::Decided(round));
        let moves = state.map_or(0, |state| state.moves());
        self.ended = match () {
            () if diverged => Some(event::End::Diverged),
            () if self.follow.over() => Some(event::End::Over),
            () if moves == self.plan.max_moves => Some(event::End::Limit),
            () => None,
        };
        if let (Some(end), Some(state)) = (self.ended, state) {
            notify(Event::GameEnded(GameEnd::of::<G>(game, state, end)));
        }
        Ok(())
    }

    /// Checks that the planned session has this decision.
    fn expect(&self, game: u64, step: u64, begins: bool) -> Result<(), String> {
        let ResumePlan {
            games, max_moves, ..
        } = *self.plan;
        if game > games {
            return Err(format!(
                "it has game {game}, but --games is {games}; give a higher number"
            ));
        }
        if step > max_moves {
            return Err(format!(
                "it has move {step}, but --max-moves is {max_moves}; give a higher number"
            ));
        }
        match self.ended {
            None if begins && self.game > 0 => Err(format!(
                "game {} was stopped after {moves} moves, and only the last game of a record can \
                 be continued; give --max-moves {moves}",
                self.game,
                moves = self.score().0
            )),
            Some(_) if !begins => Err(format!("game {game} goes on after its end")),
            _ => Ok(()),
        }
    }

    fn score(&self) -> (u64, Option<u64>) {
        let state = self.follow.state();
        state.map_or((0, None), |state| (state.moves(), state.score()))
    }

    fn round(&self, entry: &Entry<G>) -> Round<G> {
        let (asked, answers) = entry.answers(self.head);
        let place = (entry.game, entry.step);
        Round {
            mismatches: compare(&entry.decision, &asked, &answers),
            score: self.score().1,
            ..Round::new(place, entry.position.clone(), None, asked, answers)
        }
    }

    fn start(self) -> Start<G> {
        let shard = self.head.origin.shard.clone();
        match self.ended {
            None if self.game > 0 => Start {
                game: self.game - 1,
                in_progress: self.follow.into_state(),
                shard,
            },
            _ => Start {
                game: self.game,
                in_progress: None,
                shard,
            },
        }
    }
}
