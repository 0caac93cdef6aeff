//! Batches of requests with their replies.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use protocol::layout::Message;
use protocol::payload::{Payload, PayloadError};

use crate::stop::Stop;

/// A request to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub(super) message: &'static Message,
    pub(super) payload: Payload,
    pub(super) replies: Replies,
    /// Time that each reply may take beyond the timeout of other replies, in the link's time.
    pub(super) extra_time: Duration,
}

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replies {
    /// One reply.
    One,
    /// A stream, with its maximum number of parts if that is known.
    Stream(Option<u64>),
    /// The stream of a search: parts may be lost, and a cancel makes the core answer with the best
    /// decision so far.
    Search,
}

impl Request {
    /// A request with a payload.
    pub fn new(message: &'static Message, payload: Payload) -> Self {
        Self {
            message,
            payload,
            replies: Replies::One,
            extra_time: Duration::ZERO,
        }
    }

    /// A request without a payload.
    pub fn empty(message: &'static Message) -> Self {
        Self::new(message, Payload::of(message))
    }

    /// A request answered by a stream of at most `most` parts. If that number is known, the next
    /// request is sent before the stream has ended.
    pub fn stream(message: &'static Message, payload: Payload, most: Option<u64>) -> Self {
        Self {
            replies: Replies::Stream(most),
            ..Self::new(message, payload)
        }
    }

    /// A request answered by the stream of a search, which goes on after a lost part.
    pub fn search(message: &'static Message, payload: Payload) -> Self {
        Self {
            replies: Replies::Search,
            ..Self::new(message, payload)
        }
    }

    /// The same request, with additional time for each reply, in the link's time.
    #[must_use]
    pub fn with_extra_time(self, extra_time: Duration) -> Self {
        Self { extra_time, ..self }
    }
}

/// Receives the parts of streams.
///
/// All parts of a stream are passed on in order. A stream that lost a part is requested again and
/// begins anew: its earlier parts are void. A later stream may begin and end before that.
pub trait Parts: Send {
    /// Called when a stream begins, for the first time or anew; `stream` is the index of its request.
    fn begins(&mut self, stream: usize);

    /// Called with the payload of the next part of a stream.
    ///
    /// # Errors
    /// When the payload is invalid: then the batch fails.
    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError>;

    /// Whether a search has reported a decision, which a cancel would make the answer.
    fn can_finish(&self, _stream: usize) -> bool {
        true
    }
}

/// For requests without streams.
impl Parts for () {
    fn begins(&mut self, _: usize) {}

    fn part(&mut self, _: usize, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

/// Requests with their replies so far. The reply to a stream's request is its end.
pub struct Batch<'a> {
    pub(super) requests: Vec<Request>,
    pub(super) replies: Vec<Option<Bytes>>,
    /// Receives the parts of streams.
    pub(super) parts: &'a mut dyn Parts,
    /// Once requested, searches end with their best decisions so far.
    pub(super) finish: Stop,
}

impl<'a> Batch<'a> {
    /// Requests without replies. The parts of streams among them go to `parts`.
    pub fn new(requests: Vec<Request>, parts: &'a mut dyn Parts) -> Self {
        Self {
            replies: vec![None; requests.len()],
            requests,
            parts,
            finish: Stop::never(),
        }
    }

    /// The same batch, whose searches end early once `finish` is requested.
    #[must_use]
    pub fn finishing(self, finish: Stop) -> Self {
        Self { finish, ..self }
    }

    /// The number of answered requests.
    pub fn answered(&self) -> usize {
        self.replies.iter().flatten().count()
    }

    /// The replies' payloads, in the order of the requests.
    pub fn into_replies(self) -> Vec<Bytes> {
        self.replies.into_iter().flatten().collect()
    }

    pub(super) fn is_open(&self) -> bool {
        self.replies.iter().any(Option::is_none)
    }

    pub(super) fn unanswered(&self) -> VecDeque<usize> {
        let open = self.replies.iter().enumerate();
        open.filter(|(_, reply)| reply.is_none())
            .map(|(index, _)| index)
            .collect()
    }
}
