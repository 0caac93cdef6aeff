//! Wrong arguments: refused by name before anything is read, played or written.

use super::*;

/// Runs all cases with a standard input that must not be read, and with outputs
/// that exist already where the command has any.
fn all_refused(commands: &[&str], cases: &[(&[&str], &[&str])]) {
    let folder = folder();
    let record = file(&folder, "good.jsonl");
    let played = ["play", "--backend", "software", "--max-pieces", "2"];
    exits(0, &[&played[..], &["--record", &record]].concat());
    let kept = ["kept.json", "kept.jsonl"].map(|name| file(&folder, name));
    for path in &kept {
        write(path, "precious");
    }
    let outputs = ["--json", &kept[0], "--record", &kept[1], "--force"];
    let mut wrong = Vec::new();
    for command in commands {
        let outputs: &[&str] = match *command {
            "play" | "replay" => &outputs,
            _ => &[],
        };
        let record: &[&str] = if *command == "replay" {
            &[&record]
        } else {
            &[]
        };
        for (arguments, named) in cases {
            let given = [&[*command], *arguments, record, outputs].concat();
            let output = run(&given, EMPTY);
            let case = format!("{command} {}", arguments.join(" "));
            wrong.extend(misrefused(&output, named).map(|w| format!("{case}: {w}")));
            if !output.stdout.is_empty() {
                wrong.push(format!("{case}: it began\n{}", shown(&output)));
            }
            for path in &kept {
                if text(path) != "precious" {
                    wrong.push(format!("{case}: {path} is overwritten"));
                    write(path, "precious");
                }
            }
        }
    }
    none(&wrong);
}

#[test]
fn backends_that_are_none() {
    all_refused(
        &["play", "decide", "replay", "info"],
        &[
            (&["--backend", "hardware"], &["'hardware'", "sim-uart"]),
            (&["--backend", ""], &["--backend", "sim-uart"]),
            (&["--backend", "SIM"], &["'SIM'", "sim-uart"]),
            (&["--backend", "sim:speed=1"], &["sim", "'speed'"]),
            (&["--backend", "sim:baud=9600"], &["sim", "'baud'"]),
            (&["--backend", "software:fault=x"], &["software", "'fault'"]),
            (&["--backend", "sim:fault=nope"], &["'nope'", "stale-run"]),
            (&["--backend", "sim:fault="], &["fault", "stale-run"]),
            (&["--backend", "sim-netlist:baud=1"], &["'baud'"]),
            (&["--backend", "sim", "--backend", "sim"], &["sim", "twice"]),
        ],
    );
}

/// It is part of no ordinary build.
#[test]
#[cfg(not(feature = "coverage"))]
fn a_core_that_does_not_count_what_it_reaches() {
    let folder = folder();
    let (lcov, document) = (file(&folder, "lcov.info"), file(&folder, "coverage.md"));
    for game in ["tetris", "connect4"] {
        let files = ["--lcov", &lcov, "--write", &document];
        let output = run(&[&["coverage", "--game", game][..], &files].concat(), EMPTY);
        assert_eq!(misrefused(&output, &["`make coverage`"]), None);
    }
    let output = run(
        &["coverage", "--lcov", &file(&folder, "no/lcov.info")],
        EMPTY,
    );
    assert_eq!(misrefused(&output, &["--lcov", "no folder"]), None);
    let written = [&lcov, &document].map(|file| Path::new(file).exists());
    assert_eq!(written, [false; 2], "nothing is written");
}

/// It is part of no ordinary build.
#[test]
#[cfg(not(feature = "netlist"))]
fn a_netlist_that_was_not_built_with() {
    all_refused(
        &["play", "decide", "replay", "info"],
        &[(&["--backend", "sim-netlist"], &["`make netlist`"])],
    );
    let all = stdout(&exits(0, &["info"]));
    assert!(all.contains("sim-netlist"), "{all}");
}

#[test]
fn rates_that_cannot_be_had() {
    all_refused(
        &["play", "decide", "replay", "info"],
        &[
            (
                &["--backend", "sim-uart:baud=0"],
                &["baud=0", "300 to 12500000"],
            ),
            (&["--backend", "sim-uart:baud=299"], &["299", "300 to"]),
            (
                &["--backend", "sim-uart:baud=12500001"],
                &["12500001", "to 12500000"],
            ),
            (
                &["--backend", "sim-uart:baud=4294967295"],
                &["4294967295", "to 12500000"],
            ),
            (
                &["--backend", "sim-uart:baud=99999999999"],
                &["baud=99999999999"],
            ),
            (
                &["--backend", "sim-uart:baud=fast"],
                &["baud=fast", "whole number"],
            ),
            (
                &["--backend", "sim-uart:baud=-9600"],
                &["baud=-9600", "whole number"],
            ),
            (
                &["--backend", "sim-uart:baud=9600.5"],
                &["baud=9600.5", "whole number"],
            ),
            (&["--backend", "sim-uart:baud"], &["baud", "whole number"]),
        ],
    );
}

#[test]
fn controllers_that_are_none() {
    let folder = folder();
    let controller = |name: &str, weights: &str| {
        let path = file(&folder, name);
        let text = format!(r#"{{"name":"x","source":"y","weights":{{{weights}}}}}"#);
        write(&path, text);
        path
    };
    let feature = controller("feature.json", r#""hole":1"#);
    let heavy = controller("heavy.json", r#""holes":3000"#);
    let idle = controller("idle.json", "");
    let word = controller("word.json", r#""holes":"many""#);
    let binary = file(&folder, "binary.json");
    write(&binary, b"\xff\xfe\x00");
    let here = folder.path().to_string_lossy().into_owned();
    all_refused(
        &["play", "decide"],
        &[
            (&["--controller", "nobody"], &["'nobody'", "dt-20"]),
            (&["--controller", ""], &["''", "dt-20"]),
            (&["--controller", &feature], &[&feature, "'hole'", "holes"]),
            (&["--controller", &heavy], &[&heavy, "holes", "2147"]),
            (&["--controller", &idle], &[&idle, "0"]),
            (&["--controller", &word], &[&word, "many"]),
            (&["--controller", &binary], &[&binary, "UTF-8"]),
            (&["--controller", &here], &[&here, "directory"]),
        ],
    );
}

#[test]
fn numbers_that_are_none() {
    all_refused(
        &["play"],
        &[
            (&["--games", "0"], &["--games", "'0'"]),
            (&["--games", "-1"], &["--games", "-1"]),
            (&["--games", "1.5"], &["--games", "1.5"]),
            (
                &["--games", "99999999999999999999"],
                &["--games", "too large"],
            ),
            (&["--max-pieces", "0"], &["--max-pieces", "'0'"]),
            (&["--max-pieces", "-1"], &["--max-pieces", "-1"]),
            (&["--max-pieces", ""], &["--max-pieces"]),
            (&["--seed", "-1"], &["--seed", "-1"]),
            (
                &["--seed", "18446744073709551616"],
                &["--seed", "too large"],
            ),
            (&["--piece-source", "fair"], &["fair", "uniform, bag"]),
        ],
    );
}

#[test]
fn arguments_that_are_none() {
    all_refused(
        &["play", "decide", "replay", "info"],
        &[
            (&["--frobnicate"], &["--frobnicate"]),
            (&["--backend"], &["--backend"]),
        ],
    );
    all_refused(
        &["play", "decide"],
        &[
            (&["extra"], &["extra", "for example", "lockstep "]),
            (
                &["--controller", "centre"],
                &["of connect4", "--game connect4"],
            ),
        ],
    );
    let seats = [
        "play",
        "--game=connect4",
        "--controller=flat",
        "--controller=flat",
    ];
    assert!(stderr(&run(&seats, EMPTY)).contains("--seat"), "{seats:?}");
    refused(&run(&["dance"], ""), &["dance", "--help"]);
    refused(&run(&["replay"], ""), &["FILE"]);
    assert_eq!(run(&[], "").status.code(), Some(2), "no command");
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = folder();
    let here = folder.path().to_string_lossy().into_owned();
    let (both, link) = (file(&folder, "both"), file(&folder, "link"));
    std::os::unix::fs::symlink(&both, &link).expect("a link");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    let (new, roundabout) = (file(&folder, "new"), file(&folder, "sub/../new"));
    let (inside, below) = (file(&folder, "none"), file(&folder, "none/x"));
    let under_a_file = format!("{both}/x");
    let kept = file(&folder, "kept");
    write(&kept, "precious");
    write(&both, "precious");
    let cases: [(&[&str], &[&str]); 8] = [
        (
            &["--json", &both, "--record", &both],
            &["--json", "--record"],
        ),
        (
            &["--json", &both, "--record", &link],
            &["--json", "--record"],
        ),
        (
            &["--json", &new, "--record", &roundabout],
            &["--json", "--record"],
        ),
        (
            &["--record", &below, "--json", &kept],
            &[&below, &inside, "create it"],
        ),
        (
            &["--json", &below, "--record", &kept],
            &[&below, &inside, "create it"],
        ),
        (&["--record", &here, "--json", &kept], &[&here, "folder"]),
        (&["--json", &here, "--record", &kept], &[&here, "folder"]),
        (
            &["--json", &under_a_file, "--record", &kept],
            &[&under_a_file],
        ),
    ];
    let mut wrong = Vec::new();
    for (outputs, named) in cases {
        let what = ["play", "--backend", "software", "--max-pieces", "2"];
        let output = run(&[&what[..], outputs].concat(), "");
        wrong.extend(misrefused(&output, named).map(|w| format!("{outputs:?}: {w}")));
        for path in [&kept, &both] {
            if text(path) != "precious" {
                wrong.push(format!("{outputs:?}: {path} is overwritten"));
                write(path, "precious");
            }
        }
    }
    none(&wrong);
}

/// A full disk is noticed, said once, and is no agreement.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let what = ["play", "--backend", "software", "--max-pieces", "2"];
    for option in ["--record", "--json"] {
        let output = run(&[&what[..], &[option, "/dev/full"]].concat(), "");
        refused(&output, &["/dev/full", "No space left"]);
    }
}
