//! Agreement between backends.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lockstep::compare::compare;
use lockstep::report::Tally;
use lockstep::report::tally::{MAX_DIVERGENCES, RECORD};
use lockstep::{Answer, Event, Header, Round, Sink as _};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::game::{Position, TicTacToe};
use crate::scripted::{Scripted, nodes};
use crate::support::{block_on, header, in_order, session};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// An answer: a cell, its clock cycles, and whether it should have taken ten.
type Spec = (usize, u64, bool);

/// The header of a session of these backends.
fn started(names: &[&str]) -> Header<TicTacToe> {
    block_on(async {
        let backends = names.iter().map(|name| Scripted::right(name).boxed());
        let controller = in_order();
        let session = session(backends.collect(), &controller, lockstep::Stop::never()).await;
        header(&session, &controller)
    })
}

fn round(line: u64, stones: usize, recorded: Option<usize>, answers: &[Spec]) -> Round<TicTacToe> {
    let mut position = Position::EMPTY;
    for (cell, sign) in position.cells.iter_mut().zip("XOXOXO".chars().take(stones)) {
        *cell = sign;
    }
    let answer = |&(cell, cycles, is_exact): &Spec| Answer {
        decision: Some(cell),
        cycles: Some(cycles),
        expected_cycles: is_exact.then_some(10),
        notes: Vec::new(),
    };
    let answers: Vec<_> = answers.iter().map(answer).collect();
    let recorded = recorded.map(Some);
    let expected = recorded.unwrap_or_else(|| answers.first().and_then(|a| a.decision));
    let asked: Vec<_> = (0..answers.len()).collect();
    Round {
        game: 1 + line / 10,
        step: 1 + line % 10,
        line: Some(line),
        position,
        recorded,
        took: Vec::new(),
        mismatches: compare(&expected, &asked, &answers),
        asked,
        answers,
        score: None,
        outcome: None,
    }
}

/// The tally of these rounds of each record.
fn tally(records: &[&[Round<TicTacToe>]]) -> Tally<TicTacToe> {
    static STARTED: LazyLock<Header<TicTacToe>> = LazyLock::new(|| started(&NAMES));
    let mut tally = Tally::default();
    for (rounds, number) in records.iter().zip(1..) {
        tally.next_record(&format!("{number}.jsonl"));
        let events = rounds.iter().cloned().map(Event::Decided);
        for event in [Event::Started(STARTED.clone())].into_iter().chain(events) {
            tally.take(&event).expect("counted");
        }
    }
    tally
}

fn as_json(tally: &Tally<TicTacToe>) -> Value {
    serde_json::to_value(tally).expect("JSON")
}

/// Rounds from line 2 on. `4 5@9 4@10!` are the decisions of the record and of two backends, with
/// their clock cycles; `!` if ten are expected.
fn rounds_of(lines: &[(usize, &str)]) -> Vec<Round<TicTacToe>> {
    let number = |text: &str| text.parse().expect("a number");
    let parse = |text: &str| {
        let (cell, cycles) = text.split_once('@').expect("cycles");
        let is_exact = cycles.ends_with('!');
        let cycles = number(cycles.trim_end_matches('!'));
        (number(cell) as usize, cycles, is_exact)
    };
    let round_of = |(line, (stones, text)): (u64, &(usize, &str))| {
        let (recorded, answers) = text.split_once(' ').expect("answers");
        let answers: Vec<Spec> = answers.split(' ').map(parse).collect();
        round(line, *stones, Some(number(recorded) as usize), &answers)
    };
    (2..).zip(lines).map(round_of).collect()
}

#[test]
fn tally_json_has_pairs_divergences_and_causes() {
    let rounds = rounds_of(&[
        (0, "4 4@10! 5@9 5@8"),
        (1, "4 4@10! 4@9 6@8"),
        (1, "4 4@10! 4@9 4@8"),
    ]);
    let tally = tally(&[&rounds]);
    assert_eq!((tally.compared, tally.agreed, tally.diverged()), (3, 1, 2));
    let json = as_json(&tally);
    assert_eq!(json["class"], "stone");
    let names = json["parties"].as_array().expect("parties");
    let names: Vec<_> = names.iter().map(|party| &party["name"]).collect();
    assert_eq!(names, ["record", "a", "b", "c"]);
    assert_eq!(json["parties"][0]["cycles"], json!({}));
    assert_eq!(json["parties"][2]["cycles"], json!({"9": 3}));
    let expected = json!({
        "first": "record", "second": "c", "compared": 3, "agreed": 1, "fields": {"cell": 2},
        "classes": {
            "X": {"compared": 1, "agreed": 0, "fields": {"cell": 1}},
            "O": {"compared": 2, "agreed": 1, "fields": {"cell": 1}},
        },
    });
    assert_eq!(json["pairs"][2], expected);
    let first = &json["divergences"][0];
    let place = ["record", "file", "line", "recorded"].map(|key| first[key].clone());
    assert_eq!(json!(place), json!([1, "1.jsonl", 2, 4]));
    assert_eq!(first["backends"], json!(NAMES));
    assert_eq!(json["left_out"], 0);
    let causes = json["causes"].as_array().expect("causes").iter();
    let causes =
        causes.map(|c| json!([c["backends"], c["fields"], c["count"], c["first"]["line"]]));
    let expected = [
        json!([["b", "c"], ["cell"], 1, 2]),
        json!([["c"], ["cell"], 1, 3]),
    ];
    assert!(causes.eq(expected), "{json}");
}

#[test]
fn tally_other_promised_notes_disagree() {
    for (promised, agreed) in [(true, 0), (false, 1)] {
        let mut round = round(1, 0, None, &[(4, 10, true); 2]);
        for (answer, number) in round.answers.iter_mut().zip([5, 6]) {
            answer.notes = vec![nodes(number, promised)];
        }
        round.mismatches = compare(&Some(4), &round.asked, &round.answers);
        let tally = tally(&[&[round]]);
        let all = &tally.pair("a", "b").expect("a pair").all;
        assert_eq!((tally.agreed, all.agreed), (agreed, agreed));
        assert_eq!(all.fields.get("nodes").copied(), promised.then_some(1));
    }
}

#[test]
fn tally_one_backend_compares_nothing() {
    let mut alone = Tally::<TicTacToe>::default();
    let early = Event::Decided(round(1, 0, None, &[(4, 9, true)]));
    for event in [Event::Started(started(&["a"])), early] {
        alone.take(&event).expect("counted");
    }
    assert_eq!((alone.compared, alone.pairs.len()), (0, 0));
    assert_eq!(alone.parties[0].decisions, 1);
    assert!(alone.divergences.is_empty());
}

#[test]
fn tally_keeps_the_first_divergences() {
    let rounds = rounds_of(&[(0, "4 5@10! 4@10! 4@10!"); 150]);
    let both = tally(&[&rounds[60..], &rounds[..60]]);
    assert_eq!(
        (both.divergences.len(), both.left_out),
        (MAX_DIVERGENCES, 50)
    );
    let places = both.divergences.iter().map(|d| (d.record, d.round.line));
    let expected = (62..152).map(|line| (1, Some(line)));
    let expected = expected.chain((2..12).map(|line| (2, Some(line))));
    assert!(places.eq(expected), "by record, then by line");
    let causes = both.causes.iter();
    let causes = causes.map(|cause| (cause.count, cause.first.record, cause.first.round.line));
    assert!(causes.eq([(150, 1, Some(62))]), "all have one cause");
}

fn spec() -> impl Strategy<Value = Spec> {
    (0..3usize, 9..11u64, any::<bool>())
}

type RoundSpec = (usize, Option<usize>, [Spec; 3]);

fn rounds() -> impl Strategy<Value = Vec<RoundSpec>> {
    let recorded = prop_oneof![3 => (0..3usize).prop_map(Some), 1 => Just(None)];
    let one = (0..5usize, recorded, [spec(), spec(), spec()]);
    proptest::collection::vec(one, 0..160)
}

/// The fields in which two answers differ.
fn plainly(one: (usize, Option<u64>), other: (usize, Option<u64>)) -> Vec<&'static str> {
    let cell = (one.0 != other.0).then_some("cell");
    let cycles = (one.1 != other.1).then_some("cycles");
    cell.into_iter().chain(cycles).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tally_pairs_equal_a_comparison_of_each_two_parties(specs in rounds()) {
        let rounds: Vec<_> = specs.iter().zip(1..).map(|((stones, recorded, answers), line)| {
            round(line, *stones, *recorded, answers)
        }).collect();
        let tally = tally(&[&rounds]);
        for one in 0..4 {
            for other in one + 1..4 {
                let mut plain = (0, 0, BTreeMap::<&str, u64>::new());
                for (_, recorded, answers) in &specs {
                    let answer = |party: usize| match party {
                        0 => recorded.map(|cell| (cell, None)),
                        n => {
                            let (cell, cycles, is_exact) = answers[n - 1];
                            Some((cell, (is_exact && cycles != 10).then_some(cycles)))
                        }
                    };
                    if let Some((one, other)) = answer(one).zip(answer(other)) {
                        let fields = plainly(one, other);
                        plain.0 += 1;
                        plain.1 += u64::from(fields.is_empty());
                        for field in fields {
                            *plain.2.entry(field).or_default() += 1;
                        }
                    }
                }
                let name = |party: usize| [RECORD, "a", "b", "c"][party];
                let pair = tally.pair(name(one), name(other));
                let found = pair.map_or((0, 0, BTreeMap::new()), |pair| {
                    let all = &pair.all;
                    (all.compared, all.agreed, all.fields.clone())
                });
                prop_assert_eq!(found, plain, "{} with {}", name(one), name(other));
            }
        }
    }
}
