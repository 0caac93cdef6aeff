//! What a training writes, and what it must leave alone.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::process::Command;

use super::*;

const OPTIONS: [&str; 3] = ["--out", "--checkpoint", "--plot"];

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
fn what_is_no_ordinary_file_is_refused_and_stays() {
    let folder = folder();
    let [fifo, link] = ["fifo", "link"].map(|name| file(&folder, name));
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo runs").success());
    symlink(&fifo, &link).expect("a link");
    let inner = file(&folder, "inner");
    fs::create_dir(&inner).expect("a folder");
    let mut wrong = Vec::new();
    for option in OPTIONS {
        for (path, named) in [
            (fifo.as_str(), "that is no ordinary file; name one"),
            (&link, "that is no ordinary file; name one"),
            (&inner, "that is a folder; name a file in it"),
            ("-", "is a file; name one"),
        ] {
            for fresh in [&[][..], &["--fresh"]] {
                let output = attempt(&folder, &[&[option, path], fresh].concat());
                let what = format!("{option} {path}: ");
                wrong.extend(misrefused(&output, &[&what, named]));
            }
        }
    }
    none(&wrong);
    let kind = |path: &str| fs::symlink_metadata(path).expect("it is there").file_type();
    assert!(kind(&fifo).is_fifo() && kind(&link).is_symlink());
    assert_eq!(names(&folder), ["fifo", "inner", "link"]);
}

/// Also where a link points to one that points to nothing yet.
#[test]
fn what_a_link_points_to_is_written() {
    let folder = folder();
    let elsewhere = tempfile::tempdir_in(folder.path()).expect("a folder");
    let linked = OPTIONS.map(|option| {
        let name = option.trim_start_matches('-');
        let (first, second) = (file(&folder, name), file(&folder, &format!("{name}-2")));
        symlink(format!("{name}-2"), &first).expect("a link");
        symlink(elsewhere.path().join(name), second).expect("a link");
        (option, first, file(&elsewhere, name))
    });
    let options: Vec<&str> = linked.iter().flat_map(|(o, l, _)| [*o, l]).collect();
    for told in ["generation 1 of 2", "finished already"] {
        let output = attempt(&folder, &options);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert!(stdout(&output).contains(told), "{}", shown(&output));
        for (option, link, target) in &linked {
            let kind = fs::symlink_metadata(link).expect("it is there").file_type();
            assert!(kind.is_symlink(), "{option}");
            assert!(!text(target).is_empty(), "{option}");
        }
    }
    assert_eq!(names(&elsewhere), ["checkpoint", "out", "plot"]);
    let same = attempt(&folder, &["--out", &linked[0].2, "--plot", &linked[0].1]);
    refused(&same, &["--out and --plot name the same file"]);
}

#[test]
fn other_files_of_the_folder_stay() {
    let folder = folder();
    let others = ["w.json.new", "w.svg.new", "w.checkpoint.json.new"];
    for name in others {
        write(&file(&folder, name), "precious");
    }
    let output = attempt(&folder, &["--out", "w.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    for name in others {
        assert_eq!(text(&file(&folder, name)), "precious", "{name}");
    }
    let written = ["w.json", "w.svg", "w.checkpoint.json"];
    let mut all = [others, written].concat();
    all.sort();
    assert_eq!(names(&folder), all);
    // Others may read it as far as they may read any new file.
    let mode = |name| {
        fs::metadata(file(&folder, name))
            .expect("it is there")
            .permissions()
            .mode()
    };
    assert_eq!(mode("w.json"), mode("w.json.new"));
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

#[test]
fn what_is_no_lock_is_left_alone() {
    let folder = folder();
    let lock = file(&folder, "w.checkpoint.json.lock");
    write(&lock, "precious");
    let output = attempt(&folder, &["--fresh"]);
    refused(&output, &[&lock, "is left alone", "--checkpoint"]);
    assert_eq!(text(&lock), "precious");
    fs::remove_file(&lock).expect("removed");
    for option in ["--out", "--plot"] {
        let checkpoint = file(&folder, "w.checkpoint.json");
        let options = [option, &lock, "--checkpoint", &checkpoint, "--fresh"];
        let what = format!("{option} {lock}: ");
        refused(&attempt(&folder, &options), &[&what, "name another"]);
    }
    assert!(names(&folder).is_empty());
}

/// Nobody can write there, not even the superuser.
#[test]
fn a_place_that_takes_no_file_is_told_by_its_option() {
    let folder = folder();
    for option in OPTIONS {
        refused(
            &attempt(&folder, &[option, "/proc/t.json"]),
            &[&format!(
                "{option} /proc/t.json: no file can be made there: "
            )],
        );
    }
    assert!(names(&folder).is_empty());
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
