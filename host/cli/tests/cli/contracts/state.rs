//! The contracts of commands that keep a state.

use std::io::Write as _;
use std::time::Instant;

use super::*;
use crate::running::HANGS;

/// The entries of a journal; none if it is incomplete.
fn entries(state: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(state).unwrap_or_default();
    let lines = text.lines().skip(1);
    let entry = |line| Some(serde_json::from_str::<Value>(line).ok()?["entry"].take());
    lines.map_while(entry).collect()
}

/// A full disk ends the run, and the result contains the error.
#[cfg(target_os = "linux")]
#[test]
fn state_that_cannot_be_written_is_an_error() {
    let mut wrong = Wrong::default();
    for state in &STATES {
        let folder = Place::new();
        let output = folder.limited(0, &format!("{} --json -", state.short));
        wrong.refused(state.short, &output, &[state.option, "File too large"]);
        let nothing = folder.names().is_empty();
        wrong.unless(nothing, state.short, "a part is left", &output);
        for (other, named) in [
            ("-", "name one"),
            ("{}", "folder"),
            ("/dev/full", "not an ordinary file"),
            ("{}/nowhere/x", "create it first"),
        ] {
            let short = state.short.replace("{}/state", other);
            wrong.refused(&short, &ran(&folder, &short, ""), &[state.option, named]);
        }
    }
    none(&wrong.0);
}

/// The crate `lab` tests the journals that are damaged, foreign or of another version.
#[test]
fn state_of_another_run_needs_fresh() {
    let mut wrong = Wrong::default();
    for state in &STATES {
        let folder = Place::new();
        let file = folder.file("state");
        folder.ok(state.short);
        let good = text(&file);
        let (other, field) = state.other;
        // The last of an option counts where it may be given twice.
        let short = match other.split_once(' ') {
            Some((option, _)) if state.short.contains(option) => {
                state.short.replace("--controller lowest", other)
            }
            _ => format!("{} {other}", state.short),
        };
        let named = [state.option, &file, field, "--fresh"];
        wrong.refused(&short, &ran(&folder, &short, ""), &named);
        assert_eq!(text(&file), good, "{short}");
        let fresh = ran(&folder, &short, "--fresh");
        wrong.unless(fresh.status.success(), &short, "--fresh", &fresh);
    }
    none(&wrong.0);
}

#[test]
fn state_in_use_is_refused() {
    let mut wrong = Wrong::default();
    for state in &STATES {
        let folder = Place::new();
        let first = folder.start(&format!("{} {} 100000000", state.many, state.amount));
        wait_for(state, &folder, 1);
        for fresh in ["", "--fresh"] {
            let output = ran(&folder, state.short, fresh);
            let named = ["in use by another run", "another file"];
            wrong.refused(state.short, &output, &named);
        }
        first.kill();
        // What a killed run leaves does no harm.
        let after = ran(&folder, state.short, "--fresh");
        wrong.unless(after.status.success(), state.short, "after a kill", &after);
    }
    none(&wrong.0);
}

/// Waits until the state has at least `least` units of work; returns their number.
fn wait_for(state: &State, folder: &Place, least: u64) -> u64 {
    let begun = Instant::now();
    loop {
        let entries = entries(&folder.file("state"));
        let done = match entries.is_empty() {
            true => 0,
            false => (state.done)(&entries),
        };
        if done >= least {
            return done;
        }
        assert!(begun.elapsed() < HANGS, "{}: nothing is kept", state.many);
        std::thread::yield_now();
    }
}

/// A result without the fields that depend on time, earlier runs or the folder.
fn result(output: &Output) -> Value {
    let mut document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    if let Some(fields) = document.as_object_mut() {
        let varies = "seconds speed compared out plot checkpoint state";
        fields.retain(|name, _| varies.split(' ').all(|other| other != name));
    }
    document
}

/// A run that was interrupted and continued has the same result as an uninterrupted one.
#[test]
fn ended_run_is_continued_to_the_same_result() {
    let mut wrong = Wrong::default();
    for state in &STATES {
        let ended = Place::new();
        let endless = format!("{} {} 100000000", state.many, state.amount);
        let killed = ended.start(&endless);
        wait_for(state, &ended, 2);
        killed.kill();
        let file = ended.file("state");
        // As if killed while it wrote.
        let torn = std::fs::OpenOptions::new().append(true).open(&file);
        torn.and_then(|mut file| file.write_all(b"{\"check\":\"0"))
            .expect("appended");
        let kept = wait_for(state, &ended, 2);
        let interrupted = ended.start(&endless);
        wait_for(state, &ended, kept + 1);
        has(&interrupted.interrupted(), &format!("{file} | continues"));
        let all = wait_for(state, &ended, kept + 1) + 10;
        let amount = format!("{} {all} --json -", state.amount);
        let rest = ran(&ended, state.many, &amount);
        let whole = ran(&Place::new(), state.many, &amount);
        let holds = result(&rest) == result(&whole) && whole.status.success();
        wrong.unless(holds, state.many, "it is another result", &rest);
    }
    none(&wrong.0);
}
