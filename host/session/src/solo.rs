//! Programs that play by rules of their own, without backends; with the events of a
//! [`session`](crate::session).

use std::time::Duration;

use lockstep_games::{Game, ProgramGame};

use crate::event::{End, Event, GameEnd, Header, Moved};
use crate::listeners::Listeners;
use crate::session::{SessionError, end, pause};
use crate::stop::Stop;

/// Games to play.
pub struct Games<'a> {
    /// Deals game `n` of the session, from 0; `None` when there is none.
    pub deal: &'a (dyn Fn(u64) -> Option<Box<dyn ProgramGame>> + Sync),
    /// How many.
    pub games: u64,
    /// Moves after which one is stopped.
    pub max_moves: u64,
    /// How long each move stays on view.
    pub pace: Duration,
    /// Whether the user wants no more.
    pub stop: Stop,
}

impl Games<'_> {
    /// Plays them.
    ///
    /// # Errors
    /// When a listener cannot write.
    pub async fn play<G: Game>(
        &self,
        header: &Header<G>,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        listeners
            .tell(Event::Started(header.clone()), &self.stop)
            .await?;
        let played = match self.play_all(listeners).await {
            Ok(End::Interrupted) => Err(SessionError::Interrupted),
            played => played,
        };
        end(played, Vec::new(), listeners, &self.stop).await?;
        Ok(())
    }

    async fn play_all<G: Game>(
        &self,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<End, SessionError> {
        for number in 0..self.games {
            let Some(mut game) = (self.deal)(number) else {
                break;
            };
            let game_number = number + 1;
            let started = Event::GameStarted { game: game_number };
            listeners.tell(started, &self.stop).await?;
            let end = self.play_one(&mut *game, game_number, listeners).await?;
            let ended = GameEnd {
                game: game_number,
                moves: game.moves(),
                score: Some(game.score()),
                outcome: None,
                end,
            };
            listeners.tell(Event::GameEnded(ended), &self.stop).await?;
            if end == End::Interrupted {
                return Ok(end);
            }
        }
        Ok(End::Over)
    }

    async fn play_one<G: Game>(
        &self,
        game: &mut dyn ProgramGame,
        number: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<End, SessionError> {
        for step in 1..=self.max_moves {
            // Lets the interrupt be heard.
            tokio::task::yield_now().await;
            if self.stop.requested() {
                return Ok(End::Interrupted);
            }
            let Some(picture) = game.step() else {
                return Ok(End::Over);
            };
            let moved = Moved {
                game: number,
                step,
                picture,
                score: game.score(),
            };
            listeners.tell(Event::Moved(moved), &self.stop).await?;
            pause(self.pace, &self.stop).await;
        }
        Ok(End::Limit)
    }
}
