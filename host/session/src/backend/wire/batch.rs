//! Batches of requests with their replies.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use protocol::layout::Message;
use protocol::payload::{Payload, PayloadError};

use super::traffic::Watched;
use crate::stop::Stop;

/// A request to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub(super) message: &'static Message,
    pub(super) payload: Payload,
    pub(super) replies: Replies,
    /// Time that its next reply may take beyond that of a single answer.
    pub(super) pause: Duration,
}

/// The kind of reply to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replies {
    /// One reply.
    One,
    /// A stream, with its maximum number of parts if that is known.
    Stream(Option<u64>),
    /// A search's stream: a part may be lost, and a cancel makes the core answer with the best so
    /// far.
    Search,
}

impl Request {
    /// A request with a payload.
    pub fn new(message: &'static Message, payload: Payload) -> Self {
        Self {
            message,
            payload,
            replies: Replies::One,
            pause: Duration::ZERO,
        }
    }

    /// A request without a payload.
    pub fn empty(message: &'static Message) -> Self {
        Self::new(message, Payload::of(message))
    }

    /// A request answered by a stream. If its maximum number of parts, `most`, is known, the next
    /// request is sent before the stream has ended.
    pub fn stream(message: &'static Message, payload: Payload, most: Option<u64>) -> Self {
        Self {
            replies: Replies::Stream(most),
            ..Self::new(message, payload)
        }
    }

    /// A request answered by a search's stream: a lost part does not repeat it.
    pub fn search(message: &'static Message, payload: Payload) -> Self {
        Self {
            replies: Replies::Search,
            ..Self::new(message, payload)
        }
    }

    /// The same request, with additional time for each reply, in the link's time: the core works
    /// between two parts.
    #[must_use]
    pub fn pausing(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }
}

/// Takes the parts of streams as they come.
///
/// All parts of a stream come, in order. A stream that lost a part is requested again and begins
/// anew: its earlier parts are void. A later stream may begin, and end, before that.
pub trait Parts: Send {
    /// A stream begins, for the first time or anew; `stream` is its request's index.
    fn begins(&mut self, stream: usize);

    /// The payload of the next part of a stream.
    ///
    /// # Errors
    /// When the payload is not valid: then no more requests are sent.
    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError>;

    /// Whether a search would have an answer if it were cancelled now.
    fn can_finish(&self, _stream: usize) -> bool {
        true
    }
}

/// Requests with their replies so far. A stream's reply is its end.
pub struct Batch<'a> {
    pub(super) requests: Vec<Request>,
    pub(super) replies: Vec<Option<Bytes>>,
    pub(super) watched: Watched,
    /// Receiver of the parts of streams.
    parts: Option<&'a mut dyn Parts>,
    /// Once requested, searches end with their best answers so far.
    pub(super) finish: Stop,
}

impl<'a> Batch<'a> {
    /// Requests without replies. `watched`: whether their latency counts.
    pub fn new(requests: Vec<Request>, watched: Watched) -> Self {
        Self {
            replies: vec![None; requests.len()],
            requests,
            watched,
            parts: None,
            finish: Stop::never(),
        }
    }

    /// The same with streams among the requests; their parts go to `parts`.
    pub fn streams(requests: Vec<Request>, watched: Watched, parts: &'a mut dyn Parts) -> Self {
        Self {
            parts: Some(parts),
            ..Self::new(requests, watched)
        }
    }

    /// The same for searches, which end early once `finish` is requested.
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

    pub(super) fn begins(&mut self, stream: usize) {
        if let Some(parts) = &mut self.parts {
            parts.begins(stream);
        }
    }

    pub(super) fn can_finish(&self, stream: usize) -> bool {
        self.parts.as_ref().is_some_and(|p| p.can_finish(stream))
    }

    pub(super) fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError> {
        match &mut self.parts {
            Some(parts) => parts.part(stream, payload),
            None => Ok(()),
        }
    }
}
