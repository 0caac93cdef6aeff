use super::super::{Capability, Field, link::LINK};
use super::*;

const ASK: Message = Message {
    name: "ask",
    id: 0x10,
    fields: &[],
    about: "",
};
const ANSWER: Message = Message {
    name: "answer",
    id: 0x90,
    ..ASK
};
const PART_OF_IT: Message = Message {
    name: "part_of_it",
    id: 0xb0,
    fields: &[number(PART_NUMBER)],
    about: "",
};
const END: Message = Message {
    name: "answer",
    id: 0x90,
    fields: &[number(PARTS), number(CANCELLED)],
    about: "",
};
const CODE: ErrorCode = ErrorCode {
    name: "odd",
    number: 0x40,
    about: "",
};
const SOUND: Game = Game {
    name: "made_up",
    number: 9,
    messages: &[ASK, ANSWER],
    decision: ANSWER,
    worked: None,
    errors: &[CODE],
    constants: &[],
};

const fn number(name: &'static str) -> Field {
    Field {
        name,
        bits: 16,
        signed: false,
        about: "",
    }
}
const fn wide(bits: usize) -> Field {
    Field {
        bits,
        ..number("wide")
    }
}
const NONE: Field = wide(0);
const ODD: Field = wide(12);
const CAP: Field = wide(8 * MAX_PAYLOAD);
const OVER: Field = wide(8 * MAX_PAYLOAD + 8);

#[test]
fn a_sound_game_passes() {
    assert_eq!(mistake(&LINK, &SOUND), None);
    let last = [Message { id: 0x5f, ..ASK }, Message { id: 0xdf, ..ANSWER }];
    let messages = std::boxed::Box::leak(std::boxed::Box::new(last));
    let decision = messages[1];
    let game = Game {
        messages,
        decision,
        ..SOUND
    };
    assert_eq!(mistake(&LINK, &game), None);
    let stream = &[ASK, PART_OF_IT, END];
    let messages = std::boxed::Box::leak(std::boxed::Box::new(*stream));
    assert_eq!(mistake(&LINK, &Game { messages, ..SOUND }), None);
}

#[test]
fn every_mistake_in_messages_is_named() {
    const RANGE: &str = "a message's number is outside its range";
    const REPLY_MISSING: &str = "a request has no reply";
    const FIELDS: &str = "a field is empty or not whole bytes, or a payload over the cap";
    let cases: [(&'static [Message], &str); 13] = [
        (&[Message { id: 0x0f, ..ASK }], RANGE),
        (&[Message { id: 0x60, ..ASK }], RANGE),
        (
            &[Message { id: 0x30, ..ASK }],
            "a request has the number of a part",
        ),
        (&[PART_OF_IT], "a part has no reply that ends it"),
        (
            &[ASK, END, PART_OF_IT, PART_OF_IT],
            "two messages with one number",
        ),
        (
            &[Message { id: 0xff, ..ANSWER }],
            "two messages with one number",
        ),
        (&[ASK], REPLY_MISSING),
        (&[ANSWER, ASK, ASK], "two messages with one number"),
        (
            &[
                ASK,
                Message {
                    name: "ask",
                    ..ANSWER
                },
            ],
            "two messages with one name",
        ),
        // A name of the link's.
        (
            &[
                Message {
                    name: "ping",
                    ..ASK
                },
                ANSWER,
            ],
            "two messages with one name",
        ),
        (
            &[Message {
                fields: &[NONE],
                ..ANSWER
            }],
            FIELDS,
        ),
        (
            &[Message {
                fields: &[ODD],
                ..ANSWER
            }],
            FIELDS,
        ),
        (
            &[Message {
                fields: &[OVER],
                ..ANSWER
            }],
            FIELDS,
        ),
    ];
    for (messages, expected) in cases {
        let found = mistake(&LINK, &Game { messages, ..SOUND });
        assert_eq!(found, Some(expected), "{messages:?}");
    }
    // The cap itself is allowed.
    let messages = &[Message {
        fields: &[CAP],
        ..ANSWER
    }];
    assert_eq!(mistake(&LINK, &Game { messages, ..SOUND }), None);
}

/// What the host looks up by name in any game's table.
#[test]
fn table_without_a_field_of_streams_is_named() {
    const NUMBER: &str = "a part does not begin with its number";
    const ENDING: &str = "the end of a stream does not say how many parts, or whether cancelled";
    const LATE: Message = Message {
        fields: &[number("first"), number(PART_NUMBER)],
        ..PART_OF_IT
    };
    const SIGNED: Message = Message {
        fields: &[Field {
            signed: true,
            ..number(PART_NUMBER)
        }],
        ..PART_OF_IT
    };
    const NO_PARTS: Message = Message {
        fields: &[number(CANCELLED)],
        ..END
    };
    const NO_CANCELLED: Message = Message {
        fields: &[number(PARTS)],
        ..END
    };
    let cases: [(&'static [Message], &str); 4] = [
        (&[ASK, LATE, END], NUMBER),
        (&[ASK, SIGNED, END], NUMBER),
        (&[ASK, PART_OF_IT, NO_PARTS], ENDING),
        (&[ASK, PART_OF_IT, NO_CANCELLED], ENDING),
    ];
    for (messages, expected) in cases {
        let found = mistake(&LINK, &Game { messages, ..SOUND });
        assert_eq!(found, Some(expected), "{messages:?}");
    }
    for decision in [ASK, PART_OF_IT, Message { id: 0x91, ..ANSWER }] {
        let game = Game {
            messages: &[ASK, PART_OF_IT, END],
            decision,
            ..SOUND
        };
        let found = mistake(&LINK, &game);
        assert_eq!(found, Some("the decision is no reply of the game"));
    }
}

const SET: Message = Message {
    name: "set",
    id: 0x11,
    fields: &[number("weight")],
    about: "",
};
const GET: Message = Message {
    name: "get",
    id: 0x12,
    ..ASK
};
const GOT: Message = Message {
    name: "got",
    id: 0x92,
    ..SET
};
const USED: Game = Game {
    messages: &[ASK, PART_OF_IT, END, SET, GET, GOT],
    decision: END,
    ..SOUND
};
const USES: Uses = Uses {
    configure: SET,
    read_back: GET,
    decide: ASK,
    searches: true,
    unset: CODE,
    trace: Some(ASK),
    batches: [Some(ASK), None],
};

#[test]
fn misuse_of_a_table_is_named() {
    const STREAM: &str = "a search is a stream, and a decision without progress is none";
    const TRACE: &str = "a trace is a stream, and asked for as a decision is";
    const BATCH: &str = "a run or self-play is no stream";
    const NONE: &str = "a request is none of the game";
    let uses = |change: fn(&mut Uses)| {
        let mut uses = USES;
        change(&mut uses);
        misuse(&USED, &uses)
    };
    for (found, expected) in [
        (uses(|_| {}), None),
        (uses(|u| u.decide = END), Some(NONE)),
        (uses(|u| u.configure = GOT), Some(NONE)),
        (
            uses(|u| u.read_back = Message { id: 0x13, ..GET }),
            Some(NONE),
        ),
        (
            uses(|u| u.read_back = ASK),
            Some("the controller that is read back is not the one that is set"),
        ),
        (
            uses(|u| (u.decide, u.trace) = (GET, None)),
            Some("the request for a decision is not answered by the decision"),
        ),
        (uses(|u| u.searches = false), Some(STREAM)),
        (uses(|u| u.trace = Some(GET)), Some(TRACE)),
        (
            uses(|u| {
                u.trace = Some(Message {
                    fields: SET.fields,
                    ..ASK
                })
            }),
            Some(TRACE),
        ),
        (uses(|u| u.batches[0] = Some(GET)), Some(BATCH)),
        (uses(|u| u.batches[1] = Some(END)), Some(BATCH)),
        (
            uses(|u| u.unset.number = 0x41),
            Some("the refusal without a controller is no error of the game"),
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn every_mistake_in_error_codes_is_named() {
    const RANGE: &str = "an error code is outside its range";
    const TWICE: &str = "two error codes with one number or name";
    let cases: [(&'static [ErrorCode], &str); 5] = [
        (
            &[ErrorCode {
                number: 0x3f,
                ..CODE
            }],
            RANGE,
        ),
        (
            &[ErrorCode {
                number: 0xff,
                ..CODE
            }],
            RANGE,
        ),
        (
            &[
                CODE,
                ErrorCode {
                    name: "even",
                    ..CODE
                },
            ],
            TWICE,
        ),
        (
            &[
                CODE,
                ErrorCode {
                    number: 0x41,
                    ..CODE
                },
            ],
            TWICE,
        ),
        (
            &[ErrorCode {
                name: "busy",
                ..CODE
            }],
            TWICE,
        ),
    ];
    for (errors, expected) in cases {
        let found = mistake(&LINK, &Game { errors, ..SOUND });
        assert_eq!(found, Some(expected), "{errors:?}");
    }
    let link = Link {
        errors: &[ErrorCode {
            number: 0x40,
            ..CODE
        }],
        ..LINK
    };
    assert_eq!(mistake(&link, &SOUND), Some(RANGE));
}

#[test]
fn mistakes_in_the_link_are_named() {
    let link = Link {
        messages: &[Message { id: 0x10, ..ASK }],
        ..LINK
    };
    let found = mistake(&link, &SOUND);
    assert_eq!(found, Some("a message's number is outside its range"));
    let bit = Capability {
        name: "far",
        bit: 32,
        about: "",
    };
    let capabilities = std::boxed::Box::leak(std::boxed::Box::new([bit]));
    let link = Link {
        capabilities,
        ..LINK
    };
    assert_eq!(
        mistake(&link, &SOUND),
        Some("a capability's bit is above 31")
    );
}
