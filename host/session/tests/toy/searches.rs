//! Long decisions: their progress is reported, and they can be finished or forgotten.

use std::sync::mpsc;
use std::time::Duration;

use lockstep::backend::Kind;
use lockstep::backend::software::Software;
use lockstep::stop::Stopper;
use lockstep::{Event, Sink, Stop};
use lockstep_games::{
    BoxError, Capabilities, Decider, Golden as _, Implementation, SearchControl, SearchProgress,
    SearchResult, Watch,
};
use serde_json::json;

use crate::game::{Controller, Position, TicTacToe};
use crate::scripted::nodes;
use crate::support::Play;

/// Reports its decision at once, and searches on until it is to end.
#[derive(Clone)]
struct Thinker {
    /// Is sent the wish that ended each search.
    ended: mpsc::Sender<SearchControl>,
}

impl Implementation<TicTacToe> for Thinker {
    fn description(&self) -> String {
        "thinks".into()
    }

    fn capabilities(&self, controller: Option<&Controller>) -> Capabilities {
        TicTacToe::capabilities(controller)
    }

    fn decider(&self, _: &Controller) -> Result<Box<dyn Decider<TicTacToe>>, BoxError> {
        Ok(Box::new(self.clone()))
    }
}

impl Decider<TicTacToe> for Thinker {
    fn decide(&mut self, position: &Position) -> Result<Option<usize>, BoxError> {
        Ok(position.free().first().copied())
    }

    fn search(
        &mut self,
        position: &Position,
        watch: &mut dyn Watch<TicTacToe>,
    ) -> Result<Option<SearchResult<TicTacToe>>, BoxError> {
        let decision = self.decide(position)?;
        watch.progress(SearchProgress {
            best: Some(decision),
            notes: vec![nodes(7, false)],
            cycles: None,
        });
        while watch.control() == SearchControl::Continue {
            std::thread::yield_now();
        }
        let wish = watch.control();
        // The test may have ended.
        let _ = self.ended.send(wish);
        Ok((wish == SearchControl::Finish).then(|| SearchResult::plain(decision)))
    }
}

/// A game of two moves with a time for each, and the wishes that end the searches.
fn thinking(move_time: Duration) -> (Play, mpsc::Receiver<SearchControl>) {
    let (ended, wishes) = mpsc::channel();
    let thinker = Software::new("thinker", Kind::Engine, Box::new(Thinker { ended }));
    let mut play = Play::new(vec![Box::new(thinker.expect("a thread"))], 1);
    (play.moves, play.move_time) = (2, Some(move_time));
    (play, wishes)
}

/// Waits for the wish that ended a search.
fn ended(wishes: &mpsc::Receiver<SearchControl>) -> SearchControl {
    let wish = wishes.recv_timeout(Duration::from_secs(60));
    wish.expect("the search ended")
}

#[test]
fn move_time_finishes_searches_and_progress_is_reported() {
    let (play, wishes) = thinking(Duration::from_millis(1));
    let played = play.run();
    let moves = ["searching", "decided"].repeat(2);
    let (first, last) = (["started", "game_started"], ["game_ended", "ended"]);
    assert_eq!(played.heard.kinds(), [&first, &moves[..], &last].concat());
    let events = played.heard.events();
    let note = json!({"name": "nodes", "value": 7});
    let expected = json!({
        "event": "searching", "game": 1, "move": 2, "backend": 0,
        "best": 1, "notes": [note], "cycles": null,
    });
    assert_eq!(events[4], expected);
    assert_eq!(events[5]["answers"][0]["decision"], 1);
    assert_eq!([ended(&wishes), ended(&wishes)], [SearchControl::Finish; 2]);
}

/// Stops once a search is reported.
struct Interrupting(Stopper);

impl Sink<TicTacToe> for Interrupting {
    fn take(&mut self, event: &Event<TicTacToe>) -> std::io::Result<()> {
        if matches!(event, Event::Searching(_)) {
            self.0.stop();
        }
        Ok(())
    }
}

#[test]
fn interrupt_forgets_a_search() {
    // With a time, so that it ends, and fails, when no progress is reported.
    let (mut play, wishes) = thinking(Duration::from_secs(60));
    let (stopper, stop) = Stop::new();
    play.stop = stop;
    play.near = Some(Box::new(Interrupting(stopper)));
    play.run().whole();
    assert_eq!(ended(&wishes), SearchControl::Abandon);
}
