//! `lockstep soak`: agreement, saved state, divergence.

use super::*;
use crate::core::{Behaviour, Core, info};
use crate::running::Running;

/// Short games, so that a run has many of them.
const SOAK: &str = "soak --controller lowest --seed 7";

/// The document of a soak that agrees.
fn soaked(place: &Place, more: &str) -> Value {
    place.json(0, &format!("{SOAK} {more}"))
}

#[test]
fn soak_sums_are_equal_for_all_backends() {
    let place = Place::new();
    let sim = soaked(&place, "--decisions 500 --backend sim");
    members(&sim, "/agreed true | /compared 500");
    assert!(sim["sums"]["games"].as_u64() > Some(2), "{sim}");
    // A core promises its clock cycles: they are compared.
    assert!(sim["sums"]["cycles"].as_u64() > Some(500 * 40), "{sim}");
    let slow = format!("{SOAK} --decisions 500 --backend sim:fault=cycles-one-too-few");
    let slow = place.json(1, &slow);
    let differs = slow["divergence"]["differs"].to_string();
    assert!(differs.contains("cycles"), "{slow}");
    let fields = [
        "pieces",
        "games",
        "rows_cleared",
        "score_millionths",
        "cycles",
    ];
    for (more, fields) in [
        ("--backend sim --batch", &fields[..]),
        ("--backend sim --spacing 37", &fields),
        ("--backend software", &fields[..3]),
        ("--backend engine", &fields[..3]),
    ] {
        let other = soaked(&place, &format!("--decisions 500 {more}"));
        for field in fields {
            assert_eq!(other["sums"][field], sim["sums"][field], "{more}: {field}");
        }
        assert_eq!(other["signature"], sim["signature"], "{more}");
    }
    let pins = soaked(&place, &format!("--decisions 30 --backend {PINS}"));
    let sim = soaked(&place, "--decisions 30");
    assert_eq!(pins["sums"], sim["sums"]);
    // The signature of the engine by itself.
    let signed = place.ok("signature --controller lowest --seed 7 --pieces 30");
    has(&signed, sim["signature"].as_str().expect("a text"));
}

#[test]
fn soak_in_parts_has_the_same_sums() {
    let place = Place::new();
    let whole = soaked(&place, "--decisions 600");
    let mut last = Value::Null;
    for (decisions, more, compared) in [(233, "--batch", 233), (600, "", 367), (600, "", 0)] {
        let part = format!("--state {{}}/soak.json --decisions {decisions} {more}");
        last = soaked(&place, &part);
        assert_eq!(last["compared"], compared, "{last}");
    }
    for field in ["sums", "signature"] {
        assert_eq!(last[field], whole[field], "{field}");
    }
    let report = place.ok(&format!("{SOAK} --decisions 9 --state {{}}/soak.json"));
    has(&report, "already finished after 600");
}

/// Number of pieces in a state.
fn kept(state: &str) -> u64 {
    let text = text(state);
    let last = json(text.lines().last().expect("an entry"));
    last["entry"]["sums"]["pieces"].as_u64().expect("a number")
}

#[test]
fn soak_interrupted_prints_command_that_continues() {
    let place = Place::new();
    let state = place.file("it's a soak.json");
    let line = format!("{SOAK} --decisions 10000000 --spacing 50 --state");
    let running = Running::spawn(place.command(&line).arg(&state));
    running.wait_until_busy();
    let rest = running.interrupted();
    let again = format!("lockstep {line} \"{state}\"\n");
    let decisions = format!("\n{} decisions are saved", kept(&state));
    assert!(rest.contains(&again), "{rest}");
    assert!(
        rest.replace(',', "").contains(&decisions),
        "{decisions}: {rest}"
    );
}

#[test]
fn soak_without_self_play_is_refused() {
    let core = Core::start(Behaviour::Answers(info()));
    let board = format!("serial:{}", core.path());
    let soak = format!("soak --backend {board} --decisions 5");
    Place::new().refuses(&format!(
        "
        {soak} => {board} | it has no self-play | lockstep info
        {soak} --batch => {board} | it has no batches
        soak --controller lacaille => --controller lacaille | depth 1
    "
    ));
}

#[test]
fn soak_divergence_keeps_state_before_it() {
    let place = Place::new();
    let soak = format!("{SOAK} --backend sim:fault=top-row-lost --state {{}}/soak.json");
    let report = place.exits(1, &format!("{soak} --decisions 600 --spacing 25"));
    let first = "first wrong decision: 121";
    has(
        &report,
        &format!("DIVERGENCE between piece | {first} | expected"),
    );
    has(
        &report,
        "for this position alone | candidate that differs | are saved in",
    );
    let found = place.json(1, &soak);
    let divergence = &found["divergence"];
    assert_eq!(divergence["from"], kept(&place.file("soak.json")));
    members(divergence, "/shown decision | /decision/alone true");
}

#[test]
fn soak_of_several_games_needs_lanes_or_software() {
    let place = Place::new();
    let soak = format!("{SOAK} --backend software --decisions 90 --state {{}}/soak.json");
    let several = place.json(0, &format!("{soak} --games 5"));
    members(&several, "/agreed true | /compared 90 | /games 5");
    let signature = several["signature"].as_str().expect("a text");
    let signed = place.ok("signature --controller lowest --seed 7 --pieces 90");
    assert!(!signed.contains(signature), "{signed}");
    let again = soak.replace("90", "150");
    let more = place.json(0, &format!("{again} --games 5"));
    members(&more, "/agreed true | /compared 60");
    place.refuses(&format!(
        "
        {soak} => it has other settings | games | --fresh
        {SOAK} --games 2 => --backend sim: 2 games side by side | one game at a time | --games out
        {SOAK} --games 0 => --games | from 1 to 16
        {SOAK} --games 17 => --games | from 1 to 16
        {SOAK} --games 2 --batch => --games | --batch
    "
    ));
}

#[test]
fn soak_of_games_side_by_side_finds_wrong_board() {
    let place = Place::new();
    let games = "--games 5 --decisions 90 --spacing 20";
    let lanes = soaked(&place, &format!("{games} --backend sim:core=lanes"));
    let software = soaked(&place, &format!("{games} --backend software"));
    assert_eq!(lanes["signature"], software["signature"]);
    let fault = "--backend sim:core=lanes,fault=games-put-on-next-board";
    let found = place.json(1, &format!("{SOAK} {games} {fault}"));
    members(
        &found["divergence"],
        "/from 20 | /shown decision | /decision/number 21",
    );
}
