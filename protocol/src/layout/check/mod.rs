//! What every table has to keep to, checked when it is compiled.

#[cfg(test)]
mod tests;
mod uses;

use super::{
    CANCELLED, ErrorCode, Game, Link, MAX_PAYLOAD, Message, PART, PART_NUMBER, PARTS, REPLY, link,
    names,
};

pub use uses::Uses;
pub(super) use uses::misuse;

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
