//! The host's end of a link: sends frames with sequence numbers, and waits for replies.
//!
//! [`Client::drive`] sends a batch until it is answered, through `exchange.rs`, which calls `send`
//! for each request and `receive` for the replies. As many requests as the window allows are in
//! flight. Each frame that is sent has a sequence number of its own, also when its request is sent
//! again, and no number is reused while a reply to it may still come. So a reply to an earlier
//! attempt still answers its request. Abandoned requests (after a refusal, or of a dropped future)
//! stay in the core: they count against the window until they are answered.

use std::time::{Duration, Instant};

use bytes::Bytes;
use protocol::frame::{self, DELIMITER, Decoder, Frame};
use protocol::layout::{GameTable, REPLY, link as table};
use protocol::payload::link::Ping;
use tracing::debug;

use super::exchange::Exchange;
use super::in_flight::{InFlight, Purpose, Sent, StreamProgress};
use super::timeout::{GRACE, Timeout, Timer};
use super::traffic::{LinkReport, Traffic};
use crate::backend::{BackendError, BackendErrorKind};
use crate::link::{Link, LinkError};

pub use super::batch::{Batch, Parts, Request};

/// How often a request is sent before a timeout is an error.
pub(super) const ATTEMPTS: u32 = 3;

/// Maximum number of receives in a row without a reply. It is high because a slow line may deliver
/// a reply byte by byte.
const GARBAGE_LIMIT: u32 = 20_000;

/// One end of a link.
pub struct Client {
    pub(super) name: String,
    pub(super) game: &'static GameTable,
    pub(super) line: Box<dyn Link>,
    pub(super) timer: Timer,
    decoder: Decoder,
    seq: u16,
    pub(super) window: usize,
    pub(super) in_flight: InFlight,
    /// Whether any frame with a reply's number has come.
    pub(super) has_replied: bool,
    /// Receives since the last reply.
    pub(super) garbage: u32,
    /// When the wait for the next reply began.
    pub(super) waiting_since: Instant,
    /// When the last reply came.
    pub(super) last_reply: Instant,
    /// The `waiting_since` of the wait in which a late reply was looked for once more.
    looked_again: Option<Instant>,
    /// The longest time from one part of a search to the next.
    pub(super) longest_gap: Option<Duration>,
    pub(super) traffic: Traffic,
}

impl Client {
    /// A client of a core for that game, which has sent nothing yet.
    pub fn new(
        name: &str,
        game: &'static GameTable,
        line: Box<dyn Link>,
        timeout: impl Into<Timeout>,
    ) -> Self {
        Self {
            name: name.into(),
            game,
            line,
            timer: Timer::new(timeout.into()),
            decoder: Decoder::new(),
            seq: 0,
            window: 1,
            in_flight: InFlight::default(),
            has_replied: false,
            garbage: 0,
            waiting_since: Instant::now(),
            last_reply: Instant::now(),
            looked_again: None,
            longest_gap: None,
            traffic: Traffic::default(),
        }
    }

    /// The link, to open it again or to change its rate. Both lose replies that are on their way, so
    /// the learned timeout is reset.
    pub fn link(&mut self) -> &mut dyn Link {
        self.timer.reset();
        &mut *self.line
    }

    /// Statistics of the traffic.
    pub fn report(&self) -> LinkReport {
        self.traffic
            .report(self.line.statistics(), self.line.rate())
    }

    /// The rate of the line.
    pub fn rate(&self) -> Option<u32> {
        self.line.rate()
    }

    /// Sets how many unanswered requests the core takes.
    pub fn set_window(&mut self, window: usize) {
        self.window = window;
    }

    /// Handshake: ends all requests of an earlier session.
    ///
    /// The delimiter ends a half-sent frame, the reset drops queued requests, and after the pong with
    /// this nonce no older reply can follow, since a core answers in order. A late pong shows that the
    /// next one is worth waiting for.
    ///
    /// # Errors
    /// When no such pong comes.
    pub async fn handshake(&mut self, nonce: u64) -> Result<(), BackendError> {
        let (mut attempt, mut attempts) = (1, ATTEMPTS);
        self.seq = nonce as u16;
        self.timer.reset();
        self.garbage = 0;
        'again: loop {
            // The reset drops the requests of an earlier session, and our own.
            self.in_flight.sent.clear();
            let sent = self.write(&[DELIMITER]).await;
            self.named(sent)?;
            self.send(&Request::empty(&table::RESET), Purpose::Orphan)
                .await?;
            let seq = self.ping(nonce, Purpose::Orphan).await?;
            loop {
                match self.receive().await {
                    Ok(frames) => {
                        let is_pong = |f: &&Reply| {
                            f.kind == table::PONG.id
                                && Ping::decode(&f.payload) == Ok(Ping { nonce })
                        };
                        for pong in frames.iter().flatten().filter(is_pong) {
                            if pong.seq == seq {
                                self.in_flight.sent.clear();
                                self.garbage = 0;
                                return Ok(());
                            }
                            attempts = 2 * ATTEMPTS;
                        }
                    }
                    Err(LinkError::Silent(why)) if attempt < attempts => {
                        debug!(name = self.name, attempt, why, "no pong, sending again");
                        attempt += 1;
                        continue 'again;
                    }
                    Err(why) => return self.named(Err(why)),
                }
            }
        }
    }

    /// Sends a request and returns its reply's payload.
    pub async fn ask(&mut self, request: Request) -> Result<Bytes, BackendError> {
        let mut replies = self.ask_all(&[request]).await?;
        Ok(replies.pop().unwrap_or_default())
    }

    /// Sends requests, as many at a time as the window allows, and returns
    /// their replies' payloads in their order.
    ///
    /// # Errors
    /// When the core does not reply, refuses a request, or its reply does not fit.
    pub async fn ask_all(&mut self, requests: &[Request]) -> Result<Vec<Bytes>, BackendError> {
        self.stream(requests, &mut ()).await
    }

    /// As [`Self::ask_all`], with streams among the requests: `parts` gets their parts, and the replies
    /// are their ends.
    pub async fn stream(
        &mut self,
        requests: &[Request],
        parts: &mut dyn Parts,
    ) -> Result<Vec<Bytes>, BackendError> {
        let mut batch = Batch::new(requests.to_vec(), parts);
        self.drive(&mut batch).await?;
        Ok(batch.into_replies())
    }

    /// Cancels the streams that an earlier call left in progress, and waits for their ends.
    pub async fn end_streams(&mut self) -> Result<(), BackendError> {
        self.in_flight.orphan_all();
        if !self.in_flight.has_orphan_stream() {
            return Ok(());
        }
        let nonce = u64::from(self.seq);
        let ping = Request::new(&table::PING, Ping { nonce }.encode());
        self.ask(ping).await.map(|_| ())
    }

    /// Sends the requests of a batch until all are answered.
    ///
    /// It may be called again after an error or a dropped future: answered requests stay answered,
    /// and a stream in progress is cancelled first.
    ///
    /// # Errors
    /// As [`Self::ask_all`]; [`BackendErrorKind::Broken`] when a stream loses parts too often.
    pub async fn drive(&mut self, batch: &mut Batch<'_>) -> Result<(), BackendError> {
        // No reply to a request of an earlier call belongs to this batch.
        self.in_flight.orphan_all();
        self.waiting_since = Instant::now();
        Exchange::new(self, batch).run().await
    }

    /// Adds the backend's name to an error.
    pub(super) fn named<T, E: Into<BackendErrorKind>>(
        &self,
        result: Result<T, E>,
    ) -> Result<T, BackendError> {
        result.map_err(|why| why.into().of(&self.name))
    }

    /// Sends a ping and starts to wait; returns its sequence number.
    pub(super) async fn ping(&mut self, nonce: u64, purpose: Purpose) -> Result<u16, BackendError> {
        self.waiting_since = Instant::now();
        let ping = Request::new(&table::PING, Ping { nonce }.encode());
        self.send(&ping, purpose).await
    }

    /// Sends one frame and returns its sequence number.
    pub(super) async fn send(
        &mut self,
        request: &Request,
        purpose: Purpose,
    ) -> Result<u16, BackendError> {
        self.seq = self.seq.wrapping_add(1);
        while self.in_flight.awaits(self.seq) {
            self.seq = self.seq.wrapping_add(1);
        }
        let frame = Frame {
            seq: self.seq,
            kind: request.message.id,
            payload: request.payload.as_ref(),
        };
        let wire = frame::encode(&frame).map_err(|why| {
            let request = request.message.name;
            let why = format!("the request {request} does not fit into a frame: {why}");
            BackendErrorKind::Failed(why).of(&self.name)
        })?;
        self.in_flight.sent.push_back(Sent {
            seq: self.seq,
            message: request.message,
            at: Instant::now(),
            purpose,
            in_core: true,
            stream: StreamProgress::of(request.replies),
            extra_time: request.extra_time,
        });
        self.traffic.counts.requests += 1;
        let sent = self.write(wire.as_ref()).await;
        self.named(sent)?;
        Ok(self.seq)
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        tracing::trace!(
            name = self.name,
            bytes = format_args!("{bytes:02x?}"),
            "sent"
        );
        self.line.send(bytes).await
    }

    /// Waits for bytes and returns the frames that they complete; `None` stands for a damaged frame.
    pub(super) async fn receive(&mut self) -> Result<Vec<Option<Reply>>, LinkError> {
        self.garbage += 1;
        if self.garbage > GARBAGE_LIMIT {
            return Err(LinkError::Closed(format!(
                "bytes came {GARBAGE_LIMIT} times without a reply among them: is this the right port \
                 and baud rate?"
            )));
        }
        let within = match self
            .timer
            .left(self.waiting_since, self.in_flight.extra_time())
        {
            Some(within) => within,
            // This process may have been delayed: look once more.
            None if self.looked_again != Some(self.waiting_since) => {
                self.looked_again = Some(self.waiting_since);
                GRACE
            }
            None => return Err(LinkError::Silent("no reply came in time".to_string())),
        };
        // A link that is always ready must not starve other tasks. There is no await between
        // receiving bytes and decoding them, so that a dropped future loses none.
        tokio::task::yield_now().await;
        let bytes = self.line.receive(within).await?;
        tracing::trace!(
            name = self.name,
            bytes = format_args!("{:02x?}", &bytes[..]),
            "received"
        );
        let mut frames = Vec::new();
        for byte in bytes {
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(frame)) => {
                    self.has_replied |= frame.kind & REPLY != 0;
                    frames.push(Some(Reply {
                        seq: frame.seq,
                        kind: frame.kind,
                        payload: Bytes::copy_from_slice(frame.payload),
                    }));
                }
                Some(Err(why)) => {
                    debug!(name = self.name, %why, "dropped a damaged frame");
                    self.traffic.counts.damaged += 1;
                    frames.push(None);
                }
            }
        }
        Ok(frames)
    }
}

/// A frame as received.
pub(super) struct Reply {
    pub(super) seq: u16,
    pub(super) kind: u8,
    pub(super) payload: Bytes,
}
