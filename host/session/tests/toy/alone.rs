//! Replaying one record on one session.

use std::path::Path;
use std::sync::atomic::Ordering;

use lockstep::record::Ending;
use lockstep::replay::Replay;
use lockstep::report::Totals;
use lockstep::{Listeners, SessionError, Stop};

use crate::records::{folder, lines, record, write};
use crate::replays::{opening, readers, told};
use crate::scripted::{Reply, Scripted};
use crate::support::{block_on, drawn, header, session};

/// What comes of it.
fn alone(path: &Path, backend: Scripted, stop: Stop) -> (Totals, Result<Ending, SessionError>) {
    let mut totals = Totals::default();
    let ended = block_on(async {
        let controller = drawn();
        let session = session(vec![backend.boxed()], &controller, stop).await;
        let header = header(&session, &controller);
        let records = readers(&[path.into()]);
        let mut replay = Replay::with_same(session, records).expect("a thread");
        let mut listeners = Listeners::new().with(&mut totals);
        replay.record(&header, &mut listeners).await
    });
    (totals, ended)
}

/// An interrupt before the first question: nobody is asked.
#[test]
fn a_replay_that_is_stopped_asks_nothing_more() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let (stopper, stop) = Stop::new();
    let backend = Scripted::right("a");
    let asked = backend.asked();
    let (_, before) = alone(&path, backend, stop.clone());
    before.expect("replayed");
    assert_eq!(asked.load(Ordering::SeqCst), 20);
    stopper.stop();
    let mut totals = Totals::default();
    block_on(async {
        let (open, opened) = opening(|| vec![Scripted::right("a")]);
        let replay = Replay::with_new(open, 2, readers(&[path]), stop);
        let header = told(vec![Scripted::right("a")]).await;
        let mut listeners = Listeners::new().with(&mut totals);
        let replayed = replay
            .expect("a thread")
            .record(&header, &mut listeners)
            .await;
        assert_eq!(replayed.expect("stopped in good order"), Ending::Unread);
        assert_eq!(opened.load(Ordering::SeqCst), 0);
    });
    assert_eq!((totals.decisions, totals.interrupted), (0, true));
}

/// Neither does what was found before a line that cannot be read get lost, nor
/// the reason why it cannot.
#[test]
fn a_replay_compares_what_comes_before_a_broken_line() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let mut broken = lines(&path);
    broken[4] = "{}".into();
    write(&path, &(broken.join("\n") + "\n"));
    let (totals, ended) = alone(&path, Scripted::right("a"), Stop::never());
    let error = ended.expect_err("a broken line").to_string();
    assert!(error.contains("line 5"), "{error}");
    assert_eq!((totals.agreed, totals.error), (Some(3), Some(error)));
}

#[test]
fn replays_compare_with_the_record_and_count_its_games() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let wrong = Scripted::new("wrong", |number, _, right| {
        Reply::Decision(if number == 12 { Some(7) } else { right })
    });
    let (totals, ended) = alone(&path, wrong, Stop::never());
    assert_eq!(ended.expect("replayed"), Ending::Complete);
    assert_eq!(
        (totals.decisions, totals.compared, totals.games),
        (20, 20, 2)
    );
    assert_eq!((totals.agreed, totals.diverged), (Some(19), Some(1)));
    assert_eq!(totals.score["rows"], None, "a replay plays nothing");
    let first = totals.first_divergence.expect("one");
    assert_eq!((first.game, first.step), (2, 3));
}
