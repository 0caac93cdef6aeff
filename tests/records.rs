//! The recorded games of `fixtures/records`: every backend decides as recorded.

use std::collections::BTreeSet;
use std::path::PathBuf;

use lockstep::compare::compare;
use lockstep::record::{Ending, Reader, ResumePlan, Resumed};
use lockstep::{Header, Listeners, Stop};
use lockstep_games::tetris::Tetris;
use lockstep_games::tetris::controller::{linear_presets, presets};

use crate::support::{block_on, read, root, session};

/// Folder of records of games that all backends can play.
const FOR_ALL: &str = "fixtures/records";
/// Folder of records of games that only software can play.
const FOR_SOFTWARE: &str = "fixtures/records-software";

/// The records in a folder, by name.
fn records(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    paths.sort();
    paths
}

/// Compares every `step`-th recorded decision with a backend; returns their number.
fn replayed(folder: &str, backend: &str, step: usize) -> usize {
    let mut decisions = 0;
    for path in records(folder) {
        let name = path.display();
        let mut reader =
            Reader::<Tetris>::open(&path, &Stop::never()).unwrap_or_else(|e| panic!("{e}"));
        let controller = reader.head().controller.clone();
        let entries: Result<Vec<_>, _> = reader.by_ref().collect();
        let entries = entries.unwrap_or_else(|e| panic!("{e}"));
        let entries: Vec<_> = entries.into_iter().step_by(step).collect();
        assert_eq!(reader.ending(), Ending::Complete, "{name}");
        let positions: Vec<_> = entries.iter().map(|entry| entry.position.clone()).collect();
        let rows = block_on(async {
            let mut session = session(&[backend], &controller).await;
            session.ask(&positions).await
        });
        let rows = rows.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(rows.len(), entries.len(), "{name}");
        for (entry, answers) in entries.iter().zip(&rows) {
            let differ = compare::<Tetris>(&entry.decision, &answers.asked, &answers.answers);
            let (game, step) = (entry.game, entry.step);
            assert!(
                differ.is_empty(),
                "{name}, game {game}, move {step}: {differ:#?}"
            );
        }
        decisions += entries.len();
    }
    decisions
}

/// A backend decides as recorded, and plays every controller for hardware.
pub fn recorded_games_agree(backend: &str) {
    let decisions = replayed(FOR_ALL, backend, 1);
    assert!(decisions >= 50 * linear_presets().count(), "{decisions}");
}

#[test]
fn golden_model_decides_as_recorded() {
    recorded_games_agree("software");
    // Deep searches take long.
    assert!(replayed(FOR_SOFTWARE, "software", 4) > 75);
}

#[test]
fn engine_decides_as_recorded() {
    recorded_games_agree("engine");
}

#[test]
fn rtl_decides_as_recorded() {
    recorded_games_agree("sim");
}

/// The rest of the game is recorded as it was: a game with one seat has the lines of version 3.
#[test]
fn record_of_version_3_resumes() {
    let text = read("fixtures/records/dt-20.jsonl");
    assert!(text.starts_with(r#"{"lockstep_record":3,"#));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("old.jsonl");
    let half = text.find(r#""move":30,"#).expect("a move");
    std::fs::write(&path, &text[..half]).expect("written");
    let reader = Reader::<Tetris>::open(&path, &Stop::never()).unwrap_or_else(|e| panic!("{e}"));
    let head = reader.head().clone();
    let wanted = ResumePlan {
        head: head.clone(),
        games: 1,
        max_moves: 60,
    };
    let resumed = Resumed::open(&path, &wanted, |_| Ok(()), &mut drop, &Stop::never());
    let resumed = resumed.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(resumed.decisions, 29);
    block_on(async {
        let mut session = session(&["software"], &head.controller).await;
        let setup = head.setup.expect("it was dealt");
        let mut header = Header::new(session.identities(), head.controller.clone());
        header.setup = Some(setup);
        let recorder = resumed.recorder.expect("more is to be played");
        let listeners = Listeners::new(session.stop()).on_thread("record", recorder);
        let mut listeners = listeners.expect("a thread");
        let played = session.play(&header, &setup, resumed.start, 1, 60, &mut listeners);
        played.await.expect("played");
    });
    assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
}

#[test]
fn records_cover_every_controller() {
    let controllers = |folder| {
        let heads = records(folder).into_iter().map(|path| {
            let reader =
                Reader::<Tetris>::open(&path, &Stop::never()).unwrap_or_else(|e| panic!("{e}"));
            reader.head().controller.name.clone()
        });
        heads.collect::<BTreeSet<String>>()
    };
    let linear: BTreeSet<String> = linear_presets().map(str::to_owned).collect();
    assert_eq!(controllers(FOR_ALL), linear);
    let all: BTreeSet<String> = presets().map(str::to_owned).collect();
    let software = controllers(FOR_SOFTWARE);
    let recorded: BTreeSet<String> = linear.union(&software).cloned().collect();
    assert_eq!(recorded, all);
}
