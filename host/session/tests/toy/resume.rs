//! Going on with a record.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lockstep::record::{Head, Origin, RecordError, Recorder, Resumed, Wanted};
use lockstep::report::Totals;
use lockstep::session::Start;
use lockstep::{Listeners, Sink as _, Stop};

use crate::compressed::{frames, text};
use crate::game::{Controller, Position, Setup, TicTacToe};
use crate::records::{folder, lines};
use crate::scripted::{Reply, Scripted};
use crate::support::{block_on, drawn, header, in_order, session};

/// What is played, and by whom.
#[derive(Clone)]
struct Play {
    controller: Controller,
    games: u64,
    max_moves: u64,
    /// The second backend is wrong at that number of free cells.
    wrong: Option<usize>,
    /// The second backend is early at that number of free cells.
    early: Option<usize>,
    /// Both promise another number of nodes at that number of free cells.
    noted: Option<usize>,
}

impl Play {
    fn new() -> Self {
        Self {
            controller: drawn(),
            games: 3,
            max_moves: 100,
            wrong: None,
            early: None,
            noted: None,
        }
    }

    fn backends(&self) -> Vec<Scripted> {
        let Self {
            wrong,
            early,
            noted,
            ..
        } = *self;
        let free = |position: &Position| Some(position.free().len());
        let first = move |_: u64, position: &Position, right| match free(position) == noted {
            true => Reply::Noted(right, 5, true),
            false => Reply::Decision(right),
        };
        let second = move |_: u64, position: &Position, right| match free(position) {
            free if free == wrong => Reply::Decision(Some(8)),
            free if free == early => Reply::Early(right),
            free if free == noted => Reply::Noted(right, 6, true),
            _ => Reply::Decision(right),
        };
        vec![Scripted::new("a", first), Scripted::new("b", second)]
    }

    /// Plays into a record, which may be there.
    fn record(&self, path: &Path) -> Result<Totals, RecordError> {
        self.record_with(path, self.backends())
    }

    fn record_with(&self, path: &Path, backends: Vec<Scripted>) -> Result<Totals, RecordError> {
        block_on(async {
            let backends = backends.into_iter().map(Scripted::boxed).collect();
            let mut session = session(backends, &self.controller, Stop::never()).await;
            let mut header = header(&session, &self.controller);
            let setup = Setup { openings: 2 };
            header.setup = Some(setup.clone());
            let wanted = Wanted {
                head: Head::of(&header, Origin::default(), Default::default()),
                games: self.games,
                max_moves: self.max_moves,
            };
            let mut before = Totals::default();
            before
                .take(&lockstep::Event::Started(header.clone()))
                .expect("counted");
            let resumed = Resumed::open(path, &wanted, |_| Ok(()), &mut |event| {
                before.take(&event).expect("counted");
            })?;
            let mut totals = Totals::default();
            let mut listeners = Listeners::new().with(&mut totals);
            let Some(recorder) = resumed.recorder else {
                return Ok(before);
            };
            listeners = listeners.on_thread("record", recorder).expect("a thread");
            let start: Start<TicTacToe> = resumed.start;
            let (games, moves) = (self.games, self.max_moves);
            let played = session.play_on(&header, &setup, start, games, moves, &mut listeners);
            played.await.expect("played");
            drop(listeners);
            before.merge(totals);
            Ok(before)
        })
    }

    fn error(&self, path: &Path) -> String {
        let before = fs::read(path).expect("a file");
        let error = self.record(path).expect_err("refused").to_string();
        assert_eq!(fs::read(path).expect("a file"), before, "{error}");
        error
    }
}

fn numbers(totals: &Totals) -> serde_json::Value {
    serde_json::to_value(totals).expect("JSON")
}

/// Wherever a record ends, the one that goes on from there is the one that was never
/// interrupted, and so are its numbers.
#[test]
fn a_record_that_ends_at_any_byte_goes_on() {
    let folder = folder();
    let plays = [
        Play {
            games: 2,
            max_moves: 2,
            ..Play::new()
        },
        Play::new(),
        Play {
            wrong: Some(3),
            ..Play::new()
        },
        Play {
            early: Some(4),
            ..Play::new()
        },
        Play {
            noted: Some(5),
            ..Play::new()
        },
        Play {
            max_moves: 4,
            ..Play::new()
        },
        Play {
            controller: in_order(),
            games: 2,
            ..Play::new()
        },
    ];
    for (number, play) in plays.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.jsonl"));
        let totals = numbers(&play.record(&path).expect("played"));
        let whole = text(&path);
        assert_eq!(whole.contains("\"due\":{\"b\":16}"), play.early.is_some());
        let lines = lines(&path);
        let cut = folder.path().join("cut.jsonl");
        let small = folder.path().join("cut.jsonl.zst");
        let plain = (cut, whole.clone().into_bytes());
        // The header by itself, as a recorder writes it.
        let header = frames(&lines[..1], 1);
        let head = header.len();
        let [end, entries] = [&lines[lines.len() - 1..], &lines[1..lines.len() - 1]];
        let packed = [header, frames(entries, 3), frames(end, 1)].concat();
        for (path, bytes) in [plain, (small, packed)] {
            let head = if path.ends_with("cut.jsonl") {
                lines[0].len()
            } else {
                head
            };
            for length in (0..=bytes.len()).rev() {
                // The first one at each byte behind the header, the others here and there.
                if (number > 0 || length < head) && length % 173 > 0 {
                    continue;
                }
                fs::write(&path, &bytes[..length]).expect("written");
                let resumed = play.record(&path);
                let resumed = resumed.unwrap_or_else(|e| panic!("{number}, {length}: {e}"));
                assert_eq!(text(&path), whole, "{number}, {length}");
                assert_eq!(numbers(&resumed), totals, "{number}, {length}");
            }
        }
    }
}

fn recorded(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    Play::new().record(&path).expect("played");
    path
}

#[test]
fn a_complete_record_is_left_alone_unless_more_is_asked_for() {
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let folder = folder();
        let path = recorded(&folder, name);
        let before = fs::read(&path).expect("a file");
        let again = Play::new().record(&path).expect("nothing to do");
        assert_eq!(fs::read(&path).expect("a file"), before);
        assert_eq!((again.games, again.decisions), (3, 23));
        let more = Play {
            games: 5,
            ..Play::new()
        };
        let all = more.record(&path).expect("two more");
        let other = folder.path().join("other.jsonl");
        let whole = more.record(&other).expect("played");
        assert_eq!(text(&path), text(&other));
        assert_eq!(numbers(&all), numbers(&whole));
    }
}

/// Neither between lines nor after the last one, nor in frames of their own.
#[test]
fn empty_lines_are_not_in_the_way() {
    let folder = folder();
    let more = Play {
        games: 4,
        ..Play::new()
    };
    let whole = folder.path().join("whole.jsonl");
    more.record(&whole).expect("played");
    let expected = lines(&whole);
    let good = lines(&recorded(&folder, "a.jsonl"));
    let gaps: Vec<String> = good.join("\n\n").lines().map(str::to_owned).collect();
    let gaps = [gaps, vec![String::new(); 2]].concat();
    let plain = (gaps.join("\n") + "\n").into_bytes();
    let path = folder.path().join("gaps.jsonl");
    for bytes in [plain, frames(&gaps, 1), frames(&gaps, 2)] {
        fs::write(&path, bytes).expect("written");
        more.record(&path).expect("gone on with");
        let text = text(&path);
        let found = text.lines().filter(|line| !line.is_empty());
        assert!(found.eq(&expected), "{text}");
    }
}

/// Only of the last game there can be more moves.
#[test]
fn more_moves_are_played_of_the_last_game() {
    let folder = folder();
    let short = |games, max_moves| Play {
        games,
        max_moves,
        ..Play::new()
    };
    let (path, other) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl"));
    short(1, 4).record(&path).expect("played");
    short(2, 6).record(&path).expect("gone on with");
    short(2, 6).record(&other).expect("played");
    assert_eq!(text(&path), text(&other));
    let error = short(2, 7).error(&path);
    assert!(
        error.contains("line 8") && error.contains("game 1 was stopped"),
        "{error}"
    );
    let error = short(2, 5).error(&path);
    assert!(
        error.contains("line 7") && error.contains("5 are the most"),
        "{error}"
    );
    let error = short(1, 6).error(&path);
    assert!(
        error.contains("line 8") && error.contains("game 2"),
        "{error}"
    );
}

#[test]
fn what_does_not_follow_by_the_rules_is_named_with_its_line() {
    let folder = folder();
    let path = recorded(&folder, "a.jsonl");
    let good = lines(&path);
    let with = |line: usize, change: &dyn Fn(&str) -> String| {
        let mut text = good.clone();
        text[line - 1] = change(&text[line - 1]);
        assert_ne!(text, good, "the edit changes it");
        fs::write(&path, text.join("\n") + "\n").expect("written");
        Play::new().error(&path)
    };
    let number = |from: &'static str, to: &'static str| move |line: &str| line.replace(from, to);
    let cases = [
        (5, with(5, &number(r#"".""#, r#""X""#)), "does not follow"),
        (
            5,
            with(4, &number(r#""decision":2"#, r#""decision":3"#)),
            "does not follow",
        ),
        (
            4,
            with(4, &number(r#""move":3"#, r#""move":4"#)),
            "expected move 3",
        ),
        (
            3,
            with(3, &number(r#""game":1"#, r#""game":2"#)),
            "game 1 was stopped",
        ),
        (
            2,
            with(2, &number(r#""X""#, r#"".""#)),
            "seed and generator",
        ),
        (
            6,
            with(6, &number(r#""decision":"#, r#""decided":"#)),
            "missing field",
        ),
    ];
    for (line, error, expected) in cases {
        assert!(error.contains(&format!("line {line}")), "{error}");
        assert!(error.contains(expected), "{expected}: {error}");
    }
    // Also what comes after what is kept.
    fs::write(&path, good.join("\n") + "\nmore\n").expect("written");
    let error = Play::new().error(&path);
    assert!(error.contains("ends a record"), "{error}");
}

#[test]
fn what_cannot_go_on_says_why_and_stays() {
    let folder = folder();
    let path = recorded(&folder, "a.jsonl");
    let good = lines(&path);
    let mut old = good.clone();
    old[0] = old[0].replace(r#""lockstep_record":4"#, r#""lockstep_record":2"#);
    let mut seatless = good.clone();
    seatless[0] = seatless[0].replace(r#""lockstep_record":4"#, r#""lockstep_record":3"#);
    let mut excerpt = good.clone();
    excerpt[0] = excerpt[0].replace(r#""backends""#, r#""excerpt":"by hand","backends""#);
    let cases = [
        (old.join("\n"), "of version 2"),
        // Of a game with several seats.
        (seatless.join("\n"), "of version 3"),
        (excerpt.join("\n"), "it is no session"),
        ("precious\n".to_owned(), "not a lockstep record"),
        (good[0][..40].to_owned() + "x", "not a lockstep record"),
    ];
    for (text, expected) in cases {
        fs::write(&path, text).expect("written");
        let error = Play::new().error(&path);
        assert!(error.contains(expected), "{expected}: {error}");
    }
    // In one frame, the last line with the others.
    let foreign = zstd::encode_all((good.join("\n") + "\n").as_bytes(), 3).expect("compressed");
    fs::write(&path, foreign).expect("written");
    let error = Play {
        games: 4,
        ..Play::new()
    };
    let error = error.error(&path);
    assert!(error.contains("lockstep record convert"), "{error}");
    let device = Play::new()
        .record(Path::new("/dev/null"))
        .expect_err("refused");
    assert!(device.to_string().contains("no ordinary file"), "{device}");
}

#[test]
fn a_record_that_is_written_is_not_gone_on_with() {
    let folder = folder();
    let path = recorded(&folder, "a.jsonl");
    let held = Recorder::<TicTacToe>::create(&path, true).expect("taken");
    let error = Play::new().error(&path);
    assert!(error.contains("is being written by another"), "{error}");
    drop(held);
    Play::new().record(&path).expect("free again");
}

/// Nothing waits for what comes after it: all that was decided is in the file, in a compressed
/// one after a while.
#[test]
fn what_was_decided_is_in_the_file_before_the_session_ends() {
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let folder = folder();
        let path = folder.path().join(name);
        let seen = path.clone();
        // Asked for its seventh decision it waits until six are there.
        let patient = Scripted::new("patient", move |number, _, right| {
            let since = Instant::now();
            let count = || lockstep::record::Reader::<TicTacToe>::count(&seen);
            while number == 6 && count().unwrap_or(0) < 6 {
                assert!(
                    since.elapsed() < Duration::from_secs(60),
                    "they do not come"
                );
                std::thread::yield_now();
            }
            Reply::Decision(right)
        });
        let play = Play::new();
        play.record_with(&path, vec![patient]).expect("played");
    }
}
