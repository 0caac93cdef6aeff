//! Connect Four with the commands that Tetris has: two seats, outcomes, long searches.

use super::*;

/// Every backend in lockstep; later commands read the game from the record.
#[test]
fn connect4_every_backend_agrees() {
    let place = Place::new();
    let play = "play --game connect4 --games 3 --depth 3 --record {}/games --json {}/summary";
    let backends = format!("--backend software --backend engine --backend sim --backend {PINS}");
    place.ok(&format!("{play} {backends}"));
    let summary = json(&place.text("summary"));
    assert_eq!(summary["agreed"], summary["decisions"], "{summary}");
    let outcomes = summary["outcomes"].as_object().expect("outcomes");
    let games = outcomes.values().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!(games, 3, "{summary}");
    place.ok("record verify {}/games");
    let again = place.json(0, "replay {}/games --backend sim");
    for field in ["agreed", "outcomes"] {
        assert_eq!(again[field], summary[field], "{field}");
    }
    // What comes through a pipe says its game, too.
    let record = place.text("games");
    let entry = record.lines().nth(1).expect("a decision");
    place.put("position", entry);
    let all = json(&place.ok("decide --game connect4 --depth 3 --all < position"));
    let best = all["best"].as_u64().expect("an index") as usize;
    let (best, decision) = (&all["candidates"][best], &json(entry)["decision"]);
    assert_eq!(best["column"], decision["column"], "{all}");
    place.shows(
        "
        0 record verify /dev/stdin < games =>
        0 record stats /dev/stdin < games =>
        0 explain /dev/stdin < games =>
        0 explain /dev/stdin --depth 3 < position =>
        ",
    );
    // An outcome that is not the rules'.
    let wrong = record.replacen("\"outcome\":\"", "\"outcome\":\"\\n::error::", 1);
    place.put("wrong", wrong);
    let report = place.exits(1, "record verify {}/wrong");
    has(&report, "outcome");
    assert!(!report.contains("\n::"), "{report}");
}

/// Each seat has its own backends and controller.
#[test]
fn connect4_seats_are_recorded_and_replayed() {
    let place = Place::new();
    let seats = "--backend yellow=sim --backend yellow=software --backend red=engine";
    let play = format!("play --game connect4 {seats} --record {{}}/match");
    let first = format!("{play} --seat red=flat:2 --games 2 --html {{}}/page --json {{}}/numbers");
    let report = place.ok(&first);
    for text in [&report, &place.text("page")] {
        has(
            text,
            "sim (yellow) | software (yellow) | engine (red) |  wins",
        );
    }
    let both = "--backend software --backend sim";
    place.ok(&format!("replay {{}}/match --record {{}}/again {both}"));
    place.ok("record merge {}/match {}/again --out {}/merged");
    // What is made of the record names the seats, too.
    for made in ["match", "again", "merged"] {
        place.ok(&format!("record verify {{}}/{made}"));
        let head = &lines(&place.text(made))[0];
        assert_eq!(head["seats"][1]["controller"]["depth"], 2, "{made}: {head}");
        place.ok(&format!("replay {{}}/{made} --backend engine"));
    }
    assert_eq!(
        lines(&place.text("match"))[0]["seats"][0]["backends"],
        json("[0,1]")
    );
    let players = "controller windows (yellow), flat (red)";
    let red = format!("'exec:{PROGRAM} decide --game connect4 --controller flat --depth 2'");
    let both = "--backend software --backend";
    place.shows(&format!(
        "
        0 record stats {{}}/match => {players} | wins
        0 record show {{}}/match => {players} | engine: column
        0 explain {{}}/match --game 1 --move 2 {both} {red} =>
        2 {play} --seat red=flat:3 --games 2 --resume => seats.red.depth is 2 in the record and 3 in this command
        "
    ));
    // Red alone is not compared.
    let stats = place.json(0, "record stats {}/match");
    assert_eq!(
        stats["records"][0]["agreed"],
        json(&place.text("numbers"))["agreed"]
    );
    place.ok(&format!("{play} --seat red=flat:2 --games 3 --resume"));
    place.ok("record verify {}/match");
}

#[test]
fn connect4_wrong_use_is_refused() {
    let place = Place::new();
    place.refuses("
        play --backend blue=sim --game connect4 => 'blue' | yellow or red
        play --seat flat --game connect4 => SEAT=NAME | yellow or red
        play --seat blue=flat --game connect4 => 'blue' | yellow or red
        play --seat red --game connect4 => 'red' names a seat alone, expected red=NAME
        play --seat red=flat --seat red=centre --game connect4 => --seat | red | twice
        play --seat red=flat:43 --game connect4 => --seat | flat:43 | 1 to 42
        play --controller flat: --game connect4 => flat: | 1 to 42
        play --backend exec:cat --move-time 5 --game connect4 => --move-time | exec:cat | timeout=
        play --backend red=sim --game connect4 => yellow has no backend
        play --backend sim --backend engine --move-time 5 --game connect4 => --move-time | one --backend
        play --depth 43 --game connect4 => 43
        play --controller windws --game connect4 => did you mean 'windows' | `lockstep controllers --game connect4` lists all
        soak --game connect4 => tetris only; connect4: | does not play by itself
        strength --game connect4 => tetris only; connect4: | no score
        train --out x --game connect4 => tetris only; connect4: | no score
        signature --game connect4 => tetris only; connect4: | a single path
    ");
    place.refuses(
        "
        play --backend yellow=sim => no seats | yellow=
        play --seat yellow=dt-20 => no seats | yellow=
        play --move-time 5 => --move-time | tetris
        play --backend sim:fault=connect4-diagonal-lost => connect4
    ",
    );
}

/// A file may have a name that looks like a controller with a depth.
#[test]
fn connect4_controller_file_may_end_in_a_depth() {
    let place = Place::new();
    place.put("mine:2", text("fixtures/weights/connect4/flat.json"));
    place.ok("play --game connect4 --controller {}/mine:2 --max-moves 1");
}

/// The best move found in a short time is played; a resumed session needs the same limit, and does
/// not decide recorded positions again.
#[test]
fn connect4_move_time_ends_search_and_is_recorded() {
    let place = Place::new();
    for backend in ["engine", "sim"] {
        let play = format!("play --game connect4 --backend {backend} --depth 30 --opening 4");
        let played = place.json(0, &format!("{play} --move-time 20 --max-moves 2"));
        assert_eq!(played["decisions"], 2, "{backend}");
    }
    let play = "play --game connect4 --backend engine --depth 30 --record {}/timed";
    place.ok(&format!("{play} --move-time 5 --max-moves 2"));
    place.refuses(&format!(
        "
        {play} --resume => move_time_ms is 5 in the record and not set
        {play} --resume --move-time 6 => move_time_ms is 5 in the record and 6
        replay {{}}/timed --backend engine => /timed | --move-time 5 | lockstep record
    "
    ));
    place.ok("record verify {}/timed");
}

#[test]
fn connect4_fault_is_explained() {
    let place = Place::new();
    let fault = "sim:fault=connect4-diagonal-lost";
    let both = format!("--backend software --backend {fault}");
    let play = format!("play --game connect4 {both} --games 5 --explain {{}}/why");
    let marked = "why/waves.fst; the marker is at";
    place.shows(&format!(
        "
        1 {play} => DIVERGENCE | value | smaller case: 1 position | {marked}
        1 explain {{}}/why/case.json {both} => value
    "
    ));
    // The reference is the seat's own, not the first backend.
    let seats = "--backend yellow=engine --backend red=software --seat red=flat:3";
    let play = format!("play --game connect4 --games 20 {seats} --backend red={fault}");
    let found = &place.json(1, &play)["explanation"]["found"];
    assert_eq!(found["expected"]["backend"]["name"], "software", "{found}");
}

/// The second position is of a game that is over: the first one is answered, the error names line
/// 2.
#[test]
fn connect4_position_without_a_move_is_named_by_its_line() {
    let place = Place::new();
    let empty = r#"".......","#.repeat(5);
    let position = |row| format!("{{\"board\":[{empty}\"{row}\"],\"to_move\":\"red\"}}\n");
    place.put(
        "two",
        ["..Y....", "YYYY...", "...Y..."].map(position).concat(),
    );
    for more in [
        "",
        "--backend sim --backend software",
        "--trace --json",
        "--all",
    ] {
        let output = place.run(&format!("decide --game connect4 --depth 1 {more} < two"));
        refused(&output, &["standard input, line 2: ", "the game is over"]);
        assert_eq!(stdout(&output).lines().count(), 1, "{}", shown(&output));
    }
    // Tetris is the default game.
    let output = place.feed("decide", position("......."));
    refused(&output, &["of connect4", "--game connect4"]);
}
