//! Matches: each seat has its controller and its backends.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

use lockstep::event::Seat;
use lockstep::record::{Follow, Head, Origin, Reader, RecordError, Resumed, Wanted};
use lockstep::report::Totals;
use lockstep::{Event, Listeners, Session, SessionError, Sink as _, Stop};
use serde_json::json;

use crate::game::TicTacToe;
use crate::records::{folder, lines};
use crate::scripted::{Reply, Scripted};
use crate::support::{Heard, SETUP, block_on, drawn, header, in_order};

/// X is held by the first and the last of three backends, O by the second and the last.
fn seats() -> Vec<Seat<TicTacToe>> {
    let seat = |controller, backends: [usize; 2]| Seat {
        controller,
        backends: backends.to_vec(),
    };
    vec![seat(in_order(), [0, 2]), seat(drawn(), [1, 2])]
}

fn right() -> Vec<Scripted> {
    ["a", "b", "c"].map(Scripted::right).into()
}

/// Plays two games into a record, or resumes it; the totals and the events.
fn play(path: &Path, backends: Vec<Scripted>) -> Result<(Totals, Heard), RecordError> {
    block_on(async {
        let backends = backends.into_iter().map(Scripted::boxed).collect();
        let mut session = Session::new(backends, Stop::never());
        session.take_seats(seats()).await.expect("seated");
        let mut header = header(&session, &in_order());
        header.seats = seats();
        let wanted = Wanted {
            head: Head::of(&header, Origin::default(), Default::default()),
            games: 2,
            max_moves: 100,
        };
        let (mut totals, mut heard) = (Totals::default(), Heard::default());
        let started = Event::Started(header.clone());
        totals.take(&started).expect("counted");
        let resumed = Resumed::open(path, &wanted, |_| Ok(()), &mut |event| {
            totals.take(&event).expect("counted");
            heard.take(&event).expect("kept");
        })?;
        let Some(recorder) = resumed.recorder else {
            return Ok((totals, heard));
        };
        let mut rest = Totals::default();
        let listeners = Listeners::new().with(&mut rest).with(&mut heard);
        let mut listeners = listeners.on_thread("record", recorder).expect("a thread");
        let start = resumed.start;
        let played = session.play_on(&header, &SETUP, start, 2, 100, &mut listeners);
        played.await.expect("played");
        drop(listeners);
        totals.merge(rest);
        Ok((totals, heard))
    })
}

/// A backend that holds both seats gets the controller of the one to move.
#[test]
fn seats_ask_their_backends_with_their_controllers() {
    let backends = right();
    let asked: Vec<_> = backends.iter().map(Scripted::asked).collect();
    let configured: Vec<_> = backends.iter().map(Scripted::configured).collect();
    let folder = folder();
    let (totals, heard) = play(&folder.path().join("a.jsonl"), backends).expect("played");
    // X takes the first free cell, O by its own order: 0, 4, 1, 8, 2.
    assert_eq!(
        (totals.games, totals.decisions, totals.diverged),
        (2, 10, Some(0))
    );
    let events = heard.events();
    let decided = events.iter().filter(|event| event["event"] == "decided");
    let cells: Vec<_> = decided
        .map(|e| e["answers"][0]["decision"].clone())
        .collect();
    assert_eq!(cells[..5], [0, 4, 1, 8, 2].map(|cell| json!(cell)));
    let ends = events.iter().filter(|event| event["event"] == "game_ended");
    let outcomes: Vec<_> = ends.map(|end| end["outcome"].clone()).collect();
    assert_eq!(outcomes, vec![json!({"won": 0}); 2]);
    let counts = |of: &[std::sync::Arc<std::sync::atomic::AtomicU64>]| -> Vec<u64> {
        of.iter()
            .map(|count| count.load(Ordering::SeqCst))
            .collect()
    };
    assert_eq!(counts(&asked), [6, 4, 10]);
    // For each seat, then whenever the other one is to move.
    assert_eq!(counts(&configured), [1, 1, 2 + 4 + 4]);
}

/// A controller is not handed over again where both seats have the same one.
#[test]
fn seats_of_one_controller_configure_once() {
    let backend = Scripted::right("a");
    let configured = backend.configured();
    let mut session = Session::new(vec![backend.boxed()], Stop::never());
    let seat = || Seat {
        controller: in_order(),
        backends: vec![0],
    };
    block_on(async {
        let seated = session.take_seats(vec![seat(), seat()]).await;
        seated.expect("seated");
        let (header, mut nobody) = (header(&session, &in_order()), Listeners::new());
        let played = session.play(&header, &SETUP, 1, 100, &mut nobody);
        played.await.expect("played");
    });
    assert_eq!(configured.load(Ordering::SeqCst), 1);
}

#[test]
fn seat_without_a_backend_is_refused() {
    let mut session = Session::new(vec![Scripted::right("a").boxed()], Stop::never());
    for missing in [vec![], vec![1]] {
        let mut seats = seats();
        seats[0].backends = vec![0];
        seats[1].backends = missing;
        let seated = block_on(session.take_seats(seats));
        assert!(
            matches!(seated, Err(SessionError::NoBackends)),
            "{seated:?}"
        );
    }
}

/// The record of a match names its seats, outcomes and promised notes, and resumes after any of
/// its lines.
#[test]
fn record_of_a_match_goes_round() {
    let noted = |name| Scripted::new(name, |_, _, right| Reply::Noted(right, 9, true));
    let backends = || vec![noted("a"), Scripted::right("b"), noted("c")];
    let folder = folder();
    let path = folder.path().join("a.jsonl");
    let (totals, heard) = play(&path, backends()).expect("played");
    let good = lines(&path);
    let head = Reader::<TicTacToe>::open(&path)
        .expect("a record")
        .head()
        .clone();
    let names: Vec<_> = head.seats.iter().map(|seat| seat.seat.as_str()).collect();
    assert_eq!(
        (names, head.controllers()),
        (vec!["X", "O"], vec![in_order(), drawn()])
    );
    let line =
        |number: usize| -> serde_json::Value { serde_json::from_str(&good[number]).expect("JSON") };
    assert_eq!(
        (&line(1)["seat"], &line(1)["outcome"]),
        (&json!("X"), &json!(null))
    );
    assert_eq!(
        line(1)["notes"],
        json!({"a": {"nodes": 9}, "c": {"nodes": 9}})
    );
    assert_eq!(line(2)["notes"], json!({"c": {"nodes": 9}}));
    assert_eq!(line(5)["outcome"], "X");
    for length in 1..good.len() {
        fs::write(&path, good[..length].join("\n") + "\n").expect("written");
        let (again, resumed) = play(&path, backends()).expect("resumed");
        assert_eq!(lines(&path), good, "{length}");
        let numbers = |totals: &Totals| serde_json::to_value(totals).expect("JSON");
        assert_eq!(numbers(&again), numbers(&totals), "{length}");
        let rounds = |heard: &Heard| -> Vec<_> {
            let events = heard.events().into_iter();
            events.filter(|e| e["event"] == "decided").collect()
        };
        assert_eq!(rounds(&resumed), rounds(&heard), "{length}");
    }
}

#[test]
fn record_with_wrong_seats_is_refused() {
    let folder = folder();
    let path = folder.path().join("a.jsonl");
    play(&path, right()).expect("played");
    let good = lines(&path);
    for (number, from, to, why) in [
        (
            1,
            r#""seat":"O""#,
            r#""seat":"Q""#,
            "its seats are not X, O",
        ),
        (
            1,
            r#""backends":[1,2]"#,
            r#""backends":[]"#,
            "the seat O has no backend",
        ),
        (
            1,
            r#""backends":[1,2]"#,
            r#""backends":[3]"#,
            "or one that is not there",
        ),
        (
            1,
            r#"{"cell_0":4"#,
            r#"{"cell_0":5"#,
            "the integers of the seat O",
        ),
        (
            2,
            r#""seat":"X""#,
            r#""seat":"O""#,
            "the seat that is to move is X, and it names O",
        ),
        (
            6,
            r#""outcome":"X""#,
            r#""outcome":"O""#,
            "the outcome is X, and it names O",
        ),
        (
            6,
            r#","outcome":"X""#,
            "",
            "the outcome is X, and it names none",
        ),
        (
            5,
            r#""decision":8"#,
            r#""decision":8,"outcome":"draw""#,
            "open, and it names draw",
        ),
    ] {
        let mut text = good.clone();
        let line = &mut text[number - 1];
        assert!(line.contains(from), "{from} in {line}");
        *line = line.replacen(from, to, 1);
        fs::write(&path, text.join("\n") + "\n").expect("written");
        let opened = Reader::<TicTacToe>::open(&path).map(|reader| {
            let mut follow = Follow::new(reader.head());
            let wrong = |entry: Result<_, RecordError>| follow.entry(&entry.ok()?).err();
            let mut reader = reader;
            reader.find_map(wrong).expect(why)
        });
        let error = opened.unwrap_or_else(|error| error.to_string());
        assert!(error.contains(why), "{why}: {error}");
    }
}
