//! States that are gone on from, torn, wrong, and not ours.

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::strength::End;

fn header() -> Value {
    json!({ MARK: VERSION, "seed": 1, "max_pieces": null, "controller": {"holes": -4.0} })
}

const BOUNDS: Bounds = Bounds {
    columns: Some(10),
    max_pieces: None,
};

fn open(path: &Path, fresh: bool) -> Result<State, StateError> {
    State::open(path, &header(), &BOUNDS, fresh)
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.jsonl");
    (folder, path)
}

fn lost(pieces: u64) -> Played {
    Played {
        pieces,
        lines: pieces / 4,
        end: End::Lost,
    }
}

/// A state of games 0 and 4, as text.
fn two_games(path: &Path) -> String {
    let mut state = open(path, false).unwrap();
    state.append(4, lost(40)).unwrap();
    state.append(0, lost(9)).unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn games_are_found_again_and_more_can_follow() {
    let (_folder, path) = place();
    let text = two_games(&path);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1],
        r#"{"game":4,"pieces":40,"lines":10,"end":"lost"}"#
    );
    assert_eq!(lines[2], r#"{"game":0,"pieces":9,"lines":2,"end":"lost"}"#);
    let mut state = open(&path, false).unwrap();
    assert_eq!(state.games().keys().copied().collect::<Vec<_>>(), [0, 4]);
    assert_eq!(state.games()[&4], lost(40));
    state.append(100, lost(1)).unwrap();
    drop(state);
    let state = open(&path, false).unwrap();
    assert_eq!(state.games().len(), 3, "any number of games fits");
    state.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_torn_last_line_is_ignored_wherever_it_is_torn() {
    let (_folder, path) = place();
    let text = two_games(&path);
    let second = text.trim_end().rfind('\n').unwrap() + 1;
    let first = text.find('\n').unwrap() + 1;
    for length in 0..text.len() {
        std::fs::write(&path, &text[..length]).unwrap();
        let mut state = open(&path, false).unwrap();
        let kept = usize::from(length >= second);
        assert_eq!(state.games().len(), kept, "{length} bytes");
        // What follows begins on a line of its own.
        state.append(7, lost(7)).unwrap();
        drop(state);
        let state = open(&path, false).unwrap();
        assert_eq!(state.games().len(), kept + 1, "{length} bytes");
        drop(state);
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(&text[..first]), "{length}: {written}");
    }
}

#[test]
fn a_bad_line_is_named_unless_all_is_dropped() {
    let (_folder, path) = place();
    let text = two_games(&path);
    for (bad, told) in [
        ("{}", "missing field"),
        ("[]", "expected a finished game"),
        ("torn", "expected"),
        (
            r#"{"game":1,"pieces":1,"lines":0,"end":"stopped"}"#,
            "`stopped`",
        ),
        (
            r#"{"game":4,"pieces":41,"lines":10,"end":"lost"}"#,
            "game 4 ended otherwise in a line before",
        ),
        (
            r#"{"game":1,"pieces":3,"lines":18446744073709551615,"end":"lost"}"#,
            "18446744073709551615 lines: a game has 2^53 at most",
        ),
        (
            r#"{"game":1,"pieces":9,"lines":4,"end":"lost"}"#,
            "at least 10 pieces, not 9",
        ),
        (
            r#"{"game":4000000000,"pieces":9,"lines":3,"end":"lost"}"#,
            "games are numbered from 0",
        ),
    ] {
        std::fs::write(&path, format!("{text}{bad}\n")).unwrap();
        let error = open(&path, false).unwrap_err().to_string();
        assert!(error.contains("state.jsonl, line 4: "), "{error}");
        assert!(error.contains(told) && error.contains("--fresh"), "{error}");
        assert!(!error.contains("line 1"), "{error}");
    }
    // The same again contradicts nothing.
    let again = text.lines().last().unwrap();
    std::fs::write(&path, format!("{text}{again}\n")).unwrap();
    assert_eq!(open(&path, false).unwrap().games().len(), 2);
    assert!(open(&path, true).unwrap().games().is_empty());
}

#[test]
fn other_games_are_refused_by_what_differs() {
    let (_folder, path) = place();
    let text = two_games(&path);
    let other = json!({ MARK: 2, "seed": 1, "max_pieces": 9, "controller": {"holes": -5.0} });
    let error = State::open(&path, &other, &BOUNDS, false)
        .unwrap_err()
        .to_string();
    for part in [
        "state.jsonl has other games: ",
        "controller.holes is -4.0 there and -5.0 here",
        "max_pieces is not set there and 9 here",
        "lockstep_strength is 1 there and 2 here",
        "--state",
        "--fresh",
    ] {
        assert!(error.contains(part), "no {part} in {error}");
    }
    assert!(!error.contains("seed"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "untouched");
    drop(State::open(&path, &other, &BOUNDS, true).unwrap());
    let fresh = std::fs::read_to_string(&path).unwrap();
    assert_eq!(fresh, format!("{other}\n"));
}

#[test]
fn what_is_no_state_is_left_alone() {
    let (_folder, path) = place();
    for content in [
        "precious\n",
        "{\"lockstep_record\":1}\n",
        "\n",
        "[1]",
        "\u{0}",
    ] {
        for fresh in [false, true] {
            std::fs::write(&path, content).unwrap();
            let error = open(&path, fresh).unwrap_err();
            assert!(matches!(error, StateError::Foreign { .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }
}

#[test]
fn two_runs_do_not_share_a_state() {
    let (_folder, path) = place();
    let first = open(&path, false).unwrap();
    for fresh in [false, true] {
        let error = open(&path, fresh).unwrap_err().to_string();
        assert!(error.contains("in use by another run"), "{error}");
    }
    drop(first);
    assert!(open(&path, false).is_ok());
}

#[test]
fn a_folder_is_no_state() {
    let folder = tempfile::tempdir().unwrap();
    let error = open(folder.path(), false).unwrap_err();
    assert!(matches!(error, StateError::Io { .. }), "{error}");
}
