//! What holds for every command: a row of [`COMMANDS`] for each, a test for each contract. A test
//! collects what is wrong, and names the command.

use std::io::{BufRead as _, BufReader, Write as _};
use std::time::Instant;

use super::running::{HANGS, Running};
use super::terminal::on_a_terminal;
use super::*;

/// A command with `--json`. In its arguments `{}` is a folder of the test's own.
struct Row {
    /// A run that ends by itself with status 0.
    short: &'static str,
    /// A run that no test waits for, busy from its first decision on.
    long: &'static str,
    /// Whether the long run writes lines as it goes.
    lines: bool,
    state: Option<State>,
}

/// The state from which a command continues. Both its runs keep it, in `{}/state`.
struct State {
    /// The option that names it.
    option: &'static str,
    /// A run of the same settings that keeps many entries before it ends.
    many: &'static str,
    /// The option that says how much is done in all, in units of `done`.
    amount: &'static str,
    /// How much its entries hold.
    done: fn(&[Value]) -> u64,
    /// An option of another run and the field in which its settings differ.
    other: (&'static str, &'static str),
    /// The field that marked earlier versions.
    earlier: &'static str,
}

/// A command without state.
const fn plain(short: &'static str, long: &'static str, lines: bool) -> Row {
    Row {
        short,
        long,
        lines,
        state: None,
    }
}

const COMMANDS: [Row; 10] = [
    plain(
        "play --backend software --max-pieces 20",
        "play --backend software --games 1000000 --max-pieces 20",
        true,
    ),
    plain(
        "play --backend engine --max-pieces 20 --record {}/new.jsonl --html {}/page.html",
        "play --backend software --board 128x128 --controller dt-20 --depth 3 --beam 255",
        false,
    ),
    plain(
        "replay fixtures/records/lowest.jsonl --backend software",
        "replay {}/long.jsonl --backend software",
        false,
    ),
    plain(
        "bench --backend engine --controller dt-20 --runs 1 --span 2",
        "bench --backend engine --span 60000",
        false,
    ),
    plain(
        "signature --controller dt-20 --pieces 200 --golden",
        "signature --golden --pieces 1000000000000",
        false,
    ),
    plain("record stats fixtures/records/lowest.jsonl", "", false),
    plain("record verify fixtures/records/lowest.jsonl", "", false),
    Row {
        short: "strength --controller lowest --board 6x6 --games 30 --state {}/state",
        long: "strength --depth 3 --board 128x128 --games 2 --state {}/state",
        lines: false,
        state: Some(State {
            option: "--state",
            many: "strength --controller lowest --board 6x6 --state {}/state",
            amount: "--games",
            done: |games| games.len() as u64,
            other: ("--seed 2", "seed is 1 there and 2 here"),
            earlier: "lockstep_strength",
        }),
    },
    Row {
        short: "train --board 6x6 --games 3 --max-pieces 60 --population 8 --generations 2 \
                --out {}/w.json --checkpoint {}/state",
        long: "train --board 12x32 --start dt-20 --games 1000 --out {}/w.json \
               --checkpoint {}/state",
        lines: false,
        state: Some(State {
            option: "--checkpoint",
            many: "train --board 6x6 --games 3 --max-pieces 60 --population 8 --out {}/w.json \
                   --checkpoint {}/state",
            amount: "--generations",
            done: |last| {
                last[0]["history"]
                    .as_array()
                    .map_or(0, |all| all.len() as u64)
            },
            other: ("--seed 2", "seed is 1 there and 2 here"),
            earlier: "lockstep_training",
        }),
    },
    Row {
        short: "soak --controller lowest --backend engine --decisions 500 --state {}/state",
        long: "soak --controller lowest --decisions 10000000 --state {}/state",
        lines: false,
        state: Some(State {
            option: "--state",
            many: "soak --controller lowest --backend engine --state {}/state",
            amount: "--decisions",
            done: |last| last[0]["sums"]["pieces"].as_u64().unwrap_or(0),
            other: ("--controller dt-20", "controller is \"lowest\" there"),
            earlier: "lockstep_soak",
        }),
    },
];

/// Arguments with `{}` replaced by a folder.
fn words(folder: &TempDir, arguments: &str) -> Vec<String> {
    let folder = folder.path().to_string_lossy();
    let words = arguments.split_whitespace();
    words.map(|word| word.replace("{}", &folder)).collect()
}

/// Runs a command with some more arguments.
fn ran(folder: &TempDir, arguments: &str, more: &str) -> Output {
    let words = words(folder, &format!("{arguments} {more}"));
    run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

fn started(folder: &TempDir, arguments: &str, more: &str) -> Running {
    let words = words(folder, &format!("{arguments} {more}"));
    Running::start(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    let name = |e: std::fs::DirEntry| e.file_name().to_string_lossy().into_owned();
    let mut names: Vec<_> = entries.map(|e| name(e.expect("an entry"))).collect();
    names.sort();
    names
}

/// Entries of a journal; none while there is no whole one.
fn entries(state: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(state).unwrap_or_default();
    let lines = text.lines().skip(1);
    let entry = |line| Some(serde_json::from_str::<Value>(line).ok()?["entry"].take());
    lines.map_while(entry).collect()
}

fn with_state() -> impl Iterator<Item = (&'static Row, &'static State)> {
    let with = |row: &'static Row| Some((row, row.state.as_ref()?));
    COMMANDS.iter().filter_map(with)
}

/// Collects what is wrong with what a command did.
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

#[test]
fn quiet_run_writes_nothing() {
    let mut wrong = Wrong::default();
    for row in &COMMANDS {
        let output = ran(&folder(), row.short, "-q");
        let silent = output.stdout.is_empty() && output.stderr.is_empty();
        let holds = silent && output.status.success();
        wrong.unless(holds, row.short, "it is not silent", &output);
    }
    none(&wrong.0);
}

#[test]
fn run_without_terminal_writes_plain_text() {
    let mut wrong = Wrong::default();
    for row in &COMMANDS {
        let output = ran(&folder(), row.short, "");
        let text = stdout(&output);
        let plain = !text.is_empty() && !text.contains(['\x1b', '\r']);
        let holds = plain && output.status.success() && output.stderr.is_empty();
        wrong.unless(holds, row.short, "not plain, or not on stdout", &output);
    }
    none(&wrong.0);
}

#[test]
fn json_to_standard_output_is_all_of_it() {
    let mut wrong = Wrong::default();
    for row in &COMMANDS {
        let output = ran(&folder(), row.short, "--json -");
        let document: Result<Value, _> = serde_json::from_slice(&output.stdout);
        let holds = document.is_ok_and(|document| {
            let error = document.get("error").is_none_or(Value::is_null);
            let whole = document.get("interrupted").is_none_or(|i| i == false);
            error && whole && document.is_object()
        });
        let holds = holds && output.stderr.is_empty() && output.status.success();
        wrong.unless(holds, row.short, "it is not the document alone", &output);
    }
    none(&wrong.0);
}

#[test]
fn terminal_gets_json_alone_and_quiet_nothing() {
    let mut wrong = Vec::new();
    for row in &COMMANDS {
        for more in ["-q", "--json -"] {
            let folder = folder();
            let words = words(&folder, &format!("{} {more}", row.short));
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            let (status, text) = on_a_terminal(&words, &[]);
            let document = serde_json::from_str::<Value>(&text);
            let holds = match more {
                "-q" => text.is_empty(),
                _ => document.is_ok_and(|document| document.is_object()),
            };
            if !holds || status != Some(0) {
                wrong.push(format!("{} {more}: {status:?} {text:?}", row.short));
            }
        }
    }
    none(&wrong);
}

/// Each command gets one of the signals, also in the midst of a decision of minutes.
#[test]
fn signal_ends_run_with_its_result() {
    let mut wrong = Vec::new();
    let long = COMMANDS.iter().filter(|row| !row.long.is_empty());
    for (row, signal) in long.zip(["INT", "TERM", "HUP"].into_iter().cycle()) {
        let folder = folder();
        let record = support::read("fixtures/records/lowest.jsonl");
        let (head, entries) = record.split_once('\n').expect("a header");
        let entries = entries.lines().next().expect("an entry").to_owned() + "\n";
        write(
            &file(&folder, "long.jsonl"),
            format!("{head}\n{}", entries.repeat(100_000)),
        );
        let running = started(&folder, row.long, "--json -");
        running.wait_until_it_is_at_work();
        running.signal(signal);
        let (status, text, error) = running.end();
        let document: Value = serde_json::from_str(&text).unwrap_or_default();
        let told = document["interrupted"] == true && document["error"].is_null();
        if (status, error.as_str()) != (Some(130), "") || !told {
            wrong.push(format!(
                "{}, {signal}: {status:?} {error}\n{text}",
                row.long
            ));
        }
        let left = names(&folder);
        if left
            .iter()
            .any(|name| name.starts_with(".lockstep") || name.ends_with(".lock"))
        {
            wrong.push(format!("{}: {left:?} is left", row.long));
        }
    }
    none(&wrong);
}

/// As with `| head -1`.
#[test]
fn closed_output_ends_run_quietly() {
    let mut wrong = Wrong::default();
    let lines = COMMANDS.iter().filter(|row| row.lines).map(|row| row.long);
    let many = with_state().map(|(_, state)| state.many);
    for command in lines.chain(many).chain(["decide --all"]) {
        let folder = folder();
        let mut program = lockstep();
        let program = program.args(words(&folder, command)).stdout(Stdio::piped());
        let positions = support::root().join("fixtures/tetris/placements.jsonl");
        program.stdin(File::open(positions).expect("positions"));
        let mut child = program.stderr(Stdio::piped()).spawn().expect("it runs");
        let mut line = String::new();
        let mut read = BufReader::new(child.stdout.take().expect("piped"));
        read.read_line(&mut line).expect("a line");
        drop(read);
        let output = child.wait_with_output().expect("it ends");
        // As a shell gives the status of a program that SIGPIPE ended.
        let holds = output.status.code() == Some(141) && output.stderr.is_empty();
        wrong.unless(holds && !line.is_empty(), command, "not quiet", &output);
    }
    none(&wrong.0);
}

/// A result that cannot be written is found before the work where it can be, and leaves nothing.
#[cfg(target_os = "linux")]
#[test]
fn result_that_cannot_be_written_is_an_error() {
    let mut wrong = Wrong::default();
    for row in &COMMANDS {
        let folder = folder();
        for (to, named) in [
            ("{}/nowhere/x", "create it first"),
            ("{}", "that is a folder"),
            ("/proc/nothing", "/proc/nothing"),
        ] {
            let output = ran(&folder, row.short, &format!("--json {to}"));
            wrong.refused(row.short, &output, &["--json", named]);
            wrong.unless(output.stdout.is_empty(), row.short, "it began", &output);
        }
        assert!(
            names(&folder).is_empty(),
            "{}: {:?}",
            row.short,
            names(&folder)
        );
        if row.short.contains("{}") {
            continue;
        }
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", PROGRAM]);
        shell.current_dir(support::root());
        let words = words(&folder, &format!("{} --json {{}}/out.json", row.short));
        let output = shell.args(words).output().expect("sh runs");
        wrong.refused(
            row.short,
            &output,
            &["--json", "out.json", "File too large"],
        );
        wrong.unless(
            names(&folder).is_empty(),
            row.short,
            "a part is left",
            &output,
        );
    }
    none(&wrong.0);
}

/// A full disk ends the run, and its result has the error.
#[cfg(target_os = "linux")]
#[test]
fn state_that_cannot_be_written_is_an_error() {
    let mut wrong = Wrong::default();
    for (row, state) in with_state() {
        let folder = folder();
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", PROGRAM]);
        let words = words(&folder, &format!("{} --json -", row.short));
        let output = shell.args(words).output().expect("sh runs");
        wrong.refused(row.short, &output, &[state.option, "File too large"]);
        wrong.unless(
            names(&folder).is_empty(),
            row.short,
            "a part is left",
            &output,
        );
        for (other, named) in [
            ("-", "name one"),
            ("{}", "folder"),
            ("/dev/full", "no ordinary file"),
            ("{}/nowhere/x", "create it first"),
        ] {
            let short = row.short.replace("{}/state", other);
            wrong.refused(&short, &ran(&folder, &short, ""), &[state.option, named]);
        }
    }
    none(&wrong.0);
}

#[test]
fn state_of_foreign_file_is_left_alone() {
    let mut wrong = Wrong::default();
    for (row, state) in with_state() {
        let folder = folder();
        let [file, lock] = ["state", "state.lock"].map(|name| file(&folder, name));
        for (path, content) in [
            (&file, "precious\n"),
            (&file, "[1]"),
            (&file, "{\"lockstep_record\":4}\n"),
            (&file, "{\"lockstep_journal\":1,\"command\":\"other\"}\n"),
            (&lock, "precious"),
        ] {
            write(path, content);
            for fresh in ["", "--fresh"] {
                let output = ran(&folder, row.short, fresh);
                wrong.refused(row.short, &output, &[path, "is left alone", state.option]);
            }
            assert_eq!(text(path), content, "{}", row.short);
            assert_eq!(
                names(&folder).len(),
                1,
                "{}: {:?}",
                row.short,
                names(&folder)
            );
            std::fs::remove_file(path).expect("removed");
        }
    }
    none(&wrong.0);
}

/// Another run's state, one of an earlier version, and one that was damaged.
#[test]
fn state_that_does_not_fit_needs_fresh() {
    let mut wrong = Wrong::default();
    for (row, state) in with_state() {
        let folder = folder();
        let file = file(&folder, "state");
        assert!(
            ran(&folder, row.short, "").status.success(),
            "{}",
            row.short
        );
        let good = text(&file);
        let (other, field) = state.other;
        // The last of an option counts where it may be given twice.
        let short = match other.split_once(' ') {
            Some((option, _)) if row.short.contains(option) => {
                row.short.replace("--controller lowest", other)
            }
            _ => format!("{} {other}", row.short),
        };
        let earlier = format!("{{\"{}\":1,\"seed\":1}}\n", state.earlier);
        let damaged = good.replacen("\"entry\":{\"", "\"entry\":{ \"", 1);
        for (command, content, named) in [
            (&*short, &good, field),
            (row.short, &earlier, "another version of lockstep"),
            (row.short, &damaged, "line 2 is damaged"),
        ] {
            write(&file, content);
            let named = [state.option, &file, named, "--fresh"];
            wrong.refused(command, &ran(&folder, command, ""), &named);
            assert_eq!(text(&file), *content, "{command}");
            let fresh = ran(&folder, command, "--fresh");
            wrong.unless(fresh.status.success(), command, "--fresh", &fresh);
        }
    }
    none(&wrong.0);
}

#[test]
fn state_in_use_is_refused() {
    let mut wrong = Wrong::default();
    for (row, state) in with_state() {
        let folder = folder();
        let first = started(&folder, state.many, &format!("{} 100000000", state.amount));
        wait_for(state, &folder, 1);
        for fresh in ["", "--fresh"] {
            let output = ran(&folder, row.short, fresh);
            wrong.refused(
                row.short,
                &output,
                &["in use by another run", "another file"],
            );
        }
        first.kill();
        // What a killed run leaves does no harm.
        let after = ran(&folder, row.short, "--fresh");
        wrong.unless(after.status.success(), row.short, "after a kill", &after);
    }
    none(&wrong.0);
}

/// Waits until the state holds so much, and says how much.
fn wait_for(state: &State, folder: &TempDir, least: u64) -> u64 {
    let begun = Instant::now();
    loop {
        let entries = entries(&file(folder, "state"));
        let done = if entries.is_empty() {
            0
        } else {
            (state.done)(&entries)
        };
        if done >= least {
            return done;
        }
        assert!(begun.elapsed() < HANGS, "{}: nothing is kept", state.many);
        std::thread::yield_now();
    }
}

/// A result without what depends on time, on earlier runs and on the folder.
fn result(output: &Output) -> Value {
    let mut document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    if let Some(fields) = document.as_object_mut() {
        let varies = [
            "seconds",
            "speed",
            "compared",
            "out",
            "plot",
            "checkpoint",
            "state",
        ];
        fields.retain(|name, _| !varies.contains(&name.as_str()));
    }
    document
}

/// The same command ends with the result of a run that nobody ended.
#[test]
fn ended_run_is_continued_to_the_same_result() {
    let mut wrong = Wrong::default();
    for (_, state) in with_state() {
        let ended = folder();
        let endless = format!("{} 100000000", state.amount);
        let killed = started(&ended, state.many, &endless);
        wait_for(state, &ended, 2);
        killed.kill();
        let file = file(&ended, "state");
        // As if killed while it wrote.
        let torn = std::fs::OpenOptions::new().append(true).open(&file);
        torn.and_then(|mut file| file.write_all(b"{\"check\":\"0"))
            .expect("appended");
        let kept = wait_for(state, &ended, 2);
        let interrupted = started(&ended, state.many, &endless);
        wait_for(state, &ended, kept + 1);
        interrupted.interrupt();
        let (status, told, error) = interrupted.end();
        assert_eq!((status, error.as_str()), (Some(130), ""), "{told}");
        assert!(told.contains(&file) && told.contains("go"), "{told}");
        let all = wait_for(state, &ended, kept + 1) + 10;
        let amount = format!("{} {all} --json -", state.amount);
        let rest = ran(&ended, state.many, &amount);
        let whole = ran(&folder(), state.many, &amount);
        let holds = result(&rest) == result(&whole) && whole.status.success();
        wrong.unless(holds, state.many, "it is another result", &rest);
    }
    none(&wrong.0);
}
