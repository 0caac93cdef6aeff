//! Playing and comparing.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lockstep::compare::{Mismatch, compare};
use lockstep::session::Start;
use lockstep::{Answer, Listeners, Pace, Session, SessionError, Stop};
use lockstep_games::{BoardSize, Boards, Capabilities, Trace};
use serde_json::json;

use crate::game::{Position, TicTacToe, UNREPORTED};
use crate::scripted::{Reply, Scripted, nodes};
use crate::support::{Play, Played, SETUP, block_on, boxed, header, in_order, session};

/// Games of backends that X wins with its fourth stone.
fn play(backends: Vec<Scripted>, games: u64, moves: u64) -> Played {
    let play = Play {
        controller: in_order(),
        moves,
        ..Play::of(backends, games)
    };
    play.run()
}

/// A right backend, and one that answers 8 to the requests of these numbers.
fn wrong_at(numbers: &'static [u64]) -> Vec<Scripted> {
    let wrong = Scripted::new("wrong", |number, _, right| {
        let is_wrong = numbers.contains(&number);
        Reply::Decision(if is_wrong { Some(8) } else { right })
    });
    vec![Scripted::right("right"), wrong]
}

#[test]
fn session_is_send() {
    fn is_send<T: Send>(_: &T) {}
    let session: Session<TicTacToe> = Session::new(Vec::new(), Stop::never());
    is_send(&session);
}

/// Its pace is kept between the decisions of a game.
#[test]
fn session_keeps_its_settings() {
    let (stopper, stop) = Stop::new();
    let pace = Duration::from_millis(2);
    let slowly = async {
        let mut session = session(boxed(vec![Scripted::right("a")]), &in_order(), stop).await;
        session.pace = Pace::every(pace);
        session.move_time = Some(pace);
        let (header, began) = (header(&session, &in_order()), Instant::now());
        let mut nobody = Listeners::new(session.stop());
        let played = session
            .play(&header, &SETUP, Start::default(), 1, 100, &mut nobody)
            .await;
        played.expect("played");
        (session, began.elapsed())
    };
    let (session, took) = block_on(slowly);
    assert!(took >= 6 * pace, "{took:?}");
    assert_eq!(session.move_time, Some(pace));
    stopper.stop();
    assert!(session.stop().requested());
    assert_eq!(session.into_backends()[0].identity().name, "a");
}

#[test]
fn play_divergence_ends_game() {
    let played = play(wrong_at(&[2]), 2, 100);
    let (heard, totals) = (played.heard.clone(), played.whole());
    assert_eq!((totals.decisions, totals.divergences()), (3 + 7, 1));
    let diverged: Vec<_> = totals.backends.iter().map(|b| b.diverged).collect();
    assert_eq!(diverged, [Some(0), Some(1)]);
    let first = totals.first_divergence.expect("one");
    assert_eq!((first.game, first.step), (1, 3));
    let expected = json!({"name": "wrong", "backend": 1, "field": "cell", "expected": 2, "got": 8});
    assert_eq!(json!(first.mismatches[0]), expected);
    assert_eq!(heard.of("game_ended")[0]["end"], "diverged");
}

#[test]
fn totals_of_two_sessions_add_up() {
    let totals = play(wrong_at(&[2, 4]), 2, 100).whole();
    let first = totals.first_divergence.as_ref().expect("two");
    assert_eq!((first.game, first.step), (1, 3), "not the second");
    let later = Play {
        controller: in_order(),
        totals,
        ..Play::of(wrong_at(&[0]), 2)
    };
    let totals = later.run().whole();
    assert_eq!((totals.games, totals.decisions), (4, 5 + 8));
    assert_eq!((totals.agreed, totals.diverged), (Some(10), Some(3)));
    let first = totals.first_divergence.expect("three");
    assert_eq!((first.game, first.step), (1, 3), "the first session's");
    let wrong = &totals.backends[1];
    assert_eq!((wrong.decisions, wrong.diverged), (13, Some(3)));
    // Every decision takes a cycle more than the one before it in its game, from 10.
    let games = [10..13, 10..12, 10..11, 10..17];
    let total: u64 = games.into_iter().flatten().sum();
    let cycles = wrong.cycles;
    assert_eq!((cycles.total, cycles.max), (Some(total), Some(16)));
    assert_eq!(cycles.mean, Some(total as f64 / 13.0));
}

/// A field that the expected decision lacks is compared with the first answer that reports it.
#[test]
fn compare_unreported_field_differs_from_first_report() {
    for (cells, differ) in [
        ([UNREPORTED, 4, 4], &[][..]),
        ([UNREPORTED, 4, 5], &[2]),
        ([4, UNREPORTED, 5], &[2]),
        ([4, 5, 5], &[1, 2]),
    ] {
        let answers = cells.map(|cell| Answer::<TicTacToe>::plain(Some(cell)));
        let found = compare(&Some(UNREPORTED), &[0, 1, 2], &answers);
        let is_named = |m: &Mismatch| m.difference.to_string() == "cell: expected 4, got 5";
        assert!(found.iter().all(is_named), "{found:?}");
        let found: Vec<_> = found.iter().map(|mismatch| mismatch.backend).collect();
        assert_eq!(found, differ, "{cells:?}");
    }
}

/// A promised note is compared with the note of the first backend that promises it.
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
fn session_slow_backends_get_one_position_at_a_time() {
    let plain = || Capabilities::plain(Boards::Only(BoardSize::new(3, 3)));
    let batch = |backend: Scripted| {
        let backends = boxed(vec![Scripted::right("a"), backend]);
        Session::new(backends, Stop::never()).batch()
    };
    let (mut ahead, mut search) = (plain(), plain());
    (ahead.known_next, search.search) = (true, true);
    for slow in [ahead, search] {
        assert_eq!(batch(Scripted::right("b").with(slow)), 1, "{slow:?}");
    }
    assert!(batch(Scripted::right("b")) > 1);
}

#[test]
fn play_limit_of_moves_ends_the_game() {
    let played = play(vec![Scripted::right("a"), Scripted::right("b")], 1, 3);
    assert_eq!(played.heard.of("game_ended")[0]["end"], "limit");
    assert_eq!(played.whole().decisions, 3);
}

/// The listeners have all decisions before the error, and get the end.
#[test]
fn play_errors_end_the_session() {
    let small = Capabilities::plain(Boards::Only(BoardSize::new(2, 2)));
    let taken = |name| Scripted::new(name, |_, _, _| Reply::Decision(Some(4)));
    let failing = Scripted::new("failing", |number, _, right| match number {
        4 => Reply::Failure,
        _ => Reply::Decision(right),
    });
    let able = Scripted::right("able");
    let asked = able.asked();
    for (backends, why, decisions) in [
        (
            vec![taken("a"), taken("b")],
            "game 1, move 2: the rules forbid the decision of a: cell 4 is taken",
            2,
        ),
        (vec![Scripted::right("a"), failing], "backend failing: ", 4),
        (
            vec![able, Scripted::right("small").with(small)],
            "is 3x3, expected 2x2",
            0,
        ),
        (Vec::new(), "at least one backend", 0),
    ] {
        let played = play(backends, 1, 100);
        let error = played.result.expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
        assert_eq!(
            (played.totals.decisions, &played.totals.error),
            (decisions, &Some(error))
        );
        assert_eq!(
            played.heard.kinds().last().map(String::as_str),
            Some("ended")
        );
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0, "no backend gets a request");
}

#[test]
fn play_interrupt_ends_wait_for_answers() {
    let silent = Scripted::new("silent", |number, _, right| match number {
        3 => Reply::Silence,
        _ => Reply::Decision(right),
    });
    let (asked, abandoned) = (silent.asked(), silent.abandoned());
    let (stopper, stop) = Stop::new();
    let play = Play::of(vec![silent], 5);
    let play = Play { stop, ..play };
    let played = block_on(play.beside(async {
        while asked.load(Ordering::SeqCst) < 4 {
            tokio::task::yield_now().await;
        }
        assert!(!stopper.stop());
        assert!(stopper.stop(), "requested before");
    }));
    assert_eq!(played.heard.of("game_ended")[0]["end"], "interrupted");
    let totals = played.whole();
    assert!(totals.interrupted);
    assert_eq!((totals.decisions, totals.games), (3, 1));
    assert_eq!(abandoned.load(Ordering::SeqCst), 1, "it need not search on");
}

/// Every backend traces every position; if one lacks a capability, no backend gets a request.
#[test]
fn trace_answers_come_by_position_and_backend() {
    block_on(async {
        let backends = boxed(vec![Scripted::right("a"), Scripted::right("b")]);
        let mut session = session(backends, &in_order(), Stop::never()).await;
        let mut taken = Position::EMPTY;
        taken.cells[0] = 'X';
        let rows = session
            .trace(&[Position::EMPTY, taken])
            .await
            .expect("traces");
        let trace = |weighed: std::ops::Range<usize>| Trace::<TicTacToe> {
            decision: weighed.clone().next(),
            candidates: weighed.collect(),
        };
        assert_eq!(rows, [vec![trace(0..9); 2], vec![trace(1..9); 2]]);
    });
    let small = Capabilities::plain(Boards::Only(BoardSize::new(2, 2)));
    let able = Scripted::right("able");
    let asked = able.asked();
    let error = block_on(async {
        let backends = boxed(vec![able, Scripted::right("small").with(small)]);
        let mut session = session(backends, &in_order(), Stop::never()).await;
        session
            .trace(&[Position::EMPTY])
            .await
            .expect_err("too small")
    });
    assert!(matches!(error, SessionError::Backend(_)), "{error}");
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
