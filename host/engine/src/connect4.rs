//! A fast engine for Connect Four: alpha-beta search on bitboards, with iterative deepening.
//!
//! It is written from the definitions (`host/games/src/connect4/README.md`), not from the golden
//! model. `search` has the search; this file implements the traits of software that decides.

mod search;

use lockstep_games::connect4::{Connect4, Controller, Decision, Position};
use lockstep_games::stones::over;
use lockstep_games::{
    BoxError, Capabilities, Codec as _, Decider, Implementation, SearchResult, Trace, Unwatched,
    Watch,
};

use search::Search;

/// The engine of Connect Four.
#[derive(Debug, Clone, Copy)]
pub struct FastConnect4;

impl Implementation<Connect4> for FastConnect4 {
    fn description(&self) -> String {
        "fast engine, alpha-beta on bitboards".into()
    }

    fn capabilities(&self, _: Option<&Controller>) -> Capabilities {
        Capabilities::searching(Connect4::BOARD)
    }

    fn decider(&self, controller: &Controller) -> Result<Box<dyn Decider<Connect4>>, BoxError> {
        Ok(Box::new(Searcher(controller.clone())))
    }
}

/// The engine with its controller.
struct Searcher(Controller);

impl Searcher {
    /// A search of a position.
    fn begin<'a>(
        &self,
        position: &Position,
        watch: &'a mut dyn Watch<Connect4>,
    ) -> Result<Search<'a>, BoxError> {
        match position.board.is_over() {
            true => Err(Box::new(over::<Connect4>())),
            false => Ok(Search::new(&self.0, position, watch)),
        }
    }
}

impl Decider<Connect4> for Searcher {
    fn decide(&mut self, position: &Position) -> Result<Decision, BoxError> {
        let found = self.begin(position, &mut Unwatched)?.decide();
        Ok(found
            .map(|found| found.decision)
            .ok_or_else(over::<Connect4>)?)
    }

    fn search(
        &mut self,
        position: &Position,
        watch: &mut dyn Watch<Connect4>,
    ) -> Result<Option<SearchResult<Connect4>>, BoxError> {
        Ok(self.begin(position, watch)?.decide())
    }

    fn trace(&mut self, position: &Position) -> Result<Option<Trace<Connect4>>, BoxError> {
        Ok(self.begin(position, &mut Unwatched)?.trace())
    }
}
