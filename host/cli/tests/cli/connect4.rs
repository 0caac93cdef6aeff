//! Connect Four by the commands that Tetris has: two seats, outcomes, searches that take long.

use super::running::Running;
use super::*;

const GAME: &[&str] = &["--game", "connect4"];

fn of_game<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let (command, rest) = arguments.split_first().expect("a command");
    [&[*command], GAME, rest].concat()
}

/// Every backend in lockstep; the record says the game from then on.
#[test]
fn connect4_every_backend_agrees() {
    let folder = folder();
    let (record, summary) = (file(&folder, "games.jsonl"), file(&folder, "summary.json"));
    let backends = ["software", "engine", "sim", PINS];
    let backends = backends.map(|backend| ["--backend", backend]).concat();
    let games = [
        "--games", "3", "--depth", "3", "--record", &record, "--json", &summary,
    ];
    let what = [&["play"], &backends[..], &games].concat();
    exits(0, &of_game(&what));
    let summary = json(&text(&summary));
    assert_eq!(summary["agreed"], summary["decisions"], "{summary}");
    let outcomes = summary["outcomes"].as_object().expect("outcomes");
    let games: u64 = outcomes.values().filter_map(Value::as_u64).sum();
    assert_eq!(games, 3, "{summary}");
    exits(0, &["record", "verify", &record]);
    let again = exits(0, &["replay", &record, "--backend", "sim", "--json", "-"]);
    let again = json(&stdout(&again));
    assert_eq!(again["agreed"], summary["decisions"]);
    assert_eq!(again["outcomes"], summary["outcomes"]);
    // An outcome that is not the rules'.
    let wrong = text(&record).replacen("\"outcome\":\"", "\"outcome\":\"\\n::error::", 1);
    write(&record, wrong);
    let refused = exits(1, &["record", "verify", &record]);
    let told = stdout(&refused);
    assert!(told.contains("outcome") && !told.contains("\n::"), "{told}");
}

/// What comes through a pipe says which game it is of.
#[test]
fn connect4_pipe_is_read_as_its_game() {
    let folder = folder();
    let record = file(&folder, "games.jsonl");
    let what = ["play", "--backend", "engine", "--record", &record];
    exits(0, &of_game(&what));
    let record = text(&record);
    let position = record.lines().nth(1).expect("a decision");
    let explain = ["explain", "/dev/stdin", "--depth", "3"];
    for (arguments, input) in [
        (&["record", "verify", "/dev/stdin"][..], &*record),
        (&["record", "stats", "/dev/stdin"], &record),
        (&["explain", "/dev/stdin"], &record),
        (&explain, position),
    ] {
        let output = run(arguments, input);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    }
}

/// Each seat has its own backends and controller.
#[test]
fn connect4_seats_are_recorded_and_asked_again() {
    let folder = folder();
    let (record, page) = (file(&folder, "match.jsonl"), file(&folder, "page.html"));
    let numbers = file(&folder, "numbers.json");
    let seats = ["--backend", "yellow=sim", "--backend", "yellow=software"];
    let other = ["--backend", "red=engine", "--seat", "red=flat:2"];
    let what = [
        &["play"],
        &seats[..],
        &other,
        &["--games", "2", "--record", &record, "--html", &page],
        &["--json", &numbers],
    ]
    .concat();
    let summary = stdout(&exits(0, &of_game(&what)));
    let page = text(&page);
    for part in ["sim (yellow)", "software (yellow)", "engine (red)", " wins"] {
        assert!(summary.contains(part), "no {part} in {summary}");
        assert!(page.contains(part), "no {part} in the page");
    }
    let head = json(text(&record).lines().next().expect("a header"));
    assert_eq!(head["seats"][0]["backends"], json("[0,1]"), "{head}");
    assert_eq!(head["seats"][1]["controller"]["depth"], 2, "{head}");
    exits(0, &["record", "verify", &record]);
    // So do what counts and shows it; red alone is not compared.
    let stats = stdout(&exits(0, &["record", "stats", &record]));
    let shown = stdout(&exits(0, &["record", "show", &record]));
    for (text, part) in [
        (&stats, "controller windows (yellow), flat (red)"),
        (&stats, " wins "),
        (&shown, "controller windows (yellow), flat (red)"),
        (&shown, "\n  engine: column"),
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let stats = json(&stdout(&exits(
        0,
        &["record", "stats", &record, "--json", "-"],
    )));
    let compared = |summary: &Value| summary["agreed"].as_u64();
    assert_eq!(
        compared(&stats["records"][0]),
        compared(&json(&text(&numbers)))
    );
    let both = ["--backend", "software", "--backend", "sim"];
    let (again, merged) = (file(&folder, "again.jsonl"), file(&folder, "merged.jsonl"));
    exits(
        0,
        &[&["replay", &record, "--record", &again], &both[..]].concat(),
    );
    exits(0, &["record", "merge", &record, &again, "--out", &merged]);
    // What is made of it names the seats, too.
    for made in [&again, &merged] {
        exits(0, &["record", "verify", made]);
        let head = json(text(made).lines().next().expect("a header"));
        assert_eq!(head["seats"][1]["controller"]["depth"], 2, "{made}: {head}");
        exits(0, &["replay", made, "--backend", "engine"]);
    }
    let red = format!("exec:{PROGRAM} decide --game connect4 --controller flat --depth 2");
    let move_2 = ["explain", &record, "--game", "1", "--move", "2"];
    let explained = [&move_2[..], &["--backend", "software", "--backend", &red]];
    exits(0, &explained.concat());
    let other = [&what[..], &["--resume"]].concat();
    let other = other.iter().map(|word| match *word {
        "red=flat:2" => "red=flat:3",
        word => word,
    });
    let refused = run(&of_game(&other.collect::<Vec<_>>()), "");
    let named = ["seats.red.depth is 2 there and 3 here"];
    none(&Vec::from_iter(misrefused(&refused, &named)));
    let more = [&what[..], &["--games", "3", "--resume"]].concat();
    let more: Vec<_> = more.into_iter().filter(|word| *word != "2").collect();
    // The first --games has lost its number.
    let at = more
        .iter()
        .position(|word| *word == "--games")
        .expect("there");
    let more = [&more[..at], &more[at + 1..]].concat();
    exits(0, &of_game(&more));
    exits(0, &["record", "verify", &record]);
}

#[test]
fn connect4_bad_seats_are_refused() {
    let mut wrong = Vec::new();
    for (arguments, named) in [
        (
            &["play", "--backend", "blue=sim"][..],
            &["'blue'", "yellow or red"][..],
        ),
        (&["play", "--seat", "flat"], &["SEAT=NAME", "yellow or red"]),
        (
            &["play", "--seat", "blue=flat"],
            &["'blue'", "yellow or red"],
        ),
        (
            &["play", "--seat", "red=flat", "--seat", "red=centre"],
            &["--seat", "red", "twice"],
        ),
        (
            &["play", "--seat", "red=flat:43"],
            &["--seat", "flat:43", "1 to 42"],
        ),
        (&["play", "--controller", "flat:"], &["flat:", "1 to 42"]),
        (
            &["play", "--backend", "exec:cat", "--move-time", "5"],
            &["--move-time", "exec:cat", "timeout="],
        ),
        (
            &["play", "--backend", "red=sim"],
            &["yellow has no backend"],
        ),
        (
            &[
                "play",
                "--backend",
                "sim",
                "--backend",
                "engine",
                "--move-time",
                "5",
            ],
            &["--move-time", "one --backend"],
        ),
        (&["play", "--depth", "43"], &["43"]),
        (&["soak"], &["connect4 has no", "does not play by itself"]),
        (&["strength"], &["connect4 has no", "no score"]),
        (&["train"], &["connect4 has no", "no score"]),
        (&["signature"], &["connect4 has no", "a single path"]),
    ] {
        let output = run(&of_game(arguments), "");
        wrong.extend(misrefused(&output, named));
    }
    for (arguments, named) in [
        (["play", "--backend", "yellow=sim"], ["no seats", "yellow="]),
        (["play", "--seat", "yellow=dt-20"], ["no seats", "yellow="]),
        (["play", "--move-time", "5"], ["--move-time", "tetris"]),
    ] {
        wrong.extend(misrefused(&run(&arguments, ""), &named));
    }
    none(&wrong);
}

/// No option overwrites the file of a seat's controller, also where a depth is behind its name.
#[test]
fn connect4_controller_file_is_not_overwritten() {
    let folder = folder();
    let mine = file(&folder, "mine.json");
    let content = include_str!("../../../../fixtures/weights/connect4/flat.json");
    write(&mine, content);
    let deep = format!("{mine}:2");
    let mut wrong = Vec::new();
    for option in [["--controller", &deep], ["--seat", &format!("red={deep}")]] {
        for output in [&["--record", &mine, "--force"][..], &["--json", &mine]] {
            let refused = run(&of_game(&[&["play"], &option[..], output].concat()), "");
            wrong.extend(misrefused(&refused, &[&mine, "which is read"]));
            assert_eq!(text(&mine), content, "{option:?} {output:?}");
        }
    }
    none(&wrong);
    // A file may have such a name itself.
    write(&deep, content);
    let what = ["play", "--controller", &deep, "--max-moves", "1"];
    exits(0, &of_game(&what));
}

/// What a time limit decided is resumed with the same one alone, and not asked again.
#[test]
fn connect4_move_time_is_recorded() {
    let folder = folder();
    let record = file(&folder, "timed.jsonl");
    let what = [
        "play",
        "--backend",
        "engine",
        "--depth",
        "30",
        "--record",
        &record,
    ];
    let play = |rest: &[&str]| run(&of_game(&[&what[..], rest].concat()), "");
    let time = ["--move-time", "5", "--max-moves", "2"];
    assert_eq!(play(&time).status.code(), Some(0));
    let mut wrong = Vec::new();
    for other in [&["--resume"][..], &["--resume", "--move-time", "6"]] {
        wrong.extend(misrefused(&play(other), &["move_time_ms is 5 there"]));
    }
    let replayed = run(&["replay", &record, "--backend", "engine"], "");
    wrong.extend(misrefused(
        &replayed,
        &[&record, "--move-time 5", "lockstep record"],
    ));
    none(&wrong);
    exits(0, &["record", "verify", &record]);
}

/// Positions before the one that is over are answered, and its line is named.
#[test]
fn connect4_decide_over_names_line() {
    let row = "\".......\",";
    let line = |bottom| {
        format!(
            "{{\"board\":[{}\"{bottom}\"],\"to_move\":\"red\"}}\n",
            row.repeat(5)
        )
    };
    let input = line(".......") + &line("YYYY...");
    let output = run(&of_game(&["decide", "--backend", "sim"]), &input);
    assert_eq!(stdout(&output).lines().count(), 1, "{}", shown(&output));
    let error = stderr(&output);
    assert!(
        error.contains("line 2") && error.contains("over"),
        "{error}"
    );
}

/// A search of minutes is stopped by the first Ctrl-C, in software and on a core.
#[test]
fn connect4_interrupt_ends_a_search() {
    for backend in ["software", "engine", "sim"] {
        let what = [
            "play",
            "--backend",
            backend,
            "--depth",
            "30",
            "--games",
            "2",
        ];
        let mut running = Running::start(&of_game(&what));
        running.wait_for(backend);
        running.interrupt();
        let (status, rest, error) = running.end();
        assert_eq!(
            (status, error.as_str()),
            (Some(130), ""),
            "{backend}: {rest}"
        );
    }
}

/// The best move found in a moment is played.
#[test]
fn connect4_move_time_finishes_a_search() {
    for backend in ["engine", "sim"] {
        let what = [
            "play",
            "--backend",
            backend,
            "--depth",
            "30",
            "--opening",
            "4",
        ];
        let time = ["--move-time", "20", "--max-moves", "2", "--json", "-"];
        let played = exits(0, &of_game(&[&what[..], &time].concat()));
        assert_eq!(json(&stdout(&played))["decisions"], 2, "{backend}");
    }
}

#[test]
fn connect4_fault_is_explained() {
    let folder = folder();
    let why = file(&folder, "why");
    let fault = "sim:fault=connect4-diagonal-lost";
    let what = [
        "play",
        "--backend",
        "software",
        "--backend",
        fault,
        "--games",
        "5",
    ];
    let told = exits(1, &of_game(&[&what[..], &["--explain", &why]].concat()));
    let told = stdout(&told);
    let marked = "why/waves.fst; the marker is at";
    for part in ["DIVERGENCE", "value", "smaller case: 1 position", marked] {
        assert!(told.contains(part), "no {part} in {told}");
    }
    let case = format!("{why}/case.json");
    let again = [
        "explain",
        &case,
        "--backend",
        "software",
        "--backend",
        fault,
    ];
    assert!(stdout(&exits(1, &again)).contains("value"));
    // The reference is the seat's own, not the first backend.
    let seats = ["--backend", "yellow=engine", "--backend", "red=software"];
    let fault_of_red = format!("red={fault}");
    let red = ["--backend", &fault_of_red, "--seat", "red=flat:3"];
    let what = ["play", "--games", "20", "--json", "-"];
    let told = exits(1, &of_game(&[&what[..], &seats, &red].concat()));
    let found = &json(&stdout(&told))["explanation"]["found"];
    assert_eq!(found["expected"]["backend"]["name"], "software", "{found}");
    // A fault of this game is none of the other.
    let refused = run(&["play", "--backend", fault], "");
    none(&Vec::from_iter(misrefused(&refused, &["connect4"])));
}

/// A position of a game that is over: what stands before it is answered.
#[test]
fn connect4_position_without_a_move_is_named_by_its_line() {
    let empty = r#"".......","#.repeat(5);
    let position = |row| format!("{{\"board\":[{empty}\"{row}\"],\"to_move\":\"red\"}}\n");
    let input = [
        position("..Y...."),
        position("YYYY..."),
        position("...Y..."),
    ]
    .concat();
    for what in [
        &["--depth", "1"][..],
        &["--depth", "1", "--backend", "sim", "--backend", "software"],
        &["--depth", "1", "--trace", "--json"],
        &["--depth", "1", "--all"],
    ] {
        let output = run(&of_game(&[&["decide"], what].concat()), &input);
        refused(&output, &["standard input, line 2: ", "the game is over"]);
        assert_eq!(stdout(&output).lines().count(), 1, "{}", shown(&output));
    }
    // Tetris is the default game.
    let output = run(&["decide"], &position("......."));
    refused(&output, &["of connect4", "--game connect4"]);
}

#[test]
fn connect4_controller_misspelt_names_its_list() {
    let output = run(&of_game(&["play", "--controller", "windws"]), "");
    let list = "`lockstep controllers --game connect4` lists all";
    refused(&output, &["did you mean 'windows'", list]);
}
