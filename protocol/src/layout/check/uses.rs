//! The messages of a table by which a host uses a core, and what they have to keep to.

use super::super::{ErrorCode, Field, Game, Message, REPLY};
use super::{ends_stream, holds, same};

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
pub(in super::super) const fn misuse(game: &Game, uses: &Uses) -> Option<&'static str> {
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
    each!(batch in batches => if let Some(batch) = batch && !streams(game, batch) {
        return Some("a run or self-play is no stream");
    });
    let mut found = false;
    each!(error in game.errors => found |= error.number == uses.unset.number);
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
    each!(message in game.messages => if message.id == request.id | REPLY {
        return Some(message);
    });
    None
}

/// Whether two payloads have the same fields.
const fn same_fields(a: &[Field], b: &[Field]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (mut all, mut i) = (true, 0);
    each!(field in a => {
        all &= same(field.name, b[i].name) && field.signed == b[i].signed;
        all &= field.bits == b[i].bits;
        i += 1;
    });
    all
}
