//! Matches: each seat has its controller and its backends.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lockstep::event::{End, GameEnd, Seat};
use lockstep::record::{outcome_name, outcome_named};
use lockstep::report::{BackendTotals, Totals};
use lockstep::{Session, SessionError, Stop};
use lockstep_games::Outcome;
use serde_json::json;

use crate::game::TicTacToe;
use crate::records::{folder, lines, open};
use crate::scripted::{Reply, Scripted};
use crate::support::{Play, block_on, drawn, in_order};

fn seat(backends: &[usize]) -> Seat<TicTacToe> {
    Seat {
        controller: in_order(),
        backends: backends.to_vec(),
    }
}

/// The first and the last of three backends play X, the second and the last play O.
fn seats() -> Vec<Seat<TicTacToe>> {
    let other = Seat {
        controller: drawn(),
        ..seat(&[1, 2])
    };
    vec![seat(&[0, 2]), other]
}

pub fn right() -> Vec<Scripted> {
    ["a", "b", "c"].map(Scripted::right).into()
}

pub fn play(backends: Vec<Scripted>) -> Play {
    Play {
        controller: in_order(),
        seats: seats(),
        ..Play::of(backends, 2)
    }
}

fn count(counts: &[Arc<AtomicU64>]) -> Vec<u64> {
    let counts = counts.iter();
    counts.map(|count| count.load(Ordering::SeqCst)).collect()
}

/// A backend of both seats gets the controller of the seat to move.
#[test]
fn seats_ask_their_backends_with_their_controllers() {
    let backends = right();
    let asked: Vec<_> = backends.iter().map(Scripted::asked).collect();
    let configured: Vec<_> = backends.iter().map(Scripted::configured).collect();
    let played = play(backends).run();
    let decided = played.heard.of("decided").into_iter().take(5);
    let cells = decided.map(|event| event["answers"][0]["decision"].clone());
    // X takes the first free cell, O by its own order.
    assert!(cells.eq([0, 4, 1, 8, 2].map(|cell| json!(cell))));
    let ends = played.heard.of("game_ended");
    assert!(ends.iter().all(|end| end["outcome"] == json!({"won": 0})));
    let totals = played.whole();
    let labels = totals.backends.iter().map(BackendTotals::label);
    assert!(labels.eq(["a (X)", "b (O)", "c (X, O)"]));
    let ended = GameEnd {
        game: 1,
        moves: 5,
        score: Some(1),
        outcome: Some(Outcome::Won(0)),
        end: End::Over,
    };
    assert_eq!(totals.ended, [ended, GameEnd { game: 2, ..ended }]);
    // X decides with nine, seven and five free cells, O with eight and six.
    let backend = |name: &str, seats: &[&str], cycles: [u64; 3]| {
        let [decisions, total, max] = cycles;
        let mean = total as f64 / decisions as f64;
        json!({
            "name": name, "kind": "link", "description": "scripted", "build_id": null, "seats": seats,
            "decisions": decisions, "diverged": 0, "link": null,
            "cycles": {"mean": mean, "max": max, "total": total},
        })
    };
    let backends = [
        backend("a", &["X"], [6, 72, 14]),
        backend("b", &["O"], [4, 48, 13]),
        backend("c", &["X", "O"], [10, 120, 14]),
    ];
    let expected = json!({
        "decisions": 10, "compared": 10, "agreed": 10, "diverged": 0, "games": 2, "rows": 2,
        "outcomes": {"X": 2}, "interrupted": false, "error": null, "backends": backends,
        "first_divergence": null,
    });
    assert_eq!(json!(totals), expected);
    assert_eq!(count(&asked), [6, 4, 10]);
    // Once for each seat, then whenever the seat to move changes.
    assert_eq!(count(&configured), [1, 1, 2 + 4 + 4]);
}

#[test]
fn seats_of_one_controller_configure_once() {
    let backend = Scripted::right("a");
    let configured = backend.configured();
    let play = Play::of(vec![backend], 1);
    let seats = vec![seat(&[0]); 2];
    Play { seats, ..play }.run().whole();
    assert_eq!(count(&[configured]), [1]);
}

#[test]
fn seat_without_a_backend_is_refused() {
    let mut session = Session::new(vec![Scripted::right("a").boxed()], Stop::never());
    for missing in [&[][..], &[1]] {
        let seated = block_on(session.take_seats(vec![seat(&[0]), seat(missing)]));
        let refused = matches!(seated, Err(SessionError::NoBackends));
        assert!(refused, "{seated:?}");
    }
}

/// The record of a match holds seats, outcomes and promised notes, and can be resumed after any line.
#[test]
fn record_of_a_match_resumes_after_any_line() {
    let noted = |name| Scripted::new(name, |_, _, right| Reply::Noted(right, 9, true));
    let backends = || vec![noted("a"), Scripted::right("b"), noted("c")];
    let folder = folder();
    let path = folder.path().join("a.jsonl");
    let played = play(backends()).resume(&path).expect("played");
    let good = lines(&path);
    let reader = open(&path).expect("a record");
    let names = reader.head().seats.iter().map(|seat| seat.seat.as_str());
    assert!(names.eq(["X", "O"]));
    assert_eq!(reader.head().controllers(), [in_order(), drawn()]);
    let parse = |line: &String| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let parsed: Vec<_> = good.iter().map(parse).collect();
    assert_eq!(
        (&parsed[1]["seat"], &parsed[1]["outcome"]),
        (&json!("X"), &json!(null))
    );
    let nodes = json!({"nodes": 9});
    assert_eq!(parsed[1]["notes"], json!({"a": nodes, "c": nodes}));
    assert_eq!(parsed[2]["notes"], json!({"c": nodes}));
    assert_eq!(parsed[5]["outcome"], "X");
    let numbers = |totals: &Totals| serde_json::to_value(totals).expect("JSON");
    for length in 1..good.len() {
        fs::write(&path, good[..length].join("\n") + "\n").expect("written");
        let again = play(backends()).resume(&path).expect("resumed");
        assert_eq!(lines(&path), good, "{length}");
        assert_eq!(
            again.heard.of("decided"),
            played.heard.of("decided"),
            "{length}"
        );
        assert_eq!(numbers(&again.totals), numbers(&played.totals), "{length}");
    }
}

#[test]
fn outcomes_have_names() {
    let all = [Outcome::Won(0), Outcome::Won(1), Outcome::Draw];
    let names = all.map(outcome_name::<TicTacToe>);
    assert_eq!(names, ["X", "O", "draw"]);
    assert_eq!(names.map(outcome_named::<TicTacToe>), all.map(Some));
    assert_eq!(outcome_named::<TicTacToe>("black"), None);
}
