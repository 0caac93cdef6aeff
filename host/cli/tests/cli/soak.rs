//! `lockstep soak`: what agrees, what is kept, and what is told of what does not.

use super::running::Running;
use super::*;
use crate::core::{Core, Mood, info};

/// Games end soon, and there are many of them.
const LOWEST: [&str; 4] = ["--controller", "lowest", "--seed", "7"];

fn soak(more: &[&str]) -> Vec<String> {
    let words = [&["soak"], &LOWEST[..], more].concat();
    words.into_iter().map(String::from).collect()
}

/// What a soak writes for machines.
fn document(status: i32, more: &[&str]) -> Value {
    let words = soak(&[more, &["--json", "-"]].concat());
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    json(&stdout(&exits(status, &words)))
}

#[test]
fn every_backend_comes_to_the_same_sums() {
    let decisions = ["--decisions", "500"];
    let sim = document(0, &[&decisions[..], &["--backend", "sim"]].concat());
    assert_eq!(
        (&sim["agreed"], &sim["compared"]),
        (&true.into(), &500.into())
    );
    assert!(sim["sums"]["games"].as_u64() > Some(2), "{sim}");
    // A core promises its clock cycles: they are compared.
    assert!(sim["sums"]["cycles"].as_u64() > Some(500 * 40), "{sim}");
    let slow = ["--backend", "sim:fault=cycles-one-too-few"];
    let slow = document(1, &[&decisions[..], &slow].concat());
    let differs = slow["divergence"]["differs"].to_string();
    assert!(differs.contains("cycles"), "{slow}");
    let knows = |other: &Value, fields: &[&str]| {
        for field in fields {
            assert_eq!(other["sums"][field], sim["sums"][field], "{field}: {other}");
        }
        assert_eq!(other["signature"], sim["signature"]);
    };
    let all = [
        "pieces",
        "games",
        "rows_cleared",
        "score_millionths",
        "cycles",
    ];
    let batch = ["--backend", "sim", "--batch"];
    knows(&document(0, &[&decisions[..], &batch].concat()), &all);
    let spaced = ["--backend", "sim", "--spacing", "37"];
    knows(&document(0, &[&decisions[..], &spaced].concat()), &all);
    for backend in ["software", "engine"] {
        let other = document(0, &[&decisions[..], &["--backend", backend]].concat());
        knows(&other, &all[..3]);
    }
    let few = ["--decisions", "30"];
    let pins = document(0, &[&few[..], &["--backend", PINS]].concat());
    let sim = document(0, &few);
    assert_eq!(pins["sums"], sim["sums"]);
    // What the engine signs by itself.
    let signed = ["signature", "--controller", "lowest", "--seed", "7"];
    let signed = exits(0, &[&signed[..], &["--pieces", "30"]].concat());
    let signature = sim["signature"].as_str().expect("a text");
    assert!(stdout(&signed).contains(signature), "{}", shown(&signed));
}

#[test]
fn no_decisions_are_no_work() {
    let none = document(0, &["--decisions", "0"]);
    assert_eq!(
        (&none["compared"], &none["agreed"]),
        (&0.into(), &true.into())
    );
    assert_eq!(none["sums"]["pieces"], 0);
}

#[test]
fn a_soak_in_pieces_comes_to_what_one_in_one_piece_does() {
    let folder = folder();
    let state = file(&folder, "soak.json");
    let whole = document(0, &["--decisions", "600"]);
    let mut compared = 0;
    for (decisions, more) in [("1", ""), ("233", "--batch"), ("234", ""), ("600", "")] {
        let mut words = vec!["--state", state.as_str(), "--decisions", decisions];
        words.extend(Some(more).filter(|more| !more.is_empty()));
        let part = document(0, &words);
        compared += part["compared"].as_u64().expect("a number");
        let done = part["sums"]["pieces"].as_u64();
        assert_eq!(done, decisions.parse().ok(), "{part}");
    }
    assert_eq!(compared, 600);
    let again = document(0, &["--decisions", "600", "--state", &state]);
    assert_eq!(again["compared"], 0, "there is no more to do");
    let words = soak(&["--decisions", "9", "--state", &state]);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let told = stdout(&exits(0, &words));
    assert!(told.contains("finished already after 600"), "{told}");
    assert_eq!(
        (&again["sums"], &again["signature"]),
        (&whole["sums"], &whole["signature"])
    );
    let fresh = ["--decisions", "200", "--state", &state, "--fresh"];
    assert_eq!(document(0, &fresh)["compared"], 200);
}

fn kept(state: &str) -> u64 {
    let text = text(state);
    let last = json(text.lines().last().expect("an entry"));
    last["entry"]["sums"]["pieces"].as_u64().expect("a number")
}

#[test]
fn an_interrupted_soak_says_how_it_goes_on() {
    let folder = folder();
    let state = file(&folder, "it's a soak.json");
    let words = soak(&[
        "--decisions",
        "10000000",
        "--spacing",
        "50",
        "--state",
        &state,
    ]);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let running = Running::start(&words);
    running.wait_until_it_is_at_work();
    running.interrupt();
    let (status, rest, error) = running.end();
    assert_eq!((status, error.as_str()), (Some(130), ""), "{rest}");
    let again = format!("lockstep {} '", words[..words.len() - 1].join(" "));
    assert!(
        rest.contains(&again) && rest.contains(r"it'\''s a soak.json"),
        "{rest}"
    );
    let told = format!("\n{} decisions are kept", kept(&state));
    assert!(rest.replace(',', "").contains(&told), "{told}: {rest}");
}

#[test]
fn who_cannot_play_by_himself_is_refused() {
    let core = Core::start(Mood::Answers(info()));
    let board = format!("serial:{}", core.path());
    let words = ["soak", "--backend", &board, "--decisions", "5"];
    refused(
        &run(&words, ""),
        &[&board, "it has no self-play", "lockstep info"],
    );
    let batch = [&words[..], &["--batch"]].concat();
    refused(&run(&batch, ""), &[&board, "it has no batches"]);
    refused(
        &run(&["soak", "--controller", "lacaille"], ""),
        &["--controller lacaille"],
    );
}

#[test]
fn a_divergence_is_drawn_and_the_state_stays_before_it() {
    let folder = folder();
    let state = file(&folder, "soak.json");
    let words = soak(&["--backend", "sim:fault=top-row-lost", "--decisions", "600"]);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let output = exits(
        1,
        &[&words[..], &["--state", &state, "--spacing", "25"]].concat(),
    );
    let told = stdout(&output);
    for part in [
        "DIVERGENCE between piece",
        "first decision after which something is wrong: 121",
        "expected",
        "asked for this position alone",
        "what it weighs differs first at placement",
        "are kept in",
    ] {
        assert!(told.contains(part), "no '{part}' in {told}");
    }
    let found = document(
        1,
        &["--backend", "sim:fault=top-row-lost", "--state", &state],
    );
    let divergence = &found["divergence"];
    assert_eq!(divergence["from"], kept(&state));
    assert_eq!(divergence["shown"], "decision", "{found}");
    assert_eq!(divergence["decision"]["alone"], true, "{found}");
}
