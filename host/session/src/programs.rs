//! Plays games of programs that have rules of their own and no backends, with the events of a
//! [`session`](crate::session).

use lockstep_games::{Game, ProgramGame};

use crate::event::{End, Event, GameEnd, Header, Moved};
use crate::listeners::Listeners;
use crate::pace::Pace;
use crate::session::SessionError;

/// Games of a program.
pub struct ProgramGames<'a> {
    /// Deals the session's game of that number, from 0; `None` if there is none.
    pub deal: &'a (dyn Fn(u64) -> Option<Box<dyn ProgramGame>> + Sync),
    /// Number of games.
    pub games: u64,
    /// Moves after which a game is stopped.
    pub max_moves: u64,
    /// Pause after each move.
    pub pace: Pace,
}

impl ProgramGames<'_> {
    /// Plays the games.
    ///
    /// # Errors
    /// When a listener cannot write.
    pub async fn play<G: Game>(
        &self,
        header: &Header<G>,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        listeners.notify(Event::Started(header.clone())).await?;
        let played = self.play_all(listeners).await;
        listeners.end(played, Vec::new()).await?;
        Ok(())
    }

    async fn play_all<G: Game>(
        &self,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<(), SessionError> {
        for number in 1..=self.games {
            let Some(mut game) = (self.deal)(number - 1) else {
                break;
            };
            let started = Event::GameStarted { game: number };
            listeners.notify(started).await?;
            let end = self.play_one(&mut *game, number, listeners).await?;
            let ended = GameEnd {
                game: number,
                moves: game.moves(),
                score: Some(game.score()),
                outcome: None,
                end,
            };
            listeners.notify(Event::GameEnded(ended)).await?;
            if end == End::Interrupted {
                return Err(SessionError::Interrupted);
            }
        }
        Ok(())
    }

    async fn play_one<G: Game>(
        &self,
        game: &mut dyn ProgramGame,
        number: u64,
        listeners: &mut Listeners<'_, G>,
    ) -> Result<End, SessionError> {
        for step in 1..=self.max_moves {
            // Other tasks run here, such as the one that requests the stop.
            tokio::task::yield_now().await;
            if listeners.stop().requested() {
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
            listeners.notify(Event::Moved(moved)).await?;
            self.pace.wait(listeners.stop()).await;
        }
        Ok(End::Limit)
    }
}
