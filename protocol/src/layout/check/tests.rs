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

/// A game of those messages, whose decision is the one called `answer`.
fn game(messages: &[Message]) -> Game {
    let decision = messages.iter().find(|m| m.name == "answer");
    Game {
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
fn message_mistake_is_named() {
    const RANGE: &str = "a message's number is outside its range";
    const FIELDS: &str = "a field is empty or not whole bytes, or a payload over the cap";
    const NUMBER: &str = "two messages with one number";
    const NAME: &str = "two messages with one name";
    const PART_FIRST: &str = "a part does not begin with its number";
    const ENDING: &str = "the end of a stream does not say how many parts, or whether cancelled";
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
        (&[part()], Some("a part has no reply that ends it")),
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
            Some(names::MISTAKE),
        ),
        (&wide_named("Wide"), Some(names::MISTAKE)),
    ];
    for (messages, expected) in cases {
        assert_eq!(mistake(&LINK, &game(messages)), *expected, "{messages:?}");
    }
}

fn wide_named(name: &'static str) -> [Message; 2] {
    [ask(), message("answer", 0x90, &[number(name)])]
}

#[test]
fn decision_that_is_no_reply_of_the_game_is_a_mistake() {
    for decision in [ask(), part(), message("answer", 0x91, &[])] {
        let game = Game {
            decision,
            ..game(&[ask(), part(), end()])
        };
        let found = mistake(&LINK, &game);
        assert_eq!(found, Some("the decision is no reply of the game"));
    }
}

#[test]
fn error_code_mistake_is_named() {
    const RANGE: &str = "an error code is outside its range";
    const TWICE: &str = "two error codes with one number or name";
    let odd = code("odd", 0x40);
    for (errors, expected) in [
        (&[code("odd", 0x3f)][..], RANGE),
        (&[code("odd", 0xff)], RANGE),
        (&[odd, code("even", 0x40)], TWICE),
        (&[odd, code("odd", 0x41)], TWICE),
        (&[code("busy", 0x40)], TWICE),
        (&[code("Odd", 0x40)], names::MISTAKE),
    ] {
        let mut game = game(&[ask(), answer()]);
        game.errors = leak(errors);
        assert_eq!(mistake(&LINK, &game), Some(expected), "{errors:?}");
    }
}

#[test]
fn link_mistake_is_named() {
    let bit = Capability {
        name: "far",
        bit: 32,
        about: "",
    };
    let sound = game(&[ask(), answer()]);
    let link = Link {
        messages: tetris::MESSAGES,
        ..LINK
    };
    let range = "a message's number is outside its range";
    assert_eq!(mistake(&link, &sound), Some(range));
    let link = Link {
        errors: leak(&[code("odd", 0x40)]),
        ..LINK
    };
    let range = "an error code is outside its range";
    assert_eq!(mistake(&link, &sound), Some(range));
    let link = Link {
        capabilities: leak(&[bit]),
        ..LINK
    };
    assert_eq!(
        mistake(&link, &sound),
        Some("a capability's bit is above 31")
    );
}

#[test]
fn misuse_of_a_table_is_named() {
    const STREAM: &str = "a search is a stream, and a decision without progress is none";
    const TRACE: &str = "a trace is a stream, and asked for as a decision is";
    const BATCH: &str = "a run or self-play is no stream";
    const NONE: &str = "a request is none of the game";
    const READ_BACK: &str = "the controller that is read back is not the one that is set";
    let set = || message("set", 0x11, &[number("weight")]);
    let get = || message("get", 0x12, &[]);
    let got = || message("got", 0x92, &[number("weight")]);
    let game = game(&[ask(), part(), end(), set(), get(), got()]);
    let sound = Uses {
        configure: set(),
        read_back: get(),
        decide: ask(),
        searches: true,
        unset: code("odd", 0x40),
        trace: Some(ask()),
        batches: [Some(ask()), None],
    };
    let with = |change: &dyn Fn(&mut Uses)| {
        let mut uses = sound;
        change(&mut uses);
        misuse(&game, &uses)
    };
    for (found, expected) in [
        (with(&|_| {}), None),
        (with(&|u| u.decide = end()), Some(NONE)),
        (with(&|u| u.configure = got()), Some(NONE)),
        (
            with(&|u| u.read_back = message("get", 0x13, &[])),
            Some(NONE),
        ),
        (with(&|u| u.read_back = ask()), Some(READ_BACK)),
        (
            with(&|u| (u.decide, u.trace) = (get(), None)),
            Some("the request for a decision is not answered by the decision"),
        ),
        (with(&|u| u.searches = false), Some(STREAM)),
        (with(&|u| u.trace = Some(get())), Some(TRACE)),
        (
            with(&|u| u.trace = Some(message("ask", 0x10, set().fields))),
            Some(TRACE),
        ),
        (with(&|u| u.batches[0] = Some(get())), Some(BATCH)),
        (with(&|u| u.batches[1] = Some(end())), Some(BATCH)),
        (
            with(&|u| u.unset.number = 0x41),
            Some("the refusal without a controller is no error of the game"),
        ),
    ] {
        assert_eq!(found, expected);
    }
}
