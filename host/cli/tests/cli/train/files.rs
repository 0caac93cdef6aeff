//! What a training writes, and what it must leave alone.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::process::Command;

use super::*;

/// Trains two generations in a folder, whatever comes of it; `--out` is `w.json`
/// there unless it is among the options.
fn attempt(folder: &TempDir, options: &[&str]) -> Output {
    let out = file(folder, "w.json");
    let mut program = lockstep();
    program.current_dir(folder.path()).args(SMALL);
    program.args(["--generations", "2"]).args(options);
    if !options.contains(&"--out") {
        program.args(["--out", &out]);
    }
    program.output().expect("lockstep runs")
}

/// Names of all that is in a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let name = |e: fs::DirEntry| e.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|e| name(e.expect("an entry"))).collect();
    names.sort();
    names
}

#[test]
fn train_output_that_is_no_ordinary_file_is_refused() {
    let folder = folder();
    let fifo = file(&folder, "fifo");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo runs").success());
    let mut wrong = Vec::new();
    for option in ["--out", "--plot"] {
        for (path, named) in [
            (fifo.as_str(), "that is no ordinary file; name one"),
            ("/", "that is a folder; name a file in it"),
            ("-", "is a file; name one"),
            ("/proc/t.json", "no file can be made there"),
        ] {
            let output = attempt(&folder, &[option, path, "--fresh"]);
            wrong.extend(misrefused(&output, &[&format!("{option} {path}: "), named]));
        }
    }
    none(&wrong);
    let kind = fs::symlink_metadata(&fifo)
        .expect("it is there")
        .file_type();
    assert!(kind.is_fifo());
    assert_eq!(names(&folder), ["fifo"]);
}

#[test]
fn a_new_training_overwrites_nothing_unless_fresh() {
    for (name, option) in [("w.json", "--out"), ("w.svg", "--plot")] {
        let folder = folder();
        let there = file(&folder, name);
        write(&there, "precious");
        let what = format!("{option} {there}: ");
        refused(
            &attempt(&folder, &[]),
            &[&what, "name another file", "--fresh"],
        );
        assert_eq!(text(&there), "precious");
        assert_eq!(names(&folder), [name]);
        let output = attempt(&folder, &["--fresh"]);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert_ne!(text(&there), "precious");
        // Its own results do not stop it from going on.
        let output = attempt(&folder, &[]);
        assert!(
            stdout(&output).contains("finished already"),
            "{}",
            shown(&output)
        );
    }
}

/// What two write, the last would keep: also where their checkpoints differ.
#[test]
fn two_trainings_do_not_share_a_result() {
    let folder = folder();
    let [out, other] = ["w.json", "other.json"].map(|name| file(&folder, name));
    let [plot, link] = ["w.svg", "link"].map(|name| file(&folder, name));
    let apart = file(&folder, "apart.json");
    symlink("w.json", &link).expect("a link");
    let endless = ["--generations", "100000", "--out", &out];
    let mut first = Running::start(&[&SMALL[..], &endless].concat());
    first.wait_for("generation 2 of");
    for (options, named) in [
        (&["--out", &out, "--checkpoint", &apart][..], "--out"),
        (&["--out", &out, "--checkpoint", &apart, "--fresh"], "--out"),
        (
            &["--out", &link, "--checkpoint", &apart, "--fresh"],
            "--out",
        ),
        (&["--out", &other, "--plot", &plot, "--fresh"], "--plot"),
    ] {
        let output = attempt(&folder, options);
        let remedy = format!("another file with {named}");
        refused(&output, &[named, "in use by another run", &remedy]);
    }
    first.kill();
    let output = attempt(&folder, &["--out", &out, "--checkpoint", &apart, "--fresh"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

#[test]
fn a_controller_that_no_command_could_read_is_refused_before_anything_is_made() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder();
    let odd = folder.path().join(OsStr::from_bytes(b"w\xff.json"));
    let mut program = lockstep();
    let output = program.args(SMALL).arg("--out").arg(&odd).output();
    refused(
        &output.expect("lockstep runs"),
        &["--out", "not UTF-8", "--name"],
    );
    let long = format!("{}.json", "w".repeat(65));
    refused(&attempt(&folder, &["--out", &long]), &["not 65", "--name"]);
    assert!(names(&folder).is_empty());
    let named = ["--out", &long, "--name", "short"];
    let output = attempt(&folder, &named);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let long = file(&folder, &long);
    let play = ["play", "--backend", "software", "--max-pieces", "5"];
    exits(0, &[&play[..], &["--controller", &long]].concat());
}
