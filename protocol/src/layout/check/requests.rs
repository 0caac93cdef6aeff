//! The requests of a game that a host sends, and their rules.

use super::super::{ErrorCode, Field, GameTable, Message, REPLY};
use super::{ends_stream, holds, same};

/// The requests of a game's table by which a host uses a core.
#[derive(Debug, Clone, Copy)]
pub struct HostRequests {
    /// Sets the controller.
    pub configure: Message,
    /// Reads the controller back.
    pub read_back: Message,
    /// Requests a decision.
    pub decide: Message,
    /// Whether a stream answers `decide`.
    pub searches: bool,
    /// The error of a core without a controller.
    pub unset: ErrorCode,
    /// Requests a decision with its candidates, answered by a stream.
    pub trace: Option<Message>,
    /// Request a run and a self-play, each answered by a stream.
    pub batches: [Option<Message>; 2],
}

/// The first rule that the requests break, if any.
pub(in super::super) const fn mistake_of(
    game: &GameTable,
    requests: &HostRequests,
) -> Option<&'static str> {
    let lists = [&[], game.messages];
    let HostRequests {
        configure,
        read_back,
        decide,
        trace,
        batches,
        ..
    } = requests;
    if !has(game, configure) || !has(game, read_back) || !has(game, decide) {
        return Some("a request is not in the game's table");
    }
    let read = reply(game, read_back);
    if !matches!(read, Some(reply) if same_fields(reply.fields, configure.fields)) {
        return Some("the controller read back has other fields than the one set");
    }
    if !matches!(reply(game, decide), Some(reply) if reply.id == game.decision.id) {
        return Some("the reply to the request for a decision is not the game's decision");
    }
    if ends_stream(&lists, &game.decision) != requests.searches {
        return Some("a search is not answered by a stream, or a plain decision is");
    }
    if let Some(trace) = trace
        && (!streams(game, trace) || !same_fields(trace.fields, decide.fields))
    {
        return Some("a trace is not a stream, or its request has other fields than a decision's");
    }
    each!(batch in batches => if let Some(batch) = batch && !streams(game, batch) {
        return Some("a run or self-play is not answered by a stream");
    });
    let mut found = false;
    each!(error in game.errors => found |= error.number == requests.unset.number);
    match found {
        true => None,
        false => Some("the error without a controller is not in the game's table"),
    }
}

/// Whether a game's table has a request.
const fn has(game: &GameTable, message: &Message) -> bool {
    message.is_request() && holds(game.messages, message)
}

/// Whether a game's table has a request that is answered by a stream.
const fn streams(game: &GameTable, message: &Message) -> bool {
    let ends = match reply(game, message) {
        Some(reply) => ends_stream(&[&[], game.messages], reply),
        None => false,
    };
    has(game, message) && ends
}

/// The reply to a request.
const fn reply<'a>(game: &'a GameTable, request: &Message) -> Option<&'a Message> {
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
