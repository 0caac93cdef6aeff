//! `lockstep info`, `lockstep faults` and the program's own help.

use super::*;

#[test]
fn info_tells_what_each_backend_is() {
    let shown = stdout(&exits(0, &["info", "--backend", "software"]));
    assert!(shown.contains("golden model"), "{shown}");
    assert!(!shown.contains("RTL build"), "software has none: {shown}");
    for backend in ["sim", "sim-uart", PINS, FAULTY] {
        let shown = stdout(&exits(0, &["info", "--backend", backend]));
        for part in [backend, "tetris, board 10x20", "100000000 Hz", "0 bad CRC"] {
            assert!(shown.contains(part), "{backend}: no {part} in\n{shown}");
        }
    }
}

/// What the log of all bytes says, summed up.
#[test]
fn info_counts_the_bytes_that_passed() {
    let output = exits(0, &["-vvv", "info", "--backend", "sim"]);
    let log = stderr(&output);
    let bytes = |direction: &str| -> usize {
        let lines = log.lines().filter(|line| line.contains(direction));
        let hexadecimal = lines.filter_map(|line| line.split_once("bytes="));
        let count = |word: &&str| word.len() == 2 && u8::from_str_radix(word, 16).is_ok();
        let words = hexadecimal.map(|(_, bytes)| bytes.split_whitespace().take_while(count));
        words.map(Iterator::count).sum()
    };
    let (sent, received) = (bytes("sent"), bytes("received"));
    assert!(sent > 0 && received > sent, "{log}");
    let told = format!("{sent} bytes sent, {received} received");
    let report = stdout(&output);
    assert!(report.contains(&told), "no {told} in\n{report}\n{log}");
}

#[test]
fn info_tells_of_several_backends_in_their_order() {
    let shown = stdout(&exits(
        0,
        &["info", "--backend", PINS, "--backend", "software"],
    ));
    let names: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("backend "))
        .map(str::trim)
        .collect();
    assert_eq!(names, [PINS, "software"], "{shown}");
}

#[test]
fn every_command_explains_itself() {
    let all = stdout(&exits(0, &["--help"]));
    let listed = all.split("Commands:\n").nth(1).expect("a list of commands");
    let commands: Vec<&str> = listed
        .lines()
        .map_while(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    let mut wrong = Vec::new();
    for command in commands {
        let help = stdout(&exits(0, &[command, "--help"]));
        let told = help.contains(&format!("Usage: lockstep {command}"))
            && help.contains("\nExamples:\n  ");
        // What all commands share stands last, in one place.
        let shared = help.split("Options of all commands:").nth(1);
        let shared = shared.is_some_and(|rest| {
            let told = ["--quiet", "--verbose", "--help"].map(|option| rest.find(option));
            told.iter().all(Option::is_some) && told.is_sorted()
        });
        if !told || !shared || help.contains("hardware") {
            wrong.push(format!("{command}:\n{help}"));
        }
    }
    none(&wrong);
    assert!(!all.contains("hardware"), "no board is promised: {all}");
}

#[test]
fn the_version_says_what_it_goes_with() {
    let long = stdout(&exits(0, &["--version"]));
    let mut lines = long.lines();
    let short = lines.next().unwrap_or_default();
    assert_eq!(stdout(&exits(0, &["-V"])), format!("{short}\n"));
    let revision = short
        .strip_prefix(concat!("lockstep ", env!("CARGO_PKG_VERSION"), " ("))
        .and_then(|rest| rest.strip_suffix(')'))
        .expect("a revision");
    let known = revision.len() == 12 && revision.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(known || revision == "unknown", "{revision}");
    assert!(long.contains("\ntetris "), "its messages' layout: {long}");
    // The RTL is the one that answers.
    let info = stdout(&exits(0, &["info", "--backend", "sim"]));
    let build = info.lines().find_map(|line| line.strip_prefix("RTL build"));
    let build = build.expect("a build").trim();
    assert!(long.contains(&format!("RTL build {build}")), "{long}");
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&exits(0, &["completions", shell]));
        for word in ["play", "controllers", "completions", "piece-source"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    refused(&run(&["completions", "bas"], ""), &["bas", "'bash'"]);
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = folder();
    let pages = file(&folder, "new/man1");
    exits(0, &["man", &pages]);
    for command in ["", "-play", "-replay", "-strength"] {
        let page = text(&format!("{pages}/lockstep{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}: {page}");
    }
    let play = text(&format!("{pages}/lockstep-play.1"));
    assert!(
        play.contains("lockstep play \\-\\-games 3"),
        "examples: {play}"
    );
    assert!(stdout(&exits(0, &["man"])).contains(".TH lockstep 1"));
    let taken = file(&folder, "taken");
    write(&taken, "a file");
    refused(&run(&["man", &taken], ""), &[&taken]);
}

/// One letter off is recognised, whatever is named.
#[test]
fn slips_are_recognised() {
    let mut wrong = Vec::new();
    for (arguments, meant) in [
        (["play", "--controller=dt20"], "'dt-20'"),
        (["decide", "--controller=delacherie"], "'dellacherie'"),
        (["play", "--backend=sofware"], "'software'"),
        (["info", "--backend=simuart"], "'sim-uart'"),
        (["play", "--piece-source=bags"], "'bag'"),
        (["play", "--rules=comon"], "'common'"),
        (["play", "--next=know"], "'known'"),
    ] {
        let output = run(&arguments, "");
        wrong.extend(misrefused(&output, &[meant]));
        let error = stderr(&output);
        if !error.contains("did you mean") && !error.contains("a similar value") {
            wrong.push(error);
        }
    }
    none(&wrong);
    let nothing_like_it = stderr(&run(&["play", "--controller=nobody"], ""));
    assert!(
        !nothing_like_it.contains("did you mean"),
        "{nothing_like_it}"
    );
}

/// Limits as people write them.
#[test]
fn limits_are_told_in_words() {
    for (arguments, told) in [
        (["play", "--depth=4"], "from 1 to 3"),
        (["play", "--games=0"], "a whole number, 1 or more"),
        (["play", "--watch=60001"], "from 0 to 60000"),
        (["faults", "--max-decisions=0"], "a whole number, 1 or more"),
    ] {
        refused(&run(&arguments, ""), &[told]);
    }
}

#[test]
fn help_names_every_preset() {
    let help = stdout(&exits(0, &["play", "--help"]));
    for name in lockstep_games::tetris::controller::presets() {
        assert!(help.contains(name), "{name} is not in\n{help}");
    }
}

/// Some in the Tetris core, which show in games too, one in the frames, which does
/// not.
#[test]
fn faults_are_found_and_the_table_is_written() {
    let folder = folder();
    let table = file(&folder, "faults.json");
    let names = [
        "none",
        "cycles-eight-bits",
        "top-row-lost",
        "overrun-uncounted",
    ];
    let mut arguments = vec!["faults", "--controller", "probe", "--max-decisions", "500"];
    arguments.extend(names[1..].iter().flat_map(|name| ["--fault", name]));
    arguments.extend(["--seed", "1", "--json", &table]);
    let shown = stdout(&exits(0, &arguments));
    assert!(shown.starts_with("seed 1\n"), "{shown}");
    let reports = json(&text(&table));
    let reports = reports.as_array().expect("a list");
    assert_eq!(reports.len(), names.len());
    for (report, name) in reports.iter().zip(names) {
        assert_eq!(report["fault"], name);
        let findings = report["findings"].as_array().expect("a list");
        let found = findings.iter().any(|f| !f["found"].is_null());
        assert_eq!(found, name != "none", "{report}");
        assert!(shown.contains(name), "{name} is not in\n{shown}");
    }
    let share = serde_json::json!({"found": 20, "runs": 20, "seed": 1});
    assert_eq!(reports[3]["findings"][0]["share"], share);
    assert_eq!(
        (&reports[2]["fault_in"], &reports[3]["fault_in"]),
        (&"tetris".into(), &"link".into())
    );
    let played = |report: &serde_json::Value| report["findings"][2]["found"]["field"].clone();
    assert_eq!(played(&reports[1]), "cycles");
    assert!(
        reports[3]["findings"][2]["found"].is_null(),
        "{}",
        reports[3]
    );
}

/// The RTL as designed is not found either, but a fault that is missed is a
/// failure.
#[test]
fn a_fault_that_is_missed_is_told_by_the_exit_status() {
    let hunt = ["faults", "--controller", "probe", "--max-decisions", "1"];
    let hunt = [&hunt[..], &["--fault", "error-sticky", "--no-benches"]].concat();
    let shown = exits(1, &hunt);
    assert!(stdout(&shown).contains("not in 1"), "{}", stdout(&shown));
    let quiet = exits(1, &[&["-q"], &hunt[..]].concat());
    assert_eq!(
        (stdout(&quiet), stderr(&quiet)),
        (String::new(), String::new())
    );
}

/// The hunt takes long: what cannot be written is said before it.
#[test]
fn faults_refuses_wrong_use_before_the_hunt() {
    let folder = folder();
    let mut wrong = Vec::new();
    let nowhere = file(&folder, "none/faults.json");
    let inside = file(&folder, "none");
    let here = folder.path().to_string_lossy().into_owned();
    let cases: [(&[&str], &[&str]); 7] = [
        (&["--json", &nowhere], &[&nowhere, &inside, "create it"]),
        (&["--json", &here], &[&here, "folder"]),
        (&["--controller", "nobody"], &["nobody", "dt-20"]),
        (&["--max-decisions", "0"], &["--max-decisions", "0"]),
        (&["--max-decisions", "many"], &["--max-decisions", "many"]),
        (&["--seed", "-1"], &["--seed", "-1"]),
        (&["--fault", "no-such"], &["no-such", "lockstep faults"]),
    ];
    for (arguments, named) in cases {
        let limit: &[&str] = if arguments[0] == "--max-decisions" {
            &[]
        } else {
            &["--max-decisions", "1"]
        };
        let output = run(&[&["faults"], arguments, limit].concat(), "");
        wrong.extend(misrefused(&output, named).map(|w| format!("{arguments:?}: {w}")));
        if !output.stdout.is_empty() {
            wrong.push(format!("{arguments:?}: hunted first\n{}", shown(&output)));
        }
    }
    none(&wrong);
}
