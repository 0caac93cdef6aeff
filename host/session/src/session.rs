//! Asks all backends the same, compares what they answer and tells the
//! listeners.

use std::io;
use std::time::Duration;

use futures::future::{BoxFuture, join_all};
use lockstep_games::{Game, Match as _, Rules, Trace};

use crate::backend::wire::LinkReport;
use crate::backend::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind};
use crate::compare::compare;
use crate::event::{End, Event, GameEnd, Header, Round};
use crate::listeners::Listeners;
use crate::record::RecordError;
use crate::stop::Stop;

/// A session on some backends; the first is the reference.
pub struct Session<G: Game> {
    backends: Vec<Box<dyn Backend<G>>>,
    stop: Stop,
    pace: Duration,
}

/// Why a session cannot go on. What was decided before was told the listeners.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There is nobody to ask.
    #[error("a session needs at least one backend")]
    NoBackends,
    /// The user wanted no more while an answer was awaited.
    #[error("interrupted")]
    Interrupted,
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A listener could not write.
    #[error(transparent)]
    Listener(#[from] io::Error),
    /// The record cannot be read further.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The backends agree on a decision the rules do not allow.
    #[error("game {game}, move {step}: {backend} decided what the rules forbid: {why}")]
    Forbidden {
        /// Game of the session, from 1.
        game: u64,
        /// Decision of the game, from 1.
        step: u64,
        /// Name of the reference backend.
        backend: String,
        /// Why it is forbidden.
        why: lockstep_games::BoxError,
    },
}

/// Where games are begun to be played.
pub struct Start<G: Rules> {
    /// The first game, from 0.
    pub game: u64,
    /// That game, where it is under way already.
    pub under_way: Option<G::Match>,
}

impl<G: Rules> Default for Start<G> {
    fn default() -> Self {
        Self {
            game: 0,
            under_way: None,
        }
    }
}

/// How many positions are asked at a time when all are known beforehand.
const BATCH: usize = 64;

impl<G: Game> Session<G> {
    /// A session on these backends. It ends early, and in good order, once
    /// `stop` is requested.
    pub fn new(backends: Vec<Box<dyn Backend<G>>>, stop: Stop) -> Self {
        Self {
            backends,
            stop,
            pace: Duration::ZERO,
        }
    }

    /// Lets so much time pass after each decision of a game, for people to see
    /// it.
    pub fn set_pace(&mut self, pace: Duration) {
        self.pace = pace;
    }

    /// What ends it early.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// What the backends are, in order.
    pub fn identities(&self) -> Vec<Identity> {
        self.backends.iter().map(|b| b.identity().clone()).collect()
    }

    /// What passed over the backends' links, in order; `None` for software.
    pub fn links(&self) -> Vec<Option<LinkReport>> {
        self.backends.iter().map(|b| b.link()).collect()
    }

    /// The backends, when the session is over.
    pub fn into_backends(self) -> Vec<Box<dyn Backend<G>>> {
        self.backends
    }

    /// The backends, to ask them for more than decisions.
    pub fn backends(&mut self) -> &mut [Box<dyn Backend<G>>] {
        &mut self.backends
    }

    /// Whether some backend cannot decide such a position.
    ///
    /// # Errors
    /// What the first of them lacks.
    pub fn check(&self, position: &G::Position) -> Result<(), BackendError> {
        check::<G>(self.backends.iter().map(|b| b.identity()), position)
    }

    /// How many positions are to be asked at a time: one where a decision may
    /// take long, so that answers come as they are found.
    pub fn batch(&self) -> usize {
        let mut identities = self.backends.iter().map(|b| b.identity());
        let slow = identities
            .any(|i| i.kind == Kind::Program || i.core.is_none() && i.capabilities.known_next);
        if slow { 1 } else { BATCH }
    }

    /// Hands the controller to every backend.
    ///
    /// # Errors
    /// The first backend's that fails.
    pub async fn configure(&mut self, controller: &G::Controller) -> Result<(), SessionError> {
        let all = self.backends.iter_mut().map(|b| b.configure(controller));
        let all = join_all(all);
        tokio::select! {
            configured = all => Ok(configured.into_iter().collect::<Result<(), _>>()?),
            () = self.stop.wait() => Err(SessionError::Interrupted),
        }
    }

    /// Asks every backend the same positions at the same time. Returns one list
    /// a position, with one answer a backend.
    ///
    /// # Errors
    /// The first backend's that fails; [`SessionError::Interrupted`] when the
    /// user wants no more before all answers have come.
    pub async fn ask(
        &mut self,
        positions: &[G::Position],
    ) -> Result<Vec<Vec<Answer<G>>>, SessionError> {
        for position in positions {
            self.check(position)?;
        }
        let all = self.backends.iter_mut().map(|b| b.decide(positions));
        gather(all, positions.len(), &self.stop).await
    }

    /// Asks every backend at the same time what it chooses from at these positions. Returns
    /// one list a position, with one trace a backend.
    ///
    /// # Errors
    /// As [`Self::ask`]; a backend may lack it, as its capabilities say.
    pub async fn trace(
        &mut self,
        positions: &[G::Position],
    ) -> Result<Vec<Vec<Trace<G>>>, SessionError> {
        for position in positions {
            self.check(position)?;
        }
        let all = self.backends.iter_mut().map(|b| b.trace(positions));
        gather(all, positions.len(), &self.stop).await
    }
}

impl<G: Rules> Session<G> {
    /// Plays games; each ends at its first divergence. The reference's
    /// decisions are played.
    ///
    /// # Errors
    /// When a backend or a listener fails; the listeners are told the end all
    /// the same.
    pub async fn play(
        &mut self,
        header: &Header<G>,
        setup: &G::Setup,
        games: u64,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        let start = Start::default();
        self.play_on(header, setup, start, games, max_moves, listeners)
            .await
    }

    /// As [`Self::play`], from somewhere on; `games` and `max_moves` count what was played
    /// before.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub async fn play_on(
        &mut self,
        header: &Header<G>,
        setup: &G::Setup,
        start: Start<G>,
        games: u64,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        listeners
            .tell(Event::Started(header.clone()), &self.stop)
            .await?;
        let mut result = Ok(End::Over);
        let mut under_way = start.under_way;
        for game in start.game..games {
            let state = under_way.take();
            result = self
                .play_game(setup, game, state, max_moves, listeners)
                .await;
            if matches!(result, Ok(End::Interrupted) | Err(_)) {
                break;
            }
        }
        let result = match result {
            Ok(End::Interrupted) => Err(SessionError::Interrupted),
            result => result,
        };
        end(result, self.links(), listeners, &self.stop).await?;
        Ok(())
    }

    async fn play_game(
        &mut self,
        setup: &G::Setup,
        game: u64,
        under_way: Option<G::Match>,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<End, SessionError> {
        let begins = under_way.is_none();
        let mut state = under_way.unwrap_or_else(|| G::deal(setup, game));
        let game = game + 1;
        if begins {
            listeners
                .tell(Event::GameStarted { game }, &self.stop)
                .await?;
        }
        let end = self.play_moves(&mut state, game, max_moves, listeners);
        let end = match end.await {
            Err(SessionError::Interrupted) => End::Interrupted,
            end => end?,
        };
        let ended = GameEnd {
            game,
            moves: state.moves(),
            score: state.score(),
            end,
        };
        listeners.tell(Event::GameEnded(ended), &self.stop).await?;
        Ok(end)
    }

    async fn play_moves(
        &mut self,
        state: &mut G::Match,
        game: u64,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<End, SessionError> {
        loop {
            if self.stop.requested() {
                return Ok(End::Interrupted);
            }
            if state.moves() == max_moves {
                return Ok(End::Limit);
            }
            let position = state.position();
            let mut rows = self.ask(std::slice::from_ref(&position)).await?;
            let answers = rows.pop().unwrap_or_default();
            let reference = answers.first().ok_or(SessionError::NoBackends)?;
            let decision = reference.decision.clone();
            let mismatches = compare(&decision, &answers);
            let diverged = !mismatches.is_empty();
            let step = state.moves() + 1;
            let round = Round {
                game,
                step,
                line: None,
                position,
                recorded: None,
                answers,
                mismatches,
                score: Some(state.score()),
            };
            listeners.tell(Event::Decided(round), &self.stop).await?;
            if diverged {
                return Ok(End::Diverged);
            }
            let goes_on = state.apply(&decision).map_err(|why| {
                let backend = self.backends.first();
                SessionError::Forbidden {
                    game,
                    step,
                    backend: backend.map_or(String::new(), |b| b.identity().name.clone()),
                    why: why.into(),
                }
            })?;
            if !goes_on {
                return Ok(End::Over);
            }
            pause(self.pace, &self.stop).await;
        }
    }
}

/// Tells the end and waits for the listeners; `None` where the user wanted no more.
pub(crate) async fn end<G: Game, T>(
    result: Result<T, SessionError>,
    links: Vec<Option<LinkReport>>,
    listeners: &mut Listeners<'_, G>,
    stop: &Stop,
) -> Result<Option<T>, SessionError> {
    let result = match result {
        Err(SessionError::Interrupted) => Ok(None),
        result => result.map(Some),
    };
    let ended = Event::Ended {
        interrupted: matches!(result, Ok(None)),
        error: result.as_ref().err().map(ToString::to_string),
        links,
    };
    let told = listeners.tell(ended, stop).await;
    let finished = listeners.finish().await;
    let result = result?;
    told?;
    finished?;
    Ok(result)
}

/// Waits for what all say of so many positions; one list a position, with one entry for
/// each of them.
async fn gather<T>(
    all: impl Iterator<Item = BoxFuture<'_, Result<Vec<T>, BackendError>>>,
    positions: usize,
    stop: &Stop,
) -> Result<Vec<Vec<T>>, SessionError> {
    let answered = tokio::select! {
        biased;
        answered = join_all(all) => answered,
        () = stop.wait() => return Err(SessionError::Interrupted),
    };
    let mut columns = Vec::new();
    for answers in answered {
        columns.push(answers?.into_iter());
    }
    let row = |_| columns.iter_mut().filter_map(Iterator::next).collect();
    Ok((0..positions).map(row).collect())
}

/// Whether some of these backends cannot decide such a position.
///
/// # Errors
/// What the first of them lacks.
pub fn check<'a, G: Game>(
    backends: impl IntoIterator<Item = &'a Identity>,
    position: &G::Position,
) -> Result<(), BackendError> {
    let demands = G::demands(position);
    for identity in backends {
        if let Some(lack) = identity.capabilities.lack(&demands) {
            return Err(BackendErrorKind::Unable(lack).of(&identity.name));
        }
    }
    Ok(())
}

/// Lets time pass, but none once the user wants no more.
pub(crate) async fn pause(pace: Duration, stop: &Stop) {
    if !pace.is_zero() {
        let _ = tokio::time::timeout(pace, stop.wait()).await;
    }
}
