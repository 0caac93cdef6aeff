//! Requests and their replies, matched by sequence number.
//!
//! Up to a window of requests is in flight. Every request sent has a sequence
//! number of its own, also when it is sent again, and no number is used again
//! while a reply to it may still come. A core answers in order: with a reply,
//! whatever was sent before it and is not answered yet will never be. So a lost
//! frame is noticed at the next reply, or by silence when there is none. A reply
//! that comes after its request was sent again answers that request all the
//! same. Requests that were given up (a refusal, a dropped future) still lie in
//! the core: they count against the window until they are answered.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bytes::Bytes;
use protocol::frame::{self, DELIMITER, Decoder, Frame};
use protocol::layout::{Game, Message, REPLY, link as table};
use protocol::payload::PayloadError;
use protocol::payload::link::{Ping, Refusal};
use tracing::debug;

use super::asked::Asked;
use super::patience::{GRACE, Patience, Timer};
use super::traffic::{Traffic, Watched};
use crate::backend::{BackendError, BackendErrorKind};
use crate::link::{Link, LinkError};

pub use super::asked::Request;

/// How often requests are sent before silence is an error.
const ATTEMPTS: u32 = 3;

/// How often a core may say `busy` between two other answers.
const BUSY: u32 = 100;

/// How often bytes may come that answer nothing before that is an error. A
/// slow line may give a reply byte by byte.
const BABBLE: u32 = 20_000;

/// A request that was sent.
struct Sent {
    seq: u16,
    at: Instant,
    wanted: Wanted,
    /// Whether it may still lie in the core; not after silence.
    held: bool,
}

/// Who waits for a reply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// The request of that index, of those being asked now.
    By(usize),
    /// Nobody any more.
    No,
}

/// One end of a link.
pub struct Client {
    name: String,
    game: &'static Game,
    link: Box<dyn Link>,
    timer: Timer,
    decoder: Decoder,
    seq: u16,
    window: usize,
    /// Requests to which a reply may still come, in the order they were sent.
    sent: VecDeque<Sent>,
    /// Receives since the last answer to anything sent.
    babble: u32,
    /// Since when an answer is waited for.
    since: Instant,
    /// When the last answer came.
    heard: Instant,
    /// The wait, by its `since`, in which what is long overdue was looked for.
    looked: Option<Instant>,
    traffic: Traffic,
}

impl Client {
    /// An end that has sent nothing, to a core for that game.
    pub fn new(
        name: &str,
        game: &'static Game,
        link: Box<dyn Link>,
        patience: impl Into<Patience>,
    ) -> Self {
        Self {
            name: name.into(),
            game,
            link,
            timer: Timer::new(patience.into()),
            decoder: Decoder::new(),
            seq: 0,
            window: 1,
            sent: VecDeque::new(),
            babble: 0,
            since: Instant::now(),
            heard: Instant::now(),
            looked: None,
            traffic: Traffic::default(),
        }
    }

    /// The link, to open it again or to change its rate: replies on their way are
    /// then lost, and how long they take has to be learned anew.
    pub fn link(&mut self) -> &mut dyn Link {
        self.timer.reset();
        &mut *self.link
    }

    /// Runs the line at a higher rate, in baud: answers take no longer than those
    /// that came before, and are given as long.
    ///
    /// # Errors
    /// As [`Link::set_rate`].
    pub(super) async fn raise_rate(&mut self, baud: u32) -> Result<(), BackendError> {
        let raised = self.link.set_rate(baud).await;
        self.link_result(raised)
    }

    /// What it is connected to, in one line.
    pub fn place(&self) -> String {
        self.link.describe()
    }

    /// Rate of the line in baud; `None` where it cannot be set.
    pub fn rate(&self) -> Option<u32> {
        self.link.rate()
    }

    /// How long no answer has come.
    pub(super) fn idle(&self) -> Duration {
        self.heard.elapsed()
    }

    /// What passed, so far.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// What passed, to add to it.
    pub(super) fn traffic_mut(&mut self) -> &mut Traffic {
        &mut self.traffic
    }

    /// Bytes received over the link.
    pub fn received(&self) -> u64 {
        self.link.statistics().received
    }

    /// What passed, in numbers.
    pub fn report(&self) -> super::traffic::LinkReport {
        self.traffic
            .report(self.link.statistics(), self.link.rate())
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
        self.timer.reset();
        self.babble = 0;
        'again: loop {
            // The reset drops what an earlier session asked, and our own.
            self.sent.clear();
            let sent = self.link_send(&[DELIMITER]).await;
            self.link_result(sent)?;
            self.send(&Request::empty(&table::RESET), Wanted::No)
                .await?;
            let ping = Request::new(&table::PING, ping);
            let seq = self.send(&ping, Wanted::No).await?;
            self.since = Instant::now();
            loop {
                match self.receive().await {
                    Ok(Received { frames, .. }) => {
                        let pong = |f: &Reply| {
                            f.seq == seq
                                && f.kind == table::PONG.id
                                && Ping::decode(&f.payload) == Ok(Ping { nonce })
                        };
                        if frames.iter().any(pong) {
                            self.sent.clear();
                            self.babble = 0;
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
        let mut asked = Asked::new(requests.to_vec(), Watched::No);
        self.go_on(&mut asked).await?;
        Ok(asked.into_replies())
    }

    /// Asks what is not answered yet. After an error it may be called again: what
    /// was answered stays so.
    ///
    /// # Errors
    /// As [`Self::ask_all`].
    pub async fn go_on(&mut self, asked: &mut Asked) -> Result<(), BackendError> {
        // What an earlier call left is no business of this one.
        for sent in &mut self.sent {
            sent.wanted = Wanted::No;
        }
        let mut waiting = asked.unanswered();
        let (mut attempt, mut busy) = (1, 0);
        self.since = Instant::now();
        while asked.replies.iter().any(Option::is_none) {
            while self.in_core() < self.window
                && let Some(index) = waiting.pop_front()
            {
                if asked.replies[index].is_some() {
                    continue;
                }
                if self.in_core() == 0 {
                    self.since = Instant::now();
                }
                self.send(&asked.requests[index], Wanted::By(index)).await?;
            }
            let Received { frames, damaged } = match self.receive().await {
                Ok(received) => received,
                Err(LinkError::Silent(why)) if attempt < ATTEMPTS => {
                    debug!(name = self.name, attempt, why, "asking again");
                    attempt += 1;
                    self.timer.silent();
                    self.give_up(&mut waiting);
                    continue;
                }
                Err(why) => return self.link_result(Err(why)),
            };
            for reply in frames {
                let Some(sent) = self.settle(reply.seq, &mut waiting) else {
                    debug!(
                        name = self.name,
                        reply.seq, reply.kind, "dropped a stale reply"
                    );
                    self.traffic.counts.stale += 1;
                    continue;
                };
                attempt = 1;
                let Wanted::By(index) = sent.wanted else {
                    continue;
                };
                if asked.replies[index].is_some() {
                    // It was sent again, and an earlier attempt was answered after all.
                    self.traffic.counts.stale += 1;
                    continue;
                }
                let accepted = self.accept(asked.requests[index].message, reply);
                self.timer.answered(sent.at.elapsed());
                match accepted {
                    Ok(payload) => {
                        busy = 0;
                        self.traffic.answered(sent.at.elapsed(), asked.watched);
                        asked.replies[index] = Some(payload);
                    }
                    Err(error) if is_busy(&error) && busy < BUSY => {
                        debug!(name = self.name, busy, "the core is busy, asking again");
                        self.traffic.counts.busy += 1;
                        busy += 1;
                        waiting.push_front(index);
                    }
                    Err(why) => return Err(why),
                }
            }
            // The only reply that can have been damaged is not waited for.
            if damaged && self.in_core() == 1 {
                self.give_up(&mut waiting);
            }
        }
        Ok(())
    }

    /// Requests that may lie in the core.
    fn in_core(&self) -> usize {
        self.sent.iter().filter(|sent| sent.held).count()
    }

    /// Takes all that is in flight for lost; what is wanted is to be sent again,
    /// in its order.
    fn give_up(&mut self, waiting: &mut VecDeque<usize>) {
        for sent in self.sent.iter_mut().rev() {
            if sent.held
                && let Wanted::By(index) = sent.wanted
            {
                self.traffic.lost();
                waiting.push_front(index);
            }
            sent.held = false;
        }
        self.since = Instant::now();
    }

    /// The request a reply belongs to. Those sent before it will not be answered
    /// any more; they are to be sent again.
    fn settle(&mut self, seq: u16, waiting: &mut VecDeque<usize>) -> Option<Sent> {
        let place = self.sent.iter().position(|sent| sent.seq == seq)?;
        let sent = self.sent.remove(place)?;
        for lost in self.sent.drain(..place).rev() {
            if lost.held
                && let Wanted::By(index) = lost.wanted
            {
                debug!(
                    name = self.name,
                    lost.seq, "overtaken by a later reply: lost"
                );
                self.traffic.lost();
                waiting.push_front(index);
            }
        }
        self.babble = 0;
        self.since = Instant::now();
        self.heard = self.since;
        Some(sent)
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
    async fn send(&mut self, request: &Request, wanted: Wanted) -> Result<u16, BackendError> {
        self.seq = self.seq.wrapping_add(1);
        while self.sent.iter().any(|sent| sent.seq == self.seq) {
            self.seq = self.seq.wrapping_add(1);
        }
        let frame = Frame {
            seq: self.seq,
            kind: request.message.id,
            payload: request.payload.as_ref(),
        };
        let wire = frame::encode(&frame).map_err(|why| {
            let request = request.message.name;
            BackendErrorKind::TooLong { request, why }.of(&self.name)
        })?;
        self.sent.push_back(Sent {
            seq: self.seq,
            at: Instant::now(),
            wanted,
            held: true,
        });
        self.traffic.counts.requests += 1;
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
    async fn receive(&mut self) -> Result<Received, LinkError> {
        self.babble += 1;
        if self.babble > BABBLE {
            return Err(LinkError::Closed(format!(
                "{BABBLE} times bytes came that answer nothing: is this the right port and baud rate?"
            )));
        }
        let within = match self.timer.within(self.since) {
            Some(within) => within,
            // This end may have been kept from looking until now.
            None if self.looked != Some(self.since) => {
                self.looked = Some(self.since);
                GRACE
            }
            None => return Err(LinkError::Silent("no reply came in time".to_string())),
        };
        let bytes = self.link.receive(within).await?;
        // A link that is always ready must not keep others from their turn.
        tokio::task::yield_now().await;
        tracing::trace!(name = self.name, bytes = %Hex(&bytes), "received");
        let mut received = Received::default();
        for byte in bytes {
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(frame)) => received.frames.push(Reply {
                    seq: frame.seq,
                    kind: frame.kind,
                    payload: Bytes::copy_from_slice(frame.payload),
                }),
                Some(Err(why)) => {
                    debug!(name = self.name, %why, "dropped a damaged frame");
                    self.traffic.counts.damaged += 1;
                    received.damaged = true;
                }
            }
        }
        Ok(received)
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

/// Frames as received.
#[derive(Default)]
struct Received {
    frames: Vec<Reply>,
    /// Whether some were damaged and are left out.
    damaged: bool,
}

/// A frame as received.
struct Reply {
    seq: u16,
    kind: u8,
    payload: Bytes,
}
