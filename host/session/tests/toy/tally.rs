//! Who agrees with whom.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lockstep::compare::compare;
use lockstep::report::Tally;
use lockstep::report::tally::{MOST, RECORD};
use lockstep::{Answer, Event, Header, Round, Sink as _};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::game::{Position, TicTacToe};
use crate::scripted::Scripted;
use crate::support::{block_on, header, in_order, session};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// What one backend says: a cell and clock cycles, of which it has to take ten if any number.
type Said = (usize, u64, bool);

/// What a session of these begins with.
fn told(names: &[&str]) -> Header<TicTacToe> {
    block_on(async {
        let backends = names.iter().map(|name| Scripted::right(name).boxed());
        let controller = in_order();
        let session = session(backends.collect(), &controller, lockstep::Stop::never()).await;
        header(&session, &controller)
    })
}

fn round(line: u64, stones: usize, recorded: Option<usize>, said: &[Said]) -> Round<TicTacToe> {
    let mut position = Position::EMPTY;
    for (cell, sign) in position.cells.iter_mut().zip("XOXOXO".chars().take(stones)) {
        *cell = sign;
    }
    let answer = |&(cell, cycles, due): &Said| Answer {
        decision: Some(cell),
        cycles: Some(cycles),
        due: due.then_some(10),
        notes: Vec::new(),
    };
    let answers: Vec<_> = said.iter().map(answer).collect();
    let recorded = recorded.map(Some);
    let expected = recorded.unwrap_or_else(|| answers.first().and_then(|a| a.decision));
    let asked: Vec<_> = (0..answers.len()).collect();
    Round {
        game: 1 + line / 10,
        step: 1 + line % 10,
        line: Some(line),
        position,
        recorded,
        mismatches: compare(&expected, &asked, &answers),
        asked,
        answers,
        score: None,
        outcome: None,
    }
}

/// The tally of these, told in the order they come.
fn tally<'a>(
    record: usize,
    rounds: impl IntoIterator<Item = &'a Round<TicTacToe>>,
) -> Tally<TicTacToe> {
    static STARTED: LazyLock<Header<TicTacToe>> = LazyLock::new(|| told(&NAMES));
    let mut tally = Tally::of_record(record, &format!("{record}.jsonl"));
    let events = rounds.into_iter().cloned().map(Event::Decided);
    for event in [Event::Started(STARTED.clone())].into_iter().chain(events) {
        tally.take(&event).expect("counted");
    }
    tally
}

fn as_json(tally: &Tally<TicTacToe>) -> Value {
    serde_json::to_value(tally).expect("JSON")
}

#[test]
fn two_that_differ_from_the_record_alike_agree_with_each_other() {
    let rounds = [
        round(
            2,
            0,
            Some(4),
            &[(4, 10, true), (5, 9, false), (5, 8, false)],
        ),
        round(
            3,
            1,
            Some(4),
            &[(4, 10, true), (4, 9, false), (6, 8, false)],
        ),
        round(
            4,
            1,
            Some(4),
            &[(4, 10, true), (4, 9, false), (4, 8, false)],
        ),
    ];
    let tally = tally(1, &rounds);
    assert_eq!((tally.compared, tally.agreed, tally.diverged()), (3, 1, 2));
    let agreed = |one, other| {
        let pair = tally.pair(one, other).expect("a pair");
        assert_eq!(pair.all.compared, 3);
        pair.all.agreed
    };
    assert_eq!(agreed(RECORD, "a"), 3);
    assert_eq!(agreed(RECORD, "b"), 2);
    assert_eq!(agreed(RECORD, "c"), 1);
    assert_eq!(agreed("a", "b"), 2);
    assert_eq!(agreed("a", "c"), 1);
    assert_eq!(agreed("b", "c"), 2, "both said 5");
    let json = as_json(&tally);
    assert_eq!(json["class"], "stone");
    let names = json["parties"].as_array().expect("parties");
    let names: Vec<_> = names.iter().map(|party| &party["name"]).collect();
    assert_eq!(names, ["record", "a", "b", "c"]);
    assert_eq!(json["parties"][0]["cycles"], json!({}));
    assert_eq!(json["parties"][2]["cycles"], json!({"9": 3}));
    let pair = &json["pairs"][2];
    assert_eq!(
        (&pair["first"], &pair["second"]),
        (&json!("record"), &json!("c"))
    );
    assert_eq!(pair["fields"], json!({"cell": 2}));
    assert_eq!(
        pair["classes"],
        json!({
            "X": {"compared": 1, "agreed": 0, "fields": {"cell": 1}},
            "O": {"compared": 2, "agreed": 1, "fields": {"cell": 1}},
        })
    );
    let first = &json["divergences"][0];
    assert_eq!(
        (
            &first["record"],
            &first["file"],
            &first["line"],
            &first["recorded"]
        ),
        (&json!(1), &json!("1.jsonl"), &json!(2), &json!(4))
    );
    assert_eq!(first["backends"], json!(NAMES));
    assert_eq!(json["left_out"], 0);
}

#[test]
fn wrong_clock_cycles_are_no_agreement_but_for_two_that_took_the_same() {
    let rounds = [
        round(2, 0, Some(4), &[(4, 9, true), (4, 9, true), (4, 11, true)]),
        round(
            3,
            0,
            Some(4),
            &[(4, 9, false), (4, 10, true), (4, 11, true)],
        ),
    ];
    let tally = tally(1, &rounds);
    let pair = |one, other| tally.pair(one, other).expect("a pair").all.clone();
    let cycles = |n| BTreeMap::from([("cycles", n)]);
    assert_eq!(pair(RECORD, "a").fields, cycles(1));
    assert_eq!(pair(RECORD, "c").fields, cycles(2));
    assert_eq!(
        (pair("a", "b").agreed, pair("a", "b").fields),
        (2, BTreeMap::new())
    );
    assert_eq!(pair("b", "c").fields, cycles(2));
    assert_eq!(tally.agreed, 0);
}

#[test]
fn who_is_alone_agrees_with_nobody() {
    let mut alone = Tally::<TicTacToe>::default();
    alone.take(&Event::Started(told(&["a"]))).expect("counted");
    let early = round(1, 0, None, &[(4, 9, true)]);
    alone.take(&Event::Decided(early)).expect("counted");
    assert_eq!((alone.compared, alone.pairs.len()), (0, 0));
    assert_eq!(alone.parties[0].decisions, 1);
    assert!(alone.divergences.is_empty());
}

#[test]
fn the_first_divergences_are_kept_and_the_others_counted() {
    let wrong = |line| {
        round(
            line,
            0,
            Some(4),
            &[(5, 10, true), (4, 10, true), (4, 10, true)],
        )
    };
    let rounds: Vec<_> = (2..152).map(wrong).collect();
    // The later record first.
    let mut both = tally(2, &rounds[..60]);
    both.merge(tally(1, &rounds[60..]));
    assert_eq!((both.divergences.len(), both.left_out), (MOST, 50));
    let places = both.divergences.iter().map(|d| (d.record, d.round.line));
    let expected = (62..152).map(|line| (1, Some(line)));
    let expected = expected.chain((2..12).map(|line| (2, Some(line))));
    assert!(places.eq(expected), "by record, then by line");
    let backwards = tally(1, rounds.iter().rev());
    assert_eq!(as_json(&backwards), as_json(&tally(1, &rounds)));
}

fn said() -> impl Strategy<Value = Said> {
    (0..3usize, 9..11u64, any::<bool>())
}

type Told = (usize, usize, Option<usize>, [Said; 3]);

fn rounds() -> impl Strategy<Value = Vec<Told>> {
    let recorded = prop_oneof![3 => (0..3usize).prop_map(Some), 1 => Just(None)];
    let one = (1..4usize, 0..5usize, recorded, [said(), said(), said()]);
    proptest::collection::vec(one, 0..160)
}

/// The fields in which two differ, found the plain way.
fn plainly(one: (usize, Option<u64>), other: (usize, Option<u64>)) -> Vec<&'static str> {
    let cell = (one.0 != other.0).then_some("cell");
    let cycles = (one.1 != other.1).then_some("cycles");
    cell.into_iter().chain(cycles).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However the rounds are dealt to parts and in whatever order and grouping these are
    /// added, it is the tally of all; and its pairs are what comparing each two comes to.
    #[test]
    fn parts_add_up_to_the_whole(
        told in rounds(),
        dealt in proptest::collection::vec(0..4usize, 160),
        order in Just([0usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let rounds: Vec<_> = told.iter().zip(1..).map(|((record, stones, recorded, said), line)| {
            (*record, round(line, *stones, *recorded, said))
        }).collect();
        let of = |part: Option<usize>| {
            let mut sum = Tally::default();
            for record in 1..4 {
                let mine = rounds.iter().zip(&dealt);
                let mine = mine.filter(|((r, _), p)| *r == record && part.is_none_or(|part| part == **p));
                sum.merge(tally(record, mine.map(|((_, round), _)| round)));
            }
            sum
        };
        let whole = as_json(&of(None));
        let [a, b, c, d] = order.map(|part| of(Some(part)));
        let (mut left, mut right) = (a.clone(), c.clone());
        for next in [b.clone(), c, d.clone()] {
            left.merge(next);
        }
        prop_assert_eq!(&as_json(&left), &whole);
        right.merge(d);
        let mut other = b;
        other.merge(right);
        let mut right = a;
        right.merge(other);
        prop_assert_eq!(&as_json(&right), &whole);

        for one in 0..4 {
            for other in one + 1..4 {
                let mut plain = (0, 0, BTreeMap::<&str, u64>::new());
                for (_, _, recorded, said) in &told {
                    let says = |party: usize| match party {
                        0 => recorded.map(|cell| (cell, None)),
                        n => {
                            let (cell, cycles, due) = said[n - 1];
                            Some((cell, (due && cycles != 10).then_some(cycles)))
                        }
                    };
                    if let Some((one, other)) = says(one).zip(says(other)) {
                        let fields = plainly(one, other);
                        plain.0 += 1;
                        plain.1 += u64::from(fields.is_empty());
                        for field in fields {
                            *plain.2.entry(field).or_default() += 1;
                        }
                    }
                }
                let name = |party: usize| [RECORD, "a", "b", "c"][party];
                let pair = left.pair(name(one), name(other));
                let found = pair.map_or((0, 0, BTreeMap::new()), |pair| {
                    let all = &pair.all;
                    (all.compared, all.agreed, all.fields.clone())
                });
                prop_assert_eq!(found, plain, "{} with {}", name(one), name(other));
            }
        }
    }
}
