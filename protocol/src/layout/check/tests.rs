use std::boxed::Box;

use super::super::{Capability, Field, link::LINK, tetris};
use super::*;

fn leak<T: Copy>(items: &[T]) -> &'static [T] {
    Box::leak(items.into())
}

fn message(name: &'static str, id: u8, fields: &[Field]) -> Message {
    Message {
        name,
        id,
        fields: leak(fields),
        about: "",
    }
}

const fn field(name: &'static str, bits: usize, signed: bool) -> Field {
    Field {
        name,
        bits,
        signed,
        about: "",
    }
}

fn number(name: &'static str) -> Field {
    field(name, 16, false)
}

fn code(name: &'static str, number: u8) -> ErrorCode {
    ErrorCode {
        name,
        number,
        about: "",
    }
}

fn ask() -> Message {
    message("ask", 0x10, &[])
}

fn answer() -> Message {
    message("answer", 0x90, &[])
}

fn part() -> Message {
    message("part_of_it", 0xb0, &[number(PART_NUMBER)])
}

fn end() -> Message {
    message("answer", 0x90, &[number(PARTS), number(CANCELLED)])
}

/// A game with these messages, whose decision is the one called `answer`.
fn game(messages: &[Message]) -> GameTable {
    let decision = messages.iter().find(|m| m.name == "answer");
    GameTable {
        name: "made_up",
        number: 9,
        messages: leak(messages),
        decision: decision.copied().unwrap_or(answer()),
        worked: None,
        errors: leak(&[code("odd", 0x40)]),
        constants: &[],
    }
}

#[test]
fn message_breaking_rule_is_rejected() {
    let of = |field| [ask(), message("answer", 0x90, &[field])];
    let wide = |bits| of(field("wide", bits, false));
    let parted = |fields: &[Field]| [ask(), message("part_of_it", 0xb0, fields), end()];
    let ended = |field: Field| [ask(), part(), message("answer", 0x90, &[field])];
    let late = [number("first"), number(PART_NUMBER)];
    let last = [message("ask", 0x5f, &[]), message("answer", 0xdf, &[])];
    let named = |name| [message(name, 0x10, &[]), answer()];
    let wide_named = of(number("Wide"));
    for messages in [
        &[ask(), answer()][..],
        &last,
        &[ask(), part(), end()],
        &wide(8 * MAX_PAYLOAD),
    ] {
        assert_eq!(mistake(&LINK, &game(messages)), None, "{messages:?}");
    }
    for (messages, expected) in [
        (&wide(8 * MAX_PAYLOAD + 8)[..], FIELDS),
        (&wide(0), FIELDS),
        (&wide(12), FIELDS),
        (&[message("ask", 0x0f, &[])], OUT_OF_RANGE),
        (&[message("ask", 0x60, &[])], OUT_OF_RANGE),
        (&[message("ask", 0x30, &[])], REQUEST_OF_PART),
        (&[part()], NO_END),
        (&[ask(), end(), part(), part()], SAME_NUMBER),
        (&[message("answer", 0xff, &[])], SAME_NUMBER),
        (&[ask()], NO_REPLY),
        (&[answer(), ask(), ask()], SAME_NUMBER),
        (&[ask(), message("ask", 0x90, &[])], SAME_NAME),
        (&named("ping"), SAME_NAME),
        (&parted(&late), PART_FIRST),
        (&parted(&[field(PART_NUMBER, 16, true)]), PART_FIRST),
        (&ended(number(CANCELLED)), ENDING),
        (&ended(number(PARTS)), ENDING),
        (&named("My-ask"), NOT_SNAKE_CASE),
        (&wide_named, NOT_SNAKE_CASE),
    ] {
        let found = mistake(&LINK, &game(messages));
        assert_eq!(found, Some(expected), "{messages:?}");
    }
}

#[test]
fn decision_not_in_table_is_rejected() {
    for decision in [ask(), part(), message("answer", 0x91, &[])] {
        let game = GameTable {
            decision,
            ..game(&[ask(), part(), end()])
        };
        let found = mistake(&LINK, &game);
        assert_eq!(
            found,
            Some("the decision is not a reply in the game's table")
        );
    }
}

#[test]
fn error_code_breaking_rule_is_rejected() {
    const RANGE: &str = "an error code is out of range";
    const TWICE: &str = "two error codes have the same number or name";
    let odd = code("odd", 0x40);
    for (errors, expected) in [
        (&[code("odd", 0x3f)][..], RANGE),
        (&[code("odd", 0xff)], RANGE),
        (&[odd, code("even", 0x40)], TWICE),
        (&[odd, code("odd", 0x41)], TWICE),
        (&[code("busy", 0x40)], TWICE),
        (&[code("Odd", 0x40)], NOT_SNAKE_CASE),
    ] {
        let mut game = game(&[ask(), answer()]);
        game.errors = leak(errors);
        assert_eq!(mistake(&LINK, &game), Some(expected), "{errors:?}");
    }
}

#[test]
fn link_breaking_rule_is_rejected() {
    let bit = Capability {
        name: "far",
        bit: 32,
        about: "",
    };
    let valid = game(&[ask(), answer()]);
    let link = LinkTable {
        messages: tetris::MESSAGES,
        ..LINK
    };
    assert_eq!(mistake(&link, &valid), Some(OUT_OF_RANGE));
    let link = LinkTable {
        errors: leak(&[code("odd", 0x40)]),
        ..LINK
    };
    let range = "an error code is out of range";
    assert_eq!(mistake(&link, &valid), Some(range));
    let link = LinkTable {
        capabilities: leak(&[bit]),
        ..LINK
    };
    assert_eq!(
        mistake(&link, &valid),
        Some("a capability's bit is above 31")
    );
}

#[test]
fn host_requests_breaking_rule_are_rejected() {
    const STREAM: &str = "a search is not answered by a stream, or a plain decision is";
    const TRACE: &str =
        "a trace is not a stream, or its request has other fields than a decision's";
    const DECISION: &str = "the reply to the request for a decision is not the game's decision";
    const UNSET: &str = "the error without a controller is not in the game's table";
    const BATCH: &str = "a run or self-play is not answered by a stream";
    const FOREIGN: &str = "a request is not in the game's table";
    const READ_BACK: &str = "the controller read back has other fields than the one set";
    let set = || message("set", 0x11, &[number("weight")]);
    let get = || message("get", 0x12, &[]);
    let got = || message("got", 0x92, &[number("weight")]);
    let game = game(&[ask(), part(), end(), set(), get(), got()]);
    let valid = HostRequests {
        configure: set(),
        read_back: get(),
        decide: ask(),
        searches: true,
        unset: code("odd", 0x40),
        trace: Some(ask()),
        batches: [Some(ask()), None],
    };
    let with = |change: &dyn Fn(&mut HostRequests)| {
        let mut requests = valid;
        change(&mut requests);
        mistake_of(&game, &requests)
    };
    assert_eq!(with(&|_| {}), None);
    let other_get = message("get", 0x13, &[]);
    let weighed = message("ask", 0x10, set().fields);
    for (found, expected) in [
        (with(&|r| r.decide = end()), FOREIGN),
        (with(&|r| r.configure = got()), FOREIGN),
        (with(&|r| r.read_back = other_get), FOREIGN),
        (with(&|r| r.read_back = ask()), READ_BACK),
        (with(&|r| (r.decide, r.trace) = (get(), None)), DECISION),
        (with(&|r| r.searches = false), STREAM),
        (with(&|r| r.trace = Some(get())), TRACE),
        (with(&|r| r.trace = Some(weighed)), TRACE),
        (with(&|r| r.batches[0] = Some(get())), BATCH),
        (with(&|r| r.batches[1] = Some(end())), BATCH),
        (with(&|r| r.unset.number = 0x41), UNSET),
    ] {
        assert_eq!(found, Some(expected));
    }
}

#[test]
fn name_not_in_snake_case_is_rejected() {
    for name in ["connect4_2", "a"] {
        assert!(is_snake_case(name), "{name}");
    }
    for name in ["", "2048", "_game", "Game", "my-game", "my game"] {
        assert!(!is_snake_case(name), "{name}");
    }
}
