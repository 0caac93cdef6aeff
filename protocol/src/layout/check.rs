//! The rules of the tables, checked at compile time.

mod requests;
#[cfg(test)]
mod tests;

use super::{
    CANCELLED, Constant, ErrorCode, GameTable, LinkTable, MAX_PAYLOAD, Message, PART, PART_NUMBER,
    PARTS, REPLY, link,
};

pub use requests::HostRequests;
pub(super) use requests::mistake_of;

/// First and last number of the link's requests and error codes.
const LINK_REQUESTS: (u8, u8) = (0x01, 0x0f);
const LINK_ERRORS: (u8, u8) = (0x01, 0x3f);
/// First and last number of a game's requests and error codes.
const GAME_REQUESTS: (u8, u8) = (0x10, 0x5f);
const GAME_ERRORS: (u8, u8) = (0x40, 0xfe);

/// Checks all tables.
///
/// # Panics
/// When a table breaks a rule; in a `const` that is a compile error.
pub(super) const fn tables(link: &LinkTable, games: &[&GameTable]) {
    each!(game in games => {
        if let Some(mistake) = mistake(link, game) {
            panic!("{}", mistake);
        }
        let mut same_games = 0;
        each!(other in games => {
            same_games += (other.number == game.number || same(other.name, game.name)) as usize;
        });
        assert!(same_games == 1, "two games have the same number or name");
    });
}

/// The first rule that the table of a game or the link breaks, if any.
const fn mistake(link: &LinkTable, game: &GameTable) -> Option<&'static str> {
    if !are_snake_case(link, game) {
        return Some(NOT_SNAKE_CASE);
    }
    let lists = [link.messages, game.messages];
    each!(message in link.messages => {
        if let Some(mistake) = message_mistake(&lists, message, LINK_REQUESTS) {
            return Some(mistake);
        }
    });
    each!(message in game.messages => {
        if let Some(mistake) = message_mistake(&lists, message, GAME_REQUESTS) {
            return Some(mistake);
        }
    });
    let decision = &game.decision;
    if decision.is_request() || decision.is_part() || !holds(game.messages, decision) {
        return Some("the decision is not a reply in the game's table");
    }
    each!(capability in link.capabilities => if capability.bit > 31 {
        return Some("a capability's bit is above 31");
    });
    error_mistake(&[(link.errors, LINK_ERRORS), (game.errors, GAME_ERRORS)])
}

/// The first rule that a message breaks, if any.
const fn message_mistake(
    lists: &[&[Message]; 2],
    message: &Message,
    range: (u8, u8),
) -> Option<&'static str> {
    let (id, is_request, is_part) = (message.id, message.is_request(), message.is_part());
    let has_end_fields = has_number(message, PARTS) && has_number(message, CANCELLED);
    let ends = ends_stream(lists, message);
    let rules = [
        (in_range(message, range), OUT_OF_RANGE),
        (whole_bytes(message), FIELDS),
        (!is_request || id & PART == 0, REQUEST_OF_PART),
        (!is_request || count(lists, id | REPLY, "") == 1, NO_REPLY),
        (!is_part || count(lists, id & !PART, "") == 1, NO_END),
        (!is_part || begins_with_number(message), PART_FIRST),
        (!ends || has_end_fields, ENDING),
        (count(lists, id, "") == 1, SAME_NUMBER),
        (count(lists, 0, message.name) == 1, SAME_NAME),
    ];
    each!(rule in rules => if !rule.0 {
        return Some(rule.1);
    });
    None
}

/// The rules that a bad message breaks.
const OUT_OF_RANGE: &str = "a message's number is out of range";
const FIELDS: &str = "a field is empty or not whole bytes, or the payload is too long";
const REQUEST_OF_PART: &str = "a request has the number of a part";
const NO_REPLY: &str = "a request has no reply";
const NO_END: &str = "a part has no reply that ends its stream";
const PART_FIRST: &str = "a part does not begin with its number";
const ENDING: &str = "a reply that ends a stream has no field parts or no field cancelled";
const SAME_NUMBER: &str = "two messages have the same number";
const SAME_NAME: &str = "two messages have the same name";

const fn error_mistake(lists: &[(&[ErrorCode], (u8, u8)); 2]) -> Option<&'static str> {
    each!(list in lists => each!(code in list.0 => {
        let (first, last) = list.1;
        if code.number < first || code.number > last {
            return Some("an error code is out of range");
        }
        let mut found = 0;
        each!(other in lists => each!(other in other.0 => {
            found += (other.number == code.number || same(other.name, code.name)) as usize;
        }));
        if found != 1 {
            return Some("two error codes have the same number or name");
        }
    }));
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
    let mut all = message.bytes() <= MAX_PAYLOAD;
    each!(field in message.fields => all &= field.bits > 0 && field.bits.is_multiple_of(8));
    all
}

/// Whether a message ends a stream: a part has its number with [`PART`] set.
const fn ends_stream(lists: &[&[Message]; 2], message: &Message) -> bool {
    let part = message.id | PART;
    let is_last = !message.is_request() && message.id != part && part != link::ERROR.id;
    is_last && count(lists, part, "") > 0
}

/// Whether the first field is the part's number, which the host reads before the game's codec.
const fn begins_with_number(message: &Message) -> bool {
    !message.fields.is_empty()
        && same(message.fields[0].name, PART_NUMBER)
        && has_number(message, PART_NUMBER)
}

/// Whether a message has an unsigned integer field called `name`.
const fn has_number(message: &Message, name: &str) -> bool {
    each!(field in message.fields => if same(field.name, name) {
        return !field.signed && field.bits <= 64;
    });
    false
}

/// Whether a table has a message with the same number and name.
const fn holds(messages: &[Message], message: &Message) -> bool {
    let mut found = false;
    each!(own in messages => found |= own.id == message.id && same(own.name, message.name));
    found
}

/// How many messages have the number `id` or the name `name`.
const fn count(lists: &[&[Message]; 2], id: u8, name: &str) -> usize {
    let mut count = 0;
    each!(list in lists => each!(message in list => {
        count += (message.id == id || same(message.name, name)) as usize;
    }));
    count
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let (mut all, mut i) = (true, 0);
    each!(byte in a => {
        all &= *byte == b[i];
        i += 1;
    });
    all
}

/// The rule that a bad name breaks.
const NOT_SNAKE_CASE: &str =
    "a name is not snake case: a lower-case letter, then such letters, digits and _";

/// Whether all names of the link and of a game are in snake case.
const fn are_snake_case(link: &LinkTable, game: &GameTable) -> bool {
    is_snake_case(game.name)
        && of_tables(link.messages, link.errors, link.constants)
        && of_tables(game.messages, game.errors, game.constants)
}

const fn is_snake_case(name: &str) -> bool {
    let name = name.as_bytes();
    let (mut all, mut is_first) = (!name.is_empty(), true);
    each!(sign in name => {
        let follows = !is_first && (sign.is_ascii_digit() || *sign == b'_');
        all &= sign.is_ascii_lowercase() || follows;
        is_first = false;
    });
    all
}

const fn of_tables(messages: &[Message], errors: &[ErrorCode], constants: &[Constant]) -> bool {
    let mut all = true;
    each!(message in messages => {
        all &= is_snake_case(message.name);
        each!(field in message.fields => all &= is_snake_case(field.name));
    });
    each!(error in errors => all &= is_snake_case(error.name));
    each!(constant in constants => all &= is_snake_case(constant.name));
    all
}
