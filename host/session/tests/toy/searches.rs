//! Long decisions: their progress is reported, and they can be finished or abandoned.

use std::sync::mpsc;
use std::time::Duration;

use lockstep::Stop;
use lockstep::backend::Kind;
use lockstep::backend::software::Software;
use lockstep_games::{
    BoxError, Capabilities, Decider, Golden as _, Implementation, SearchControl, SearchProgress,
    SearchResult, Watch,
};
use serde_json::json;

use crate::game::{Controller, Position, TicTacToe};
use crate::scripted::{Scripted, nodes};
use crate::support::{Play, block_on, in_order};

/// Reports its decision at once, and searches on until it is stopped.
#[derive(Clone)]
struct Thinker {
    /// Sends the control that ended each search.
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
        let control = watch.control();
        // The test may have ended.
        let _ = self.ended.send(control);
        Ok((control == SearchControl::Finish).then(|| SearchResult {
            notes: vec![nodes(7, false)],
            ..SearchResult::plain(decision)
        }))
    }
}

/// A game of two moves with a time for each, and the controls that end the searches.
fn thinking(move_time: Duration) -> (Play, mpsc::Receiver<SearchControl>) {
    let (ended, controls) = mpsc::channel();
    let thinker = Software::new("thinker", Kind::Engine, Box::new(Thinker { ended }));
    let right = Scripted::right("right").boxed();
    let mut play = Play::new(vec![right, Box::new(thinker.expect("a thread"))], 1);
    (play.moves, play.move_time) = (2, Some(move_time));
    play.controller = in_order();
    (play, controls)
}

/// Waits for the control that ended a search.
fn ended(controls: &mpsc::Receiver<SearchControl>) -> SearchControl {
    let control = controls.recv_timeout(Duration::from_secs(60));
    control.expect("the search ended")
}

#[test]
fn move_time_finishes_searches() {
    let (play, controls) = thinking(Duration::from_millis(1));
    let played = play.run();
    let moves = ["searching", "decided"].repeat(2);
    let (first, last) = (["started", "game_started"], ["game_ended", "ended"]);
    assert_eq!(played.heard.kinds(), [&first, &moves[..], &last].concat());
    let events = played.heard.events();
    let note = json!({"name": "nodes", "value": 7});
    let expected = json!({
        "event": "searching", "game": 1, "move": 2, "backend": 1,
        "best": 1, "notes": [note], "cycles": null,
    });
    assert_eq!(events[4], expected);
    let noted = json!({"decision": 1, "cycles": null, "due": null, "notes": [note]});
    assert_eq!(events[5]["answers"][1], noted);
    assert_eq!(
        [ended(&controls), ended(&controls)],
        [SearchControl::Finish; 2]
    );
}

#[test]
fn interrupt_abandons_a_search() {
    // With a time, so that the test fails, and does not hang, without reported progress.
    let (mut play, controls) = thinking(Duration::from_secs(60));
    let (stopper, stop) = Stop::new();
    play.stop = stop;
    let heard = play.heard.clone();
    let played = block_on(play.beside(async {
        while heard.of("searching").is_empty() {
            tokio::task::yield_now().await;
        }
        stopper.stop();
    }));
    played.whole();
    assert_eq!(ended(&controls), SearchControl::Abandon);
}
