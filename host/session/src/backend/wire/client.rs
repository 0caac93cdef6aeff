//! Requests and their replies, matched by sequence number.
//!
//! Up to a window of requests is in flight. Every request sent has a sequence
//! number of its own, also when it is sent again after silence, so a late
//! reply to an earlier attempt is recognised and dropped. Requests that were
//! given up (a refusal, a dropped future) still lie in the core: they count
//! against the window until they are answered.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use protocol::frame::{self, DELIMITER, Decoder, Frame};
use protocol::layout::{Game, Message, REPLY, link as table};
use protocol::payload::link::{Ping, Refusal};
use protocol::payload::{Payload, PayloadError};
use tracing::{debug, warn};

use crate::backend::{BackendError, BackendErrorKind};
use crate::link::{Link, LinkError, LinkStatistics};

/// How often requests are sent before silence is an error.
const ATTEMPTS: u32 = 3;

/// How often a core may say `busy` between two other answers.
const BUSY: u32 = 100;

/// How often bytes may come that answer nothing before that is an error. A
/// slow line may give a reply byte by byte.
const BABBLE: u32 = 20_000;

/// A request to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    message: &'static Message,
    payload: Payload,
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

/// One end of a link.
pub struct Client {
    name: String,
    game: &'static Game,
    link: Box<dyn Link>,
    /// How long an answer may take, in the link's time.
    patience: Duration,
    decoder: Decoder,
    seq: u16,
    window: usize,
    /// Sequence numbers sent and neither answered nor lost.
    outstanding: HashSet<u16>,
    /// Receives since the last answer to anything outstanding.
    babble: u32,
}

impl Client {
    /// An end that has sent nothing, to a core for that game. `patience` is how
    /// long an answer may take, in the link's time.
    pub fn new(name: &str, game: &'static Game, link: Box<dyn Link>, patience: Duration) -> Self {
        Self {
            name: name.into(),
            game,
            link,
            patience,
            decoder: Decoder::new(),
            seq: 0,
            window: 1,
            outstanding: HashSet::new(),
            babble: 0,
        }
    }

    /// What passed over the link.
    pub fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }

    /// How many requests the core takes unanswered.
    pub fn set_window(&mut self, window: usize) {
        self.window = window;
    }

    /// Ends whatever an earlier session left behind. The delimiter closes a
    /// half-sent frame, the reset drops queued requests, and after the pong
    /// with this nonce no older reply can follow: a core answers in order.
    ///
    /// # Errors
    /// When no such pong comes.
    pub async fn meet(&mut self, nonce: u64) -> Result<(), BackendError> {
        let ping = Ping { nonce }.encode();
        let mut attempt = 1;
        self.seq = nonce as u16;
        'again: loop {
            let sent = self.link_send(&[DELIMITER]).await;
            self.link_result(sent)?;
            self.send(&Request::empty(&table::RESET)).await?;
            let seq = self.send(&Request::new(&table::PING, ping)).await?;
            // The reset drops what an earlier session asked, and our own.
            self.outstanding = HashSet::from([seq]);
            loop {
                match self.receive().await {
                    Ok(frames) => {
                        let pong = |f: &Reply| {
                            f.seq == seq
                                && f.kind == table::PONG.id
                                && Ping::decode(&f.payload) == Ok(Ping { nonce })
                        };
                        if frames.iter().any(pong) {
                            return Ok(());
                        }
                    }
                    Err(LinkError::Silent(why)) if attempt < ATTEMPTS => {
                        debug!(name = self.name, attempt, why, "no pong, asking again");
                        attempt += 1;
                        continue 'again;
                    }
                    Err(source) => return self.link_result(Err(source)),
                }
            }
        }
    }

    /// Sends a request and returns its reply's payload.
    ///
    /// # Errors
    /// As [`Self::ask_all`].
    pub async fn ask(&mut self, request: Request) -> Result<Bytes, BackendError> {
        let mut replies = self.ask_all(&[request]).await?;
        Ok(replies.pop().unwrap_or_default())
    }

    /// Sends requests, as many at a time as the window allows, and returns
    /// their replies' payloads in their order.
    ///
    /// # Errors
    /// When the core stays silent, refuses one or answers something else.
    pub async fn ask_all(&mut self, requests: &[Request]) -> Result<Vec<Bytes>, BackendError> {
        let mut replies = vec![None; requests.len()];
        let mut waiting: VecDeque<usize> = (0..requests.len()).collect();
        let mut in_flight: HashMap<u16, usize> = HashMap::new();
        let (mut attempt, mut busy) = (1, 0);
        while replies.iter().any(Option::is_none) {
            while self.outstanding.len() < self.window
                && let Some(index) = waiting.pop_front()
            {
                let seq = self.send(&requests[index]).await?;
                in_flight.insert(seq, index);
            }
            let frames = match self.receive().await {
                Ok(frames) => frames,
                Err(LinkError::Silent(why)) if attempt < ATTEMPTS => {
                    warn!(name = self.name, attempt, why, "asking again");
                    attempt += 1;
                    self.outstanding.clear();
                    let mut lost: Vec<usize> = in_flight.drain().map(|(_, i)| i).collect();
                    lost.sort_unstable();
                    lost.into_iter().rev().for_each(|i| waiting.push_front(i));
                    continue;
                }
                Err(why) => return self.link_result(Err(why)),
            };
            for reply in frames {
                let Some(index) = in_flight.remove(&reply.seq) else {
                    debug!(
                        name = self.name,
                        reply.seq, reply.kind, "dropped a stale reply"
                    );
                    continue;
                };
                attempt = 1;
                match self.accept(requests[index].message, reply) {
                    Ok(payload) => {
                        busy = 0;
                        replies[index] = Some(payload);
                    }
                    Err(error) if is_busy(&error) && busy < BUSY => {
                        debug!(name = self.name, busy, "the core is busy, asking again");
                        busy += 1;
                        waiting.push_front(index);
                    }
                    Err(why) => return Err(why),
                }
            }
        }
        Ok(replies.into_iter().flatten().collect())
    }

    /// Adds this end's name to what is wrong with a payload.
    ///
    /// # Errors
    /// When there is something wrong.
    pub fn read<T>(&self, result: Result<T, PayloadError>) -> Result<T, BackendError> {
        result.map_err(|why| BackendErrorKind::from(why).of(&self.name))
    }

    fn accept(&self, message: &'static Message, reply: Reply) -> Result<Bytes, BackendError> {
        if reply.kind == message.id | REPLY {
            return Ok(reply.payload);
        }
        if reply.kind == table::ERROR.id {
            let refusal = self.read(Refusal::decode(self.game, &reply.payload))?;
            let (request, code) = (message.name, refusal.code);
            return Err(BackendErrorKind::Refused { request, code }.of(&self.name));
        }
        let (request, kind) = (message.name, reply.kind);
        Err(BackendErrorKind::WrongReply { request, kind }.of(&self.name))
    }

    /// Sends one frame and returns its sequence number.
    async fn send(&mut self, request: &Request) -> Result<u16, BackendError> {
        self.seq = self.seq.wrapping_add(1);
        let frame = Frame {
            seq: self.seq,
            kind: request.message.id,
            payload: request.payload.as_ref(),
        };
        let wire = frame::encode(&frame).map_err(|why| {
            let request = request.message.name;
            BackendErrorKind::TooLong { request, why }.of(&self.name)
        })?;
        self.outstanding.insert(self.seq);
        let sent = self.link_send(wire.as_ref()).await;
        self.link_result(sent)?;
        Ok(self.seq)
    }

    async fn link_send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        tracing::trace!(name = self.name, bytes = %Hex(bytes), "sent");
        self.link.send(bytes).await
    }

    /// Waits for bytes and returns the frames they complete, damaged ones left
    /// out.
    async fn receive(&mut self) -> Result<Vec<Reply>, LinkError> {
        self.babble += 1;
        if self.babble > BABBLE {
            return Err(LinkError::Closed(format!(
                "{BABBLE} times bytes came that answer nothing: is this the right port and baud rate?"
            )));
        }
        let bytes = self.link.receive(self.patience).await?;
        // A link that is always ready must not keep others from their turn.
        tokio::task::yield_now().await;
        tracing::trace!(name = self.name, bytes = %Hex(&bytes), "received");
        let mut frames = Vec::new();
        for byte in bytes {
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(frame)) => {
                    if self.outstanding.remove(&frame.seq) {
                        self.babble = 0;
                    }
                    frames.push(Reply {
                        seq: frame.seq,
                        kind: frame.kind,
                        payload: Bytes::copy_from_slice(frame.payload),
                    });
                }
                Some(Err(why)) => warn!(name = self.name, %why, "dropped a damaged frame"),
            }
        }
        Ok(frames)
    }

    fn link_result<T>(&self, result: Result<T, LinkError>) -> Result<T, BackendError> {
        result.map_err(|why| BackendErrorKind::from(why).of(&self.name))
    }
}

fn is_busy(error: &BackendError) -> bool {
    matches!(error.kind, BackendErrorKind::Refused { code, .. } if code == table::BUSY)
}

/// Bytes as two hexadecimal digits each.
struct Hex<'a>(&'a [u8]);

impl std::fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let gap = if index > 0 { " " } else { "" };
            write!(f, "{gap}{byte:02x}")?;
        }
        Ok(())
    }
}

/// A frame as received.
struct Reply {
    seq: u16,
    kind: u8,
    payload: Bytes,
}
