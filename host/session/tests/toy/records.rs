//! Recording and replaying.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep::record::{Ending, Entry, MAX_LINE, Reader, RecordError, Recorder, VERSION};
use lockstep::report::Totals;
use lockstep::{Listeners, Stop};
use serde_json::{Value, json};

use crate::game::TicTacToe;
use crate::scripted::{Reply, Scripted};
use crate::support::{SETUP, block_on, drawn, header, session};

pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Plays two games of nine stones into a record.
pub fn record(path: &Path) -> Totals {
    record_of(path, vec![Scripted::right("a"), Scripted::right("b")])
}

/// Plays two games of three stones into a record.
pub fn short_record(path: &Path) {
    let recorder = Recorder::<TicTacToe>::create(path, false).expect("a new file");
    record_with(recorder, vec![Scripted::right("a")], 3, Stop::never());
}

fn record_of(path: &Path, backends: Vec<Scripted>) -> Totals {
    let recorder = Recorder::<TicTacToe>::create(path, false).expect("a new file");
    record_with(recorder, backends, 100, Stop::never())
}

fn record_with(
    recorder: Recorder<TicTacToe>,
    backends: Vec<Scripted>,
    max_moves: u64,
    stop: Stop,
) -> Totals {
    let mut totals = Totals::default();
    block_on(async {
        let controller = drawn();
        let backends = backends.into_iter().map(Scripted::boxed).collect();
        let mut session = session(backends, &controller, stop).await;
        let header = header(&session, &controller);
        let mut listeners = Listeners::new()
            .with(&mut totals)
            .on_thread("record", recorder)
            .expect("a thread");
        let played = session.play(&header, &SETUP, 2, max_moves, &mut listeners);
        let _ = played.await;
    });
    totals
}

pub fn read(path: &Path) -> (Vec<Entry<TicTacToe>>, Result<Ending, RecordError>) {
    let mut reader = Reader::<TicTacToe>::open(path).expect("a record");
    let mut entries = Vec::new();
    for entry in reader.by_ref() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => return (entries, Err(error)),
        }
    }
    (entries, Ok(reader.ending()))
}

pub fn write(path: &Path, text: &str) -> PathBuf {
    fs::write(path, text).expect("written");
    path.into()
}

pub fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("text");
    text.lines().map(str::to_owned).collect()
}

fn error(path: &Path) -> String {
    let opened = Reader::<TicTacToe>::open(path).err();
    let error = opened.or_else(|| read(path).1.err());
    error.map_or(String::new(), |error| error.to_string())
}

#[test]
fn a_record_holds_every_decision_and_says_that_it_is_whole() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let totals = record(&path);
    assert_eq!(totals.decisions, 20, "nine stones and a full board, twice");
    let (entries, ending) = read(&path);
    assert_eq!(ending.expect("whole"), Ending::Complete);
    assert_eq!(entries.len(), 20);
    assert_eq!((entries[0].game, entries[0].step), (1, 1));
    assert_eq!((entries[19].game, entries[19].step), (2, 10));
    assert_eq!((entries[8].decision, entries[9].decision), (Some(1), None));
    assert_eq!(entries[3].cycles["b"], 13);
    assert_eq!(Reader::<TicTacToe>::count(&path), Some(20));
    let reader = Reader::<TicTacToe>::open(&path).expect("a record");
    let head = reader.head();
    assert_eq!(
        (head.lockstep_record, head.game.as_str()),
        (VERSION, "tic-tac-toe")
    );
    assert_eq!((head.board, &head.setup), (Some((3, 3)), &Some(SETUP)));
    assert_eq!(
        (&head.controller, head.backends[1].name.as_str()),
        (&drawn(), "b")
    );
    let last = lines(&path).pop().expect("lines");
    let last: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(
        last,
        json!({"end": {"decisions": 20, "games": 2, "complete": true}})
    );
}

/// Wherever a record is cut, its whole lines are read, and it is known to be
/// cut unless nothing is missing.
#[test]
fn a_record_cut_at_any_byte_gives_its_whole_lines() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let whole = fs::read(&path).expect("bytes");
    let head = whole.iter().position(|b| *b == b'\n').expect("a line") + 1;
    let cut = folder.path().join("cut.jsonl");
    for length in head..whole.len() {
        fs::write(&cut, &whole[..length]).expect("written");
        let (entries, ending) = read(&cut);
        let breaks = whole[head..length].iter().filter(|b| **b == b'\n').count();
        let counted = Reader::<TicTacToe>::count(&cut);
        assert_eq!(counted, Some(entries.len() as u64), "{length}");
        // A line without its break may be whole.
        assert!([breaks, breaks + 1].contains(&entries.len()), "{length}");
        let ending = ending.unwrap_or_else(|e| panic!("{length}: {e}"));
        let all_but_the_break = length == whole.len() - 1;
        match ending {
            Ending::Cut { .. } => assert!(!all_but_the_break),
            Ending::Complete => assert!(all_but_the_break),
            other => panic!("{length}: {other:?}"),
        }
    }
}

#[test]
fn a_session_that_fails_leaves_a_record_that_says_so() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let failing = Scripted::new("failing", |number, _, right| match number {
        4 => Reply::Failure,
        _ => Reply::Decision(right),
    });
    record_of(&path, vec![failing]);
    let (entries, ending) = read(&path);
    assert_eq!(
        (entries.len(), ending.expect("whole")),
        (4, Ending::Interrupted)
    );
}

/// Stopped at its third question, which is not answered any more.
#[test]
fn an_interrupted_session_leaves_a_record_that_says_so() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let (stopper, stop) = Stop::new();
    let stopping = Scripted::new("stopping", move |number, _, right| {
        if number < 2 {
            return Reply::Decision(right);
        }
        stopper.stop();
        Reply::Silence
    });
    let recorder = Recorder::<TicTacToe>::create(&path, false).expect("a new file");
    record_with(recorder, vec![stopping], 100, stop);
    let (entries, ending) = read(&path);
    assert_eq!(
        (entries.len(), ending.expect("whole")),
        (2, Ending::Interrupted)
    );
}

#[test]
fn a_record_names_who_disagreed_and_with_what() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let wrong = Scripted::new("wrong", |number, _, right| {
        Reply::Decision(if number == 2 { Some(7) } else { right })
    });
    record_of(&path, vec![Scripted::right("right"), wrong]);
    let (entries, _) = read(&path);
    let diverged = |at: usize| serde_json::to_value(&entries[at].diverged).expect("JSON");
    assert_eq!(diverged(2), json!({"wrong": 7}));
    assert_eq!((diverged(1), diverged(3)), (json!({}), json!({})));
    assert_eq!(entries[2].decision, Some(8), "the reference's");
}

#[test]
fn an_existing_record_is_not_overwritten_unless_told_and_not_before_the_start() {
    let folder = folder();
    let path = write(&folder.path().join("old.jsonl"), "old\n");
    let refused = Recorder::<TicTacToe>::create(&path, false)
        .err()
        .expect("refused");
    assert!(refused.to_string().contains("--force"), "{refused}");
    let recorder = Recorder::<TicTacToe>::create(&path, true).expect("allowed");
    drop(recorder);
    assert_eq!(lines(&path), ["old"], "no session has begun");
}

#[test]
fn nothing_of_what_is_overwritten_is_left() {
    let folder = folder();
    let path = write(&folder.path().join("old.jsonl"), &"old\n".repeat(100_000));
    let recorder = Recorder::<TicTacToe>::create(&path, true).expect("allowed");
    record_with(recorder, vec![Scripted::right("a")], 100, Stop::never());
    let (entries, ending) = read(&path);
    assert_eq!(
        (entries.len(), ending.expect("whole")),
        (20, Ending::Complete)
    );
}

#[test]
fn a_record_has_one_writer_at_a_time() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let first = Recorder::<TicTacToe>::create(&path, true).expect("new");
    let second = Recorder::<TicTacToe>::create(&path, true)
        .err()
        .expect("refused");
    assert!(matches!(second, RecordError::Locked { .. }), "{second}");
    drop(first);
    Recorder::<TicTacToe>::create(&path, true).expect("the first has gone");
}

#[test]
fn lines_that_are_no_decisions_are_named() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let mut text = lines(&path);
    let good = text.clone();
    let mut with = |line: usize, replaced: &str| {
        text.clone_from(&good);
        text[line] = replaced.to_owned();
        let bad = folder.path().join("bad.jsonl");
        error(&write(&bad, &(text.join("\n") + "\n")))
    };
    let cells = r#""cells":[".",".",".",".",".",".",".",".","."]"#;
    let cases = [
        (r#"{"game":1,"move":1}"#.to_owned(), "missing field"),
        // Only the end of the file cuts a line.
        (r#"{"game":1,"move":1"#.to_owned(), "EOF"),
        // `null` is an answer, nothing is none.
        (
            format!(r#"{{"game":1,"move":1,{cells}}}"#),
            "missing field `decision`",
        ),
        (
            format!(r#"{{"game":0,"move":1,{cells},"decision":1}}"#),
            "game 0",
        ),
        (
            format!(r#"{{"game":1,"move":18446744073709551615,{cells},"decision":1}}"#),
            "move 18446744073709551615",
        ),
        ("{}".to_owned(), "missing field"),
        ("null".to_owned(), "line 4"),
    ];
    for (line, expected) in cases {
        let error = with(3, &line);
        assert!(error.contains("line 4"), "{error}");
        assert!(error.contains(expected), "{expected}: {error}");
        assert_eq!(error.matches("line ").count(), 1, "{error}");
    }
    let late = with(20, r#"{"end":{"decisions":19,"games":2,"complete":true}}"#);
    assert!(
        late.contains("nothing comes after") || late.contains("19 decisions"),
        "{late}"
    );
    let short = with(21, r#"{"end":{"decisions":19,"games":2,"complete":true}}"#);
    assert!(
        short.contains("says it holds 19 decisions, and 20"),
        "{short}"
    );
    let half = with(21, r#"{"end":{"decisions":20"#);
    assert!(half.contains("line 22") && half.contains("EOF"), "{half}");
}

/// The end of a file may cut a line, but not put anything wrong into it.
#[test]
fn a_wrong_line_without_its_break_is_not_taken_for_a_cut_one() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let head = lines(&path).swap_remove(0);
    write(&path, &(head + "\n{\"game\":-1}"));
    let error = error(&path);
    assert!(error.contains("line 2") && error.contains("-1"), "{error}");
}

#[test]
fn empty_lines_do_not_matter() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    let longest = " ".repeat(MAX_LINE);
    let gaps = lines(&path).join(&format!("\n\n{longest}\n"));
    write(&path, &(gaps + "\n\n"));
    let (entries, ending) = read(&path);
    assert_eq!(
        (entries.len(), ending.expect("whole")),
        (20, Ending::Complete)
    );
    assert_eq!(Reader::<TicTacToe>::count(&path), Some(20));
}

#[test]
fn what_is_no_record_is_refused_with_the_reason() {
    let folder = folder();
    let path = folder.path().join("x.jsonl");
    let cases = [
        ("", "not a lockstep record"),
        ("\n", "not a lockstep record"),
        ("[]\n", "not a lockstep record"),
        (
            r#"{"lockstep_record":5,"game":"tic-tac-toe"}"#,
            "of version 5",
        ),
        (
            r#"{"lockstep_record":2,"game":"tetris"}"#,
            r#"game "tetris""#,
        ),
        // What a terminal would obey is shown, not obeyed.
        (
            "{\"lockstep_record\":1,\"game\":\"x\\u001b[2J\"}\n",
            r#""x\u{1b}[2J""#,
        ),
    ];
    for (text, expected) in cases {
        let error = error(&write(&path, text));
        assert!(error.contains(expected), "{expected}: {error}");
        assert!(!error.contains('\x1b'), "{error:?}");
        assert!(!error.contains("struct"), "{error}");
    }
    let board = r#"{"lockstep_record":2,"game":"tic-tac-toe","board":[4,4],"controller":{"order":[]},"setup":{"openings":0},"backends":[]}"#;
    let error = error(&write(&path, board));
    assert!(error.contains("4x4") && error.contains("3x3"), "{error}");
}

#[test]
fn a_line_without_end_is_refused_at_a_limit() {
    let folder = folder();
    let path = folder.path().join("long.jsonl");
    write(&path, &"x".repeat(3 << 20));
    let error = error(&path);
    assert!(
        error.contains("line 1: longer than 1048576 bytes"),
        "{error}"
    );
}

/// Records of version 1 count from 0 and do not say that they are whole.
#[test]
fn records_of_version_1_are_read() {
    let folder = folder();
    let path = folder.path().join("old.jsonl");
    let text = concat!(
        r#"{"lockstep_record":1,"game":"tic-tac-toe","board":[9,9],"controller":{"order":[1]},"setup":{"openings":0},"backends":[]}"#,
        "\n",
        r#"{"game":0,"move":0,"cells":[".",".",".",".",".",".",".",".","."],"decision":1}"#,
        "\n",
    );
    write(&path, text);
    let (entries, ending) = read(&path);
    assert_eq!(ending.expect("read"), Ending::Unknown);
    assert_eq!((entries[0].game, entries[0].step), (1, 1));
    let reader = Reader::<TicTacToe>::open(&path).expect("a record");
    assert_eq!(
        reader.head().board,
        Some((3, 3)),
        "version 1 wrote the wire's"
    );
}
