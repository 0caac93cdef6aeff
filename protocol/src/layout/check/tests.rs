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
    const RANGE: &str = "a message's number is out of range";
    const FIELDS: &str = "a field is empty or not whole bytes, or the payload is too long";
    const NUMBER: &str = "two messages have the same number";
    const NAME: &str = "two messages have the same name";
    const PART_FIRST: &str = "a part does not begin with its number";
    const ENDING: &str = "a reply that ends a stream has no field parts or no field cancelled";
    let wide = |bits| {
        [
            ask(),
            message("answer", 0x90, &[field("wide", bits, false)]),
        ]
    };
    let parted = |fields: &[Field]| [ask(), message("part_of_it", 0xb0, fields), end()];
    let ended = |field: Field| [ask(), part(), message("answer", 0x90, &[field])];
    let link_name = [message("ping", 0x10, &[]), answer()];
    let late = [number("first"), number(PART_NUMBER)];
    let cases: &[(&[Message], Option<&str>)] = &[
        (&[ask(), answer()], None),
        (
            &[message("ask", 0x5f, &[]), message("answer", 0xdf, &[])],
            None,
        ),
        (&[ask(), part(), end()], None),
        (&wide(8 * MAX_PAYLOAD), None),
        (&wide(8 * MAX_PAYLOAD + 8), Some(FIELDS)),
        (&wide(0), Some(FIELDS)),
        (&wide(12), Some(FIELDS)),
        (&[message("ask", 0x0f, &[])], Some(RANGE)),
        (&[message("ask", 0x60, &[])], Some(RANGE)),
        (
            &[message("ask", 0x30, &[])],
            Some("a request has the number of a part"),
        ),
        (&[part()], Some("a part has no reply that ends its stream")),
        (&[ask(), end(), part(), part()], Some(NUMBER)),
        (&[message("answer", 0xff, &[])], Some(NUMBER)),
        (&[ask()], Some("a request has no reply")),
        (&[answer(), ask(), ask()], Some(NUMBER)),
        (&[ask(), message("ask", 0x90, &[])], Some(NAME)),
        (&link_name, Some(NAME)),
        (&parted(&late), Some(PART_FIRST)),
        (&parted(&[field(PART_NUMBER, 16, true)]), Some(PART_FIRST)),
        (&ended(number(CANCELLED)), Some(ENDING)),
        (&ended(number(PARTS)), Some(ENDING)),
        (
            &[message("My-ask", 0x10, &[]), answer()],
            Some(NOT_SNAKE_CASE),
        ),
        (&wide_named("Wide"), Some(NOT_SNAKE_CASE)),
    ];
    for (messages, expected) in cases {
        assert_eq!(mistake(&LINK, &game(messages)), *expected, "{messages:?}");
    }
}

fn wide_named(name: &'static str) -> [Message; 2] {
    [ask(), message("answer", 0x90, &[number(name)])]
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
    let range = "a message's number is out of range";
    assert_eq!(mistake(&link, &valid), Some(range));
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
    for (found, expected) in [
        (with(&|_| {}), None),
        (with(&|r| r.decide = end()), Some(FOREIGN)),
        (with(&|r| r.configure = got()), Some(FOREIGN)),
        (
            with(&|r| r.read_back = message("get", 0x13, &[])),
            Some(FOREIGN),
        ),
        (with(&|r| r.read_back = ask()), Some(READ_BACK)),
        (
            with(&|r| (r.decide, r.trace) = (get(), None)),
            Some("the reply to the request for a decision is not the game's decision"),
        ),
        (with(&|r| r.searches = false), Some(STREAM)),
        (with(&|r| r.trace = Some(get())), Some(TRACE)),
        (
            with(&|r| r.trace = Some(message("ask", 0x10, set().fields))),
            Some(TRACE),
        ),
        (with(&|r| r.batches[0] = Some(get())), Some(BATCH)),
        (with(&|r| r.batches[1] = Some(end())), Some(BATCH)),
        (
            with(&|r| r.unset.number = 0x41),
            Some("the error without a controller is not in the game's table"),
        ),
    ] {
        assert_eq!(found, expected);
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
