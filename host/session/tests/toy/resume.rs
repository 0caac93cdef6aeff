//! Resuming records.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lockstep::record::{RecordError, Recorder};
use lockstep::report::Totals;

use crate::compressed::{frames, text};
use crate::game::{Controller, Position, Setup, TicTacToe};
use crate::records::{count, edited, folder, lines};
use crate::scripted::{Reply, Scripted};
use crate::support::{Play, drawn, in_order};

/// A session of two backends with planned errors.
#[derive(Clone)]
struct Plan {
    controller: Controller,
    games: u64,
    moves: u64,
    /// Number of free cells at which the second backend is wrong, or early, or both promise different
    /// notes.
    wrong: Option<usize>,
    early: Option<usize>,
    noted: Option<usize>,
}

impl Plan {
    fn new(games: u64, moves: u64) -> Self {
        Self {
            controller: drawn(),
            games,
            moves,
            wrong: None,
            early: None,
            noted: None,
        }
    }

    fn backends(&self) -> Vec<Scripted> {
        let [wrong, early, noted] = [self.wrong, self.early, self.noted];
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

    /// Plays into a record, which may exist; returns the totals of all of it.
    fn record(&self, path: &Path) -> Result<Totals, RecordError> {
        self.record_with(path, self.backends())
    }

    fn record_with(&self, path: &Path, backends: Vec<Scripted>) -> Result<Totals, RecordError> {
        let play = Play {
            controller: self.controller.clone(),
            setup: Setup { openings: 2 },
            moves: self.moves,
            ..Play::of(backends, self.games)
        };
        Ok(play.resume(path)?.whole())
    }

    fn error(&self, path: &Path) -> String {
        let before = fs::read(path).expect("a file");
        let error = self.record(path).expect_err("refused").to_string();
        assert_eq!(fs::read(path).expect("a file"), before, "{error}");
        error
    }
}

/// Three whole games.
fn plan() -> Plan {
    Plan::new(3, 100)
}

fn numbers(totals: &Totals) -> serde_json::Value {
    serde_json::to_value(totals).expect("JSON")
}

/// A record resumed from any byte equals one that was never interrupted, and so do its totals.
#[test]
fn resume_record_cut_at_any_byte() {
    let folder = folder();
    let mut plans = vec![Plan::new(2, 2)];
    plans.extend(vec![plan(); 4]);
    (plans[2].wrong, plans[3].early, plans[4].noted) = (Some(3), Some(4), Some(5));
    plans.extend([Plan::new(3, 4), Plan::new(2, 100)]);
    plans[6].controller = in_order();
    for (number, play) in plans.into_iter().enumerate() {
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
                // The first one at each byte after the header, the others here and there.
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
    plan().record(&path).expect("played");
    path
}

#[test]
fn resume_complete_record_plays_only_more_games() {
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let folder = folder();
        let path = recorded(&folder, name);
        let before = fs::read(&path).expect("a file");
        let again = plan().record(&path).expect("nothing to do");
        assert_eq!(fs::read(&path).expect("a file"), before);
        assert_eq!((again.games, again.decisions), (3, 23));
        let more = Plan::new(5, 100);
        let all = more.record(&path).expect("two more");
        let other = folder.path().join("other.jsonl");
        let whole = more.record(&other).expect("played");
        assert_eq!(text(&path), text(&other));
        assert_eq!(numbers(&all), numbers(&whole));
    }
}

/// Neither between lines nor after the last one, nor in frames of their own.
#[test]
fn resume_empty_lines_do_not_matter() {
    let folder = folder();
    let more = Plan::new(4, 100);
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
        more.record(&path).expect("resumed");
        let text = text(&path);
        let found = text.lines().filter(|line| !line.is_empty());
        assert!(found.eq(&expected), "{text}");
    }
}

/// A frame's last bytes may come later than its text: in the next 64 KiB.
#[test]
fn resume_compressed_record_of_any_length() {
    let folder = folder();
    let more = Plan::new(4, 100);
    let whole = folder.path().join("whole.jsonl");
    more.record(&whole).expect("played");
    let good = lines(&recorded(&folder, "a.jsonl"));
    let [head, entries, end] = [
        &good[..1],
        &good[1..good.len() - 1],
        &good[good.len() - 1..],
    ];
    let [head, entries, end] = [head, entries, end].map(|lines| frames(lines, usize::MAX));
    let path = folder.path().join("long.jsonl.zst");
    for behind in 0..10 {
        let room = (1 << 16) + behind - head.len() - entries.len() - 8;
        let size = u32::try_from(room).expect("small").to_le_bytes();
        // A frame without text.
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18], &size[..], &vec![0; room]].concat();
        fs::write(&path, [&head[..], &skipped, &entries, &end].concat()).expect("written");
        let resumed = more.record(&path);
        resumed.unwrap_or_else(|why| panic!("{behind}: {why}"));
        assert_eq!(text(&path), text(&whole), "{behind}");
    }
}

/// Only the last game can get more moves.
#[test]
fn resume_plays_more_moves_of_the_last_game() {
    let folder = folder();
    let (path, other) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl"));
    Plan::new(1, 4).record(&path).expect("played");
    for path in [&path, &other] {
        Plan::new(2, 6).record(path).expect("played");
    }
    assert_eq!(text(&path), text(&other));
    for (games, moves, line, why) in [
        (2, 7, "line 8", "game 1 was stopped"),
        (2, 5, "line 7", "--max-moves is 5"),
        (1, 6, "line 8", "game 2, but --games is 1"),
    ] {
        let error = Plan::new(games, moves).error(&path);
        assert!(error.contains(line) && error.contains(why), "{error}");
    }
}

/// Also after the part that is kept.
#[test]
fn resume_invalid_line_is_named() {
    let folder = folder();
    let path = recorded(&folder, "a.jsonl");
    let good = lines(&path);
    for (text, line, why) in [
        (
            edited(&good, 4, "\"decision\":2", "\"decision\":3"),
            5,
            "does not follow",
        ),
        (
            edited(&good, 3, "\"game\":1", "\"game\":2"),
            3,
            "game 1 was stopped",
        ),
        (
            edited(&good, 6, "\"decision\":", "\"decided\":"),
            6,
            "missing field",
        ),
        (
            good.join("\n") + "\nmore\n",
            good.len() + 1,
            "ends a record",
        ),
    ] {
        fs::write(&path, text).expect("written");
        let error = plan().error(&path);
        let named = error.contains(&format!("line {line}"));
        assert!(named && error.contains(why), "{why}: {error}");
    }
}

#[test]
fn resume_refused_record_stays() {
    let folder = folder();
    let path = recorded(&folder, "a.jsonl");
    let good = lines(&path);
    let cases = [
        // The game has several seats.
        (
            edited(&good, 1, r#""lockstep_record":4"#, r#""lockstep_record":3"#),
            "of version 3",
        ),
        (
            edited(
                &good,
                1,
                r#""backends""#,
                r#""excerpt":"by hand","backends""#,
            ),
            "it was merged or cut",
        ),
        ("precious\n".to_owned(), "not a lockstep record"),
        (good[0][..40].to_owned() + "x", "not a lockstep record"),
    ];
    for (text, expected) in cases {
        fs::write(&path, text).expect("written");
        let error = plan().error(&path);
        assert!(error.contains(expected), "{expected}: {error}");
    }
    // The last line in one frame with others.
    let whole = zstd::encode_all((good.join("\n") + "\n").as_bytes(), 3).expect("compressed");
    let [head, rest] = [&good[..1], &good[1..]].map(|lines| frames(lines, usize::MAX));
    for foreign in [whole, [head, rest].concat()] {
        fs::write(&path, foreign).expect("written");
        let error = Plan::new(4, 100).error(&path);
        assert!(error.contains("lockstep record convert"), "{error}");
    }
    let device = plan().record(Path::new("/dev/null")).expect_err("refused");
    assert!(
        device.to_string().contains("not an ordinary file"),
        "{device}"
    );
}

#[test]
fn resume_record_being_written_is_refused() {
    let folder = folder();
    let path = recorded(&folder, "a.jsonl");
    let held = Recorder::<TicTacToe>::create(&path, true).expect("taken");
    let error = plan().error(&path);
    assert!(error.contains("is being written by another"), "{error}");
    drop(held);
    plan().record(&path).expect("free again");
}

/// A decision is written without waiting for the next one, in a compressed record after a while.
#[test]
fn record_is_written_during_session() {
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let folder = folder();
        let path = folder.path().join(name);
        let seen = path.clone();
        // At the seventh request it waits until six decisions are in the file.
        let patient = Scripted::new("patient", move |number, _, right| {
            let since = Instant::now();
            let count = || count(&seen);
            while number == 6 && count().unwrap_or(0) < 6 {
                assert!(
                    since.elapsed() < Duration::from_secs(60),
                    "they do not come"
                );
                std::thread::yield_now();
            }
            Reply::Decision(right)
        });
        let play = plan();
        play.record_with(&path, vec![patient]).expect("played");
    }
}
