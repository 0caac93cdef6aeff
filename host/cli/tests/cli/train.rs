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
fn train_wrong_arguments_are_refused() {
    let folder = folder();
    let start = file(&folder, "start.json");
    let weights = r#"{"name":"x","source":"y","weights":{"holes":-1}}"#;
    write(&start, weights);
    let from = format!("--out {start} --start {start} --controller-features holes,bumpiness");
    let cases: [(&str, &[&str]); 15] = [
        (
            "--controller-features hole",
            &["'hole'", "bcts", "diversity"],
        ),
        (
            "--controller-features holes,holes",
            &["holes is named twice"],
        ),
        ("--method luck", &["'luck'", "cmaes"]),
        ("--board 10", &["'10'", "10x20"]),
        ("--board 13x20", &["--board", "12x32, not 13x20"]),
        ("--name two\tcolumns", &["--name", "one line of text"]),
        ("--minutes 1e308", &["--minutes", "at most 5256000"]),
        ("--minutes 0", &["--minutes", "above 0"]),
        ("--json {}/w.json", &["--json and --out", "same file"]),
        ("--population 3", &["--population", "from 4 to 10000"]),
        ("--start nobody", &["'nobody'", "dt-20"]),
        (
            "--start dt-10 --controller-features bcts",
            &["--start dt-10", "well_sums, diversity", "bcts"],
        ),
        ("--plot {}/nowhere/x", &["--plot", "create it first"]),
        ("--plot {}/w.json", &["--out and --plot", "same file"]),
        (&from, &["--start", "which is read"]),
    ];
    let mut wrong = Vec::new();
    let at = folder.path().to_string_lossy();
    for (arguments, named) in cases {
        let mut words = vec!["train".to_owned()];
        if !arguments.contains("--out") {
            words.extend(["--out".into(), file(&folder, "w.json")]);
        }
        // A tab is part of a word.
        words.extend(arguments.split(' ').map(|word| word.replace("{}", &at)));
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let output = run(&words, "");
        wrong.extend(misrefused(&output, named).map(|w| format!("{arguments}: {w}")));
    }
    none(&wrong);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!((left, text(&start)), (1, weights.to_owned()));
}

#[test]
fn train_json_has_result_and_files() {
    let folder = folder();
    let out = file(&folder, "w.json");
    let done = json(&train(&out, &["--generations", "3", "--json", "-"]));
    assert_eq!(done["generations"], 3, "{done}");
    assert_eq!(done["controller"], json(&text(&out)));
    assert_eq!(done["out"], out, "{done}");
    assert!(done["lines"].is_number(), "{done}");
}
