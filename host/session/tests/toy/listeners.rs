//! Listeners on threads of their own.

use std::io;
use std::sync::mpsc;

use lockstep::listeners::BEHIND;
use lockstep::{Event, Sink, Stop};

use crate::game::TicTacToe;
use crate::scripted::Scripted;
use crate::support::{Heard, Play, block_on};

/// Games with these listeners on threads.
fn play(games: u64, far: Vec<Box<dyn Sink<TicTacToe> + Send>>) -> Play {
    let play = Play::of(vec![Scripted::right("a")], games);
    Play { far, ..play }
}

/// Takes one event for every word it gets.
struct Stuck(mpsc::Receiver<()>);

impl Sink<TicTacToe> for Stuck {
    fn take(&mut self, _: &Event<TicTacToe>) -> io::Result<()> {
        // Once the sender is dropped it goes on by itself.
        let _ = self.0.recv();
        Ok(())
    }
}

/// The session ends while the listener hangs, and waits for it only then.
#[test]
fn listener_hanging_does_not_delay_interrupt() {
    let (words, stuck) = mpsc::channel();
    let (stopper, stop) = Stop::new();
    let mut play = play(1_000, vec![Box::new(Stuck(stuck))]);
    play.stop = stop;
    let heard = play.heard.clone();
    let played = block_on(play.beside(async {
        // The listener has one event, and all it may be behind wait, so that the session waits
        // with the next one.
        while heard.events().len() < BEHIND + 2 {
            tokio::task::yield_now().await;
        }
        stopper.stop();
        // Nothing but the session is left to run here.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let last = heard.kinds().pop();
        drop(words);
        assert_eq!(last.as_deref(), Some("ended"), "received while it hangs");
    }));
    assert!(played.whole().interrupted);
}

/// Fails at its third event, or at the end.
struct Failing {
    events: u32,
    at_the_end: bool,
}

impl Sink<TicTacToe> for Failing {
    fn take(&mut self, event: &Event<TicTacToe>) -> io::Result<()> {
        self.events += 1;
        let is_end = matches!(event, Event::Ended { .. });
        match is_end || !self.at_the_end && self.events > 2 {
            true => Err(io::Error::other("the disk is full")),
            false => Ok(()),
        }
    }
}

#[test]
fn listener_failing_ends_session() {
    for (games, at_the_end) in [(2_000, false), (1, true)] {
        let events = 0;
        let failing = Box::new(Failing { events, at_the_end });
        // The other one wrote all, and is waited for.
        let played = play(games, vec![failing, Box::new(Heard::default())]).run();
        let error = played.result.expect_err("it fails").to_string();
        assert_eq!(error, "the disk is full");
        // The events it had taken, those that waited, the one that was refused, the end.
        let count = played.heard.events().len();
        assert!(count <= 3 + BEHIND + 2, "{count}");
        let last = played.heard.events().pop().expect("events");
        assert_eq!(last["event"], "ended", "the others get the end");
    }
}

#[test]
fn listener_on_thread_gets_events_in_order() {
    let there = Heard::default();
    let played = play(500, vec![Box::new(there.clone())]).run();
    assert_eq!(there.events().len(), 1 + 500 * 12 + 1);
    assert_eq!(played.heard.events(), there.events());
}
