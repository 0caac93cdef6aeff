//! Asks all backends the same, compares what they answer and tells the sinks.

use std::io;

use futures::future::join_all;

use crate::backend::{Answer, Backend, BackendError, Identity};
use crate::compare::{Mismatch, mismatches};
use crate::event::{End, Event, Header, Round, Sink};
use crate::games::{Game, Match as _};
use crate::record::{Entry, RecordError};

/// A session on some backends; the first is the reference.
pub struct Session<G: Game> {
    backends: Vec<Box<dyn Backend<G>>>,
    stop: Box<dyn Fn() -> bool>,
}

/// Why a session cannot go on. What was decided before was told the sinks.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There is nobody to ask.
    #[error("a session needs at least one backend")]
    NoBackends,
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A sink could not write.
    #[error(transparent)]
    Sink(#[from] io::Error),
    /// The record cannot be read further.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The backends agree on a decision the rules do not allow.
    #[error("game {game}, move {step}: {backend} decided what the rules forbid: {why}", game = game + 1)]
    Forbidden {
        /// Game of the session, from 0.
        game: u64,
        /// Decision of the game, from 0.
        step: u64,
        /// Name of the reference backend.
        backend: String,
        /// Why it is forbidden.
        why: String,
    },
}

/// Sinks in the order they are told.
pub type Sinks<'a, G> = [&'a mut dyn Sink<G>];

/// How many positions are asked at a time when all are known beforehand.
const BATCH: usize = 64;

impl<G: Game> Session<G> {
    /// A session on these backends. It ends early, and in good order, once
    /// `stop` returns true.
    pub fn new(backends: Vec<Box<dyn Backend<G>>>, stop: impl Fn() -> bool + 'static) -> Self {
        Self {
            backends,
            stop: Box::new(stop),
        }
    }

    /// What the backends are, in order.
    pub fn identities(&self) -> Vec<Identity> {
        self.backends.iter().map(|b| b.identity().clone()).collect()
    }

    /// Name of the first backend that cannot use a known next piece.
    pub fn without_lookahead(&self) -> Option<&str> {
        let mut identities = self.backends.iter().map(|b| b.identity());
        let without = identities.find(|identity| !identity.lookahead)?;
        Some(&without.name)
    }

    /// How many positions are to be asked at a time: one where a decision may
    /// take long, so that the session can be stopped.
    pub fn batch(&self) -> usize {
        let mut identities = self.backends.iter().map(|b| b.identity());
        let slow = identities.any(|identity| identity.core.is_none() && identity.lookahead);
        if slow { 1 } else { BATCH }
    }

    /// Hands the controller to every backend.
    ///
    /// # Errors
    /// The first backend's that fails.
    pub async fn configure(&mut self, controller: &G::Controller) -> Result<(), BackendError> {
        let all = self.backends.iter_mut().map(|b| b.configure(controller));
        join_all(all).await.into_iter().collect()
    }

    /// Asks every backend the same positions at the same time.
    ///
    /// # Errors
    /// The first backend's that fails.
    ///
    /// Returns one list a position, with one answer a backend.
    pub async fn ask(
        &mut self,
        positions: &[G::Position],
    ) -> Result<Vec<Vec<Answer<G>>>, BackendError> {
        if let Some(name) = self.without_lookahead()
            && positions.iter().any(G::needs_lookahead)
        {
            return Err(BackendError::NoLookahead { name: name.into() });
        }
        let all = self.backends.iter_mut().map(|b| b.decide(positions));
        let mut columns = Vec::new();
        for answers in join_all(all).await {
            columns.push(answers?.into_iter());
        }
        let row = |_| columns.iter_mut().filter_map(Iterator::next).collect();
        Ok((0..positions.len()).map(row).collect())
    }

    /// Plays games; each ends at its first divergence. The reference's
    /// decisions are played.
    ///
    /// # Errors
    /// When a backend or a sink fails; the sinks are told the end all the same.
    pub async fn play(
        &mut self,
        header: &Header<G>,
        setup: &G::Setup,
        games: u64,
        max_moves: u64,
        sinks: &mut Sinks<'_, G>,
    ) -> Result<(), SessionError> {
        tell(sinks, &Event::Started(header))?;
        let mut result = Ok(End::Over);
        for game in 0..games {
            result = self.play_game(setup, game, max_moves, sinks).await;
            if matches!(result, Ok(End::Interrupted) | Err(_)) {
                break;
            }
        }
        let interrupted = matches!(result, Ok(End::Interrupted));
        tell(sinks, &Event::Ended { interrupted })?;
        result.map(|_| ())
    }

    async fn play_game(
        &mut self,
        setup: &G::Setup,
        game: u64,
        max_moves: u64,
        sinks: &mut Sinks<'_, G>,
    ) -> Result<End, SessionError> {
        tell(sinks, &Event::GameStarted { game })?;
        let mut state = G::deal(setup, game);
        let end = loop {
            if (self.stop)() {
                break End::Interrupted;
            }
            if state.moves() == max_moves {
                break End::Limit;
            }
            let position = state.position();
            let mut rows = self.ask(std::slice::from_ref(&position)).await?;
            let answers = rows.pop().unwrap_or_default();
            let reference = answers.first().ok_or(SessionError::NoBackends)?;
            let mismatches = compare(&reference.decision, &answers);
            let step = state.moves();
            let round = Round {
                game,
                step,
                position: &position,
                recorded: None,
                answers: &answers,
                mismatches: &mismatches,
            };
            tell(sinks, &Event::Decided(round))?;
            if !mismatches.is_empty() {
                break End::Diverged;
            }
            let goes_on = state.apply(&reference.decision).map_err(|why| {
                let backend = self.backends.first();
                SessionError::Forbidden {
                    game,
                    step,
                    backend: backend.map_or(String::new(), |b| b.identity().name.clone()),
                    why,
                }
            })?;
            if !goes_on {
                break End::Over;
            }
        };
        let (moves, score) = (state.moves(), state.score());
        tell(
            sinks,
            &Event::GameEnded {
                game,
                moves,
                score,
                end,
            },
        )?;
        Ok(end)
    }

    /// Asks recorded decisions again and compares every answer with the record,
    /// and so with each other. Goes on after a divergence.
    ///
    /// # Errors
    /// When the record, a backend or a sink fails; the sinks are told the end
    /// all the same.
    pub async fn replay(
        &mut self,
        header: &Header<G>,
        mut entries: impl Iterator<Item = Result<Entry<G>, RecordError>>,
        sinks: &mut Sinks<'_, G>,
    ) -> Result<(), SessionError> {
        tell(sinks, &Event::Started(header))?;
        let result = self.replay_entries(&mut entries, sinks).await;
        let interrupted = matches!(result, Ok(End::Interrupted));
        tell(sinks, &Event::Ended { interrupted })?;
        result.map(|_| ())
    }

    async fn replay_entries(
        &mut self,
        entries: &mut impl Iterator<Item = Result<Entry<G>, RecordError>>,
        sinks: &mut Sinks<'_, G>,
    ) -> Result<End, SessionError> {
        loop {
            if (self.stop)() {
                return Ok(End::Interrupted);
            }
            let mut batch = Vec::new();
            let mut broken = None;
            for entry in entries.by_ref().take(self.batch()) {
                match entry {
                    Ok(entry) => batch.push(entry),
                    Err(error) => {
                        broken = Some(error);
                        break;
                    }
                }
            }
            let positions: Vec<_> = batch.iter().map(|e| e.position.clone()).collect();
            let rows = self.ask(&positions).await?;
            for (entry, answers) in batch.iter().zip(&rows) {
                let mismatches = compare(&entry.decision, answers);
                let round = Round {
                    game: entry.game,
                    step: entry.step,
                    position: &entry.position,
                    recorded: Some(&entry.decision),
                    answers,
                    mismatches: &mismatches,
                };
                tell(sinks, &Event::Decided(round))?;
            }
            if let Some(error) = broken {
                return Err(error.into());
            }
            if batch.is_empty() {
                return Ok(End::Over);
            }
        }
    }

    /// The backends, to ask them for more than decisions.
    pub fn backends(&mut self) -> &mut [Box<dyn Backend<G>>] {
        &mut self.backends
    }
}

/// All differences between the expected decision and the answers, one answer a
/// backend.
pub fn compare<G: Game>(expected: &G::Decision, answers: &[Answer<G>]) -> Vec<Mismatch> {
    let answers = answers.iter().enumerate();
    answers
        .flat_map(|(backend, answer)| mismatches::<G>(backend, expected, &answer.decision))
        .collect()
}

fn tell<G: Game>(sinks: &mut Sinks<'_, G>, event: &Event<'_, G>) -> io::Result<()> {
    sinks.iter_mut().try_for_each(|sink| sink.take(event))
}
