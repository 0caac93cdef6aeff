//! `lockstep replay`: several jobs, folders, shards, and records against each other.

use super::*;

/// Right at the first request; what it answers then hangs on those before.
const FORGETS_NOT: &str = "sim:fault=best-kept";

/// Whole games, in more than one chunk.
fn games(folder: &TempDir, name: &str, seed: &str) -> String {
    let path = file(folder, name);
    let play = ["play", "--controller", "lowest", "--backend", "software"];
    let what = ["--games", "2", "--seed", seed, "--record", &path];
    exits(0, &[&play[..], &what].concat());
    path
}

/// A summary without what is time.
fn timeless(text: &str) -> String {
    let mut summary = json(text);
    let backends = summary["backends"].as_array_mut().expect("backends");
    for backend in backends {
        if let Some(link) = backend["link"].as_object_mut() {
            assert!(link.remove("latency").is_some(), "{link:?}");
        }
    }
    serde_json::to_string_pretty(&summary).expect("JSON")
}

/// The decision of one line is another column.
fn turned(path: &str, line: usize) {
    let mut lines: Vec<String> = text(path).lines().map(str::to_owned).collect();
    let mut entry = json(&lines[line - 1]);
    let column = entry["decision"]["column"].as_u64().expect("a column");
    entry["decision"]["column"] = (if column == 0 { 1 } else { column - 1 }).into();
    lines[line - 1] = entry.to_string();
    write(path, lines.join("\n") + "\n");
}

#[test]
fn any_number_of_jobs_says_the_same() {
    let folder = folder();
    let (a, b) = (
        games(&folder, "a.jsonl", "1"),
        games(&folder, "b.jsonl.zst", "2"),
    );
    let what = [
        "replay",
        &a,
        &b,
        "--backend",
        "software",
        "--backend",
        FORGETS_NOT,
    ];
    let what = [&what[..], &["--no-explain"]].concat();
    let replay = |more: &[&str]| exits(1, &[&what[..], more].concat());
    let told = stdout(&replay(&["--jobs", "1"]));
    let summary = timeless(&stdout(&replay(&["--jobs", "1", "--json", "-"])));
    for jobs in ["2", "4"] {
        assert_eq!(stdout(&replay(&["--jobs", jobs])), told);
        let others = stdout(&replay(&["--jobs", jobs, "--json", "-"]));
        assert_eq!(timeless(&others), summary, "{jobs} jobs");
    }
    let summary = json(&summary);
    let diverged = summary["diverged"].as_u64().expect("compared");
    let agreement = &summary["agreement"];
    assert!(diverged > 0, "{summary}");
    assert_eq!(agreement["class"], "piece");
    let pair = |index: usize| &agreement["pairs"][index];
    assert_eq!(
        (&pair(0)["first"], &pair(0)["second"], &pair(0)["agreed"]),
        (&"record".into(), &"software".into(), &summary["decisions"])
    );
    assert_eq!(pair(1)["second"], FORGETS_NOT);
    let by_piece = pair(1)["classes"].as_object().expect("pieces");
    let compared = by_piece
        .values()
        .map(|c| c["compared"].as_u64().expect("a number"));
    assert_eq!(Some(compared.sum::<u64>()), summary["decisions"].as_u64());
    assert!(by_piece.contains_key("T"), "{by_piece:?}");
    let cycles = agreement["parties"][2]["cycles"]
        .as_object()
        .expect("cycles");
    let cycles = cycles.values().map(|n| n.as_u64().expect("a number"));
    assert_eq!(Some(cycles.sum::<u64>()), summary["decisions"].as_u64());
    let first = &agreement["divergences"][0];
    assert_eq!(
        (&first["file"], &first["record"]),
        (&a.as_str().into(), &1.into())
    );
    assert_eq!(first["game"], summary["first_divergence"]["game"]);
    assert_eq!(first["move"], summary["first_divergence"]["move"]);
    // What is said of it fits a terminal.
    assert!(told.contains(&format!("record – {FORGETS_NOT}")), "{told}");
    assert!(
        told.contains("  by field  ") && told.contains("  by piece  "),
        "{told}"
    );
    let summary = told
        .lines()
        .skip_while(|line| !line.contains(" compared: "));
    let long = summary.filter(|line| line.chars().count() > 80);
    assert_eq!(long.collect::<Vec<_>>(), [""; 0]);
}

/// Each part of the records begins with a core that remembers nothing, and what it was asked
/// there is what is explained.
#[test]
fn a_fault_that_takes_two_requests_is_found_and_explained_by_two_jobs() {
    let folder = folder();
    let record = games(&folder, "games.jsonl", "1");
    let what = [
        "replay",
        &record,
        "--backend",
        "software",
        "--backend",
        FORGETS_NOT,
    ];
    let explained = |jobs| {
        let told = exits(1, &[&what[..], &["--jobs", jobs, "--json", "-"]].concat());
        json(&stdout(&told))["explanation"].clone()
    };
    let two = explained("2");
    assert_ne!(two["found"]["verdict"], "agrees", "{two}");
    let positions = two["smaller"]["positions"].as_array();
    assert_eq!(positions.map(Vec::len), Some(2), "one before it: {two}");
    assert_eq!(explained("1"), two);
}

#[test]
fn a_folder_is_all_records_in_it() {
    let folder = folder();
    let all = folder.path().join("all");
    std::fs::create_dir_all(all.join("later/empty")).expect("folders");
    let moved = |name: &str, to: &str| {
        let to = all.join(to);
        std::fs::rename(name, &to).expect("moved");
        to.to_string_lossy().into_owned()
    };
    let last = moved(&games(&folder, "c.jsonl", "3"), "later/a.jsonl");
    let first = moved(&games(&folder, "a.jsonl.zst", "1"), "a.jsonl.zst");
    let middle = moved(&games(&folder, "b.jsonl", "2"), "b.jsonl");
    write(&all.join("notes.txt").to_string_lossy(), "no record");
    turned(&middle, 90);
    let all = all.to_string_lossy().into_owned();
    let what = ["replay", &all, "--backend", "engine", "--no-explain"];
    let summary = json(&stdout(&exits(1, &[&what[..], &["--json", "-"]].concat())));
    assert_eq!(summary["files"], serde_json::json!([first, middle, last]));
    assert_eq!(
        (&summary["diverged"], &summary["games"]),
        (&1.into(), &6.into())
    );
    let divergences = summary["agreement"]["divergences"].as_array();
    let [found] = divergences.expect("divergences").as_slice() else {
        panic!("{summary}");
    };
    assert_eq!(
        (&found["file"], &found["line"], &found["record"]),
        (&middle.as_str().into(), &90.into(), &2.into())
    );
    let told = stdout(&exits(1, &what));
    let (title, found) = (told.find(&*middle), told.find("DIVERGENCE"));
    assert!(title < found && found < told.find(&*last), "{told}");
    let listed = told.lines().filter(|line| line.starts_with("  engine  "));
    let listed = listed.filter(|line| !line.ends_with('-'));
    assert_eq!(listed.count(), 1, "once for all: {told}");

    let empty = folder.path().join("all/later/empty");
    let empty = empty.to_string_lossy();
    refused(&run(&["replay", &empty], ""), &[&empty, "*.jsonl.zst"]);
    let bad = file(&folder, "all/z.jsonl");
    write(&bad, "hello\n");
    refused(
        &run(&["replay", &all], ""),
        &[&bad, "not a lockstep record"],
    );
}

#[test]
fn all_shards_together_are_the_whole() {
    let folder = folder();
    let (a, b) = (
        games(&folder, "a.jsonl", "1"),
        games(&folder, "b.jsonl", "2"),
    );
    turned(&b, 70);
    let what = [
        "replay",
        &a,
        &b,
        "--backend",
        "engine",
        "--no-explain",
        "--json",
        "-",
    ];
    let whole = json(&stdout(&exits(1, &what)));
    assert_eq!(whole["shard"], Value::Null);
    for of in [2, 3, 40] {
        let (mut sums, mut agreed, mut found, mut empty) = ([0; 4], 0, 0, 0);
        for number in 1..=of {
            let shard = format!("{number}/{of}");
            let part = run(&[&what[..], &["--shard", &shard]].concat(), "");
            let summary = json(&stdout(&part));
            assert_eq!(summary["shard"], shard.as_str());
            assert_eq!(
                part.status.code(),
                Some(i32::from(summary["diverged"] == 1))
            );
            let names = ["decisions", "compared", "games", "diverged"];
            for (sum, name) in sums.iter_mut().zip(names) {
                *sum += summary[name].as_u64().unwrap_or(0);
            }
            let pair = &summary["agreement"]["pairs"][0];
            agreed += pair["agreed"].as_u64().unwrap_or(0);
            let divergences = summary["agreement"]["divergences"].as_array();
            found += divergences.map_or(0, Vec::len);
            empty += usize::from(summary["decisions"] == 0);
        }
        let expected = ["decisions", "compared", "games", "diverged"].map(|n| whole[n].as_u64());
        assert_eq!(sums.map(Some), expected, "{of}");
        assert_eq!(
            Some(agreed),
            whole["agreement"]["pairs"][0]["agreed"].as_u64()
        );
        assert_eq!((found, empty > 0), (1, of == 40));
    }
    let told = stdout(&exits(
        0,
        &["replay", &a, "--shard", "40/40", "--backend", "engine"],
    ));
    assert!(told.contains("shard 40/40 is empty"), "{told}");
}

#[test]
fn records_are_compared_with_each_other() {
    let folder = folder();
    let (a, b) = (
        games(&folder, "a.jsonl", "1"),
        games(&folder, "b.jsonl", "1"),
    );
    let what = ["replay", &a, &b, "--recorded"];
    let told = stdout(&exits(0, &what));
    assert!(told.contains("agreed, 0 diverged"), "{told}");
    turned(&b, 20);
    let told = stdout(&exits(1, &what));
    assert!(
        told.contains("a.jsonl:software – b.jsonl:software"),
        "{told}"
    );
    assert!(told.contains("  by field  column 1"), "{told}");
    assert!(told.contains("DIVERGENCE in game 1, move 19"), "{told}");
    let summary = json(&stdout(&exits(1, &[&what[..], &["--json", "-"]].concat())));
    assert_eq!(summary["diverged"], 1);
    assert_eq!(summary["agreement"]["divergences"][0]["line"], 20);
    assert_eq!(summary["common"]["parted"], 0, "its positions are the same");

    // Other games are not the same, whatever was decided in them.
    let other = games(&folder, "other.jsonl", "2");
    let parted = stdout(&exits(1, &["replay", &a, &other, "--recorded"]));
    assert!(parted.contains("game 2 parts at move"), "{parted}");
    let alone = format!("decisions of {other}");
    assert!(
        parted.contains("not compared: ") && parted.contains(&alone),
        "{parted}"
    );
    let (first, second) = (file(&folder, "first.jsonl"), file(&folder, "second.jsonl"));
    for (number, part) in [("1", &first), ("2", &second)] {
        exits(0, &["record", "cut", &a, "--games", number, "--out", part]);
    }
    let nothing = run(&["replay", &first, &second, "--recorded"], "");
    refused(&nothing, &["no position is in both"]);
    refused(
        &run(&["replay", &a, &b, &a, "--recorded"], ""),
        &["3 are named"],
    );
    let played = file(&folder, "played.jsonl");
    exits(
        0,
        &[
            "play",
            "--max-pieces",
            "3",
            "--backend",
            "software",
            "--record",
            &played,
        ],
    );
    let kinds = run(&["replay", &a, &played, "--recorded"], "");
    refused(&kinds, &[&a, &played, "controller"]);
}

/// A record of several backends has answers enough by itself.
#[test]
fn one_record_of_several_backends_is_compared_by_itself() {
    let folder = folder();
    let record = file(&folder, "games.jsonl");
    let play = [
        "play",
        "--backend",
        "software",
        "--backend",
        FAULTY,
        "--no-explain",
    ];
    exits(
        1,
        &[&play[..], &["--games", "3", "--record", &record]].concat(),
    );
    let summary = exits(1, &["replay", &record, "--recorded", "--json", "-"]);
    let summary = json(&stdout(&summary));
    assert_eq!(
        (&summary["decisions"], &summary["diverged"]),
        (&3.into(), &3.into())
    );
    let pair = &summary["agreement"]["pairs"][0];
    assert_eq!(
        (&pair["first"], &pair["second"]),
        (&"software".into(), &FAULTY.into())
    );
}

#[test]
fn what_cannot_be_replayed_so_is_refused() {
    let folder = folder();
    let record = games(&folder, "games.jsonl", "1");
    let into = file(&folder, "into.jsonl");
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--jobs", "0"], &["--jobs", "from 1 to 1024"]),
        (&["--jobs", "many"], &["--jobs", "whole number"]),
        (
            &["--jobs", "2", "--backend", "serial:nowhere"],
            &["serial:nowhere", "--jobs"],
        ),
        (&["--shard", "0/2"], &["--shard", "I/N"]),
        (&["--shard", "3/2"], &["--shard", "I/N"]),
        (&["--shard", "2"], &["--shard", "I/N"]),
        (
            &["--shard", "1/2", "--record", &into],
            &["--record", &into, "--shard"],
        ),
        (
            &["--recorded", "--backend", "sim"],
            &["--recorded", "--backend"],
        ),
        (&["--recorded", "--jobs", "2"], &["--recorded", "--jobs"]),
    ];
    let wrong = cases.map(|(arguments, named)| {
        let arguments = [&["replay", &record], arguments].concat();
        misrefused(&run(&arguments, ""), named)
    });
    none(&wrong.into_iter().flatten().collect::<Vec<_>>());
    assert!(!Path::new(&into).exists());
}

/// Two of one name cannot be told apart in what is counted.
#[test]
fn one_record_twice_and_one_backend_twice_are_refused() {
    let folder = folder();
    let record = file(&folder, "a.jsonl");
    let play = ["play", "--backend", "software", "--backend", "engine"];
    exits(
        0,
        &[&play[..], &["--max-pieces", "5", "--record", &record]].concat(),
    );
    let told = stderr(&exits(2, &["replay", &record, &record, "--recorded"]));
    assert!(told.contains("name another record"), "{told}");
    let text = std::fs::read_to_string(&record).expect("a record");
    let twice = file(&folder, "twice.jsonl");
    let doubled = text.replacen("\"name\":\"engine\"", "\"name\":\"software\"", 1);
    assert_ne!(doubled, text);
    write(&twice, doubled);
    for what in ["--recorded", "--no-explain"] {
        let told = stderr(&exits(2, &["replay", &twice, what]));
        assert!(
            told.contains("it names the backend \"software\" twice"),
            "{told}"
        );
    }
}
