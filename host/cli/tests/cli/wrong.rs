//! Wrong arguments are refused, with their names, before anything is read, played or written.

use super::*;

/// Runs each command with each case; outputs, if the command has any, exist already.
fn all_refused(commands: &[&str], table: &str) {
    let place = Place::new();
    let kept = ["kept.json", "kept.jsonl"];
    let _ = kept.map(|name| place.put(name, "precious"));
    let outputs = "--json {}/kept.json --record {}/kept.jsonl --force";
    for command in commands {
        let words = match *command {
            "play" => format!("play {outputs}"),
            "replay" => format!("replay fixtures/records/lowest.jsonl {outputs}"),
            command => command.to_owned(),
        };
        place.refuses_after(&words, table);
        assert_eq!(
            kept.map(|name| place.text(name)),
            ["precious"; 2],
            "{words}"
        );
    }
}

const ASK: [&str; 4] = ["play", "decide", "replay", "info"];

#[test]
fn wrong_backends_are_refused() {
    all_refused(
        &ASK,
        "
            --backend hardware => 'hardware' | sim-uart
            --backend '' => --backend | sim-uart
            --backend sim:baud=9600 => sim | 'baud'
            --backend sim:fault=stale-rnu => 'stale-rnu' | stale-run | faults --list
            --backend sim:fault= => fault | faults --list
            --backend sim --backend sim => sim | twice
            --backend sim-uart:baud=299 => 299 | 300 to
            --backend sim-uart:baud=9600.5 => baud=9600.5 | whole number
            --frobnicate => --frobnicate
            --backend => --backend
        ",
    );
}

/// An ordinary build has no netlist.
#[test]
#[cfg(not(feature = "netlist"))]
fn netlist_that_is_not_built_is_refused() {
    all_refused(&ASK, "--backend sim-netlist => `make netlist`");
}

/// An ordinary build has no coverage counters.
#[test]
#[cfg(not(feature = "coverage"))]
fn coverage_without_counting_models_is_refused() {
    let place = Place::new();
    place.refuses(
        "
        coverage --lcov {}/lcov --write {}/coverage.md => `make coverage`
        coverage --game connect4 --lcov {}/lcov => `make coverage`
        coverage --lcov {}/no/lcov.info => --lcov | no folder
    ",
    );
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn wrong_controllers_are_refused() {
    let place = Place::new();
    let feature = r#"{"name":"x","source":"b","weights":{"hole":1}}"#;
    let feature = format!("--controller {}", place.put("feature", feature));
    let binary = format!("--controller {}", place.put("binary", b"\xff\xfe\x00"));
    let here = format!("--controller {}", place.file(""));
    let table = format!(
        "
        --controller nobody => 'nobody' | dt-20
        --controller '' => '' | dt-20
        --controller centre => of connect4 | --game connect4
        {feature} => /feature | 'hole' | holes
        {binary} => /binary | UTF-8
        {here} => it is a folder
        extra => extra | for example | lockstep
        "
    );
    all_refused(&["play", "decide"], &table);
}

#[test]
fn wrong_numbers_are_refused() {
    all_refused(
        &["play"],
        "
            --games 0 => --games | '0' | a whole number, 1 or more
            --games -1 => --games | -1
            --games 1.5 => --games | 1.5
            --games 99999999999999999999 => --games | too large
            --max-pieces 0 => --max-pieces | '0'
            --max-pieces -1 => --max-pieces | -1
            --max-pieces '' => --max-pieces
            --seed -1 => --seed | -1
            --seed 18446744073709551616 => --seed | too large
            --piece-source fair => fair | uniform, bag
            --depth=4 => from 1 to 3
            --watch=60001 => from 0 to 60000
        ",
    );
    let place = Place::new();
    place.refuses(
        "
        dance => dance | --help
        plya => 'play'
        --game connect4 play => options stand after the command
        play --nonsense => '--nonsense' | for example
        play --game=connect4 --board=8x8 => '--board' | --board is an option of tetris
        serve --pty x --protocol wujian => --protocol is an option of gomoku
        play --backend wujian:x => 'wujian' is a backend of gomoku: --game gomoku has it
        play --seat yellow=dt-20 => tetris has no seats; leave --seat out
        play --game tetirs => did you mean 'tetris'? The games are
        replay fixtures/records/bcts.jsonl --game connect4 => bcts.jsonl is of the game tetris; leave --game out
        soak --decisions 0 => --decisions | 1 or more
        replay => FILE
        play --game=connect4 --controller=flat --controller=flat => --controller
    ",
    );
    assert_eq!(place.run("").status.code(), Some(2), "no command");
}

/// A name with one wrong letter is recognised, for every kind of name.
#[test]
fn misspelt_name_suggests_right_one() {
    let place = Place::new();
    place.refuses(
        "
        play --controller=dt20 => did you mean 'dt-20'
        decide --controller=delacherie => did you mean 'dellacherie'
        play --backend=sofware => did you mean 'software'
        info --backend=simuart => did you mean 'sim-uart'
        play --piece-source=bags => a similar value exists: 'bag'
        play --rules=comon => a similar value exists: 'common'
        play --next=know => a similar value exists: 'known'
        completions bas => a similar value exists: 'bash'
    ",
    );
    let error = stderr(&place.run("play --controller=nobody"));
    assert!(!error.contains("did you mean"), "{error}");
}

#[test]
fn outputs_unwritable_are_refused() {
    let place = Place::new();
    let [both, kept] = ["both", "kept"].map(|name| place.put(name, "precious"));
    std::os::unix::fs::symlink(&both, place.file("link")).expect("a link");
    std::fs::create_dir(place.file("sub")).expect("a folder");
    let before = place.names();
    let same = "name the same file; give each its own";
    let table = format!(
        "
        --json {{}}/both --record {{}}/both => {same}
        --json {{}}/both --record {{}}/link => {same}
        --json {{}}/new --record {{}}/sub/../new => {same}
        --html {{}}/new --junit {{}}/new => {same}
        --html {{}}/new --json {{}}/new => {same}
        --junit {{}}/new --record {{}}/new => {same}
        --record {{}}/none/x --json {{}}/kept => /none/x | create it
        --html {{}}/none/x --json {{}}/kept => --html | there is no folder
        --html - => --html -: expected a file
        --frames {{}}/none/x --json {{}}/kept => --frames | there is no folder
        --frames {{}}/new --record {{}}/new => {same}
        --tui --record {{}}/kept => --tui | not a terminal that
        --tui 60001 => --tui | 60001 | 60000
        --tui --watch => --tui | --watch
        --record {{}} --json {{}}/kept => --record | folder
        --json {{}}/both/x --record {{}}/kept => /both/x
        "
    );
    place.refuses_after("play --backend software --max-pieces 2", &table);
    assert_eq!(
        (text(&both), text(&kept)),
        ("precious".into(), "precious".into())
    );
    assert_eq!(place.names(), before);
}
