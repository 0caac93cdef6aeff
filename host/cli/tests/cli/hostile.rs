//! Input that means harm, files that others hold and disks that are full.

use super::pty::Terminal;
use super::running::Running;
use super::*;

/// What would give the terminal's window another title.
const ESCAPE: &str = "\u{1b}]0;evil\u{7}";
/// The same in JSON.
const ESCAPED: &str = "\\u001b]0;evil\\u0007";

fn recorded(folder: &TempDir, name: &str) -> String {
    let record = file(folder, name);
    let what = ["play", "--backend", "software", "--max-pieces", "20"];
    exits(0, &[&what[..], &["--record", &record]].concat());
    record
}

#[test]
fn control_characters_of_bad_input_do_not_reach_the_terminal() {
    let folder = folder();
    let made = |name: &str, content: String| {
        let path = file(&folder, name);
        write(&path, content);
        path
    };
    let game = made(
        "game",
        format!("{{\"lockstep_record\":3,\"game\":\"{ESCAPED}\"}}\n{{}}\n"),
    );
    let good = recorded(&folder, "good");
    let piece = made(
        "piece",
        text(&good).replace("\"piece\":\"", &format!("\"piece\":\"{ESCAPED}")),
    );
    let feature = made(
        "feature",
        format!(r#"{{"name":"a","source":"b","weights":{{"{ESCAPED}":1}}}}"#),
    );
    let named = file(&folder, ESCAPE);
    std::fs::copy(&good, &named).expect("copied");
    let cases: [(i32, &[&str]); 7] = [
        (2, &["replay", &game]),
        (2, &["replay", &piece]),
        (2, &["play", "--controller", &feature]),
        (2, &["play", "--controller", ESCAPE]),
        (2, &["play", "--backend", ESCAPE]),
        (2, &["replay", &good, "--record", &named]),
        (0, &["replay", &named]),
    ];
    let mut wrong = Vec::new();
    for (status, arguments) in cases {
        let (ended, text) = Terminal::start((24, 80), arguments, &[]).end();
        if ended != Some(status) || text.contains("\u{1b}]") || text.contains('\u{7}') {
            wrong.push(format!("{arguments:?}: {ended:?} {text:?}"));
        }
    }
    none(&wrong);
}

/// Without a place of serde's beside the line's, and without names of Rust.
#[test]
fn an_error_names_one_line_and_no_type() {
    let folder = folder();
    let whole = text(&recorded(&folder, "good"));
    let mut wrong = Vec::new();
    let mut check = |output: &Output, line: &str| {
        let error = stderr(output);
        let doubled = error.matches("line ").count() > 1;
        let rust = ["struct ", "u64", "usize", "String"];
        let rust = rust.iter().any(|name| error.contains(name));
        if misrefused(output, &[line]).is_some() || doubled || rust {
            wrong.push(shown(output));
        }
    };
    for bad in ["[1,2]", "{}", "1", "\"x\"", r#"{"board":"x"}"#, "{"] {
        let output = run(&["decide"], &format!("{EMPTY}\n{bad}\n"));
        check(&output, "line 2");
        let record = file(&folder, "bad");
        let (head, rest) = whole.split_once('\n').expect("lines");
        write(&record, format!("{head}\n{bad}\n{rest}"));
        check(&run(&["replay", &record], ""), "line 2");
    }
    none(&wrong);
}

/// No line of theirs ever ends.
#[cfg(target_os = "linux")]
#[test]
fn endless_input_is_refused_at_a_limit() {
    let limit = "1048576 bytes";
    for (command, named) in [
        ("decide < /dev/zero", "standard input, line 1"),
        ("replay /dev/zero", "record /dev/zero"),
    ] {
        // With too little memory to read on and on.
        let script = format!("ulimit -v 4000000; exec \"$0\" {command}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).arg(PROGRAM).output();
        refused(&output.expect("sh runs"), &[named, limit]);
    }
    // A device or a pipe is not waited for, and a large file not read.
    let folder = folder();
    let large = file(&folder, "large.json");
    write(&large, "x".repeat((1 << 20) + 1));
    for (name, why) in [
        ("/dev/zero", "no ordinary file"),
        (&large, "longer than 1048576 bytes"),
    ] {
        refused(&run(&["play", "--controller", name], ""), &[name, why]);
    }
    let long = file(&folder, "long");
    write(
        &long,
        text(&recorded(&folder, "good")) + &"x".repeat(1 << 21),
    );
    refused(&run(&["replay", &long], ""), &[&long, "line 23", limit]);
    let input = format!("{EMPTY}\n{}", "x".repeat(1 << 21));
    refused(&run(&["decide"], &input), &["line 2", limit]);
}

#[test]
fn what_is_echoed_of_bad_input_is_cut() {
    let piece = "x".repeat(1_000_000);
    let output = run(
        &["decide"],
        &EMPTY.replace("\"T\"", &format!("\"{piece}\"")),
    );
    refused(&output, &["standard input, line 1", "expected"]);
    assert!(stderr(&output).len() < 3_000, "{}", stderr(&output).len());
}

/// The first one goes on, and its record is whole.
#[test]
fn two_sessions_do_not_write_one_record() {
    let folder = folder();
    let record = file(&folder, "games.jsonl");
    let what = ["play", "--games", "1000000", "--max-pieces", "20"];
    let mut first = Running::start(&[&what[..], &["--record", &record]].concat());
    first.wait_for("game 2 of");
    let second = ["play", "--max-pieces", "2", "--record", &record];
    refused(&run(&second, ""), &[&record, "--force"]);
    let forced = [&second[..], &["--force"]].concat();
    refused(&run(&forced, ""), &[&record, "another lockstep"]);
    first.interrupt();
    assert_eq!(first.end().0, Some(130));
    let again = exits(0, &["replay", &record, "--json", "-"]);
    assert_eq!(json(&stdout(&again))["cut"], json("[]"));
}

#[test]
fn what_was_recorded_is_not_overwritten_unasked() {
    let folder = folder();
    let record = recorded(&folder, "kept.jsonl");
    let content = text(&record);
    let play = ["play", "--max-pieces", "2", "--record", &record];
    refused(&run(&play, ""), &[&record, "--force"]);
    // Nor where it turns out later that nothing can be played.
    let lacaille = file(&folder, "lacaille.jsonl");
    let program = ["play", "--controller", "lacaille", "--max-pieces", "2"];
    exits(0, &[&program[..], &["--record", &lacaille]].concat());
    let onto = ["--backend", "sim", "--record", &record, "--force"];
    for arguments in [&["replay", &lacaille], &["play", "--depth=2"]] {
        refused(&run(&[&arguments[..], &onto].concat(), ""), &["sim"]);
        assert_eq!(text(&record), content, "{arguments:?}");
    }
    exits(0, &[&play[..], &["--force"]].concat());
    assert_eq!(text(&record).lines().count(), 4, "it may be");
}

/// A link to nothing is where the file will be; it stays a link.
#[test]
fn results_are_written_where_links_point() {
    let folder = folder();
    let (link, target) = (file(&folder, "link"), file(&folder, "target"));
    std::os::unix::fs::symlink("target", &link).expect("a link");
    let what = ["play", "--backend", "software", "--max-pieces", "2"];
    for (option, more) in [("--json", &[][..]), ("--record", &["--force"])] {
        exits(0, &[&what[..], &[option, &link], more].concat());
        assert!(text(&target).starts_with('{'), "{option}");
        let still = std::fs::symlink_metadata(&link).expect("it is there");
        assert!(still.is_symlink(), "{option}");
    }
}

/// What can be known before the first decision is said then.
#[test]
fn a_folder_that_takes_no_files_is_found_at_once() {
    let mut wrong = Vec::new();
    for option in ["--json", "--record"] {
        let what = ["play", "--max-pieces", "2", option, "/proc/nothing"];
        let output = run(&what, "");
        wrong.extend(misrefused(&output, &[option, "/proc/nothing"]));
        if !output.stdout.is_empty() {
            wrong.push(format!("{option}: it played first"));
        }
    }
    none(&wrong);
}

/// All that failed is said, and the summary tells what was done.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_of_every_file() {
    let folder = folder();
    let good = recorded(&folder, "good");
    let play = ["play", "--backend", "software", "--max-pieces", "2"];
    for what in [&play[..], &["replay", &good]] {
        let to = ["--record", "/dev/full", "--json"];
        let output = run(&[what, &to, &["/dev/full"]].concat(), "");
        let error = stderr(&output);
        let both = ["record /dev/full", "--json /dev/full"];
        let told = both.iter().all(|file| error.contains(file));
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(told && error.lines().count() == 2, "{error}");
        let output = run(&[what, &to, &["-"]].concat(), "");
        refused(&output, &["record /dev/full", "No space left"]);
        let summary = json(&stdout(&output));
        let error = summary["error"].as_str().unwrap_or_default();
        assert!(error.contains("No space left"), "{summary}");
        assert_eq!(summary["interrupted"], false, "{summary}");
        let decisions = summary["decisions"].as_u64().expect("a number");
        assert!(decisions <= 20, "{summary}");
        assert_eq!(summary["backends"][0]["decisions"], decisions, "{summary}");
    }
}

/// A limit of the shell's ends no program: what fitted is there, and what did not is named.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_a_file_s_size_is_an_error_like_a_full_disk() {
    let folder = folder();
    let (record, summary) = (file(&folder, "games.jsonl"), file(&folder, "summary.json"));
    // Eight blocks of 512 or of 1,024 bytes.
    let script = "ulimit -f 8; exec \"$0\" \"$@\"";
    let what = ["play", "--backend", "software", "--max-pieces", "2000"];
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, PROGRAM]).args(what);
    let ended = shell
        .args(["--record", &record, "--json", &summary])
        .output();
    refused(&ended.expect("sh runs"), &[&record, "File too large"]);
    let told = json(&text(&summary));
    assert!(
        told["error"].as_str().is_some_and(|e| e.contains(&record)),
        "{told}"
    );
    let replayed = run(&["replay", &record, "--backend", "software"], "");
    assert_eq!(replayed.status.code(), Some(0), "{}", shown(&replayed));
}

/// What cannot be written whole is not left behind.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_leaves_no_part_of_a_result() {
    let folder = folder();
    let good = recorded(&folder, "good");
    let mut wrong = Vec::new();
    for (what, name) in [
        (&["record", "stats", &good, "--json"][..], "stats.json"),
        (
            &["replay", &good, "--backend", "software", "--html"],
            "page.html",
        ),
        (&["record", "convert", &good], "table.parquet"),
        (&["record", "convert", &good], "copy.jsonl.zst"),
    ] {
        let to = file(&folder, name);
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", PROGRAM]);
        let ended = shell.args(what).arg(&to).output().expect("sh runs");
        wrong.extend(misrefused(&ended, &[&to, "File too large"]));
        if stderr(&ended).matches("File too large").count() > 1 || Path::new(&to).exists() {
            wrong.push(format!("{to} is left, or named twice: {}", shown(&ended)));
        }
    }
    none(&wrong);
}

/// A bad record after a good one: what the good one said is kept.
#[test]
fn a_bad_record_does_not_take_what_was_found_before() {
    let folder = folder();
    let (good, bad) = (recorded(&folder, "good"), file(&folder, "bad"));
    let broken = text(&good).replacen("\"piece\":\"", "\"piece\":\"?", 20);
    let five = broken.lines().take(5).collect::<Vec<_>>().join("\n") + "\n";
    write(&bad, five);
    let summary = file(&folder, "summary.json");
    let on = ["--backend", "software", "--json", &summary];
    let output = run(&[&["replay", &good, &bad], &on[..]].concat(), "");
    refused(&output, &[&bad, "line 2"]);
    let report = stdout(&output);
    assert!(report.contains("20 agreed, 0 diverged"), "{report}");
    let summary = json(&text(&summary));
    assert_eq!(summary["agreed"], 20, "{summary}");
    let error = summary["error"].as_str().unwrap_or_default();
    assert!(error.contains("line 2"), "{summary}");
}

/// Nothing was compared: that is no agreement.
#[test]
fn one_backend_alone_agrees_with_nobody() {
    let what = ["play", "--backend", "software", "--max-pieces", "2"];
    let summary = json(&stdout(&exits(0, &[&what[..], &["--json", "-"]].concat())));
    assert_eq!(
        (&summary["decisions"], &summary["compared"]),
        (&2.into(), &0.into())
    );
    for field in ["agreed", "diverged", "error", "first_divergence"] {
        assert_eq!(summary.get(field), Some(&Value::Null), "{field}: {summary}");
    }
    assert!(summary["lines"].is_u64(), "{summary}");
    let report = stdout(&exits(0, &what));
    assert!(report.contains("none compared"), "{report}");
}

/// Where a command refuses, no file is left of those it tried to write to.
#[test]
fn a_refusal_leaves_no_new_file() {
    let folder = folder();
    let record = recorded(&folder, "kept.jsonl");
    let summary = file(&folder, "summary.json");
    let play = ["play", "--max-pieces", "2", "--json", &summary];
    refused(
        &run(&[&play[..], &["--record", &record]].concat(), ""),
        &[&record, "--force"],
    );
    assert!(!Path::new(&summary).exists(), "a trial was left");
}
