//! Long decisions: their progress is reported, and they can be finished or forgotten.

use std::sync::mpsc;
use std::time::Duration;

use lockstep::backend::Kind;
use lockstep::backend::software::Software;
use lockstep::{Event, Listeners, Sink, Stop};
use lockstep_games::{
    BoxError, Capabilities, Decider, Found, Golden as _, Implementation, Progress, Watch, Wish,
};
use serde_json::json;

use crate::game::{Controller, Position, TicTacToe};
use crate::scripted::nodes;
use crate::support::{Heard, SETUP, block_on, drawn, header, session};

/// Reports its decision at once, and searches on until it is to end.
#[derive(Clone)]
struct Thinker {
    /// Is sent the wish that ended each search.
    ended: mpsc::Sender<Wish>,
}

impl Thinker {
    fn new() -> (Box<Self>, mpsc::Receiver<Wish>) {
        let (ended, wishes) = mpsc::channel();
        (Box::new(Self { ended }), wishes)
    }
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
    ) -> Result<Option<Found<TicTacToe>>, BoxError> {
        let decision = self.decide(position)?;
        watch.progress(Progress {
            best: Some(decision),
            notes: vec![nodes(7, false)],
            cycles: None,
        });
        while watch.wish() == Wish::GoOn {
            std::thread::yield_now();
        }
        let wish = watch.wish();
        // The test may have ended.
        let _ = self.ended.send(wish);
        Ok((wish == Wish::Finish).then(|| Found::plain(decision)))
    }
}

fn thinking(thinker: Box<Thinker>) -> Box<Software<TicTacToe>> {
    let thinking = Software::new("thinker", Kind::Engine, thinker);
    Box::new(thinking.expect("a thread"))
}

#[test]
fn move_time_finishes_searches_and_progress_is_reported() {
    let (thinker, wishes) = Thinker::new();
    let mut heard = Heard::default();
    block_on(async {
        let controller = drawn();
        let mut session = session(vec![thinking(thinker)], &controller, Stop::never()).await;
        session.set_move_time(Some(Duration::from_millis(1)));
        let header = header(&session, &controller);
        let mut listeners = Listeners::new().with(&mut heard);
        let played = session.play(&header, &SETUP, 1, 2, &mut listeners);
        played.await.expect("played");
    });
    let kinds = heard.kinds();
    let moves = ["searching", "decided"].repeat(2);
    let expected = [
        vec!["started", "game_started"],
        moves,
        vec!["game_ended", "ended"],
    ]
    .concat();
    assert_eq!(kinds, expected);
    let note = json!({"name": "nodes", "value": 7});
    assert_eq!(
        heard.events()[4],
        json!({
            "event": "searching", "game": 1, "move": 2, "backend": 0,
            "best": 1, "notes": [note], "cycles": null,
        })
    );
    assert_eq!(heard.events()[5]["answers"][0]["decision"], 1);
    ended(&wishes, &[Wish::Finish; 2]);
}

/// Waits for the wishes that ended as many searches.
fn ended(wishes: &mpsc::Receiver<Wish>, expected: &[Wish]) {
    for wish in expected {
        assert_eq!(wishes.recv_timeout(Duration::from_secs(60)), Ok(*wish));
    }
}

/// Wants no more once a search is reported.
struct Interrupting(lockstep::stop::Stopper);

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
    let (thinker, wishes) = Thinker::new();
    block_on(async {
        let (stopper, stop) = Stop::new();
        let controller = drawn();
        let mut session = session(vec![thinking(thinker)], &controller, stop).await;
        // So that it ends, and fails, when no progress is reported.
        session.set_move_time(Some(Duration::from_secs(60)));
        let header = header(&session, &controller);
        let mut interrupting = Interrupting(stopper);
        let mut listeners = Listeners::new().with(&mut interrupting);
        let played = session.play(&header, &SETUP, 1, 2, &mut listeners);
        played.await.expect("stopped in good order");
    });
    ended(&wishes, &[Wish::Forget]);
}
