//! Training: it resumes exactly, refuses what it cannot do, and is not lost.

mod files;

use super::running::Running;
use super::terminal::on_a_terminal;
use super::*;

/// Small games, so that generations take milliseconds.
const SMALL: [&str; 9] = [
    "train",
    "--board",
    "6x6",
    "--games",
    "3",
    "--max-pieces",
    "60",
    "--population",
    "8",
];

/// Trains with some more options; the output of success.
fn train(out: &str, options: &[&str]) -> String {
    let output = exits(0, &[&SMALL[..], &["--out", out], options].concat());
    stdout(&output)
}

fn weights(path: &str) -> Value {
    json(&text(path))["weights"].clone()
}

/// Kills a training by its process once it has written some text.
fn killed_after(line: &str, arguments: &[&str]) {
    let mut running = Running::start(arguments);
    running.wait_for(line);
    running.kill();
}

#[test]
fn a_trained_controller_plays() {
    let folder = folder();
    let out = file(&folder, "small.json");
    let told = train(&out, &["--generations", "4", "--controller-features", "dt"]);
    for line in ["generation 4 of 4", "fresh games", "rows_with_holes"] {
        assert!(told.contains(line), "no '{line}' in {told}");
    }
    let controller = json(&text(&out));
    assert_eq!(controller["name"], "small");
    let source = controller["source"].as_str().expect("text");
    for part in ["--method cmaes", "--board 6x6", "--seed 1", "4 generations"] {
        assert!(source.contains(part), "no '{part}' in {source}");
    }
    let weights = controller["weights"].as_object().expect("an object");
    let magnitudes = weights
        .values()
        .map(|w| w.as_f64().expect("a number").abs());
    assert_eq!(magnitudes.fold(0.0, f64::max), 10.0);
    let play = ["play", "--backend", "software", "--backend", "sim"];
    let played = exits(
        0,
        &[&play[..], &["--controller", &out, "--max-pieces", "20"]].concat(),
    );
    assert!(stdout(&played).contains("0 diverged"), "{}", shown(&played));
    let plot = text(&file(&folder, "small.svg"));
    assert!(plot.starts_with("<svg") && plot.contains("best of the generation"));
}

/// What counts: killed at any moment, the same command ends with the same
/// weights, on any number of threads.
#[test]
fn a_killed_training_goes_on_to_the_same_weights() {
    let folder = folder();
    for method in ["ga", "cmaes", "pso"] {
        let many = if method == "pso" { "1" } else { "3" };
        let whole = file(&folder, &format!("{method}-whole.json"));
        let method = ["--method", method, "--generations", "30"];
        train(&whole, &[&method[..], &["--threads", "1"]].concat());
        let killed = file(&folder, &format!("{}-killed.json", method[1]));
        let options = [&method[..], &["--threads", many, "--out", &killed]].concat();
        let command = [&SMALL[..], &options].concat();
        killed_after("generation 7 of", &command);
        killed_after("generation 16 of", &command);
        assert!(text(&killed).contains("not finished"), "best so far");
        let told = stdout(&exits(0, &command));
        assert!(told.contains("going on after "), "{told}");
        assert!(
            !told.contains("generation 16 of"),
            "not from the start: {told}"
        );
        assert_eq!(weights(&killed), weights(&whole), "{}", method[1]);
    }
}

#[test]
fn an_interrupted_training_says_how_to_go_on() {
    let folder = folder();
    let out = file(&folder, "long.json");
    let options = ["--generations", "100000", "--out", &out];
    let mut running = Running::start(&[&SMALL[..], &options].concat());
    running.wait_for("generation 3 of");
    running.interrupt();
    let (status, rest, error) = running.end();
    assert_eq!((status, error.as_str()), (Some(130), ""), "{rest}");
    let kept = file(&folder, "long.checkpoint.json");
    assert!(rest.contains("the same command goes on"), "{rest}");
    assert!(rest.contains(&kept), "{rest}");
    assert!(text(&out).contains("not finished"), "best so far");
}

#[test]
fn a_finished_training_says_so_and_can_go_further() {
    let folder = folder();
    let out = file(&folder, "w.json");
    train(&out, &["--generations", "3"]);
    let first = text(&out);
    std::fs::remove_file(&out).expect("removed");
    let told = train(&out, &["--generations", "3"]);
    assert!(
        told.starts_with("finished already after 3 generations"),
        "{told}"
    );
    assert_eq!(text(&out), first, "written again");
    let told = train(&out, &["--generations", "5"]);
    assert!(told.starts_with("going on after 3 generations"), "{told}");
    assert!(told.contains("generation 4 of 5") && !told.contains("generation 3 of"));
    let whole = file(&folder, "whole.json");
    train(&whole, &["--generations", "5"]);
    assert_eq!(weights(&out), weights(&whole));
    let told = train(&out, &["--generations", "2", "--fresh"]);
    assert!(told.contains("generation 1 of 2"), "{told}");
}

#[test]
fn time_is_a_limit_too() {
    let folder = folder();
    let out = file(&folder, "w.json");
    train(&out, &["--minutes", "0.005"]);
    let told = train(&out, &["--minutes", "0.005"]);
    assert!(told.contains("finished already"), "{told}");
}

#[test]
fn a_checkpoint_of_something_else_is_left_alone() {
    let folder = folder();
    let (out, other) = (file(&folder, "w.json"), file(&folder, "other.json"));
    train(&out, &["--generations", "2"]);
    let checkpoint = file(&folder, "w.checkpoint.json");
    let kept = text(&checkpoint);
    let options: [&[&str]; 5] = [
        &["--seed", "2"],
        &["--controller-features", "bcts"],
        &["--method", "ga"],
        &["--start", "dt-10"],
        &["--board", "8x8"],
    ];
    let mut wrong = Vec::new();
    for changed in options {
        // The last of an option counts where it is given twice.
        let same: Vec<&str> = match changed[0] {
            "--board" => [&["train"], &SMALL[3..]].concat(),
            _ => SMALL.to_vec(),
        };
        let output = run(&[&same[..], &["--out", &out], changed].concat(), "");
        let named = [changed[0], "--fresh", "another --checkpoint", &checkpoint];
        wrong.extend(misrefused(&output, &named));
    }
    none(&wrong);
    for (content, named) in [
        (r#"{"lockstep_training":1,"training":{}}"#, "missing field"),
        (r#"{"lockstep_training":99,"training":{}}"#, "version 99"),
    ] {
        write(&other, content);
        let options = ["--out", &out, "--checkpoint", &other];
        let output = run(&[&SMALL[..], &options].concat(), "");
        refused(&output, &[named, &other, "--fresh"]);
        assert_eq!(text(&other), content);
    }
    assert_eq!(text(&checkpoint), kept);
}

/// A line that is too long for the 80 columns would be cut at its end.
#[test]
fn a_terminal_shows_speed_and_time_left() {
    let folder = folder();
    let out = file(&folder, "w.json");
    let options = ["--generations", "40", "--out", &out];
    let (status, drawn) = on_a_terminal(&[&SMALL[..], &options].concat(), &[]);
    assert_eq!(status, Some(0), "{drawn:?}");
    for part in [
        "generation 2 of 40: best ",
        " lines",
        " pieces/s  ",
        " left",
    ] {
        assert!(drawn.contains(part), "no '{part}' in {drawn:?}");
    }
}

#[test]
fn wrong_arguments_are_refused_by_name() {
    let folder = folder();
    let out = file(&folder, "w.json");
    let start = file(&folder, "start.json");
    write(
        &start,
        r#"{"name":"x","source":"y","weights":{"holes":-1}}"#,
    );
    let nowhere = file(&folder, "nowhere/w.json");
    let long = file(&folder, &format!("{}.json", "w".repeat(65)));
    let control = file(&folder, "a\tb.json");
    let cases: [(&[&str], &[&str]); 28] = [
        (
            &["--out", &out, "--controller-features", "hole"],
            &["'hole'", "bcts", "diversity"],
        ),
        (
            &["--out", &out, "--controller-features", "holes,holes"],
            &["holes is named twice"],
        ),
        (
            &["--out", &out, "--controller-features", ""],
            &["--controller-features"],
        ),
        (&["--out", &out, "--method", "luck"], &["'luck'", "cmaes"]),
        (&["--out", &out, "--board", "10"], &["'10'", "10x20"]),
        (
            &["--out", &out, "--board", "13x20"],
            &["--board", "12x32, not 13x20"],
        ),
        (
            &["--out", &out, "--name", "two\tcolumns"],
            &["--name", "one line of text"],
        ),
        (
            &["--out", &out, "--name", ""],
            &["--name", "1 to 64 characters"],
        ),
        (
            &["--out", &out, "--name", &"n".repeat(5_000)],
            &["--name", "not 5000"],
        ),
        (
            &["--out", &long],
            &["--out", "1 to 64 characters, not 65", "--name"],
        ),
        (
            &["--out", &control],
            &["--out", "one line of text", "--name"],
        ),
        (
            &["--out", &out, "--minutes", "1e308"],
            &["--minutes", "at most 5256000"],
        ),
        (
            &["--out", &out, "--json", &out],
            &["--json and --out", "same file"],
        ),
        (&["--out", &out, "--games", "0"], &["--games", "0"]),
        (&["--out", &out, "--games", "-1"], &["--games", "-1"]),
        (&["--out", &out, "--max-pieces", "0"], &["--max-pieces"]),
        (
            &["--out", &out, "--population", "3"],
            &["--population", "from 4 to 10000"],
        ),
        (&["--out", &out, "--generations", "0"], &["--generations"]),
        (
            &["--out", &out, "--minutes", "0"],
            &["--minutes", "above 0"],
        ),
        (
            &["--out", &out, "--minutes", "inf"],
            &["--minutes", "above 0"],
        ),
        (
            &["--out", &out, "--threads", "0"],
            &["--threads", "from 1 to 1024"],
        ),
        (
            &["--out", &out, "--start", "nobody"],
            &["'nobody'", "dt-20"],
        ),
        (
            &[
                "--out",
                &out,
                "--start",
                "dt-10",
                "--controller-features",
                "bcts",
            ],
            &["--start dt-10", "well_sums, diversity", "bcts"],
        ),
        (
            &["--out", &nowhere],
            &["--out", "nowhere", "create it first"],
        ),
        (
            &["--out", &out, "--plot", &nowhere],
            &["--plot", "create it first"],
        ),
        (
            &["--out", &out, "--plot", &out],
            &["--out and --plot", "same file"],
        ),
        (
            &[
                "--out",
                &start,
                "--start",
                &start,
                "--controller-features",
                "holes,bumpiness",
            ],
            &["--start", "which is read"],
        ),
        (&[], &["--out"]),
    ];
    let mut wrong = Vec::new();
    for (arguments, named) in cases {
        let output = run(&[&["train"], arguments].concat(), "");
        let case = arguments.join(" ");
        wrong.extend(misrefused(&output, named).map(|w| format!("{case}: {w}")));
    }
    none(&wrong);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}

#[test]
fn json_of_a_training_has_what_is_known() {
    let folder = folder();
    let out = file(&folder, "w.json");
    let done = json(&train(&out, &["--generations", "3", "--json", "-"]));
    assert_eq!(
        (&done["generations"], &done["error"]),
        (&3.into(), &Value::Null)
    );
    assert_eq!(done["controller"], json(&text(&out)));
    assert!(
        done["lines"].is_number() && done["interrupted"] == false,
        "{done}"
    );

    let json_to = file(&folder, "train.json");
    let long = file(&folder, "long.json");
    let options = [
        "--generations",
        "100000",
        "--out",
        &long,
        "--json",
        &json_to,
    ];
    let mut running = Running::start(&[&SMALL[..], &options].concat());
    running.wait_for("generation 3 of");
    running.signal("TERM");
    assert_eq!(running.end().0, Some(130));
    let document = json(&text(&json_to));
    assert_eq!(document["interrupted"], true, "{document}");
    assert!(document["generations"].as_u64() >= Some(3), "{document}");
    assert_eq!(document["controller"], json(&text(&long)));
}

/// A training whose checkpoint can no longer be written.
#[test]
fn json_of_a_failed_training_has_the_error() {
    let folder = folder();
    let out = file(&folder, "w.json");
    let limited = "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"";
    let output = std::process::Command::new("sh")
        .args(["-c", limited])
        .arg(PROGRAM)
        .args(SMALL)
        .args(["--generations", "9", "--out", &out, "--json", "-"])
        .output()
        .expect("sh runs");
    refused(&output, &["--checkpoint", "File too large"]);
    let document = json(&stdout(&output));
    let error = document["error"].as_str().expect("text");
    assert!(error.contains("File too large"), "{document}");
    assert_eq!(document["interrupted"], false, "{document}");
}

/// The games of one evaluation alone take longer than anybody waits.
#[test]
fn one_interrupt_ends_it_within_the_first_generation() {
    let folder = folder();
    let out = file(&folder, "w.json");
    let long = [
        "train", "--board", "12x32", "--start", "dt-20", "--games", "1000",
    ];
    for signal in ["INT", "TERM", "HUP"] {
        let running = Running::start(&[&long[..], &["--out", &out, "--json", "-"]].concat());
        running.wait_until_it_is_at_work();
        running.signal(signal);
        let (status, document, error) = running.end();
        assert_eq!((status, error.as_str()), (Some(130), ""), "{document}");
        let document = json(&document);
        assert_eq!(document["interrupted"], true, "{document}");
        assert_eq!(document["generations"], 0, "{document}");
        assert!(document["controller"].is_null(), "{document}");
    }
}
