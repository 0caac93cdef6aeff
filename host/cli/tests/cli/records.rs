//! `lockstep replay`: records that are good, edited or damaged, and files that are not records.

use super::*;

const EDITED: &str = "replay {}/game.edited --backend software";

/// No number in a record is trusted: a cell may lie outside any board, a rotation may not exist.
#[test]
fn replay_impossible_decision_diverges() {
    let place = Place::recorded(20);
    for (field, value) in [
        ("/decision", Value::Null),
        ("/decision/rotation", 9.into()),
        ("/decision/column", 9.into()),
        ("/decision/column", u64::MAX.into()),
        ("/decision/row", 4_000_000_000_u64.into()),
        ("/decision/row", u64::MAX.into()),
        ("/decision/rows_cleared", u64::MAX.into()),
        ("/decision/score", 1e300.into()),
    ] {
        place.edited("game", 5, |line| {
            *line.pointer_mut(field).expect("the field") = value;
        });
        place.shows(&format!("1 {EDITED} => game 1, move 4 | 19 agreed"));
    }
}

#[test]
fn replay_of_no_record_is_refused() {
    let place = Place::recorded(20);
    let whole = place.text("game");
    std::fs::create_dir(place.file("folder")).expect("a folder");
    // Without decisions: neither right after the header nor within the first decision.
    let (head, _) = whole.split_once('\n').expect("a header");
    place.put("head", format!("{head}\n"));
    place.put("half", format!("{head}\n{{\"game\":1,\"mo"));
    place.put("chess", whole.replacen("tetris", "chess", 1));
    place.put("more", whole + "more\n");
    let no_record = "not a lockstep record";
    place.refuses(&format!(
        "
        replay {{}}/folder => /folder | *.jsonl
        replay fixtures/tetris/placements.jsonl => {no_record} | lockstep_record
        replay {{}}/chess => /chess | chess | tetris
        replay {{}}/head => /head | holds no decisions
        replay {{}}/half => /half | holds no decisions
        record show {{}}/head => /head holds no decisions
        replay {{}}/more --backend software => /more | line 23 | ends a record
    "
    ));
}

#[test]
fn replay_of_cut_record_compares_what_is_left() {
    let place = Place::recorded(20);
    let whole = place.text("game");
    let end = whole.rfind("{\"end\"").expect("a last line");
    // The crate `session` tests a cut at any byte.
    for (length, line, agreed) in [
        (end + 3, " in line 22:", 20),
        (end - 30, " in line 21:", 19),
    ] {
        place.put("game.edited", &whole[..length]);
        place.shows(&format!(
            "0 {EDITED} => cut short{line} | {agreed} agreed, 0 diverged"
        ));
        let cut = &place.json(0, &format!("{EDITED} -q"))["cut"];
        assert_eq!(*cut, Value::from(vec![place.file("game.edited")]));
    }
    for content in [whole.replace('\n', "\r\n"), whole.trim_end().to_owned()] {
        place.put("game.edited", content);
        place.shows(&format!("0 {EDITED} => 20 agreed"));
    }
}

#[test]
fn replay_of_several_records_sums_them_up() {
    let place = Place::recorded(20);
    let both = "replay {}/game {}/game";
    has(
        &place.ok(&format!("{both} --backend software")),
        "40 agreed",
    );
    place.put("into", "precious");
    let into = format!("{both} --record {{}}/into --force");
    place.refuses(&format!("{into} => /into | one file at a time"));
    assert_eq!(place.text("into"), "precious");
    place.ok("replay {}/game --record {}/again");
    place.ok("replay {}/again");
    let output = place.run("replay {}/game {}/missing");
    refused(&output, &["/missing"]);
    assert_eq!(stdout(&output), "", "a wrong file costs nothing");
    // A backend that cannot play one of them plays none, whichever comes first.
    place.ok("play --backend software --max-pieces 5 --board 12x20 --record {}/wide");
    let names = |records: &str| {
        let summary = place.json(0, &format!("replay {records}"));
        let backends = summary["backends"].as_array().expect("backends").clone();
        let names = backends
            .into_iter()
            .map(|mut backend| backend["name"].take());
        names.collect::<Vec<_>>()
    };
    assert!(names("{}/game").contains(&"sim".into()));
    let first = names("{}/wide {}/game");
    assert_eq!(first, names("{}/game {}/wide"));
    assert!(
        !first.is_empty() && !first.contains(&"sim".into()),
        "{first:?}"
    );
}
