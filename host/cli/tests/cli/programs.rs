//! Controllers beyond weights: the seeds' programs, lookahead, other boards, the fast engine.

use super::*;

#[test]
fn program_plays_by_common_rules_or_its_own() {
    let place = Place::new();
    let end = "40 pieces, ";
    for (more, by) in [
        ("ece532", "software"),
        ("ece532-v2.5", "software"),
        ("lacaille", "software"),
        ("hidamari", "by its own rules"),
        ("led-tetris", "six games side by side on one 96×64 board"),
        // What names another board asks for the common rules.
        ("hidamari --board 10x16", "software"),
    ] {
        has(
            &place.ok(&format!("play --max-pieces 40 --controller {more}")),
            &format!("{by} | {end}"),
        );
    }
    for (more, rules, backend) in [
        ("", "common", "software"),
        ("--rules own", "own", "program"),
    ] {
        let summary = place.json(
            0,
            &format!("play --controller ece532-v2.5 --max-pieces 7 {more}"),
        );
        let by = (&summary["rules"], &summary["backends"][0]["name"]);
        assert_eq!(by, (&rules.into(), &backend.into()));
        // Nothing is compared, but each move is counted.
        let counts = [
            &summary["decisions"],
            &summary["backends"][0]["decisions"],
            &summary["compared"],
        ];
        assert_eq!(counts, [7, 7, 0], "{summary}");
    }
    place.ok("play --controller lacaille --max-pieces 40 --record {}/lacaille");
    let again = place.ok("replay {}/lacaille --backend software");
    has(&again, "40 agreed, 0 diverged");
}

/// The default backends: software, and engine and sim if they support the controller.
#[test]
fn backends_that_can_play_are_default() {
    let place = Place::new();
    let three = ["software", "engine", "sim"];
    let mut wrong = Vec::new();
    for (arguments, count) in [
        ("", 3),
        ("--depth 2", 2),
        ("--depth 2 --next averaged", 2),
        ("--board 12x22 --piece-source bag", 2),
        ("--board 40x8", 1),
        ("--controller hidamari --rules common", 1),
        ("--controller hidamari-linear", 3),
    ] {
        let summary = place.json(0, &format!("play --max-pieces 4 {arguments}"));
        let backends = summary["backends"].as_array().expect("a list");
        let names: Vec<_> = backends.iter().filter_map(|b| b["name"].as_str()).collect();
        let compared = if count > 1 { 4 } else { 0 };
        if names != three[..count] || summary["compared"] != compared {
            wrong.push(format!("{arguments}: {names:?} {summary}"));
        }
    }
    none(&wrong);
    let portable = "play --backend engine:path=portable --max-pieces 2";
    has(&place.ok(portable), "fast engine, portable");
}

/// Lookahead uses a known next piece; a board that a program does not support is not a lost
/// position.
#[test]
fn decide_answers_what_controller_plays() {
    let place = Place::new();
    let next = EMPTY.replace('}', r#","next":"L"}"#);
    let low = r#"{"size":"10x4","board":[15,0,0,0],"piece":"O"}"#;
    let full = EMPTY.replace('0', "1023");
    let both = "--depth 2 --backend software --backend engine";
    for (more, input, legal) in [
        (both, &*next, true),
        ("--controller dellacherie", low, true),
        ("--controller hidamari", &full, false),
        ("--controller ece532", &full, false),
        ("--controller lacaille", &full, false),
        ("--controller led-tetris", &full, false),
        ("--controller dt-20", &full, false),
    ] {
        let output = place.feed(&format!("decide {more}"), input);
        ended(0, &output);
        assert_eq!(json(&stdout(&output))["legal"], legal, "{more}");
    }
    let short = r#"{"board":[15,0,0,0],"piece":"O"}"#;
    let own = ["ece532-v2.5", "10x4", "only of 10x20"];
    for (more, input, named) in [
        ("", &*next, &["what comes next", "not look ahead"][..]),
        ("", short, &["expected 20 rows", "got 4", "size"]),
        ("--backend sim", low, &["sim", "10x20", "10x4"]),
        ("--controller ece532-v2.5", low, &own),
    ] {
        refused(&place.feed(&format!("decide {more}"), input), named);
    }
}

#[test]
fn play_refuses_what_backend_cannot_play() {
    let place = Place::new();
    place.refuses_after(
        "play --max-pieces 3",
        "
        --controller lacaille --backend sim => sim | linear | lacaille is a program
        --depth 2 --backend sim => sim | dt-20 looks ahead | no lookahead
        --controller lacaille --backend engine => engine | lacaille is a program
        --controller lacaille --depth 2 => lacaille is a program | --depth
        --controller led-tetris --backend sim => --backend | led-tetris | --rules common
        --controller led-tetris --record /dev/null => --record | led-tetris | --rules common
        --rules own => --rules own | dt-20 has no rules
        --controller hidamari --board 12x22 => hidamari | 12x22 | 10x22
        --next averaged => --next | dt-20 | --depth 2
        --backend engine:path=mmx => engine:path=mmx | mmx | portable
        --backend engine --board 10x40 => engine | 12x32 | 10x40
    ",
    );
}
