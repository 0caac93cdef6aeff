//! `lockstep faults`.

use super::*;

/// Some in the Tetris core, which show in games too, one in the frames, which does not.
#[test]
fn faults_are_found_and_table_is_written() {
    let place = Place::new();
    let names = [
        "none",
        "cycles-eight-bits",
        "top-row-lost",
        "overrun-uncounted",
    ];
    let line = "faults --controller probe --max-decisions 500 --seed 1 --json {}/faults.json";
    let line = names[1..]
        .iter()
        .fold(line.to_owned(), |line, name| line + " --fault " + name);
    let report = place.ok(&line);
    assert!(report.starts_with("seed 1\n"), "{report}");
    has(&report, &names.join(" | "));
    let reports = json(&place.text("faults.json"));
    let reports = reports.as_array().expect("a list");
    assert_eq!(reports.len(), names.len());
    for (report, name) in reports.iter().zip(names) {
        assert_eq!(report["fault"], name);
        let findings = report["findings"].as_array().expect("a list");
        let found = findings.iter().any(|f| !f["found"].is_null());
        assert_eq!(found, name != "none", "{report}");
    }
    let share = json(r#"{"found": 20, "runs": 20, "seed": 1}"#);
    assert_eq!(reports[3]["findings"][0]["share"], share);
    let parts = (&reports[2]["fault_in"], &reports[3]["fault_in"]);
    assert_eq!(parts, (&"tetris".into(), &"link".into()));
    assert_eq!(reports[1]["findings"][2]["found"]["field"], "cycles");
    assert!(
        reports[3]["findings"][2]["found"].is_null(),
        "{}",
        reports[3]
    );
}

/// The RTL as designed is not found either, but a fault that is missed is a failure.
#[test]
fn fault_that_is_missed_fails() {
    let place = Place::new();
    let line = "faults --controller probe --max-decisions 1 --fault error-sticky --no-benches";
    has(&place.exits(1, line), "not in 1");
    let quiet = place.run(&format!("{line} -q"));
    let ended = (quiet.status.code(), stdout(&quiet) + &stderr(&quiet));
    assert_eq!(ended, (Some(1), String::new()));
}

/// The hunt takes long: wrong use is refused before it.
#[test]
fn faults_wrong_use_is_refused() {
    let place = Place::new();
    for (more, named) in rows(
        "
        --controller nobody => nobody | dt-20
        --max-decisions 0 => --max-decisions | a whole number, 1 or more
        --max-decisions many => --max-decisions | many
        --seed -1 => --seed | -1
        --fault top-row-lots => 'top-row-lots' | 'top-row-lost' | faults --list
        ",
    ) {
        let output = place.run(&format!("faults {more}"));
        refused(&output, &named);
        assert_eq!(stdout(&output), "", "{more}: it began");
        // Not all the hundreds.
        assert!(stderr(&output).len() < 500, "{}", stderr(&output));
    }
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
