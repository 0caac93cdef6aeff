//! `lockstep faults`.

use super::*;

/// By the bench of its module, by the bench of the core, and by games.
#[test]
fn faults_seeded_fault_is_found() {
    let place = Place::new();
    let line = "faults --fault scan-one-row-more --controller probe --max-decisions 50 --seed 1";
    let report = place.ok(&format!("{line} --json {{}}/faults.json"));
    assert!(report.starts_with("seed 1\n"), "{report}");
    has(&report, "none | scan-one-row-more");
    let reports = json(&place.text("faults.json"));
    let [designed, seeded] = [0, 1].map(|n| &reports[n]);
    assert_eq!(reports.as_array().map(Vec::len), Some(2));
    members(
        &reports,
        "/0/fault none | /1/fault scan-one-row-more | /1/fault_in tetris",
    );
    let found = |report: &Value| [0, 1].map(|n| !report["findings"][n]["found"].is_null());
    assert_eq!((found(designed), found(seeded)), ([false; 2], [true; 2]));
    let share = json(r#"{"found": 20, "runs": 20, "seed": 1}"#);
    assert_eq!(seeded["findings"][0]["share"], share);
    assert_eq!(seeded["findings"][2]["found"]["field"], "cycles");
}

/// The fault has no effect on undamaged frames, so that games do not find it.
#[test]
fn fault_that_is_missed_fails() {
    let place = Place::new();
    let line = "faults --controller probe --max-decisions 1 --fault error-sticky --no-benches";
    has(&place.exits(1, line), "not in 1");
    let quiet = place.run(&format!("{line} -q"));
    let ended = (quiet.status.code(), stdout(&quiet) + &stderr(&quiet));
    assert_eq!(ended, (Some(1), String::new()));
}

/// Wrong use is refused before the faults are tried, which takes long.
#[test]
fn faults_wrong_use_is_refused() {
    let place = Place::new();
    place.refuses_after(
        "faults",
        "
        --controller nobody => nobody | dt-20
        --max-decisions 0 => --max-decisions | a whole number, 1 or more
        --max-decisions many => --max-decisions | many
        --seed -1 => --seed | -1
        --fault top-row-lots => 'top-row-lots' | 'top-row-lost' | faults --list
        ",
    );
    // Not all the hundreds.
    let error = stderr(&place.run("faults --fault top-row-lots"));
    assert!(error.len() < 500, "{error}");
}

#[test]
fn faults_list_names_all_of_a_game() {
    let place = Place::new();
    let tetris = place.ok("faults --list");
    has(&tetris, "top-row-lost | overrun-uncounted");
    assert!(tetris.lines().count() > 50, "{tetris}");
    let connect4 = place.ok("faults --list --game connect4");
    has(&connect4, "connect4-diagonal-lost | overrun-uncounted");
    assert!(!connect4.contains("top-row-lost"), "{connect4}");
}
