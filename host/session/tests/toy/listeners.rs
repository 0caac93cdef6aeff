//! Listeners on threads of their own.

use std::io;
use std::mem;
use std::sync::mpsc;
use std::time::Duration;

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
/// heard, however far it is behind: the session ends while the listener hangs,
/// and waits for it only then.
#[test]
fn an_interrupt_is_heard_while_a_listener_hangs() {
    let (words, stuck) = mpsc::channel();
    let mut totals = Totals::default();
    let heard = Heard::default();
    let mut near = heard.clone();
    block_on(async {
        let (stopper, stop) = Stop::new();
        let controller = drawn();
        let backend = Scripted::right("a").boxed();
        let mut session = session(vec![backend], &controller, stop).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new()
            .with(&mut totals)
            .with(&mut near)
            .on_thread("stuck", Stuck { words: stuck })
            .expect("a thread");
        let playing = session.play(&header, &SETUP, 1_000, 100, &mut listeners);
        let stopping = async {
            // One event is with it and all it may be behind wait for it, so that
            // the session waits with the next one.
            while heard.count() < BEHIND + 2 {
                tokio::task::yield_now().await;
            }
            stopper.stop();
            // Nothing but the session is left to run here.
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            let last = heard.kinds().pop();
            drop(words);
            assert_eq!(last.as_deref(), Some("ended"), "heard while it hangs");
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
            .play(&header, &SETUP, 2_000, 100, &mut listeners)
            .await
    });
    let error = played.expect_err("it fails").to_string();
    assert_eq!(error, "the disk is full");
    // What it had taken, what waited for it, the event it was missed at, the end.
    assert!(heard.count() <= 3 + BEHIND + 2, "{}", heard.count());
    let last = heard.events().pop().expect("events");
    assert_eq!(last["event"], "ended", "the others are told the end");
}

/// Fails at the end, as a disk does that is full just then.
struct FailingLast;

impl Sink<TicTacToe> for FailingLast {
    fn take(&mut self, event: &Event<TicTacToe>) -> io::Result<()> {
        match event {
            Event::Ended { .. } => Err(io::Error::other("the disk is full")),
            _ => Ok(()),
        }
    }
}

/// The session has nothing more to tell it, and another one that wrote all is
/// waited for after it.
#[test]
fn a_listener_that_cannot_write_the_end_is_an_error() {
    let played = block_on(async {
        let controller = drawn();
        let backend = Scripted::right("a").boxed();
        let mut session = session(vec![backend], &controller, Stop::never()).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new()
            .on_thread("failing", FailingLast)
            .and_then(|listeners| listeners.on_thread("far", Heard::default()))
            .expect("threads");
        session.play(&header, &SETUP, 1, 100, &mut listeners).await
    });
    let error = played.expect_err("it fails").to_string();
    assert_eq!(error, "the disk is full");
}

/// Writes what it was told when nothing more comes: at once, or not before it is asked again.
struct Gathering {
    told: u32,
    waits: bool,
    asked: bool,
    written: mpsc::Sender<u32>,
}

impl Sink<TicTacToe> for Gathering {
    fn take(&mut self, _: &Event<TicTacToe>) -> io::Result<()> {
        self.told += 1;
        self.asked = false;
        Ok(())
    }

    fn idle(&mut self) -> io::Result<Option<Duration>> {
        if self.told == 0 {
            return Ok(None);
        }
        if self.waits && !mem::replace(&mut self.asked, true) {
            return Ok(Some(Duration::from_millis(1)));
        }
        // Once the test has ended nobody reads it.
        let _ = self.written.send(mem::take(&mut self.told));
        Ok(None)
    }
}

#[test]
fn a_listener_writes_while_the_session_has_nothing_to_tell() {
    for waits in [false, true] {
        let (written, heard) = mpsc::channel();
        let gathering = Gathering {
            told: 0,
            waits,
            asked: false,
            written,
        };
        let mut listeners = Listeners::new()
            .on_thread("gathering", gathering)
            .expect("a thread");
        for _ in 0..3 {
            block_on(listeners.tell(Event::PoweredUp, &Stop::never())).expect("told");
            let one = heard.recv_timeout(Duration::from_secs(60));
            assert_eq!(one, Ok(1), "waits: {waits}");
        }
        block_on(listeners.finish()).expect("all is written");
    }
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
