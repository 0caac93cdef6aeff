//! Comparing records with each other.

use std::path::{Path, PathBuf};

use lockstep::backend::Kind;
use lockstep::record::Ending;
use lockstep::replay::RecordComparison;
use lockstep::replay::comparison::{Common, PositionDifference, labels};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Identity, Listeners, SessionError, Stop};
use lockstep_games::{BoardSize, Boards, Capabilities};
use serde_json::json;
use tempfile::TempDir;

use crate::game::TicTacToe;
use crate::records::{count, edited, folder, lines, open, write};
use crate::scripted::{Reply, Scripted};
use crate::support::{Play, block_on, drawn};

struct Compared {
    totals: Totals,
    tally: Tally<TicTacToe>,
    common: Common,
    endings: Vec<Ending>,
    identities: Vec<Identity>,
    result: Result<(), SessionError>,
}

fn compared(paths: &[&Path]) -> Compared {
    let records = labels(paths).into_iter().zip(paths);
    let open = |path| open(path).expect("a record");
    let mut comparison =
        RecordComparison::new(records.map(|(label, path)| (label, open(path))).collect());
    let header = Header::new(comparison.identities(), drawn());
    let (mut totals, mut tally) = (Totals::default(), Tally::default());
    let mut listeners = Listeners::new(&Stop::never())
        .with(&mut totals)
        .with(&mut tally);
    let result = block_on(comparison.compare(&header, &mut listeners));
    drop(listeners);
    Compared {
        totals,
        tally,
        common: comparison.common().clone(),
        endings: comparison.endings(),
        identities: header.backends,
        result,
    }
}

/// Another decision for the first game's fourth stone.
fn other_fourth(number: u64, right: Option<usize>) -> Option<usize> {
    if number == 3 { Some(5) } else { right }
}

/// A folder with two records of two games; the second record has one backend and `moves` stones a game.
fn two(backends: Vec<Scripted>, other: Scripted, moves: u64) -> (TempDir, PathBuf, PathBuf) {
    let folder = folder();
    let [a, b] = ["a.jsonl", "b.jsonl.zst"].map(|name| folder.path().join(name));
    for (path, backends, moves) in [(&a, backends, 100), (&b, vec![other], moves)] {
        let play = Play::of(backends, 2);
        Play { moves, ..play }.record(path).whole();
    }
    (folder, a, b)
}

fn one() -> Scripted {
    Scripted::right("one")
}

#[test]
fn comparison_same_games_agree() {
    let (_folder, a, b) = two(vec![one(), Scripted::right("two")], one(), 100);
    let compared = compared(&[&a, &b]);
    compared.result.expect("compared");
    assert_eq!(compared.endings, [Ending::Complete; 2]);
    let expected = Common {
        decisions: 20,
        alone: vec![0, 0],
        ..Common::default()
    };
    assert_eq!(compared.common, expected);
    let nothing = Boards::UpTo(BoardSize::new(0, 0));
    let expected = Identity {
        name: "a.jsonl:two".into(),
        kind: Kind::Recorded,
        description: "scripted".into(),
        capabilities: Capabilities::plain(nothing),
        core: None,
    };
    assert_eq!(compared.identities[1], expected);
    let (totals, tally) = (compared.totals, compared.tally);
    assert_eq!((totals.agreed, totals.games), (Some(20), 2));
    let names = tally.parties.iter().map(|party| party.name.raw());
    assert!(names.eq(["a.jsonl:one", "a.jsonl:two", "b.jsonl.zst:one"]));
    let agreed = tally.pairs.iter().map(|pair| pair.all.agreed);
    assert!(agreed.eq([20, 20, 20]));
    assert_eq!(tally.parties[1].cycles.values().sum::<u64>(), 20);
}

/// After a decision that differs, the games are different ones.
#[test]
fn comparison_game_that_parts_stops_there() {
    let other = Scripted::new("one", |number, _, right| {
        Reply::Decision(other_fourth(number, right))
    });
    let (_folder, a, b) = two(vec![one()], other, 100);
    let compared = compared(&[&a, &b]);
    compared.result.expect("compared");
    let lengths = [&a, &b].map(|path| count(path).expect("a file"));
    let parting = PositionDifference {
        game: 1,
        step: 5,
        lines: vec![6, 6],
    };
    let expected = Common {
        // And all of the second game.
        decisions: 4 + 10,
        alone: lengths.map(|n| n - 14).to_vec(),
        parted: 1,
        partings: vec![parting],
    };
    assert_eq!(compared.common, expected);
    let (totals, tally) = (compared.totals, compared.tally);
    assert_eq!((totals.diverged, totals.games), (Some(1), 2));
    let fields = json!({"compared": 14, "agreed": 13, "fields": {"cell": 1}});
    assert_eq!(json!(tally.pairs[0].all), fields);
    let first = &tally.divergences[0].round;
    assert_eq!((first.game, first.step, first.line), (1, 4, Some(5)));
    assert_eq!(first.answers[1].decision, Some(5));
}

/// The recorded answers of all its backends count.
#[test]
fn comparison_one_record_compares_its_backends() {
    let other = Scripted::new("two", |number, _, right| {
        let decision = other_fourth(number, right);
        match number {
            6 => Reply::Early(decision),
            _ => Reply::Decision(decision),
        }
    });
    let (_folder, a, _) = two(vec![one(), other], one(), 3);
    let compared = compared(&[&a]);
    compared.result.expect("compared");
    let common = (compared.common.decisions, compared.common.alone);
    assert_eq!(common, (7, vec![0]), "up to both divergences");
    let pair = compared.tally.pair("one", "two").expect("a pair");
    let fields = json!({"compared": 7, "agreed": 5, "fields": {"cell": 1, "cycles": 1}});
    assert_eq!(json!(pair.all), fields);
}

#[test]
fn comparison_invalid_records_are_named() {
    let (folder, a, b) = two(vec![one()], one(), 100);
    let good = lines(&a);
    let mut swapped = good.clone();
    swapped.swap(5, 6);
    let swapped = write(
        &folder.path().join("swapped.jsonl"),
        &(swapped.join("\n") + "\n"),
    );
    let error = compared(&[&b, &swapped]).result.expect_err("swapped");
    let why = "swapped.jsonl, line 7: it comes after move 6";
    assert!(error.to_string().contains(why), "{error}");
    let broken = write(
        &folder.path().join("broken.jsonl"),
        &edited(&good, 5, "*", "{}"),
    );
    let compared = compared(&[&broken, &a]);
    let error = compared.result.expect_err("broken").to_string();
    assert!(error.contains("broken.jsonl, line 5"), "{error}");
    let totals = (compared.totals.agreed, compared.totals.error);
    assert_eq!(totals, (Some(3), Some(error)));
    // The comparison up to there is kept.
    assert_eq!(compared.common.decisions, 3);
}

#[test]
fn labels_of_one_name_are_paths() {
    let named = |paths: [&str; 2]| labels(&paths.map(Path::new));
    assert_eq!(named(["x/a.jsonl", "y/b.jsonl"]), ["a.jsonl", "b.jsonl"]);
    assert_eq!(
        named(["x/a.jsonl", "y/a.jsonl"]),
        ["x/a.jsonl", "y/a.jsonl"]
    );
}
