//! Requests, and which of them are answered.

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
    /// How much longer than a single answer its next reply may take.
    pub(super) pause: Duration,
}

/// What a request is answered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replies {
    /// One reply.
    One,
    /// A stream of so many parts at most, where that is known.
    Stream(Option<u64>),
    /// A stream of progress: a part may be lost, and a cancel makes its end the best so far.
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

    /// A request without one.
    pub fn empty(message: &'static Message) -> Self {
        Self::new(message, Payload::of(message))
    }

    /// A request that is answered by a stream, of `most` parts at most where that is
    /// known: the request behind it is then sent before the stream has ended.
    pub fn stream(message: &'static Message, payload: Payload, most: Option<u64>) -> Self {
        Self {
            replies: Replies::Stream(most),
            ..Self::new(message, payload)
        }
    }

    /// A request that is answered by a stream of progress: it is not sent again because a
    /// part is lost.
    pub fn search(message: &'static Message, payload: Payload) -> Self {
        Self {
            replies: Replies::Search,
            ..Self::new(message, payload)
        }
    }

    /// The same, each reply to which may take so much longer than a single answer, in the
    /// link's time: work that goes on between two parts.
    #[must_use]
    pub fn pausing(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }
}

/// Takes the parts of streams as they come.
///
/// Of each stream all parts come, in their order. A stream of which something was lost
/// is asked for again and begins anew: what came of it before is void. Another stream
/// that was asked for behind it may begin, and end, before that.
pub trait Parts: Send {
    /// A stream, by its index among the requests, begins for the first time or anew.
    fn begins(&mut self, stream: usize);

    /// The next part of a stream that has begun, as its payload.
    ///
    /// # Errors
    /// When the payload is not that of a part: nothing more is asked then.
    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError>;

    /// Whether the end of a search would have an answer if it were cancelled now.
    fn can_finish(&self, _stream: usize) -> bool {
        true
    }
}

/// Requests with the replies that have come so far. That of a stream is the one that
/// ends it.
pub struct Asked<'a> {
    pub(super) requests: Vec<Request>,
    pub(super) replies: Vec<Option<Bytes>>,
    pub(super) watched: Watched,
    /// Where the parts of streams go.
    parts: Option<&'a mut dyn Parts>,
    /// Once requested, the best answers so far are enough.
    pub(super) finish: Stop,
}

impl<'a> Asked<'a> {
    /// None of them is answered. `watched`: whether their latency counts.
    pub fn new(requests: Vec<Request>, watched: Watched) -> Self {
        Self {
            replies: vec![None; requests.len()],
            requests,
            watched,
            parts: None,
            finish: Stop::never(),
        }
    }

    /// The same for requests with streams among them, whose parts go there.
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

    /// How many are answered.
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
