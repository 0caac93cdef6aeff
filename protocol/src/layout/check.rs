//! What every table has to keep to, checked when it is compiled.

use super::{ErrorCode, Game, Link, MAX_PAYLOAD, Message, PART, REPLY, link};

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
    let mut i = 0;
    while i < link.capabilities.len() {
        if link.capabilities[i].bit > 31 {
            return Some("a capability's bit is above 31");
        }
        i += 1;
    }
    error_mistake(&[link.errors, game.errors])
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
        ..ASK
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
        errors: &[CODE],
        constants: &[],
    };

    const fn wide(bits: usize) -> Field {
        Field {
            name: "wide",
            bits,
            signed: false,
            about: "",
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
        assert_eq!(mistake(&LINK, &Game { messages, ..SOUND }), None);
        let stream = &[ASK, PART_OF_IT, ANSWER];
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
                &[ASK, ANSWER, PART_OF_IT, PART_OF_IT],
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
