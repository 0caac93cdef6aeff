//! Plays games in a session.

use std::pin::pin;

use lockstep_games::{Match as _, Rules, ShardHeader};
use tokio::sync::mpsc::unbounded_channel;

use super::{Answers, Session, SessionError};
use crate::backend::Observer;
use crate::event::{End, Event, GameEnd, Header, Round, Searching};
use crate::listeners::Listeners;
use crate::stop::Stop;
use crate::text::ForeignText;

/// Where a session starts to play.
pub struct Start<G: Rules> {
    /// The first game, from 0.
    pub game: u64,
    /// That game, if it is in progress.
    pub in_progress: Option<G::Match>,
    /// The shard of the games that is played; `None` for all games.
    pub shard: Option<ShardHeader>,
}

impl<G: Rules> Start<G> {
    /// The numbers, from 0, of the remaining ones of `games` games.
    pub fn left(&self, games: u64) -> impl Iterator<Item = u64> {
        let held = |game: &u64| self.shard.as_ref().is_none_or(|shard| shard.holds(*game));
        (self.game..games).filter(held)
    }
}

impl<G: Rules> Default for Start<G> {
    fn default() -> Self {
        Self {
            game: 0,
            in_progress: None,
            shard: None,
        }
    }
}

impl<G: Rules> Session<G> {
    /// Plays games by the reference's decisions, from `start` on; each game ends at its first
    /// divergence. `games` and `max_moves` include the games and moves played before.
    ///
    /// # Errors
    /// When a backend or a listener fails; the listeners get [`Event::Ended`] even then.
    pub async fn play(
        &mut self,
        header: &Header<G>,
        setup: &G::Setup,
        mut start: Start<G>,
        games: u64,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        listeners.notify(Event::Started(header.clone())).await?;
        let (mut result, mut in_progress) = (Ok(()), start.in_progress.take());
        for game in start.left(games) {
            let state = in_progress.take();
            result = self
                .play_game(setup, game, state, max_moves, listeners)
                .await;
            if result.is_err() {
                break;
            }
        }
        listeners.end(result, self.links()).await?;
        Ok(())
    }

    /// Plays one game to its end or the limit, between the events of its beginning and end.
    async fn play_game(
        &mut self,
        setup: &G::Setup,
        game: u64,
        in_progress: Option<G::Match>,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        let begins = in_progress.is_none();
        let mut state = in_progress.unwrap_or_else(|| G::deal(setup, game));
        let game = game + 1;
        if begins {
            listeners.notify(Event::GameStarted { game }).await?;
        }
        let end = self.play_moves(&mut state, game, max_moves, listeners);
        let end = match end.await {
            Err(SessionError::Interrupted) => End::Interrupted,
            end => end?,
        };
        let ended = GameEnd::of::<G>(game, &state, end);
        listeners.notify(Event::GameEnded(ended)).await?;
        match end {
            End::Interrupted => Err(SessionError::Interrupted),
            _ => Ok(()),
        }
    }

    /// For each move: sends the position to the backends, compares their answers as a [`Round`], and
    /// plays the reference's decision.
    async fn play_moves(
        &mut self,
        state: &mut G::Match,
        game: u64,
        max_moves: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<End, SessionError> {
        let mut rates = vec![None; self.backends.len()];
        loop {
            if self.stop.requested() {
                return Ok(End::Interrupted);
            }
            if state.moves() == max_moves {
                return Ok(End::Limit);
            }
            let position = state.position();
            let step = state.moves() + 1;
            let Answers {
                asked,
                answers,
                took,
            } = self.ask_one(&position, (game, step), listeners).await?;
            for (backend, known) in rates.iter_mut().enumerate() {
                let baud = self.backends[backend].rate();
                if *known != baud {
                    *known = baud;
                    let event = Event::Rate { backend, baud };
                    listeners.notify(event).await?;
                }
            }
            let reference = answers.first().ok_or(SessionError::NoBackends)?;
            let decision = reference.decision.clone();
            let first = asked.first().copied();
            let place = (game, step);
            let mut round = Round {
                took,
                score: state.score(),
                ..Round::new(place, position, None, asked, answers)
            };
            let diverged = !round.mismatches.is_empty();
            let applied = (!diverged).then(|| state.apply(&decision)).transpose();
            round.outcome = state.outcome();
            listeners.notify(Event::Decided(round)).await?;
            let goes_on = applied.map_err(|why| {
                let backend = first.and_then(|first| self.backends.get(first));
                SessionError::Forbidden {
                    game,
                    step,
                    backend: backend.map_or(ForeignText::default(), |b| b.identity().name.clone()),
                    why: why.into(),
                }
            })?;
            match goes_on {
                None => return Ok(End::Diverged),
                Some(false) => return Ok(End::Over),
                Some(true) => self.pace.wait(&self.stop).await,
            }
        }
    }

    /// Requests the decision of one position, and reports the progress to the listeners.
    async fn ask_one(
        &mut self,
        position: &G::Position,
        (game, step): (u64, u64),
        listeners: &mut Listeners<'_, G>,
    ) -> Result<Answers<G>, SessionError> {
        let (reports, mut reported) = unbounded_channel();
        let (stopper, finish) = Stop::new();
        let move_time = self.move_time;
        let observer = Observer::new(reports, finish);
        let mut asking = pin!(self.search(std::slice::from_ref(position), observer));
        let mut time_is_up = pin!(async {
            match move_time {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        });
        let mut is_up = false;
        loop {
            tokio::select! {
                biased;
                Some((backend, _, progress)) = reported.recv() => {
                    let searching = Searching { game, step, backend, progress };
                    listeners.notify(Event::Searching(searching)).await?;
                }
                answered = &mut asking => {
                    return answered?.pop().ok_or(SessionError::NoBackends);
                }
                () = &mut time_is_up, if !is_up => {
                    is_up = true;
                    stopper.stop();
                }
            }
        }
    }
}
