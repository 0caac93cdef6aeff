//! Playing and comparing.

use std::sync::atomic::Ordering;

use lockstep::compare::{compare, first_difference};
use lockstep::report::Totals;
use lockstep::{Answer, Listeners, Session, SessionError, Stop};
use lockstep_games::{
    BoardSize, Boards, Capabilities, Demands, Field, Game, NoBatches, Trace, Words,
};
use serde_json::json;

use crate::game::{Controller, Position, Setup, TicTacToe, ToyError};
use crate::scripted::{Reply, Scripted, nodes};
use crate::support::{Heard, SETUP, block_on, drawn, header, in_order, session};

/// Plays games and returns what they came to and what was told.
fn play(
    backends: Vec<Scripted>,
    games: u64,
    most: u64,
) -> (Totals, Heard, Result<(), SessionError>) {
    let mut totals = Totals::default();
    let mut heard = Heard::default();
    let played = block_on(async {
        let backends = backends.into_iter().map(Scripted::boxed).collect();
        let controller = in_order();
        let mut session = session(backends, &controller, Stop::never()).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new().with(&mut totals).with(&mut heard);
        session
            .play(&header, &SETUP, games, most, &mut listeners)
            .await
    });
    (totals, heard, played)
}

#[test]
fn a_session_is_send() {
    fn is_send<T: Send>(_: &T) {}
    let session: Session<TicTacToe> = Session::new(Vec::new(), Stop::never());
    is_send(&session);
}

#[test]
fn whole_games_are_played_compared_and_told_in_order() {
    let (totals, heard, played) = play(vec![Scripted::right("a"), Scripted::right("b")], 2, 100);
    played.expect("played");
    // X wins with the stones 0, 2, 4, 6.
    assert_eq!(
        (totals.games, totals.decisions, totals.compared),
        (2, 14, 14)
    );
    assert_eq!((totals.agreed, totals.diverged), (Some(14), Some(0)));
    assert_eq!(totals.score["rows"], Some(2));
    let game = |n: usize| {
        let mut kinds = vec!["game_started"];
        kinds.extend(vec!["decided"; n]);
        kinds.push("game_ended");
        kinds
    };
    let expected = [vec!["started"], game(7), game(7), vec!["ended"]].concat();
    assert_eq!(heard.kinds(), expected);
    let events = heard.events();
    assert_eq!(
        (&events[2]["game"], &events[2]["move"], &events[2]["score"]),
        (&json!(1), &json!(1), &json!(0)),
        "counted from 1"
    );
    assert_eq!(events[9]["end"], "over");
    let before = events.iter().filter(|e| e["event"] == "decided");
    let rows: Vec<_> = before.map(|e| e["score"].clone()).collect();
    assert_eq!(rows, vec![json!(0); 14], "before the stone that ends it");
    assert_eq!(events[0]["backends"][1]["name"], "b");
}

#[test]
fn a_game_ends_at_its_first_divergence_and_the_next_begins() {
    let wrong = Scripted::new("wrong", |number, _, right| {
        Reply::Decision(if number == 2 { Some(8) } else { right })
    });
    let (totals, heard, played) = play(vec![Scripted::right("right"), wrong], 2, 100);
    played.expect("played");
    assert_eq!((totals.decisions, totals.diverged), (3 + 7, Some(1)));
    assert_eq!(
        (totals.backends[0].diverged, totals.backends[1].diverged),
        (Some(0), Some(1))
    );
    let first = totals.first_divergence.expect("one");
    assert_eq!((first.game, first.step), (1, 3));
    let mismatch = serde_json::to_value(&first.mismatches[0]).expect("JSON");
    assert_eq!(
        mismatch,
        json!({"name": "wrong", "backend": 1, "field": "cell", "expected": 2, "got": 8})
    );
    let ends: Vec<_> = heard.events().iter().map(|e| e["end"].clone()).collect();
    assert_eq!(ends[5], "diverged");
}

/// The deal is that of the game's number from 0, whatever number is told.
#[test]
fn games_are_dealt_one_by_one_from_the_first() {
    let mut heard = Heard::default();
    block_on(async {
        let controller = drawn();
        let backend = Scripted::right("a").boxed();
        let mut session = session(vec![backend], &controller, Stop::never()).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new().with(&mut heard);
        let setup = Setup { openings: 2 };
        let played = session.play(&header, &setup, 3, 1, &mut listeners);
        played.await.expect("played");
    });
    let events = heard.events();
    let dealt = events.iter().filter(|e| e["event"] == "decided");
    let stones: Vec<Option<usize>> = dealt
        .map(|e| {
            e["position"]["cells"]
                .as_array()?
                .iter()
                .position(|c| c == "X")
        })
        .collect();
    assert_eq!(stones, [Some(0), Some(1), None]);
}

/// Answers wrongly to the questions of those numbers.
fn wrong_at(numbers: &'static [u64]) -> Vec<Scripted> {
    let wrong = Scripted::new("wrong", |number, _, right| {
        let is_wrong = numbers.contains(&number);
        Reply::Decision(if is_wrong { Some(8) } else { right })
    });
    vec![Scripted::right("right"), wrong]
}

#[test]
fn totals_of_several_sessions_are_summed_up() {
    let (mut totals, ..) = play(wrong_at(&[2, 4]), 2, 100);
    let first = totals.first_divergence.as_ref().expect("two");
    assert_eq!((first.game, first.step), (1, 3), "not the second");
    let (later, ..) = play(wrong_at(&[0]), 2, 100);
    totals.merge(later);
    assert_eq!((totals.games, totals.decisions), (4, 5 + 8));
    assert_eq!((totals.agreed, totals.diverged), (Some(10), Some(3)));
    let first = totals.first_divergence.expect("three");
    assert_eq!(
        (first.game, first.step),
        (1, 3),
        "that of the first session"
    );
    let wrong = &totals.backends[1];
    assert_eq!((wrong.decisions, wrong.diverged), (13, Some(3)));
    // Every question takes a cycle more than the one before of its game, from 10.
    let games = [10..13, 10..12, 10..11, 10..17];
    let total: u64 = games.into_iter().flatten().sum();
    let cycles = wrong.cycles;
    assert_eq!((cycles.total, cycles.max), (Some(total), Some(16)));
    assert_eq!(cycles.mean, Some(total as f64 / 13.0));
}

/// Decides as tic-tac-toe does, and shows nothing of it.
#[derive(Debug, Clone, Copy)]
struct Secret;

impl Game for Secret {
    const NAME: &'static str = "secret";
    const WORDS: Words = TicTacToe::WORDS;

    type Position = Position;
    type Decision = Option<usize>;
    type Weighed = ();
    type Batches = NoBatches;
    type Controller = Controller;
    type Setup = Setup;
    type Error = ToyError;

    fn fields(_: &Option<usize>) -> Vec<Field> {
        Vec::new()
    }

    fn weighed_fields((): &()) -> Vec<Field> {
        Vec::new()
    }

    fn demands(position: &Position) -> Demands {
        TicTacToe::demands(position)
    }

    fn class(position: &Position) -> &'static str {
        TicTacToe::class(position)
    }
}

/// Of what was weighed as of the decision.
#[test]
fn a_difference_of_traces_that_no_field_shows_is_one() {
    let trace = |decision| Trace::<Secret> {
        weighed: vec![()],
        decision,
    };
    let (same, other) = (trace(Some(4)), trace(Some(5)));
    assert_eq!(first_difference(&same, &same), None);
    let first = first_difference(&same, &other).expect("they differ");
    assert_eq!((first.weighed, first.field), (None, "decision"));
    assert_eq!(first.expected.to_string(), "Some(4)");
}

#[test]
fn a_difference_that_no_field_shows_is_one() {
    let answers = [Some(1), None].map(Answer::<Secret>::plain);
    let found = compare::<Secret>(&Some(1), &[0, 1], &answers);
    let found = serde_json::to_value(found).expect("JSON");
    assert_eq!(
        found,
        json!([{"backend": 1, "field": "decision", "expected": "Some(1)", "got": "None"}])
    );
}

/// A note is compared with that of the first backend that promises it, by those that promise
/// it.
#[test]
fn compare_notes_differ_only_where_promised() {
    let (promised, shown) = (true, false);
    for (notes, differ) in [
        (&[(5, promised), (5, promised)][..], &[][..]),
        (&[(5, promised), (6, promised)], &[(1, 6)]),
        (&[(5, promised), (6, shown)], &[]),
        (&[(6, shown), (5, promised)], &[]),
        (&[(6, shown), (5, promised), (7, promised)], &[(2, 7)]),
    ] {
        let answers = notes.iter().map(|&(number, promised)| Answer::<TicTacToe> {
            notes: vec![nodes(number, promised)],
            ..Answer::plain(Some(4))
        });
        let answers: Vec<_> = answers.collect();
        let found = compare(&Some(4), &[0, 1, 2], &answers);
        let found = serde_json::to_value(found).expect("JSON");
        let differ = differ.iter().map(|(backend, got)| {
            json!({"backend": backend, "field": "nodes", "expected": 5, "got": got})
        });
        assert_eq!(found, json!(differ.collect::<Vec<_>>()), "{notes:?}");
    }
}

#[test]
fn session_promised_notes_differ_ends_the_game() {
    let noted = |name, nodes, promised| {
        Scripted::new(name, move |number, _, right| match number {
            2 => Reply::Noted(right, nodes, promised),
            _ => Reply::Decision(right),
        })
    };
    for (promised, decisions) in [(true, 3), (false, 7)] {
        let backends = vec![noted("a", 5, true), noted("b", 6, promised)];
        let (totals, heard, played) = play(backends, 1, 100);
        played.expect("played");
        let diverged = u64::from(promised);
        assert_eq!(
            (totals.decisions, totals.diverged),
            (decisions, Some(diverged))
        );
        let events = heard.events();
        assert_eq!(
            events[4]["answers"][1]["notes"][0]["value"], 6,
            "shown all the same"
        );
    }
}

/// A decision that takes long is told as it is found.
#[test]
fn those_who_may_take_long_are_asked_one_position_at_a_time() {
    let board = Boards::Only(BoardSize::new(3, 3));
    let ahead = Capabilities {
        known_next: true,
        ..Capabilities::plain(board)
    };
    let batch = |backend: Scripted| {
        let backends = vec![Scripted::right("a").boxed(), backend.boxed()];
        Session::new(backends, Stop::never()).batch()
    };
    let search = Capabilities {
        search: true,
        ..Capabilities::plain(board)
    };
    for slow in [ahead, search] {
        assert_eq!(batch(Scripted::right("b").with(slow)), 1, "{slow:?}");
    }
    assert!(batch(Scripted::right("b")) > 1);
}

#[test]
fn one_backend_alone_is_not_said_to_agree() {
    let (totals, _, played) = play(vec![Scripted::right("alone")], 1, 100);
    played.expect("played");
    assert_eq!((totals.decisions, totals.compared), (7, 0));
    assert_eq!((totals.agreed, totals.diverged), (None, None));
    assert_eq!(totals.backends[0].diverged, None);
}

#[test]
fn a_game_stops_at_the_limit() {
    let (totals, heard, played) = play(vec![Scripted::right("a"), Scripted::right("b")], 1, 3);
    played.expect("played");
    assert_eq!(totals.decisions, 3);
    assert!(heard.events().iter().any(|e| e["end"] == "limit"));
}

#[test]
fn what_the_rules_forbid_is_an_error_and_the_end_is_told() {
    let taken = |name| Scripted::new(name, |_, _, _| Reply::Decision(Some(4)));
    let (totals, heard, played) = play(vec![taken("a"), taken("b")], 1, 100);
    let error = played.expect_err("cell 4 is taken").to_string();
    assert_eq!(
        error,
        "game 1, move 2: a decided what the rules forbid: cell 4 is taken"
    );
    assert_eq!(totals.error.as_deref(), Some(error.as_str()));
    assert_eq!(heard.kinds().last().map(String::as_str), Some("ended"));
}

#[test]
fn a_backend_that_fails_ends_the_session_with_what_was_decided() {
    let failing = Scripted::new("failing", |number, _, right| match number {
        4 => Reply::Failure,
        _ => Reply::Decision(right),
    });
    let (totals, heard, played) = play(vec![Scripted::right("a"), failing], 1, 100);
    let error = played.expect_err("it fails").to_string();
    assert!(error.starts_with("backend failing: "), "{error}");
    assert_eq!(totals.decisions, 4);
    assert_eq!(totals.error, Some(error));
    assert_eq!(heard.kinds().last().map(String::as_str), Some("ended"));
}

#[test]
fn a_position_that_a_backend_cannot_hold_is_refused_before_anybody_is_asked() {
    let small = Capabilities::plain(Boards::Only(BoardSize::new(2, 2)));
    let able = Scripted::right("able");
    let asked = able.asked();
    let (_, _, played) = play(vec![able, Scripted::right("small").with(small)], 1, 100);
    let error = played.expect_err("it cannot").to_string();
    assert!(
        error.contains("small") && error.contains("2x2, not 3x3"),
        "{error}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[test]
fn no_backends_are_an_error() {
    let (_, _, played) = play(Vec::new(), 1, 100);
    assert!(matches!(played, Err(SessionError::NoBackends)));
}

/// An interrupt is heard while a backend says nothing, and the session can go
/// on with another stop afterwards: nothing was lost.
#[test]
fn an_interrupt_is_heard_while_nobody_answers() {
    let silent = Scripted::new("silent", |number, _, right| match number {
        3 => Reply::Silence,
        _ => Reply::Decision(right),
    });
    let (asked, abandoned) = (silent.asked(), silent.abandoned());
    let mut totals = Totals::default();
    let mut heard = Heard::default();
    block_on(async {
        let (stopper, stop) = Stop::new();
        let controller = drawn();
        let mut session = session(vec![silent.boxed()], &controller, stop).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new().with(&mut totals).with(&mut heard);
        let playing = session.play(&header, &SETUP, 5, 100, &mut listeners);
        let stopping = async {
            while asked.load(Ordering::SeqCst) < 4 {
                tokio::task::yield_now().await;
            }
            assert!(!stopper.stop());
        };
        let (played, ()) = tokio::join!(playing, stopping);
        played.expect("stopped in good order");
    });
    assert!(totals.interrupted);
    assert_eq!((totals.decisions, totals.games), (3, 1));
    assert_eq!(abandoned.load(Ordering::SeqCst), 1, "it need not search on");
    let ends: Vec<_> = heard.events().iter().map(|e| e["end"].clone()).collect();
    assert_eq!(ends[ends.len() - 2], "interrupted");
}

#[test]
fn a_stop_before_the_first_decision_plays_nothing() {
    let mut totals = Totals::default();
    block_on(async {
        let (stopper, stop) = Stop::new();
        let controller = in_order();
        let mut session = session(vec![Scripted::right("a").boxed()], &controller, stop).await;
        stopper.stop();
        assert!(stopper.stop(), "asked before");
        let header = header(&session, &controller);
        let mut listeners = Listeners::new().with(&mut totals);
        let played = session.play(&header, &SETUP, 5, 100, &mut listeners);
        played.await.expect("stopped in good order");
    });
    assert!(totals.interrupted);
    assert_eq!(totals.decisions, 0);
}

#[test]
fn every_backend_is_asked_and_answers_come_by_position() {
    let rows = block_on(async {
        let backends = vec![
            Scripted::right("a").boxed(),
            Scripted::new("b", |_, _, _| Reply::Decision(None)).boxed(),
        ];
        let mut session = session(backends, &in_order(), Stop::never()).await;
        let mut taken = Position::EMPTY;
        taken.cells[0] = 'X';
        session.ask(&[Position::EMPTY, taken]).await
    });
    let rows = rows.expect("answers");
    let decisions: Vec<Vec<Option<usize>>> = rows
        .iter()
        .map(|row| row.answers.iter().map(|answer| answer.decision).collect())
        .collect();
    assert_eq!(decisions, [[Some(0), None], [Some(1), None]]);
}
