//! Sends each position to all backends, compares their answers and notifies the listeners.

mod play;

use std::io;
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt as _, join_all};
use lockstep_games::{Game, Trace};

use crate::backend::wire::LinkReport;
use crate::backend::{Answer, Backend, BackendError, BackendErrorKind, Identity, Kind, Observer};
use crate::compare::{Mismatch, compare};
use crate::event::Seat;
use crate::pace::Pace;
use crate::record::{RecordError, RecordErrorKind};
use crate::stop::Stop;
use crate::text::ForeignText;

pub use play::Start;

/// A session on some backends; the first is the reference.
pub struct Session<G: Game> {
    backends: Vec<Box<dyn Backend<G>>>,
    /// The seats; a single one if all backends play all seats.
    seats: Vec<Seat<G>>,
    /// The seat whose controller each backend has.
    configured: Vec<Option<usize>>,
    stop: Stop,
    /// The pauses between the decisions of a game.
    pub pace: Pace,
    /// The time after which a search is stopped and its best decision taken.
    pub move_time: Option<Duration>,
}

/// The answers to one position, from all backends of the seat to move.
#[derive(Debug, Clone)]
pub struct Answers<G: Game> {
    /// Indices of the backends that answered.
    pub asked: Vec<usize>,
    /// Their answers, in the same order.
    pub answers: Vec<Answer<G>>,
    /// The time in which each answered all positions that were sent together.
    pub took: Vec<Duration>,
}

impl<G: Game> Answers<G> {
    /// Compares the answers with the first one, the reference's.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        let first = self.answers.first();
        first.map_or(Vec::new(), |first| {
            compare(&first.decision, &self.asked, &self.answers)
        })
    }
}

/// The error that ends a session. The listeners have all decisions before it.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There are no backends.
    #[error("a session needs at least one backend")]
    NoBackends,
    /// A stop was requested.
    #[error("interrupted")]
    Interrupted,
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A listener could not write.
    #[error(transparent)]
    Listener(#[from] io::Error),
    /// A record cannot be read.
    #[error(transparent)]
    Record(RecordError),
    /// The backends agree on a decision that the rules forbid.
    #[error("game {game}, move {step}: the rules forbid the decision of {backend}: {why}")]
    Forbidden {
        /// Game of the session, from 1.
        game: u64,
        /// Decision of the game, from 1.
        step: u64,
        /// Name of the reference backend.
        backend: ForeignText,
        /// Why it is forbidden.
        why: lockstep_games::BoxError,
    },
}

impl From<RecordError> for SessionError {
    fn from(error: RecordError) -> Self {
        match error.kind {
            RecordErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Record(error),
        }
    }
}

/// Positions that are sent together when all are known beforehand.
const BATCH: usize = 64;

impl<G: Game> Session<G> {
    /// A session on these backends. It ends in good order once `stop` is requested.
    pub fn new(backends: Vec<Box<dyn Backend<G>>>, stop: Stop) -> Self {
        Self {
            configured: vec![None; backends.len()],
            backends,
            seats: Vec::new(),
            stop,
            pace: Pace::default(),
            move_time: None,
        }
    }

    /// The stop that ends it early.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The backends' descriptions, in order.
    pub fn identities(&self) -> Vec<Identity> {
        self.backends.iter().map(|b| b.identity().clone()).collect()
    }

    /// The traffic on the backends' links, in order; `None` for software.
    pub fn links(&self) -> Vec<Option<LinkReport>> {
        self.backends.iter().map(|b| b.link()).collect()
    }

    /// Ends the session and returns the backends.
    pub fn into_backends(self) -> Vec<Box<dyn Backend<G>>> {
        self.backends
    }

    /// The backends, for requests other than decisions.
    pub fn backends(&mut self) -> &mut [Box<dyn Backend<G>>] {
        &mut self.backends
    }

    /// Checks that all backends can decide such a position.
    ///
    /// # Errors
    /// When one cannot: its first missing capability.
    pub fn check(&self, position: &G::Position) -> Result<(), BackendError> {
        check::<G>(self.backends.iter().map(|b| b.identity()), position)
    }

    /// Number of positions to send together: one if a decision may take long, so that each answer is
    /// reported at once.
    pub fn batch(&self) -> usize {
        let mut identities = self.backends.iter().map(|b| b.identity());
        let slow = identities.any(|i| {
            let looks_ahead = i.core.is_none() && i.capabilities.known_next;
            i.kind == Kind::Program || i.capabilities.search || looks_ahead
        });
        if slow { 1 } else { BATCH }
    }

    /// Sets the controller of all backends, which play all seats.
    ///
    /// # Errors
    /// When a backend fails.
    pub async fn configure(&mut self, controller: &G::Controller) -> Result<(), SessionError> {
        let backends = (0..self.backends.len()).collect();
        let controller = controller.clone();
        self.take_seats(vec![Seat {
            controller,
            backends,
        }])
        .await
    }

    /// Assigns backends to seats: one entry for each of [`Game::SEATS`], or a single one for all.
    ///
    /// A backend with several seats gets the controller of the seat to move before each decision.
    ///
    /// # Errors
    /// When a backend fails; [`SessionError::NoBackends`] when a seat has none, or an unknown one.
    pub async fn take_seats(&mut self, seats: Vec<Seat<G>>) -> Result<(), SessionError> {
        let count = self.backends.len();
        let no_backend = |seat: &Seat<G>| {
            seat.backends.is_empty() || seat.backends.iter().any(|&index| index >= count)
        };
        if count > 0 && (seats.is_empty() || seats.iter().any(no_backend)) {
            return Err(SessionError::NoBackends);
        }
        self.seats = seats;
        self.configured.fill(None);
        for seat in (0..self.seats.len()).rev() {
            self.prepare(seat).await?;
        }
        Ok(())
    }

    /// Sets the controller of a seat on its backends that have another one.
    async fn prepare(&mut self, seat: usize) -> Result<(), SessionError> {
        let Seat {
            controller,
            backends,
        } = self.seats.get(seat).ok_or(SessionError::NoBackends)?;
        let others = self.backends.iter_mut().zip(&mut self.configured);
        let seats = &self.seats;
        // Setting the same controller again would restart a program (`exec:`).
        let is_same = |has: usize| seats.get(has).is_some_and(|s| s.controller == *controller);
        let others = others.enumerate().filter_map(|(index, (backend, has))| {
            let is_other = backends.contains(&index) && !has.is_some_and(is_same);
            // It has no controller until this one is set.
            if is_other {
                *has = None;
            }
            is_other.then_some((index, backend))
        });
        let (indices, others): (Vec<_>, Vec<_>) = others.unzip();
        let all = join_all(others.into_iter().map(|b| b.configure(controller)));
        let configured = tokio::select! {
            configured = all => configured,
            () = self.stop.wait() => return Err(SessionError::Interrupted),
        };
        configured.into_iter().collect::<Result<(), _>>()?;
        for index in indices {
            self.configured[index] = Some(seat);
        }
        Ok(())
    }

    /// Index of the seat to move.
    fn seat(&self, position: &G::Position) -> usize {
        match self.seats.len() {
            0 | 1 => 0,
            _ => G::seat(position),
        }
    }

    /// Indices of the backends of a seat; of all backends before seats are assigned.
    fn seated(&self, seat: usize) -> Vec<usize> {
        let all = || (0..self.backends.len()).collect();
        let seat = self.seats.get(seat);
        seat.map_or_else(all, |seat| seat.backends.clone())
    }

    /// Sends each position to all backends of the seat to move, at the same time; returns the answers
    /// to each position, in order.
    ///
    /// # Errors
    /// When a backend fails; [`SessionError::Interrupted`] when a stop is requested before all answers
    /// have come.
    pub async fn ask(
        &mut self,
        positions: &[G::Position],
    ) -> Result<Vec<Answers<G>>, SessionError> {
        self.search(positions, Observer::default()).await
    }

    /// As [`Self::ask`], by [`Backend::search`], whose progress the observer gets.
    pub async fn search(
        &mut self,
        positions: &[G::Position],
        observer: Observer<G>,
    ) -> Result<Vec<Answers<G>>, SessionError> {
        let mut answered: Vec<Option<Answers<G>>> = positions.iter().map(|_| None).collect();
        for seat in 0..self.seats.len().max(1) {
            let of_seat = positions.iter().enumerate();
            let of_seat = of_seat.filter(|(_, position)| self.seat(position) == seat);
            let (indices, own): (Vec<_>, Vec<_>) = of_seat
                .map(|(index, position)| (index, position.clone()))
                .unzip();
            if own.is_empty() {
                continue;
            }
            let asked = self.seated(seat);
            for position in &own {
                let seated = asked.iter().filter_map(|&index| self.backends.get(index));
                check::<G>(seated.map(|backend| backend.identity()), position)?;
            }
            if !self.seats.is_empty() {
                self.prepare(seat).await?;
            }
            let backends = self.backends.iter_mut().enumerate();
            let backends = backends.filter(|(index, _)| asked.contains(index));
            let all = backends.map(|(index, b)| {
                let (sent, answers) = (Instant::now(), b.search(&own, observer.of(index)));
                let timed = async move {
                    let timed = |answer| (answer, sent.elapsed());
                    Ok(answers.await?.into_iter().map(timed).collect())
                };
                timed.boxed()
            });
            let rows = gather(all, own.len(), &self.stop).await;
            if matches!(rows, Err(SessionError::Interrupted)) {
                join_all(self.backends.iter_mut().map(|b| b.abandon())).await;
            }
            for (index, answers) in indices.into_iter().zip(rows?) {
                let asked = asked.clone();
                let (answers, took) = answers.into_iter().unzip();
                answered[index] = Some(Answers {
                    asked,
                    answers,
                    took,
                });
            }
        }
        Ok(answered.into_iter().flatten().collect())
    }

    /// Requests traces of these positions from all backends at the same time; returns one list for each
    /// position, with one trace for each backend.
    ///
    /// # Errors
    /// As [`Self::ask`]; also when a backend cannot trace.
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

/// Waits for the results of all backends; returns one list for each position, with one result for
/// each backend.
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

/// Checks that all of these backends can decide such a position.
///
/// # Errors
/// When one cannot: its first missing capability.
pub fn check<'a, G: Game>(
    backends: impl IntoIterator<Item = &'a Identity>,
    position: &G::Position,
) -> Result<(), BackendError> {
    let requirements = G::requirements(position);
    for identity in backends {
        if let Some(unsupported) = identity.capabilities.unsupported(&requirements) {
            return Err(BackendErrorKind::Unable(unsupported).of(&identity.name));
        }
    }
    Ok(())
}
