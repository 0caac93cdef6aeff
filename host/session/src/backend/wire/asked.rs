//! Requests, and which of them are answered.

use std::collections::VecDeque;

use bytes::Bytes;
use protocol::layout::Message;
use protocol::payload::Payload;

use super::traffic::Watched;

/// A request to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub(super) message: &'static Message,
    pub(super) payload: Payload,
}

impl Request {
    /// A request with a payload.
    pub fn new(message: &'static Message, payload: Payload) -> Self {
        Self { message, payload }
    }

    /// A request without one.
    pub fn empty(message: &'static Message) -> Self {
        Self::new(message, Payload::of(message))
    }
}

/// Requests with the replies that have come so far.
#[derive(Debug)]
pub struct Asked {
    pub(super) requests: Vec<Request>,
    pub(super) replies: Vec<Option<Bytes>>,
    pub(super) watched: Watched,
}

impl Asked {
    /// None of them is answered. `watched`: whether their latency counts.
    pub fn new(requests: Vec<Request>, watched: Watched) -> Self {
        Self {
            replies: vec![None; requests.len()],
            requests,
            watched,
        }
    }

    /// How many are answered.
    pub fn answered(&self) -> usize {
        self.replies.iter().flatten().count()
    }

    /// The replies' payloads, in the order of the requests.
    pub fn into_replies(self) -> Vec<Bytes> {
        self.replies.into_iter().flatten().collect()
    }

    pub(super) fn unanswered(&self) -> VecDeque<usize> {
        let open = self.replies.iter().enumerate();
        open.filter(|(_, reply)| reply.is_none())
            .map(|(index, _)| index)
            .collect()
    }
}
