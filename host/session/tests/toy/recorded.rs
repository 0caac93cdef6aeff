//! Records that are compared with each other, and with nobody else.

use std::path::{Path, PathBuf};

use lockstep::record::{Ending, Reader, Recorder};
use lockstep::replay::Against;
use lockstep::replay::against::{Common, Parting, labels};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Listeners, SessionError, Stop};
use serde_json::json;

use crate::game::TicTacToe;
use crate::records::{folder, lines, write};
use crate::scripted::{Reply, Scripted};
use crate::support::{SETUP, block_on, drawn, header, session};

/// Plays two games of so many stones into a record.
fn record(path: &Path, backends: Vec<Scripted>, moves: u64) {
    let recorder = Recorder::<TicTacToe>::create(path, false).expect("a new file");
    block_on(async {
        let controller = drawn();
        let backends = backends.into_iter().map(Scripted::boxed).collect();
        let mut session = session(backends, &controller, Stop::never()).await;
        let header = header(&session, &controller);
        let listeners = Listeners::new().on_thread("record", recorder);
        let mut listeners = listeners.expect("a thread");
        let played = session.play(&header, &SETUP, 2, moves, &mut listeners);
        played.await.expect("played");
    });
}

struct Told {
    totals: Totals,
    tally: Tally<TicTacToe>,
    common: Common,
    endings: Vec<Ending>,
    result: Result<(), SessionError>,
}

fn against(paths: &[&Path], stop: &Stop) -> Told {
    let records = labels(paths).into_iter().zip(paths);
    let open = |path| Reader::open(path).expect("a record");
    let mut against = Against::new(records.map(|(label, path)| (label, open(path))).collect());
    let header = Header {
        backends: against.identities(),
        controller: drawn(),
        setup: None,
        planned: None,
        move_time: None,
        seats: Vec::new(),
    };
    let (mut totals, mut tally) = (Totals::default(), Tally::default());
    let mut listeners = Listeners::new().with(&mut totals).with(&mut tally);
    let result = block_on(against.tell(&header, &mut listeners, stop));
    drop(listeners);
    Told {
        totals,
        tally,
        common: against.common().clone(),
        endings: against.endings(),
        result,
    }
}

/// Of the first game's fourth stone another opinion, which is played.
fn other_fourth(number: u64, right: Option<usize>) -> Option<usize> {
    if number == 3 { Some(5) } else { right }
}

fn paths(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.join("a.jsonl"), folder.join("b.jsonl.zst"))
}

#[test]
fn the_same_games_agree_by_whomever_they_were_played() {
    let folder = folder();
    let (a, b) = paths(folder.path());
    record(
        &a,
        vec![Scripted::right("one"), Scripted::right("two")],
        100,
    );
    record(&b, vec![Scripted::right("one")], 100);
    let told = against(&[&a, &b], &Stop::never());
    told.result.expect("compared");
    let (common, endings) = (told.common, told.endings);
    assert_eq!(endings, [Ending::Complete, Ending::Complete]);
    let expected = Common {
        decisions: 20,
        alone: vec![0, 0],
        ..Common::default()
    };
    assert_eq!(common, expected);
    assert_eq!((told.totals.agreed, told.totals.games), (Some(20), 2));
    let names: Vec<_> = told.tally.parties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["a.jsonl:one", "a.jsonl:two", "b.jsonl.zst:one"]);
    let agreed = told.tally.pairs.iter().map(|pair| pair.all.agreed);
    assert_eq!(agreed.collect::<Vec<_>>(), [20, 20, 20]);
    assert_eq!(told.tally.parties[1].cycles.values().sum::<u64>(), 20);
}

/// What follows the decision that differs is another game.
#[test]
fn a_game_that_parts_is_compared_up_to_where_it_does() {
    let folder = folder();
    let (a, b) = paths(folder.path());
    record(&a, vec![Scripted::right("one")], 100);
    let other = Scripted::new("one", |number, _, right| {
        Reply::Decision(other_fourth(number, right))
    });
    record(&b, vec![other], 100);
    let told = against(&[&a, &b], &Stop::never());
    told.result.expect("compared");
    let common = told.common;
    assert_eq!(common.decisions, 4 + 10, "and all of the second game");
    let lengths = [&a, &b].map(|path| Reader::<TicTacToe>::count(path).expect("a file"));
    assert_eq!(common.alone, lengths.map(|n| n - 14));
    assert_eq!(common.parted, 1);
    let parting = Parting {
        game: 1,
        step: 5,
        lines: vec![6, 6],
    };
    assert_eq!(common.partings, [parting]);
    assert_eq!((told.totals.diverged, told.totals.games), (Some(1), 2));
    let pair = &told.tally.pairs[0];
    assert_eq!(
        json!(pair.all),
        json!({"compared": 14, "agreed": 13, "fields": {"cell": 1}})
    );
    let first = &told.tally.divergences[0].round;
    assert_eq!((first.game, first.step, first.line), (1, 4, Some(5)));
    assert_eq!(first.answers[1].decision, Some(5));
}

/// What a record says of others than the reference counts as well.
#[test]
fn one_record_is_compared_with_itself_backend_by_backend() {
    let folder = folder();
    let (a, _) = paths(folder.path());
    let other = Scripted::new("two", |number, _, right| {
        let decision = other_fourth(number, right);
        if number == 6 {
            Reply::Early(decision)
        } else {
            Reply::Decision(decision)
        }
    });
    record(&a, vec![Scripted::right("one"), other], 100);
    let told = against(&[&a], &Stop::never());
    told.result.expect("compared");
    let common = told.common;
    assert_eq!(
        (common.decisions, common.alone),
        (7, vec![0]),
        "up to both divergences"
    );
    let pair = told.tally.pair("one", "two").expect("a pair");
    assert_eq!(
        json!(pair.all),
        json!({"compared": 7, "agreed": 5, "fields": {"cell": 1, "cycles": 1}})
    );
}

#[test]
fn what_only_one_record_holds_is_counted() {
    let folder = folder();
    let (a, b) = paths(folder.path());
    record(&a, vec![Scripted::right("one")], 100);
    record(&b, vec![Scripted::right("one")], 3);
    let told = against(&[&a, &b], &Stop::never());
    told.result.expect("compared");
    let common = told.common;
    assert_eq!(
        (common.decisions, common.alone, common.parted),
        (6, vec![14, 0], 0)
    );
    assert_eq!(told.totals.diverged, Some(0));
}

#[test]
fn records_out_of_order_and_broken_ones_are_named() {
    let folder = folder();
    let (a, b) = paths(folder.path());
    record(&a, vec![Scripted::right("one")], 100);
    record(&b, vec![Scripted::right("one")], 100);
    let mut turned = lines(&a);
    turned.swap(5, 6);
    let turned = write(
        &folder.path().join("turned.jsonl"),
        &(turned.join("\n") + "\n"),
    );
    let error = against(&[&b, &turned], &Stop::never()).result;
    let error = error.expect_err("turned").to_string();
    assert!(
        error.contains("turned.jsonl, line 7: it comes after move 6"),
        "{error}"
    );
    // The same line twice is as bad.
    let mut doubled = lines(&a);
    doubled.insert(6, doubled[5].clone());
    let doubled = write(
        &folder.path().join("doubled.jsonl"),
        &(doubled.join("\n") + "\n"),
    );
    let error = against(&[&b, &doubled], &Stop::never()).result;
    let error = error.expect_err("doubled").to_string();
    assert!(
        error.contains("doubled.jsonl, line 7: it comes after move 5"),
        "{error}"
    );
    let mut broken = lines(&a);
    broken[4] = "{}".into();
    let broken = write(
        &folder.path().join("broken.jsonl"),
        &(broken.join("\n") + "\n"),
    );
    let told = against(&[&broken, &a], &Stop::never());
    let error = told.result.expect_err("broken").to_string();
    assert!(error.contains("broken.jsonl, line 5"), "{error}");
    assert_eq!(
        (told.totals.agreed, told.totals.error),
        (Some(3), Some(error))
    );
    // What was found up to there is not lost for it.
    assert_eq!(told.common.decisions, 3);
}

#[test]
fn an_interrupt_ends_it() {
    let folder = folder();
    let (a, _) = paths(folder.path());
    record(&a, vec![Scripted::right("one")], 100);
    let (stopper, stop) = Stop::new();
    stopper.stop();
    let told = against(&[&a, &a], &stop);
    assert!(told.totals.interrupted);
    assert_eq!(told.common.decisions, 0);
}

#[test]
fn records_of_one_name_are_told_apart_by_their_paths() {
    let named = |paths: [&str; 2]| labels(&paths.map(Path::new));
    assert_eq!(named(["x/a.jsonl", "y/b.jsonl"]), ["a.jsonl", "b.jsonl"]);
    assert_eq!(
        named(["x/a.jsonl", "y/a.jsonl"]),
        ["x/a.jsonl", "y/a.jsonl"]
    );
}
