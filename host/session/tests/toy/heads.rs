//! The header of a record, and the rules by which its decisions follow.

use std::collections::BTreeMap;
use std::time::Duration;

use lockstep::Header;
use lockstep::event::Seat;
use lockstep::record::{BackendLine, Entry, Follow, Head, Origin, Part};
use serde_json::json;

use crate::game::{Controller, Position, Setup, TicTacToe};
use crate::records::{folder, open, write};
use crate::support::{cells, drawn, in_order};

fn part(game: u64, games: u64, dealt: u64, openings: Option<u64>) -> Part<TicTacToe> {
    let setup = openings.map(|openings| Setup { openings });
    Part {
        game,
        games,
        dealt,
        setup,
    }
}

/// Games 2 and 3 were dealt as the fifth and sixth of another session, and game 5 in an unknown way.
fn merged() -> Head<TicTacToe> {
    let parts = vec![part(2, 2, 5, Some(7)), part(5, 1, 1, None)];
    let origin = Origin {
        shard: None,
        parts,
        excerpt: None,
    };
    let backend = BackendLine {
        name: "a".into(),
        description: "one".into(),
        build_id: None,
        layout_hash: None,
        clock_hz: None,
        exact_cycles: None,
    };
    Head::new(in_order(), None, origin, vec![backend], BTreeMap::new())
}

#[test]
fn head_names_where_games_were_dealt() {
    let head = merged();
    let dealt = |game| {
        head.dealt(game)
            .map(|(setup, number)| (setup.openings, number))
    };
    let expected = [None, Some((7, 5)), Some((7, 6)), None, None, None];
    assert_eq!([1, 2, 3, 4, 5, 6].map(dealt), expected);
    let setup = Some(Setup { openings: 7 });
    let whole = Head::<TicTacToe>::new(
        in_order(),
        setup,
        Origin::default(),
        vec![],
        BTreeMap::new(),
    );
    assert_eq!(
        (whole.dealt(9).map(|(_, number)| number), whole.seed),
        (Some(9), Some(7))
    );
}

/// Text in the header, its replacement, and the error.
const WRONG: &str = r#"
    "game":2,      | "game":0,      | its parts are not numbered in order, from 1
    "games":2,     | "games":0,     | its parts are not numbered in order, from 1
    "games":2,     | "games":4,     | its parts are not numbered in order, from 1
    "games":2,     | "games":18446744073709551615, | its parts are not numbered in order, from 1
    "dealt":5,     | "dealt":0,     | its parts are not numbered in order, from 1
    "cell_0":0,    | "cell_0":5,    | its integers do not match its controller
    "integers":{"cell_0":0, | "integers":{}, "x":{"cell_0":0, |
    "games":2,     | "games":3,     |
    "setup":null,"parts" | "setup":{"openings":0},"parts" |
    "seed":null    | "seed":3       |
    "seed":null,"generator":{"name":"none" | "setup":{"openings":2},"seed":3,"generator":{"name":"none" | the seed is 3, but 2 in its setup
    "rules":{"name":"plain" | "setup":{"openings":0},"rules":{"name":"wild" | rules is "wild", but "plain" in its setup
    "generator":{"name":"none" | "setup":{"openings":0},"generator":{"name":"dice" | generator is "dice", but "none" in its setup
    "backends":[{  | "backends":[{"name":"a","description":"two","build_id":null},{ | it names the backend "a" twice
"#;

#[test]
fn head_inconsistent_is_refused() {
    let line = serde_json::to_string(&merged()).expect("JSON");
    let folder = folder();
    for row in WRONG.trim().lines() {
        let [from, to, why] = cells(row);
        assert!(line.contains(from), "{from} in {line}");
        let mut other = line.replacen(from, to, 1);
        if to.contains("openings") {
            other = other.replacen(r#""setup":null,"parts""#, r#""parts""#, 1);
        }
        let path = write(&folder.path().join("x"), &(other.clone() + "\n"));
        let parsed = open(&path);
        let error = parsed
            .err()
            .map_or(String::new(), |error| error.to_string());
        let expected = match why {
            "" => String::new(),
            why => format!(
                "record {}: its header is inconsistent: {why}",
                path.display()
            ),
        };
        assert_eq!(error, expected, "{other}");
    }
}

#[test]
fn head_of_seats_names_who_plays() {
    let seat = |controller: Controller, backends: &[usize]| Seat {
        controller,
        backends: backends.to_vec(),
    };
    let mut header = Header::<TicTacToe>::new(Vec::new(), in_order());
    let head = |header: &Header<TicTacToe>| Head::of(header, Origin::default(), BTreeMap::new());
    let (x, mut o) = (Position::EMPTY, Position::EMPTY);
    o.cells[0] = 'X';
    assert_eq!(header.controllers(), [&in_order()]);
    assert_eq!(head(&header).players(), json!({"controller": in_order()}));
    assert_eq!(head(&header).asked(&x), [0; 0]);
    header.seats = vec![seat(in_order(), &[0]), seat(in_order(), &[1])];
    assert_eq!(
        head(&header).players(),
        json!({"controller": in_order()}),
        "the same"
    );
    header.seats[1].controller = drawn();
    header.move_time = Some(Duration::from_millis(1_500));
    assert_eq!(header.controllers(), [&in_order(), &drawn()]);
    assert_eq!(
        [&x, &o].map(|p| header.controller(p)),
        [&in_order(), &drawn()]
    );
    let head = head(&header);
    let seats = json!({"X": in_order(), "O": drawn()});
    assert_eq!(
        head.players(),
        json!({"seats": seats, "move_time_ms": 1_500})
    );
    assert_eq!([&x, &o].map(|p| head.asked(p)), [[0], [1]]);
    let seated = head
        .seated(3)
        .into_iter()
        .map(|seat| (seat.controller, seat.backends));
    assert!(seated.eq([in_order(), drawn()].map(|controller| (controller, vec![0, 1, 2]))));
}

/// Game and move, the cells and the decision of each entry; the error of the last one. Records of
/// which it is not known how they were dealt, whole or cut.
const FOLLOWS: &str = "
    whole | 1 1 ......... 0, 1 2 X........ 1, 2 1 ......... 4 |
    whole | 1 1 ......... 0, 1 3 X........ 1     | move 3 of game 1: expected move 2
    whole | 1 1 ......... 0, 1 2 .X....... 1     | the position does not follow from the decision before it
    whole | 1 1 ......... 9, 1 2 .X....... 1     | the decision before it is forbidden: there is no cell 9
    whole | 2 1 ......... 0                      | game 2: expected game 1
    whole | 1 1 ......... 0, 3 1 ......... 0     | game 3: expected game 2
    whole | 1 2 X........ 1                      | game 1 begins with move 2: expected move 1
    cut   | 3 2 X........ 1, 3 3 XO....... 2, 5 1 ......... 4 |
    cut   | 3 2 X........ 1, 2 1 ......... 2     | game 2: expected game 4
    dealt | 1 1 ......... 0, 1 2 X........ 1     |
    dealt | 1 1 ......... 0, 1 2 .X....... 1     | the position does not follow from the decision before it: expected {
    dealt | 1 1 ......... 9                      | the decision is forbidden by the rules: there is no cell 9
    dealt | 1 1 X........ 1                      | expected a position that seed and generator deal at move 1 of game 1
";

#[test]
fn follow_entries_by_the_rules() {
    for row in FOLLOWS.trim().lines() {
        let [kind, entries, why] = cells(row);
        let setup = (kind == "dealt").then_some(Setup { openings: 0 });
        let excerpt = (kind == "cut").then(|| "by hand".to_owned());
        let origin = Origin {
            shard: None,
            parts: Vec::new(),
            excerpt,
        };
        let head = Head::new(in_order(), setup, origin, Vec::new(), BTreeMap::new());
        let mut follow = Follow::<TicTacToe>::new(&head);
        let mut error = String::new();
        let (mut games, mut last) = (0, None);
        for entry in entries.split(',') {
            let words: Vec<&str> = entry.split_whitespace().collect();
            let number = |at: usize| words[at].parse::<u64>().expect("a number");
            let signs: Vec<char> = words[2].chars().collect();
            let seat = if words[2].matches('X').count() > words[2].matches('O').count() {
                "O"
            } else {
                "X"
            };
            let entry = json!({"game": number(0), "move": number(1), "cells": signs, "seat": seat, "decision": number(3)});
            let entry: Entry<TicTacToe> = serde_json::from_value(entry).expect("an entry");
            error = follow.entry(&entry).err().unwrap_or_default();
            games += u64::from(last.replace(number(0)) != Some(number(0)));
        }
        assert!(
            error.starts_with(why) && error.is_empty() == why.is_empty(),
            "{row}: {error}"
        );
        if why.is_empty() {
            assert_eq!(follow.games(), games, "{row}");
            assert_eq!(follow.state().is_some(), kind == "dealt");
        }
    }
}
