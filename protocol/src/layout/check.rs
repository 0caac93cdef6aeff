//! What every table has to keep to, checked when it is compiled.

use super::{
    CANCELLED, ErrorCode, Field, Game, Link, MAX_PAYLOAD, Message, PART, PART_NUMBER, PARTS, REPLY,
    link, names,
};

/// Requests and error codes of the link, as (first, last).
const LINK_REQUESTS: (u8, u8) = (0x01, 0x0f);
const LINK_ERRORS: (u8, u8) = (0x01, 0x3f);
/// Those of the games.
const GAME_REQUESTS: (u8, u8) = (0x10, 0x5f);
const GAME_ERRORS: (u8, u8) = (0x40, 0xfe);

/// # Panics
/// When a table has a mistake. Called in a `const`, where that is a compile error.
pub(super) const fn tables(link: &Link, games: &[&Game]) {
    let mut i = 0;
    while i < games.len() {
        if let Some(mistake) = mistake(link, games[i]) {
            panic!("{}", mistake);
        }
        let mut j = 0;
        while j < i {
            assert!(
                games[i].number != games[j].number && !same(games[i].name, games[j].name),
                "two games with one number or name"
            );
            j += 1;
        }
        i += 1;
    }
}

/// What is wrong with a game's table, or with the link's beside it.
const fn mistake(link: &Link, game: &Game) -> Option<&'static str> {
    if !names::are_sound(link, game) {
        return Some(names::MISTAKE);
    }
    let lists = [link.messages, game.messages];
    let ranges = [LINK_REQUESTS, GAME_REQUESTS];
    let mut l = 0;
    while l < lists.len() {
        let mut i = 0;
        while i < lists[l].len() {
            let message = &lists[l][i];
            if !in_range(message, ranges[l]) {
                return Some("a message's number is outside its range");
            }
            if !whole_bytes(message) {
                return Some("a field is empty or not whole bytes, or a payload over the cap");
            }
            if message.is_request() && message.id & PART != 0 {
                return Some("a request has the number of a part");
            }
            if message.is_request() && count_id(&lists, message.id | REPLY) != 1 {
                return Some("a request has no reply");
            }
            if message.is_part() && count_id(&lists, message.id & !PART) != 1 {
                return Some("a part has no reply that ends it");
            }
            if message.is_part() && !begins_with_number(message) {
                return Some("a part does not begin with its number");
            }
            let tells_end = has_number(message, PARTS) && has_number(message, CANCELLED);
            if ends_stream(&lists, message) && !tells_end {
                return Some(
                    "the end of a stream does not say how many parts, or whether cancelled",
                );
            }
            if count_id(&lists, message.id) != 1 {
                return Some("two messages with one number");
            }
            if count_name(&lists, message.name) != 1 {
                return Some("two messages with one name");
            }
            i += 1;
        }
        l += 1;
    }
    let decision = &game.decision;
    if decision.is_request() || decision.is_part() || !holds(game.messages, decision) {
        return Some("the decision is no reply of the game");
    }
    let mut i = 0;
    while i < link.capabilities.len() {
        if link.capabilities[i].bit > 31 {
            return Some("a capability's bit is above 31");
        }
        i += 1;
    }
    error_mistake(&[link.errors, game.errors])
}

/// The messages of a game's table by which a host uses a core.
#[derive(Debug, Clone, Copy)]
pub struct Uses {
    /// Hands over a controller.
    pub configure: Message,
    /// Its reply repeats the controller.
    pub read_back: Message,
    /// Asks for a decision.
    pub decide: Message,
    /// Whether a stream answers that.
    pub searches: bool,
    /// The refusal of a core without a controller.
    pub unset: ErrorCode,
    /// Asks for a decision with its candidates: a stream.
    pub trace: Option<Message>,
    /// Asks for a run, and for self-play: streams.
    pub batches: [Option<Message>; 2],
}

/// What is wrong with the use of a game's table.
pub(super) const fn misuse(game: &Game, uses: &Uses) -> Option<&'static str> {
    let lists = [&[], game.messages];
    let Uses {
        configure,
        read_back,
        decide,
        trace,
        batches,
        ..
    } = uses;
    if !requests(game, configure) || !requests(game, read_back) || !requests(game, decide) {
        return Some("a request is none of the game");
    }
    let repeats = reply(game, read_back);
    if !matches!(repeats, Some(reply) if same_fields(reply.fields, configure.fields)) {
        return Some("the controller that is read back is not the one that is set");
    }
    if !matches!(reply(game, decide), Some(reply) if reply.id == game.decision.id) {
        return Some("the request for a decision is not answered by the decision");
    }
    if ends_stream(&lists, &game.decision) != uses.searches {
        return Some("a search is a stream, and a decision without progress is none");
    }
    if let Some(trace) = trace
        && (!streams(game, trace) || !same_fields(trace.fields, decide.fields))
    {
        return Some("a trace is a stream, and asked for as a decision is");
    }
    let mut i = 0;
    while i < batches.len() {
        if let Some(batch) = &batches[i]
            && !streams(game, batch)
        {
            return Some("a run or self-play is no stream");
        }
        i += 1;
    }
    let (mut found, mut i) = (false, 0);
    while i < game.errors.len() {
        found |= game.errors[i].number == uses.unset.number;
        i += 1;
    }
    match found {
        true => None,
        false => Some("the refusal without a controller is no error of the game"),
    }
}

/// Whether a message is a request of the game.
const fn requests(game: &Game, message: &Message) -> bool {
    message.is_request() && holds(game.messages, message)
}

/// Whether a message is a request of the game that a stream answers.
const fn streams(game: &Game, message: &Message) -> bool {
    let ends = match reply(game, message) {
        Some(reply) => ends_stream(&[&[], game.messages], reply),
        None => false,
    };
    requests(game, message) && ends
}

/// The reply to a request.
const fn reply<'a>(game: &'a Game, request: &Message) -> Option<&'a Message> {
    let mut i = 0;
    while i < game.messages.len() {
        if game.messages[i].id == request.id | REPLY {
            return Some(&game.messages[i]);
        }
        i += 1;
    }
    None
}

/// Whether two payloads have the same fields.
const fn same_fields(a: &[Field], b: &[Field]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        let both = same(a[i].name, b[i].name) && a[i].signed == b[i].signed;
        if !both || a[i].bits != b[i].bits {
            return false;
        }
        i += 1;
    }
    true
}

const fn error_mistake(lists: &[&[ErrorCode]; 2]) -> Option<&'static str> {
    let ranges = [LINK_ERRORS, GAME_ERRORS];
    let mut l = 0;
    while l < lists.len() {
        let mut i = 0;
        while i < lists[l].len() {
            let code = &lists[l][i];
            if code.number < ranges[l].0 || code.number > ranges[l].1 {
                return Some("an error code is outside its range");
            }
            // Itself alone, in both lists.
            let (mut found, mut k) = (0, 0);
            while k < lists.len() {
                let mut j = 0;
                while j < lists[k].len() {
                    let other = &lists[k][j];
                    found += (other.number == code.number || same(other.name, code.name)) as usize;
                    j += 1;
                }
                k += 1;
            }
            if found != 1 {
                return Some("two error codes with one number or name");
            }
            i += 1;
        }
        l += 1;
    }
    None
}

const fn in_range(message: &Message, range: (u8, u8)) -> bool {
    let request = match message.is_part() {
        true => message.id & !(REPLY | PART),
        false => message.id & !REPLY,
    };
    let error = message.id == link::ERROR.id && range.0 == LINK_REQUESTS.0;
    error || (request >= range.0 && request <= range.1)
}

const fn whole_bytes(message: &Message) -> bool {
    let mut i = 0;
    while i < message.fields.len() {
        let bits = message.fields[i].bits;
        if bits == 0 || !bits.is_multiple_of(8) {
            return false;
        }
        i += 1;
    }
    message.bytes() <= MAX_PAYLOAD
}

/// Whether a message has parts: those whose number is its own with the bit of parts.
const fn ends_stream(lists: &[&[Message]; 2], message: &Message) -> bool {
    let part = message.id | PART;
    let is_last = !message.is_request() && message.id != part && part != link::ERROR.id;
    is_last && count_id(lists, part) > 0
}

/// The host reads the number of a part before the game does.
const fn begins_with_number(message: &Message) -> bool {
    !message.fields.is_empty()
        && same(message.fields[0].name, PART_NUMBER)
        && has_number(message, PART_NUMBER)
}

/// Whether a message has an unsigned number of that name.
const fn has_number(message: &Message, name: &str) -> bool {
    let mut i = 0;
    while i < message.fields.len() {
        let field = &message.fields[i];
        if same(field.name, name) {
            return !field.signed && field.bits <= 64;
        }
        i += 1;
    }
    false
}

/// Whether a table has a message of that number and name.
const fn holds(messages: &[Message], message: &Message) -> bool {
    let mut i = 0;
    while i < messages.len() {
        if messages[i].id == message.id && same(messages[i].name, message.name) {
            return true;
        }
        i += 1;
    }
    false
}

const fn count_id(lists: &[&[Message]; 2], id: u8) -> usize {
    let (mut count, mut l) = (0, 0);
    while l < lists.len() {
        let mut i = 0;
        while i < lists[l].len() {
            count += (lists[l][i].id == id) as usize;
            i += 1;
        }
        l += 1;
    }
    count
}

const fn count_name(lists: &[&[Message]; 2], name: &str) -> usize {
    let (mut count, mut l) = (0, 0);
    while l < lists.len() {
        let mut i = 0;
        while i < lists[l].len() {
            count += same(lists[l][i].name, name) as usize;
            i += 1;
        }
        l += 1;
    }
    count
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::{Capability, link::LINK};
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
        const ENDING: &str =
            "the end of a stream does not say how many parts, or whether cancelled";
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
}
