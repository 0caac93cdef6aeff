//! The bins of the wire, counted from the bytes of a link in both directions.
//!
//! The bins follow from the wire's tables: a new message or error code is a new bin.

use protocol::layout::{CANCELLED, ErrorCode, GameTable, Message, PART, REPLY, WINDOW, link};
use protocol::payload::link::Refusal;
use protocol::{Decoder, Frame};

use super::bins::{Bins, Group};

const WAITING: &str = "requests that are unanswered when another one is sent";
const REFUSED: &str = "error codes";
const MESSAGES: &str = "messages";
const STREAMS: &str = "streams";

/// The bin of a stream's end.
fn end_of(request: &Message, is_cancelled: bool) -> String {
    let end = if is_cancelled {
        "is cancelled"
    } else {
        "ends by itself"
    };
    format!("{} {end}", request.name)
}

/// All bins of a game's wire; `never` lists error codes that its core does not send.
pub fn groups(game: &GameTable, never: &[ErrorCode]) -> Vec<Group> {
    let names = game.all_messages().map(|message| message.name);
    let ends = |request| [false, true].map(|cancelled| end_of(request, cancelled));
    let given = game.all_errors().filter(|error| !never.contains(error));
    vec![
        Group::new(WAITING, 0..=WINDOW),
        Group::new(REFUSED, given),
        Group::new(MESSAGES, names),
        Group::new(STREAMS, streams(game).flat_map(ends)),
    ]
}

/// The requests whose replies have parts.
pub fn streams(game: &GameTable) -> impl Iterator<Item = &'static Message> {
    let is_stream = |m: &&Message| m.is_request() && game.message(m.id | REPLY | PART).is_some();
    game.all_messages().filter(is_stream)
}

/// Counts the bins of one link.
pub struct Watch {
    game: &'static GameTable,
    bins: Bins,
    to_core: Decoder,
    from_core: Decoder,
    /// Sequence numbers and messages of the unanswered requests, the oldest first.
    waiting: Vec<(u16, u8)>,
    wrong: Option<String>,
}

impl Watch {
    /// A watch on the core of a game.
    pub fn new(game: &'static GameTable) -> Self {
        Self {
            game,
            bins: Bins::default(),
            to_core: Decoder::new(),
            from_core: Decoder::new(),
            waiting: Vec::new(),
            wrong: None,
        }
    }

    /// Processes bytes to the core, which may be malformed.
    pub fn sent(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let Some(Ok(Frame { seq, kind, payload })) = self.to_core.push(*byte) else {
                continue;
            };
            let resets = kind == link::RESET.id && payload.is_empty();
            let waiting = self.waiting.len().min(WINDOW.into());
            self.bins.hit(WAITING, waiting);
            if let Some(message) = self.game.message(kind) {
                self.bins.hit(MESSAGES, message.name);
            }
            if resets {
                self.forget();
            }
            self.waiting.push((seq, kind));
        }
    }

    /// Processes bytes from the core.
    pub fn received(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let wrong = match self.from_core.push(*byte) {
                None => continue,
                Some(Ok(Frame { seq, kind, payload })) => {
                    let payload = payload.to_vec();
                    self.reply(seq, kind, &payload).err()
                }
                Some(Err(error)) => Some(format!("the core sent a malformed frame: {error}")),
            };
            self.wrong = self.wrong.take().or(wrong);
        }
    }

    /// Forgets the unanswered requests after a reset.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Returns the bins that were hit, or the first error of the core.
    pub fn end(self) -> Result<Bins, String> {
        self.wrong.map_or(Ok(self.bins), Err)
    }

    fn reply(&mut self, seq: u16, kind: u8, payload: &[u8]) -> Result<(), String> {
        let message = self.game.message(kind);
        let message =
            message.ok_or_else(|| format!("the core sent the unknown message {kind:#04x}"))?;
        self.bins.hit(MESSAGES, message.name);
        if message.is_part() {
            return Ok(());
        }
        // A reply to a request from before a reset.
        let Some(place) = self.waiting.iter().position(|(waiting, _)| *waiting == seq) else {
            return Ok(());
        };
        let (_, request) = self.waiting.remove(place);
        if kind == link::ERROR.id {
            let refused = Refusal::decode(self.game, payload).map_err(|e| e.to_string())?;
            self.bins.hit(REFUSED, refused.code);
        } else if let Some(request) = self.game.message(request)
            && let Some(slot) = message.slot(CANCELLED)
        {
            let is_cancelled = payload.get(slot.start) != Some(&0);
            self.bins.hit(STREAMS, end_of(request, is_cancelled));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use protocol::frame;
    use protocol::layout::tetris::{self, GAME};

    use super::*;

    fn wire(seq: u16, kind: u8, payload: &[u8]) -> Vec<u8> {
        let wire = frame::encode(&Frame { seq, kind, payload }).expect("short");
        wire.as_ref().to_vec()
    }

    /// The bins hit by two requests and a reply to the first one, or the error.
    fn watched(kind: u8, payload: &[u8]) -> Result<Bins, String> {
        let mut watch = Watch::new(&GAME);
        watch.sent(&wire(4, tetris::TRACE.id, &[]));
        watch.sent(&wire(5, link::INFO.id, &[]));
        watch.received(&wire(4, kind, payload));
        watch.end()
    }

    #[test]
    fn watch_reply_hits_its_bins() {
        let mut cancelled = vec![0; tetris::TRACED.bytes()];
        let whole = cancelled.clone();
        cancelled[tetris::TRACED.slot(CANCELLED).expect("a field").start] = 1;
        let refusal = vec![tetris::WEIGHTS_UNSET.number, tetris::TRACE.id];
        for (message, payload, group, label) in [
            (tetris::TRACED, whole, STREAMS, "trace ends by itself"),
            (tetris::TRACED, cancelled, STREAMS, "trace is cancelled"),
            (link::ERROR, refusal, REFUSED, "weights_unset"),
        ] {
            let bins = watched(message.id, &payload).expect("no error");
            let sent = [(MESSAGES, "trace"), (WAITING, "0"), (WAITING, "1")];
            let got = [(group, label), (MESSAGES, message.name)];
            for (group, label) in sent.into_iter().chain(got) {
                assert_eq!(bins.count(group, label), 1, "{label}");
            }
        }
        let unknown = "the core sent the unknown message 0x70".to_owned();
        assert_eq!(watched(0x70, &[]), Err(unknown));
    }

    #[test]
    fn groups_have_every_code_message_and_stream_once() {
        let groups = groups(&GAME, &[]);
        let all: Vec<String> = groups.into_iter().flat_map(|group| group.labels).collect();
        for message in GAME.all_messages() {
            let stream = all.contains(&end_of(message, false));
            let listed = ["trace", "play", "self_play"].contains(&message.name);
            assert_eq!(stream, listed, "{}", message.name);
        }
        let unique: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(unique.len(), all.len(), "a bin occurs twice");
    }
}
