//! Listeners on threads of their own.

use std::io;
use std::sync::mpsc;

use lockstep::listeners::BEHIND;
use lockstep::report::Totals;
use lockstep::{Event, Listeners, Sink, Stop};

use crate::game::TicTacToe;
use crate::scripted::Scripted;
use crate::support::{Heard, SETUP, block_on, drawn, header, session};

/// Takes one event for every word it gets, and says when it waits for one.
struct Stuck {
    words: mpsc::Receiver<()>,
}

impl Sink<TicTacToe> for Stuck {
    fn take(&mut self, _: &Event<TicTacToe>) -> io::Result<()> {
        // Whoever would give the word has gone: it goes on by itself.
        let _ = self.words.recv();
        Ok(())
    }
}

/// A terminal that takes nothing more does not keep an interrupt from being
/// heard, however far it is behind.
#[test]
fn an_interrupt_is_heard_while_a_listener_hangs() {
    let (words, stuck) = mpsc::channel();
    let mut totals = Totals::default();
    block_on(async {
        let (stopper, stop) = Stop::new();
        let controller = drawn();
        let backend = Scripted::right("a");
        let asked = backend.asked();
        let mut session = session(vec![backend.boxed()], &controller, stop).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new()
            .with(&mut totals)
            .on_thread("stuck", Stuck { words: stuck })
            .expect("a thread");
        let playing = session.play(&header, &SETUP, 100_000, 100, &mut listeners);
        let stopping = async {
            // It is behind by all it may be, so that the session waits for it.
            let full = BEHIND as u64 / 2;
            while asked.load(std::sync::atomic::Ordering::SeqCst) < full {
                tokio::task::yield_now().await;
            }
            stopper.stop();
            drop(words);
        };
        let (played, ()) = tokio::join!(playing, stopping);
        played.expect("stopped in good order");
    });
    assert!(totals.interrupted);
}

/// Fails at its third event.
struct Failing(u32);

impl Sink<TicTacToe> for Failing {
    fn take(&mut self, _: &Event<TicTacToe>) -> io::Result<()> {
        self.0 += 1;
        match self.0 {
            1 | 2 => Ok(()),
            _ => Err(io::Error::other("the disk is full")),
        }
    }
}

#[test]
fn a_listener_that_cannot_write_ends_the_session_with_its_reason() {
    let mut heard = Heard::default();
    let played = block_on(async {
        let controller = drawn();
        let mut session = session(
            vec![Scripted::right("a").boxed()],
            &controller,
            Stop::never(),
        )
        .await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new()
            .with(&mut heard)
            .on_thread("failing", Failing(0))
            .expect("a thread");
        session
            .play(&header, &SETUP, 1_000_000, 100, &mut listeners)
            .await
    });
    let error = played.expect_err("it fails").to_string();
    assert_eq!(error, "the disk is full");
    let last = heard.events().pop().expect("events");
    assert_eq!(last["event"], "ended", "the others are told the end");
}

#[test]
fn a_listener_on_a_thread_is_told_everything_in_order() {
    let (here, there) = (Heard::default(), Heard::default());
    let mut near = here.clone();
    block_on(async {
        let controller = drawn();
        let mut session = session(
            vec![Scripted::right("a").boxed()],
            &controller,
            Stop::never(),
        )
        .await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new()
            .with(&mut near)
            .on_thread("far", there.clone())
            .expect("a thread");
        let played = session.play(&header, &SETUP, 500, 100, &mut listeners);
        played.await.expect("played");
    });
    assert_eq!(here.events().len(), 1 + 500 * 12 + 1);
    assert_eq!(here.events(), there.events());
}
