//! Journals: resumed, incomplete, damaged, foreign.

use serde_json::json;
use tempfile::TempDir;

use super::*;

const KIND: JournalKind = JournalKind {
    command: "count",
    option: "--state",
    earlier: "lockstep_count",
};

fn settings() -> Value {
    json!({"seed": 1, "max": null, "controller": {"holes": -4.0}})
}

fn open(path: &Path, fresh: bool) -> Result<(Journal, Vec<Value>), JournalError> {
    Journal::open(KIND, path, &settings(), None, fresh)
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.jsonl");
    (folder, path)
}

/// Writes a journal with two entries and returns its text.
fn two(path: &Path) -> String {
    let (mut journal, _) = open(path, true).unwrap();
    journal.append(&json!({"game": 4, "lines": 0.1})).unwrap();
    journal.append(&json!("x\n}")).unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn journal_entries_are_read_back_and_continued() {
    let (folder, path) = place();
    let (mut journal, none) = open(&path, false).unwrap();
    assert!(none.is_empty() && !path.exists());
    journal.append(&1).unwrap();
    drop(journal);
    let (mut journal, entries) = open(&path, false).unwrap();
    assert_eq!(entries, [1]);
    journal.append(&2).unwrap();
    drop(journal);
    let (mut journal, entries) = open(&path, false).unwrap();
    assert_eq!(entries, [1, 2]);
    journal.replace(&3).unwrap();
    journal.append(&4).unwrap();
    drop(journal);
    let (journal, entries) = open(&path, false).unwrap();
    assert_eq!(entries, [3, 4]);
    journal.remove().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn journal_incomplete_last_line_is_ignored() {
    let (_folder, path) = place();
    let text = two(&path);
    let header = text.find('\n').unwrap() + 1;
    let second = text.trim_end().rfind('\n').unwrap() + 1;
    for length in header..text.len() {
        fs::write(&path, &text[..length]).unwrap();
        let (mut journal, entries) = open(&path, false).unwrap();
        assert_eq!(entries.len(), usize::from(length >= second), "{length}");
        journal.append(&7).unwrap();
        drop(journal);
        let (_, after) = open(&path, false).unwrap();
        assert_eq!(after, [entries, vec![json!(7)]].concat(), "{length}");
    }
}

/// Damages each byte of each entry in turn, then appends an entry of another journal.
#[test]
fn journal_damaged_line_is_refused_by_number() {
    let (_folder, path) = place();
    let text = two(&path);
    let header = text.find('\n').unwrap() + 1;
    let refused = |content: &[u8], line: usize| {
        fs::write(&path, content).unwrap();
        let error = open(&path, false).unwrap_err().to_string();
        let named = format!("state.jsonl: line {line} is damaged");
        assert!(error.contains(&named), "{error}");
        assert!(error.starts_with("--state ") && error.ends_with("--fresh"));
        assert!(open(&path, true).unwrap().1.is_empty());
    };
    for at in header..text.len() - 1 {
        let mut damaged = text.clone().into_bytes();
        damaged[at] ^= 1;
        let line = 1 + text[..=at].lines().count();
        // Neither makes nor removes a line break.
        if damaged[at] != b'\n' && text.as_bytes()[at] != b'\n' {
            refused(&damaged, line - 1);
        }
    }
    let other = json!({"seed": 2});
    let (mut journal, _) = Journal::open::<Value>(KIND, &path, &other, None, true).unwrap();
    journal.replace(&1).unwrap();
    drop(journal);
    let foreign = fs::read_to_string(&path).unwrap();
    let line = foreign.lines().last().unwrap();
    refused(format!("{text}{line}\n").as_bytes(), 4);
}

#[test]
fn journal_with_other_settings_is_refused_by_field() {
    let (_folder, path) = place();
    let text = two(&path);
    let other = json!({"seed": 1, "max": 9, "controller": {"holes": -5.0}});
    let open = |fresh| Journal::open::<Value>(KIND, &path, &other, None, fresh);
    let error = open(false).unwrap_err().to_string();
    let expected = "state.jsonl: it has other settings: controller.holes is -4.0 in the file and \
                    -5.0 in this command, max is not set in the file and 9 in this command; name another file with --state, \
                    or start over with --fresh";
    assert!(error.ends_with(expected), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "untouched");
    open(true).unwrap().0.append(&1).unwrap();
    assert_eq!(open(false).unwrap().1, [1]);
}

#[test]
fn journal_of_another_version_needs_fresh() {
    let (_folder, path) = place();
    for content in [
        "{\"lockstep_journal\":2,\"command\":\"count\"}\n",
        "{\"lockstep_count\":1,\"seed\":1}\n{}\n",
        "{\n  \"board\": [],\n  \"lockstep_count\": 1\n}\n",
    ] {
        fs::write(&path, content).unwrap();
        let error = open(&path, false).unwrap_err().to_string();
        assert!(error.contains("another version of lockstep"), "{error}");
        assert!(error.ends_with("--fresh"), "{error}");
        open(&path, true).unwrap();
    }
}

#[test]
fn journal_keeps_foreign_file() {
    let (_folder, path) = place();
    for content in [
        "precious\n",
        "{\"lockstep_record\":1}\n",
        "{\"lockstep_journal\":1,\"command\":\"other\"}\n",
        "{\"lockstep_journal\":1,\"com",
        "\n",
        "[1]",
        "\u{0}",
    ] {
        for fresh in [false, true] {
            fs::write(&path, content).unwrap();
            let error = open(&path, fresh).unwrap_err().to_string();
            assert!(
                error.contains("not a state file of `lockstep count`"),
                "{error}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
}

#[test]
fn journal_in_use_is_refused() {
    let (_folder, path) = place();
    let first = open(&path, false).unwrap();
    for fresh in [false, true] {
        let error = open(&path, fresh).unwrap_err().to_string();
        assert!(error.contains("in use by another run"), "{error}");
        assert!(error.ends_with("another file with --state"), "{error}");
    }
    drop(first);
    assert!(open(&path, false).is_ok());
}

#[test]
fn journal_of_another_shard_is_refused() {
    let (_folder, path) = place();
    let shard = |text: &str| {
        let number = text.parse().unwrap();
        Some(lockstep_games::ShardHeader::new(number, 9, "game"))
    };
    let open = |shard| Journal::open::<Value>(KIND, &path, &settings(), shard, false);
    drop(open(shard("2/3")).unwrap());
    assert!(path.exists(), "also without an entry");
    for (other, named) in [
        (
            shard("1/3"),
            "shard.number is \"2/3\" in the file and \"1/3\" in this command",
        ),
        (shard("2/4"), "\"2/4\" in this command"),
        (
            None,
            "shard.items is 9 in the file and not set in this command",
        ),
    ] {
        let error = open(other).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
    assert!(open(shard("2/3")).is_ok());
}
