//! `lockstep record` on parts of records: what is not whole is never told to be, and games are
//! those that they were before.

use super::recorded::{record, recorded};
use super::*;

/// A copy without its last line, as a kill leaves it.
fn killed(of: &str, to: &str) {
    let text = text(of);
    let lines: Vec<&str> = text.lines().collect();
    write(to, lines[..lines.len() - 1].join("\n") + "\n");
}

fn tail(path: &str) -> Value {
    json(text(path).lines().last().expect("a line"))["end"].clone()
}

#[test]
fn what_is_made_of_a_record_that_was_cut_short_is_not_complete() {
    let folder = folder();
    let games = recorded(&folder);
    let [short, part, merged, turned] =
        ["s.jsonl", "p.jsonl", "m.jsonl", "t.jsonl"].map(|name| file(&folder, name));
    killed(&games, &short);
    record(&["cut", &short, "--games", "1..", "--out", &part]);
    assert_eq!(tail(&part)["complete"], false);
    record(&["merge", &short, &games, "--out", &merged]);
    record(&["merge", &games, &short, "--out", &turned]);
    for path in [&merged, &turned] {
        assert_eq!(tail(path)["complete"], false, "{path}");
        assert_eq!(
            (&tail(path)["games"], &tail(path)["decisions"]),
            (&6.into(), &240.into())
        );
        let verified = json(&stdout(&record(&["verify", path, "--json", "-"])));
        assert_ne!(verified["records"][0]["ending"], "complete", "{verified}");
    }
    record(&["merge", &games, &games, "--out", &merged, "--force"]);
    assert_eq!(tail(&merged)["complete"], true, "of two that are");
}

/// The first and the third game: dealt as they were, and not as the first two.
#[test]
fn games_that_do_not_follow_each_other_stay_those_they_were() {
    let folder = folder();
    let games = recorded(&folder);
    let [first, third, merged] = ["1.jsonl", "3.jsonl", "m.jsonl"].map(|name| file(&folder, name));
    record(&["cut", &games, "--games", "1", "--out", &first]);
    record(&["cut", &games, "--games", "3", "--out", &third]);
    record(&["merge", &first, &third, "--out", &merged]);
    record(&["verify", &merged]);
    let head = json(text(&merged).lines().next().expect("a header"));
    let dealt: Vec<_> = (0..2)
        .map(|part| head["parts"][part]["dealt"].clone())
        .collect();
    assert_eq!(dealt, [1, 3], "{head}");
}

#[test]
fn a_last_line_that_counts_otherwise_is_wrong() {
    let folder = folder();
    let games = recorded(&folder);
    for (field, number) in [
        ("games", 2),
        ("games", 4),
        ("decisions", 119),
        ("decisions", 121),
    ] {
        let mut lines: Vec<String> = text(&games).lines().map(str::to_owned).collect();
        let last = lines.last_mut().expect("a line");
        let mut end = json(last);
        assert_ne!(end["end"][field], number);
        end["end"][field] = number.into();
        *last = end.to_string();
        let wrong = file(&folder, "wrong.jsonl");
        write(&wrong, lines.join("\n") + "\n");
        let told = stdout(&exits(1, &["record", "verify", &wrong]));
        assert!(
            told.contains(&number.to_string()),
            "{field} {number}: {told}"
        );
    }
}

#[test]
fn records_of_other_boards_are_not_compared_and_one_that_is_cut_short_is_named() {
    let folder = folder();
    let played = |name: &str, board: &str| {
        let path = file(&folder, name);
        let play = ["play", "--backend", "software", "--controller", "lowest"];
        let of = ["--board", board, "--max-pieces", "10", "--record", &path];
        exits(0, &[&play[..], &of].concat());
        path
    };
    let (wide, narrow) = (played("a.jsonl", "10x20"), played("b.jsonl", "8x20"));
    let refusal = run(&["replay", &wide, &narrow, "--recorded"], "");
    refused(&refusal, &[&wide, &narrow, "board"]);
    let short = file(&folder, "short.jsonl");
    killed(&wide, &short);
    let told = exits(0, &["replay", &short, &wide, "--recorded", "--json", "-"]);
    let told = json(&stdout(&told));
    assert_eq!(told["cut"], Value::from(vec![short]), "{told}");
}

/// A record that breaks off where it cannot be read: what was found before is told.
#[test]
fn what_parts_before_a_broken_line_is_told() {
    let folder = folder();
    let games = recorded(&folder);
    let broken = file(&folder, "broken.jsonl");
    let mut lines: Vec<String> = text(&games).lines().map(str::to_owned).collect();
    let mut parted = json(&lines[4]);
    parted["board"][0] = 1.into();
    lines[4] = parted.to_string();
    lines[60] = "{}".into();
    write(&broken, lines.join("\n") + "\n");
    let output = run(
        &["replay", &games, &broken, "--recorded", "--json", "-"],
        "",
    );
    refused(&output, &[&broken, "line 61"]);
    let told = json(&stdout(&output));
    assert_eq!(told["common"]["parted"], 1, "{told}");
    assert_eq!(told["common"]["partings"][0]["move"], 4, "{told}");
}
