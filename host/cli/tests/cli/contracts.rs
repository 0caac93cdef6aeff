//! The contracts of all commands: a row of [`PLAIN`] or [`STATES`] for each command, a test for each
//! contract.
//!
//! A test collects all errors, with the names of the commands.

mod state;

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::process::{Output, Stdio};

use super::terminal::on_a_terminal;
use super::*;

/// A command with `--json`; in its arguments, `{}` is a temporary folder of the test.
struct Row {
    /// A run that ends by itself with status 0.
    short: &'static str,
    /// A run that lasts longer than any test, and is busy from its first decision on.
    long: Option<&'static str>,
    /// Whether the long run writes lines while it runs.
    lines: bool,
}

/// A command that continues from a state; both runs keep it in `{}/state`.
struct State {
    short: &'static str,
    long: &'static str,
    /// The option that names the file of the state.
    option: &'static str,
    /// A run of the same settings that keeps many entries before it ends.
    many: &'static str,
    /// The option for the amount of work in all, in units of `done`.
    amount: &'static str,
    /// The amount of work in the entries of a state.
    done: fn(&[Value]) -> u64,
    /// An option of another run and the field in which its settings differ.
    other: (&'static str, &'static str),
}

/// The commands without state: a short and a long run each.
const PLAIN: &str = "
    play --backend software --max-pieces 20 => play --backend software --games 1000000 --max-pieces 20 | lines
    play --backend engine --max-pieces 20 --record {}/new.jsonl --html {}/page.html => play --backend software --board 128x128 --controller dt-20 --depth 3 --beam 255
    match --game gomoku --depth 1 --games 4 => match --game gomoku --depth 1 --games 100000000 | lines
    replay fixtures/records/lowest.jsonl --backend software => replay {}/long.jsonl --backend software
    bench --backend engine --controller dt-20 --runs 1 --span 2 => bench --backend engine --span 60000
    signature --controller dt-20 --pieces 200 --golden => signature --golden --pieces 1000000000000
    faults --fault landing-height-off-by-one --controller lowest --no-benches --max-decisions 60 => faults --controller lowest --no-benches --max-decisions 1000000000
    record stats fixtures/records/lowest.jsonl =>
    record verify fixtures/records/lowest.jsonl =>
";

const STATES: [State; 3] = [
    State {
        short: "strength --controller lowest --board 6x6 --games 30 --state {}/state",
        long: "strength --depth 3 --board 128x128 --games 2 --state {}/state",
        option: "--state",
        many: "strength --controller lowest --board 6x6 --state {}/state",
        amount: "--games",
        done: |games| games.len() as u64,
        other: ("--seed 2", "seed is 1 in the file and 2 in this command"),
    },
    State {
        short: "train --board 6x6 --games 3 --max-pieces 60 --population 8 --generations 2 \
                --out {}/w.json --checkpoint {}/state",
        long: "train --board 12x32 --start dt-20 --games 1000 --out {}/w.json \
               --checkpoint {}/state",
        option: "--checkpoint",
        many: "train --board 6x6 --games 3 --max-pieces 60 --population 8 --out {}/w.json \
               --checkpoint {}/state",
        amount: "--generations",
        done: |last| last[0]["history"].as_array().map_or(0, Vec::len) as u64,
        other: ("--seed 2", "seed is 1 in the file and 2 in this command"),
    },
    State {
        short: "soak --controller lowest --backend engine --decisions 500 --state {}/state",
        long: "soak --controller lowest --decisions 10000000 --state {}/state",
        option: "--state",
        many: "soak --controller lowest --backend engine --state {}/state",
        amount: "--decisions",
        done: |last| last[0]["sums"]["pieces"].as_u64().unwrap_or(0),
        other: ("--controller dt-20", "controller is \"lowest\" in the file"),
    },
];

fn commands() -> impl Iterator<Item = Row> {
    let plain = rows(PLAIN).map(|(short, long)| Row {
        short,
        long: long.first().copied(),
        lines: long.len() > 1,
    });
    plain.chain(STATES.iter().map(|state| Row {
        short: state.short,
        long: Some(state.long),
        lines: false,
    }))
}

/// Runs a command with additional arguments.
fn ran(place: &Place, arguments: &str, more: &str) -> Output {
    place.run(&format!("{arguments} {more}"))
}

/// Collects the errors of commands.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn unless(&mut self, holds: bool, command: &str, why: &str, output: &Output) {
        if !holds {
            self.0.push(format!("{command}: {why}\n{}", shown(output)));
        }
    }

    fn refused(&mut self, command: &str, output: &Output, named: &[&str]) {
        let wrong = misrefused(output, named);
        self.0.extend(wrong.map(|why| format!("{command}: {why}")));
    }
}

/// To a pipe and to a terminal.
#[test]
fn quiet_run_is_silent_and_json_the_only_output() {
    let mut wrong = Vec::new();
    for row in commands() {
        for more in ["-q", "", "--json -"] {
            let line = format!("{} {more}", row.short);
            let output = Place::new().run(&line);
            let holds = |text: &str| match more {
                "-q" => text.is_empty(),
                "" => !text.is_empty() && !text.contains(['\x1b', '\r']),
                _ => serde_json::from_str::<Value>(text).is_ok_and(|document| {
                    let error = document.get("error").is_none_or(Value::is_null);
                    let whole = document.get("interrupted").is_none_or(|i| i == false);
                    // `faults` writes a list.
                    error && whole && (document.is_object() || document.is_array())
                }),
            };
            if !holds(&stdout(&output)) || !output.stderr.is_empty() || !output.status.success() {
                wrong.push(format!("{line}: {}", shown(&output)));
            }
            if !more.is_empty() {
                let (status, text) = on_a_terminal(&Place::new(), &line, &[]);
                if !holds(&text) || status != Some(0) {
                    wrong.push(format!("{line} on a terminal: {status:?} {text:?}"));
                }
            }
        }
    }
    none(&wrong);
}

/// Each command gets one of the signals, also during a decision that takes minutes.
#[test]
fn signal_ends_run_with_its_result() {
    let mut wrong = Vec::new();
    let long = commands().filter_map(|row| row.long);
    for (long, signal) in long.zip(["INT", "TERM", "HUP"].into_iter().cycle()) {
        let folder = Place::new();
        let record = text("fixtures/records/lowest.jsonl");
        let (head, entries) = record.split_once('\n').expect("a header");
        let entries = entries.lines().next().expect("an entry").to_owned() + "\n";
        folder.put("long.jsonl", format!("{head}\n{}", entries.repeat(100_000)));
        let running = folder.start(&format!("{long} --json -"));
        running.wait_until_busy();
        running.signal(signal);
        let (status, text, error) = running.end();
        let document: Value = serde_json::from_str(&text).unwrap_or_default();
        let ended = match long.starts_with("faults") {
            true => document.is_array(),
            false => document["interrupted"] == true && document["error"].is_null(),
        };
        if (status, error.as_str()) != (Some(130), "") || !ended {
            wrong.push(format!("{long}, {signal}: {status:?} {error}\n{text}"));
        }
        let left = folder.names();
        let is_left = |name: &String| name.starts_with(".lockstep") || name.ends_with(".lock");
        if left.iter().any(is_left) {
            wrong.push(format!("{long}: {left:?} is left"));
        }
    }
    none(&wrong);
}

/// As with `| head -1`: the reader closes the output early.
#[test]
fn closed_output_ends_run_quietly() {
    let mut wrong = Wrong::default();
    let lines = commands().filter(|row| row.lines);
    let lines = lines.filter_map(|row| row.long);
    let many = STATES.iter().map(|state| match state.amount {
        // Without a number it is a million.
        "--decisions" => format!("{} --decisions 200000", state.many),
        _ => state.many.to_owned(),
    });
    let all = lines
        .chain(["decide --all", "gomocup"])
        .map(str::to_owned)
        .chain(many);
    for command in all {
        let folder = Place::new();
        let mut program = folder.command(&command);
        let positions = root().join("fixtures/tetris/placements.jsonl");
        program.stdin(File::open(positions).expect("positions"));
        let program = program.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().expect("it runs");
        let mut line = String::new();
        let mut read = BufReader::new(child.stdout.take().expect("piped"));
        read.read_line(&mut line).expect("a line");
        drop(read);
        let output = child.wait_with_output().expect("it ends");
        // As a shell gives the status of a program that SIGPIPE ended.
        let holds = output.status.code() == Some(141) && output.stderr.is_empty();
        wrong.unless(holds && !line.is_empty(), &command, "not quiet", &output);
    }
    none(&wrong.0);
}

/// An output that cannot be written is found before the work, if possible, and no file is left.
#[cfg(target_os = "linux")]
#[test]
fn result_that_cannot_be_written_is_an_error() {
    let mut wrong = Wrong::default();
    for row in commands() {
        let folder = Place::new();
        for (to, named) in [
            ("{}/nowhere/x", "create it first"),
            ("{}", "it is a folder"),
            ("/proc/nothing", "/proc/nothing"),
        ] {
            let output = ran(&folder, row.short, &format!("--json {to}"));
            wrong.refused(row.short, &output, &["--json", named]);
            wrong.unless(output.stdout.is_empty(), row.short, "it began", &output);
        }
        assert_eq!(folder.names(), [""; 0], "{}", row.short);
        if row.short.contains("{}") {
            continue;
        }
        let output = folder.limited(0, &format!("{} --json {{}}/out.json", row.short));
        let named = ["--json", "out.json", "File too large"];
        wrong.refused(row.short, &output, &named);
        let nothing = folder.names().is_empty();
        wrong.unless(nothing, row.short, "a part is left", &output);
    }
    none(&wrong.0);
}
