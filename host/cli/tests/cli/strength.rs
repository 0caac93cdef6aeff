//! `lockstep strength`: its games, its report, its saved state.

use super::*;

/// Games of a few dozen pieces.
///
/// By default the state is in the user's state folder, here inside a temporary folder.
const SHORT: &str = "strength --controller lowest --board 6x6";

/// The standard output of short games.
fn short(place: &Place, more: &str) -> String {
    place.ok(&format!("{SHORT} {more}"))
}

/// The JSON of short games, without their speed.
fn result(place: &Place, more: &str) -> Value {
    let mut found = json(&short(place, &format!("{more} --json -")));
    let fields = found.as_object_mut().expect("an object");
    fields.remove("speed").expect("a speed");
    found
}

/// Names of the states in the user's folder.
fn states(place: &Place) -> Vec<String> {
    let folder = place.file("home/lockstep/strength");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let path = |e: std::fs::DirEntry| e.path().to_string_lossy().into_owned();
    entries.map(|e| path(e.expect("an entry"))).collect()
}

#[test]
fn strength_result_does_not_depend_on_threads() {
    let place = Place::new();
    let one = result(&place, "--games 300 --threads 1");
    assert_eq!(one, result(&place, "--games 300 --threads 3"));
    assert_ne!(one, result(&place, "--games 300 --seed 2"));
}

#[test]
fn strength_report_and_json_agree() {
    let place = Place::new();
    let report = short(&place, "--games 50 --seed 3 --json {}/strength.json");
    let found = json(&place.text("strength.json"));
    members(
        &found,
        "/command strength | /controller lowest | /board 6x6 | /seed 3 | /games 50 | \
         /piece_source uniform | /max_pieces null | /planned 50 | /finished 50 | \
         /interrupted false | /error null | /interval normal | /cut 0",
    );
    let lines: Vec<u64> = serde_json::from_value(found["lines"].clone()).expect("numbers");
    assert_eq!(lines.len(), 50);
    let mean = lines.iter().sum::<u64>() as f64 / 50.0;
    assert_eq!(found["mean"].as_f64(), Some(mean), "{found}");
    let mean = format!("  mean      {mean:.2}\n");
    let title = "lowest on 6x6, uniform pieces, fixed arithmetic, depth 1, seed 3";
    has(
        &report,
        &format!("50 games, lines per game:\n | {mean} | {title}"),
    );
    let bars = report.lines().filter(|line| line.ends_with('#'));
    let counted = bars.map(|bar| {
        let count = bar.split_whitespace().rev().nth(1).expect("a count");
        count.parse::<u64>().expect("a number")
    });
    assert_eq!(counted.sum::<u64>(), 50, "{report}");
    assert!(report.lines().all(|line| line.len() <= 80), "{report}");
    assert_eq!(states(&place), [""; 0], "the last game removes the state");
}

#[test]
fn strength_of_one_or_cut_games_says_what_is_unknown() {
    let place = Place::new();
    let one = short(&place, "--games 1");
    has(&one, " (few games: chi-squared)\n  std dev   -\n");
    let cut = short(&place, "--games 4 --max-pieces 5");
    let lower = "4 of 4 stopped at --max-pieces: the mean is a lower bound";
    has(&cut, lower);
}

#[test]
fn strength_of_fewer_games_than_kept_takes_the_first() {
    let place = Place::new();
    short(&place, "--state {}/state --games 50");
    let fewer = result(&place, "--state {}/state --games 10");
    assert_eq!(fewer, result(&place, "--games 10"));
}

/// They stay in the user's state folder until all games are finished.
#[test]
fn strength_without_state_option_keeps_games_for_the_user() {
    let place = Place::new();
    let running = place.start(&format!("{SHORT} --games 20000 --json -"));
    running.wait_until_busy();
    let document = json(&running.interrupted());
    let state = &states(&place)[0];
    assert_eq!(document["state"], *state);
    let finished = text(state).lines().count() - 1;
    assert_eq!(document["finished"], finished, "{document}");
    let resumed = short(&place, &format!("--games {} --json -", finished + 10));
    assert_eq!(json(&resumed)["speed"]["resumed"], finished, "{resumed}");
    assert_eq!(states(&place), [""; 0]);
}

#[test]
fn strength_wrong_use_is_refused() {
    let place = Place::new();
    place.refuses(
        "
        strength --games 0 => --games | 0
        strength --threads 0 => --threads | from 1 to 1024
        strength --piece-source dice => 'dice' | bag
        strength --json {}/x --state {}/x => same file
        strength --board 3x20 => --board | 3x20
        strength --controller nobody => nobody
        strength --controller Cargo.toml => Cargo.toml
    ",
    );
}
