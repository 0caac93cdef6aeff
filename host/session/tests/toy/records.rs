//! Writing and reading records.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep::Stop;
use lockstep::record::{
    Ending, Entry, Follow, MAX_LINE, Reader, RecordError, RecordErrorKind, Recorder, game, peek,
};

use crate::compressed::text;
use crate::game::TicTacToe;
use crate::scripted::{Reply, Scripted};
use crate::support::{Play, Played, cells};

pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Plays two games of nine stones into a record.
pub fn record(path: &Path) -> Played {
    let backends = vec![Scripted::right("a"), Scripted::right("b")];
    Play::of(backends, 2).record(path)
}

/// Plays two games of three stones into a record.
pub fn short_record(path: &Path) {
    let play = Play::of(vec![Scripted::right("a")], 2);
    Play { moves: 3, ..play }.record(path);
}

pub fn open(path: &Path) -> Result<Reader<TicTacToe>, RecordError> {
    Reader::open(path, &Stop::never())
}

pub fn count(path: &Path) -> Option<u64> {
    Reader::<TicTacToe>::count(path, &Stop::never())
}

pub fn read(path: &Path) -> (Vec<Entry<TicTacToe>>, Result<Ending, RecordError>) {
    let mut reader = open(path).expect("a record");
    let mut entries = Vec::new();
    for entry in reader.by_ref() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => return (entries, Err(error)),
        }
    }
    (entries, Ok(reader.ending()))
}

/// The number of decisions of a record, and how it ends.
fn ending(path: &Path) -> (usize, Ending) {
    let (entries, ending) = read(path);
    (entries.len(), ending.expect("a record"))
}

pub fn write(path: &Path, text: &str) -> PathBuf {
    fs::write(path, text).expect("written");
    path.into()
}

pub fn lines(path: &Path) -> Vec<String> {
    text(path).lines().map(str::to_owned).collect()
}

/// A folder with a record in it.
pub fn recorded() -> (tempfile::TempDir, PathBuf) {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    record(&path);
    (folder, path)
}

/// A record with another text in a line; `*` is all of the line.
pub fn edited(good: &[String], line: usize, from: &str, to: &str) -> String {
    let mut text = good.to_vec();
    let line = &mut text[line - 1];
    assert!(from == "*" || line.contains(from), "{from} in {line}");
    *line = match from {
        "*" => to.to_owned(),
        from => line.replacen(from, to, 1),
    };
    text.join("\n") + "\n"
}

/// The error of reading a record and following its games.
fn error(path: &Path) -> String {
    let mut reader = match open(path) {
        Ok(reader) => reader,
        Err(error) => return error.to_string(),
    };
    let mut follow = Follow::new(reader.head());
    let wrong = |entry: Result<_, RecordError>| match entry {
        Ok(entry) => follow.entry(&entry).err(),
        Err(error) => Some(error.to_string()),
    };
    reader.find_map(wrong).unwrap_or_default()
}

/// It counts as cut unless only the last line break is missing.
#[test]
fn record_cut_at_any_byte_gives_its_whole_lines() {
    let (folder, path) = recorded();
    let whole = fs::read(&path).expect("bytes");
    let head = whole.iter().position(|b| *b == b'\n').expect("a line") + 1;
    let cut = folder.path().join("cut.jsonl");
    for length in head..whole.len() {
        fs::write(&cut, &whole[..length]).expect("written");
        let (entries, ending) = ending(&cut);
        let breaks = whole[head..length].iter().filter(|b| **b == b'\n').count();
        let counted = count(&cut);
        assert_eq!(counted, Some(entries as u64), "{length}");
        // A line without its break may be whole.
        assert!([breaks, breaks + 1].contains(&entries), "{length}");
        let all_but_the_break = length == whole.len() - 1;
        let expected = match ending {
            Ending::Cut { .. } => !all_but_the_break,
            ending => all_but_the_break && ending == Ending::Complete,
        };
        assert!(expected, "{length}: {ending:?}");
    }
}

/// One backend fails at its fifth request; another session is stopped at the third, which is never
/// answered.
#[test]
fn record_unfinished_session_is_interrupted() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let failing = Scripted::new("failing", |number, _, right| match number {
        4 => Reply::Failure,
        _ => Reply::Decision(right),
    });
    Play::of(vec![failing], 2).record(&path);
    assert_eq!(ending(&path), (4, Ending::Interrupted));
    let (stopper, stop) = Stop::new();
    let stopping = Scripted::new("stopping", move |number, _, right| {
        if number < 2 {
            return Reply::Decision(right);
        }
        stopper.stop();
        Reply::Silence
    });
    let play = Play::of(vec![stopping], 2);
    Play { stop, ..play }.record(&path);
    assert_eq!(ending(&path), (2, Ending::Interrupted));
}

#[test]
fn reader_missing_record_names_the_remedy() {
    let folder = folder();
    let [link, to] = ["link", "to"].map(|name| folder.path().join(name));
    assert!(error(&to).ends_with("`lockstep play --record FILE` makes one"));
    std::os::unix::fs::symlink(&to, &link).expect("a link");
    let expected = format!("a link to {}, which is not there", to.display());
    assert!(error(&link).contains(&expected), "{}", error(&link));
    assert!(!error(folder.path()).contains("there is no"), "a folder");
}

/// The file is replaced only if that is allowed, when the session begins, and as a whole.
#[test]
fn record_overwrites_file_when_session_begins() {
    let folder = folder();
    let path = write(&folder.path().join("old.jsonl"), &"old\n".repeat(100_000));
    let refused = Recorder::<TicTacToe>::create(&path, false).err();
    let refused = refused.expect("refused").to_string();
    assert!(refused.contains("--force"), "{refused}");
    drop(Recorder::<TicTacToe>::create(&path, true).expect("allowed"));
    assert_eq!(lines(&path).len(), 100_000, "no session has begun");
    record(&path);
    assert_eq!(ending(&path), (20, Ending::Complete));
}

/// A record of one player or of a match; the line, the text and its replacement; the error.
const EDITED: &str = r#"
    player |  4 | "cells"       | "calls"       | line 4: missing field
    player |  4 | ,"decision":8 |               | line 4: missing field `decision`
    player |  4 | "game":1      | "game":0      | line 4: game 0
    player |  4 | "move":3      | "move":18446744073709551615 | line 4: move 18446744073709551615
    player |  4 | *             | {"game":1,"move":1 | line 4: the JSON ends too early
    player |  4 | *             | null          | line 4
    player | 21 | *             | {"end":{"decisions":19,"games":2,"complete":true}} | line 22: expected the end of the file
    player | 22 | "decisions":20 | "decisions":19 | line 22: its last line counts 19 decisions, but it holds 20
    player | 22 | ,"complete":true}} |          | line 22: the JSON ends too early
    match  |  1 | "seat":"O"    | "seat":"Q"    | its seats are not X, O
    match  |  1 | "backends":[1,2] | "backends":[] | the seat O has no backend
    match  |  1 | "backends":[1,2] | "backends":[3] | or one that is not in `backends`
    match  |  1 | {"cell_0":4   | {"cell_0":5   | the integers of the seat O
    match  |  2 | "seat":"X"    | "seat":"O"    | the seat to move is X, and the line names O
    match  |  6 | "outcome":"X" | "outcome":"O" | the outcome is X, and the line names O
    match  |  6 | ,"outcome":"X" |              | the outcome is X, and the line names none
    match  |  5 | "decision":8  | "decision":8,"outcome":"draw" | open, and the line names draw
"#;

#[test]
fn reader_invalid_line_is_named() {
    let (folder, player) = recorded();
    let path = folder.path().join("match.jsonl");
    crate::seats::play(crate::seats::right())
        .record(&path)
        .whole();
    let (player, two) = (lines(&player), lines(&path));
    for row in EDITED.trim().lines() {
        let [kind, line, from, to, why] = cells(row);
        let good = if kind == "match" { &two } else { &player };
        let line = line.parse().expect("a line");
        let error = error(&write(&path, &edited(good, line, from, to)));
        assert!(error.contains(why), "{row}: {error}");
        assert!(error.matches("line ").count() <= 2, "{error}");
    }
}

/// A cut line is incomplete, not invalid.
#[test]
fn reader_invalid_last_line_is_an_error() {
    let (_folder, path) = recorded();
    let head = lines(&path).swap_remove(0);
    write(&path, &(head + "\n{\"game\":-1}"));
    let error = error(&path);
    assert!(error.contains("line 2") && error.contains("-1"), "{error}");
}

#[test]
fn reader_empty_lines_do_not_matter() {
    let (_folder, path) = recorded();
    let longest = " ".repeat(MAX_LINE);
    let gaps = lines(&path).join(&format!("\n\n{longest}\n"));
    write(&path, &(gaps + "\n\n"));
    assert_eq!(ending(&path), (20, Ending::Complete));
    assert_eq!(count(&path), Some(20));
}

#[test]
fn reader_no_record_is_refused() {
    let folder = folder();
    let path = folder.path().join("x.jsonl");
    let board = r#"{"lockstep_record":3,"game":"tic-tac-toe","board":[4,4],"controller":{"order":[]},"setup":{"openings":0},"backends":[]}"#;
    let header = |version, game| format!(r#"{{"lockstep_record":{version},"game":"{game}"}}"#);
    let none = "not a lockstep record";
    for (text, why) in [
        (String::new(), none),
        ("\n".into(), none),
        ("[]\n".into(), none),
        (header(5, "tic-tac-toe"), "3 to 4; use a newer one"),
        (
            header(2, "tic-tac-toe"),
            "of version 2, this lockstep reads versions 3 to 4; use an older one",
        ),
        (header(3, "tetris"), r#"game "tetris""#),
        // Control characters are escaped.
        (header(3, r"x\u001b[2J"), r#""x\u{1b}[2J""#),
        (board.into(), "the board is 4x4, but 3x3 in its setup"),
        ("x".repeat(3 << 20), "line 1: longer than 1048576 bytes"),
        ("PAR1".into(), "a Parquet file; a record is JSON lines"),
    ] {
        let error = error(&write(&path, &text));
        assert!(error.contains(why), "{why}: {error}");
        assert!(
            !error.contains('\x1b') && !error.contains("struct"),
            "{error:?}"
        );
    }
}

#[test]
fn game_is_read_from_first_bytes() {
    let folder = folder();
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let path = folder.path().join(name);
        record(&path);
        let first = peek(&path, 4_096, &Stop::never()).expect("a file");
        assert_eq!(first, fs::read(&path).expect("a file")[..first.len()]);
        assert_eq!(game(&first).as_deref(), Some("tic-tac-toe"));
        assert_eq!(game(&first[..9]), None);
    }
}

/// What was read of a pipe is read again; a pipe without a writer is waited for until a stop.
#[test]
fn pipe_is_read_once_and_until_a_stop() {
    let (folder, path) = recorded();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let (stopper, stop) = Stop::new();
    let text = fs::read(&path).expect("a file");
    let (to, whole) = (pipe.clone(), text.clone());
    let writing = std::thread::spawn(move || {
        let mut to = fs::OpenOptions::new().write(true).open(to).expect("a pipe");
        for part in whole.chunks(700) {
            std::io::Write::write_all(&mut to, part).expect("it is read");
        }
    });
    let first = peek(&pipe, 9, &Stop::never()).expect("a pipe");
    assert_eq!(first, text[..9]);
    assert_eq!(ending(&pipe), (20, Ending::Complete));
    writing.join().expect("written");
    assert_eq!(count(&pipe), None, "it is no file");
    // Keeps it open without writing.
    let _open = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&pipe)
        .expect("a pipe");
    let stopping = std::thread::spawn(move || stopper.stop());
    let error = Reader::<TicTacToe>::open(&pipe, &stop)
        .err()
        .expect("stopped");
    assert!(
        matches!(error.kind, RecordErrorKind::Interrupted),
        "{error}"
    );
    assert!(!stopping.join().expect("stopped"));
}
