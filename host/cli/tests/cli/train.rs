//! `lockstep train`: its controller, its limits, its files.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::os::unix::fs::symlink;

use super::*;
use crate::running::{HANGS, Running};

/// Small games, so that generations take milliseconds.
const SMALL: &str = "train --board 6x6 --games 3 --max-pieces 60 --population 8";

/// Trains into `{}/w.json` or another `--out`; returns its standard output.
fn train(place: &Place, more: &str) -> String {
    place.ok(&line(more))
}

fn line(more: &str) -> String {
    let out = match more.contains("--out") {
        true => "",
        false => "--out {}/w.json",
    };
    format!("{SMALL} {out} {more}")
}

#[test]
fn train_writes_controller_that_plays() {
    let place = Place::new();
    let more = "--generations 4 --controller-features dt --json {}/result.json";
    let report = train(&place, more);
    has(&report, "generation 4 of 4 | fresh games | rows_with_holes");
    let controller = json(&place.text("w.json"));
    assert_eq!(controller["name"], "w");
    let result = json(&place.text("result.json"));
    let fields = [
        &result["generations"],
        &result["out"],
        &result["controller"],
    ];
    assert_eq!(
        fields,
        [&4.into(), &place.file("w.json").into(), &controller]
    );
    assert!(result["lines"].is_number(), "{result}");
    let source = controller["source"].as_str().expect("text");
    has(
        source,
        "--method cmaes | --board 6x6 | --seed 1 | 4 generations",
    );
    let weights = controller["weights"]
        .as_object()
        .expect("an object")
        .values();
    let magnitudes = weights.map(|w| w.as_f64().expect("a number").abs());
    assert_eq!(magnitudes.fold(0.0, f64::max), 10.0);
    let play = "play --backend software --backend sim --max-pieces 20 --controller {}/w.json";
    assert!(place.ok(play).contains("0 diverged"));
    let plot = place.text("w.svg");
    assert!(plot.starts_with("<svg") && plot.contains("best of the generation"));
}

#[test]
fn train_finished_can_go_further() {
    let place = Place::new();
    train(&place, "--generations 3");
    let first = place.text("w.json");
    std::fs::remove_file(place.file("w.json")).expect("removed");
    has(
        &train(&place, "--generations 3"),
        "already finished after 3 generations",
    );
    assert_eq!(place.text("w.json"), first, "written again");
    let report = train(&place, "--generations 5");
    has(
        &report,
        "continuing after 3 generations | generation 4 of 5",
    );
    assert!(!report.contains("generation 3 of"), "{report}");
}

#[test]
fn train_time_is_a_limit() {
    let place = Place::new();
    train(&place, "--minutes 0.005");
    has(&train(&place, "--minutes 0.005"), "already finished");
}

#[test]
fn train_wrong_arguments_are_refused() {
    let place = Place::new();
    let weights = r#"{"name":"x","source":"y","weights":{"holes":-1}}"#;
    place.put("start", weights);
    let long = "w".repeat(65);
    place.refuses(
        r#"
        train --out {}/w --controller-features hole => 'hole' | bcts | diversity
        train --out {}/w --controller-features holes,holes => holes is named twice
        train --out {}/w --method luck => 'luck' | cmaes
        train --out {}/w --board 10 => '10' | 10x20
        train --out {}/w --board 13x20 => --board | is 13x20, but the engine takes at most 12x32
        train --out {}/w --minutes 1e308 => --minutes | at most 5256000
        train --out {}/w --minutes 0 => --minutes | above 0
        train --out {}/w --json {}/w => --json and --out | same file
        train --out {}/w --population 3 => --population | from 4 to 10000
        train --out {}/w --start nobody => 'nobody' | dt-20
        train --out {}/w --start dt-10 --controller-features bcts => --start dt-10 | well_sums, diversity
        train --out {}/w --plot {}/nowhere/x => --plot | create it first
        train --out {}/w --plot {}/w => --out and --plot | same file
        train --out {}/start --start {}/start --controller-features holes => --out | it is the input
        train --out => --out
        train --out - => --out -: expected a file; name one
        train --out {}/w --plot {} => --plot | it is a folder; name a file in it
        train --out {}/w --plot /dev/null => --plot | not an ordinary file
        "#,
    );
    let tab = "--name 'two\tcolumns' --out {}/w => --name | one line of text";
    place.refuses_after(
        "train",
        &format!("{tab}\n --out {{}}/{long} => --name | 65"),
    );
    assert_eq!(
        (place.names(), place.text("start")),
        (vec!["start".into()], weights.into())
    );
    train(
        &place,
        &format!("--generations 1 --out {{}}/{long}.json --name short"),
    );
}

#[test]
fn train_name_that_is_no_text_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    let mut program = place.command(SMALL);
    let program = program
        .arg("--out")
        .arg(OsStr::from_bytes(b"/tmp/w\xff.json"));
    let output = program.output().expect("lockstep runs");
    refused(&output, &["--out", "UTF-8", "--name"]);
}

#[test]
fn train_overwrites_results_of_others_only_when_fresh() {
    for (name, option) in [("w.json", "--out"), ("w.svg", "--plot")] {
        let place = Place::new();
        let there = place.file(name);
        write(&there, "precious");
        let named = [option, &there, "name another file", "--fresh"];
        refused(&place.run(&line("--generations 2")), &named);
        assert_eq!(
            (text(&there), place.names()),
            ("precious".into(), vec![name.into()])
        );
        train(&place, "--generations 2 --fresh");
        assert_ne!(text(&there), "precious");
        // Its own results do not stop it from going on.
        let report = train(&place, "--generations 2");
        has(&report, "already finished");
    }
}

/// Two training runs with the same result files cannot run together, even with different checkpoints.
#[test]
fn train_result_in_use_is_refused() {
    let place = Place::new();
    symlink("w.json", place.file("link")).expect("a link");
    let mut first = place.start(&line("--generations 100000"));
    first.wait_for("generation 2 of");
    for (more, option) in [
        ("--checkpoint {}/apart.json --fresh", "--out"),
        ("--out {}/link --checkpoint {}/apart.json --fresh", "--out"),
        ("--out {}/other.json --plot {}/w.svg --fresh", "--plot"),
    ] {
        let remedy = format!("another file with {option}");
        refused(
            &place.run(&line(more)),
            &[option, "in use by another run", &remedy],
        );
    }
    first.kill();
    train(&place, "--generations 2 --checkpoint {}/apart.json --fresh");
}

/// Workers are lost with a generation's jobs; the weights are still those that one machine finds.
#[test]
fn training_with_workers_finds_the_same_weights() {
    let place = Place::new();
    for method in ["cmaes", "ga"] {
        let line = format!(
            "train --board 6x6 --games 8 --max-pieces 500 --population 8 --generations 4 --name x \
             --method {method} --out {{}}/{method}"
        );
        place.ok(&format!("{line}-alone.json"));
        let (hub, address) = hub(&place, &format!("{line}.json"));
        let lost = [(); 8].map(|()| {
            let worker = TcpStream::connect(&address).expect("the training");
            let timeout = worker.set_read_timeout(Some(HANGS));
            timeout.expect("it has a timeout");
            BufReader::new(worker)
        });
        // Each gets a greeting and a job before the first one leaves.
        let lost = lost.map(|mut worker| {
            for part in ["settings", "candidates"] {
                let mut line = String::new();
                worker.read_line(&mut line).expect("a line");
                has(&line, part);
            }
            worker
        });
        drop(lost);
        let worker = place.start(&format!("work {address} --threads 1"));
        let (status, _, error) = hub.end();
        assert_eq!((status, error.as_str()), (Some(0), ""));
        assert_eq!(worker.end().0, Some(0), "it ends with the training");
        let (shared, alone) = (format!("{method}.json"), format!("{method}-alone.json"));
        assert_eq!(place.text(&shared), place.text(&alone), "{method}");
    }
}

/// A training run that waits for workers, and its address.
fn hub(place: &Place, line: &str) -> (Running, String) {
    let mut hub = place.start(&format!("{line} --workers 127.0.0.1:0"));
    let first = hub.next_line();
    let (_, address) = first.rsplit_once(' ').expect("an address");
    (hub, address.into())
}

/// Its numbers depend on the workers, but all generations are there.
#[test]
fn free_swarm_goes_on_while_workers_come_and_go() {
    let place = Place::new();
    let line = "train --method apso --board 6x6 --games 4 --max-pieces 300 --population 6 \
                --generations 5 --out {}/w.json";
    let (mut hub, address) = hub(&place, line);
    let lost = place.start(&format!("work {address} --threads 2"));
    hub.wait_for("generation 2 of");
    lost.kill();
    let worker = place.start(&format!("work {address} --threads 1"));
    let (status, _, error) = hub.end();
    assert_eq!((status, error.as_str()), (Some(0), ""));
    assert_eq!(worker.end().0, Some(0));
    let checkpoint = place.text("w.checkpoint.json");
    let training = json(checkpoint.lines().last().expect("an entry"));
    assert_eq!(
        training["entry"]["history"].as_array().map(Vec::len),
        Some(5)
    );
}

#[test]
fn work_wrong_use_is_refused() {
    let place = Place::new();
    place.refuses(
        "
        work nowhere => nowhere
        train --out {}/w.json --workers 127.0.0.1:x => --workers
        train --out {}/w.json --workers :0 --threads 2 => --threads
        ",
    );
}
