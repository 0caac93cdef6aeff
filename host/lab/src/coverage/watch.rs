//! Bins from what passes over a link, in both directions, whoever asks and whatever it is.
//!
//! Every decision that passes is compared with the golden model's.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::decide::best;
use lockstep_games::tetris::{Linear, Piece, Placement, Position, Search, Tetris};
use lockstep_games::{Codec as _, Tracing};
use protocol::layout::tetris::{self, COLUMNS, GAME};
use protocol::layout::{WINDOW, link};
use protocol::payload::link::Refusal;
use protocol::payload::tetris::{Decide, Played, Traced, Weights};
use protocol::{Decoder, Frame};

use super::bins::{Bin, Bins, Ends};

/// Reads along on one link.
#[derive(Default)]
pub struct Watch {
    bins: Bins,
    to_core: Decoder,
    from_core: Decoder,
    /// Requests that are unanswered, the oldest first.
    waiting: Vec<Request>,
    weights: Option<Linear>,
    compared: u64,
    wrong: Option<String>,
}

struct Request {
    seq: u16,
    kind: u8,
    payload: Vec<u8>,
}

/// What was read.
#[derive(Debug, Default)]
pub struct Seen {
    /// What happened.
    pub bins: Bins,
    /// Decisions compared with the golden model's.
    pub compared: u64,
    /// The first thing that was not as it has to be.
    pub wrong: Option<String>,
}

impl Seen {
    /// What was read on another link, too.
    pub fn merge(&mut self, other: Self) {
        self.bins.merge(&other.bins);
        self.compared += other.compared;
        self.wrong = self.wrong.take().or(other.wrong);
    }
}

impl Watch {
    /// Bytes on their way to the core, such as are no frame among them.
    pub fn sent(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(Ok(frame)) = self.to_core.push(*byte) {
                let Frame { seq, kind, payload } = frame;
                let payload = payload.to_vec();
                let waiting = self.waiting.len().min(WINDOW.into()) as u8;
                self.bins.hit(Bin::Waiting(waiting));
                if GAME.message(kind).is_some() {
                    self.bins.hit(Bin::Message(kind));
                }
                if kind == link::RESET.id && payload.is_empty() {
                    self.forget();
                }
                self.waiting.push(Request { seq, kind, payload });
            }
        }
    }

    /// Bytes that came from the core.
    pub fn received(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let reply = match self.from_core.push(*byte) {
                None => continue,
                Some(Ok(Frame { seq, kind, payload })) => (seq, kind, payload.to_vec()),
                Some(Err(error)) => {
                    self.complain(format!("the core sent what is no frame: {error}"));
                    continue;
                }
            };
            self.reply(reply.0, reply.1, &reply.2);
        }
    }

    /// The core was reset or is another one: what was asked is not answered, and nothing is set.
    pub fn forget(&mut self) {
        self.waiting.clear();
        self.weights = None;
    }

    /// What was read.
    pub fn end(self) -> Seen {
        Seen {
            bins: self.bins,
            compared: self.compared,
            wrong: self.wrong,
        }
    }

    fn complain(&mut self, what: String) {
        self.wrong.get_or_insert(what);
    }

    fn reply(&mut self, seq: u16, kind: u8, payload: &[u8]) {
        let Some(message) = GAME.message(kind) else {
            return self.complain(format!("the core sent the unknown message {kind:#04x}"));
        };
        self.bins.hit(Bin::Message(kind));
        // Of one that was given up there may still be replies.
        let place = self.waiting.iter().position(|request| request.seq == seq);
        if message.is_part() {
            return;
        }
        let Some(request) = place.map(|place| self.waiting.remove(place)) else {
            return;
        };
        if let Err(what) = self.answered(&request, kind, payload) {
            self.complain(format!(
                "{} is answered wrongly: {what}",
                name(request.kind)
            ));
        }
    }

    /// The reply that ends the answer to a request.
    fn answered(&mut self, request: &Request, kind: u8, payload: &[u8]) -> Result<(), String> {
        let told = |error: protocol::payload::PayloadError| error.to_string();
        let mut ends = |cancelled: bool| {
            let end = match cancelled {
                true => Ends::Cancelled,
                false => Ends::Whole,
            };
            self.bins.hit(Bin::Stream(request.kind, end));
        };
        if kind == link::ERROR.id {
            let refused = Refusal::decode(&GAME, payload).map_err(told)?;
            self.bins.hit(Bin::Refused(refused.code.number));
        } else if kind == tetris::SET_WEIGHTS_REPLY.id {
            let Weights(weights) = Weights::decode(&request.payload).map_err(told)?;
            let search = Search::ONE;
            self.weights = Some(Linear { weights, search });
        } else if kind == tetris::DECISION.id {
            let (found, _) = Tetris::decode_decision(payload).map_err(told)?;
            self.decision(&request.payload, found.decision)?;
        } else if kind == tetris::TRACED.id {
            let cancelled = Traced::decode(payload).map_err(told)?.decision.is_none();
            ends(cancelled);
            if let (false, Some(Tracing { decision, .. })) = (cancelled, Tetris::TRACING) {
                self.decision(&request.payload, decision(payload).map_err(told)?)?;
            }
        } else if [tetris::PLAYED.id, tetris::SELF_PLAYED.id].contains(&kind) {
            ends(Played::decode(payload).map_err(told)?.cancelled);
        }
        Ok(())
    }

    /// What was decided of a position.
    fn decision(&mut self, asked: &[u8], decision: Option<Placement>) -> Result<(), String> {
        let asked = Decide::decode(asked).map_err(|error| error.to_string())?;
        let rows = asked.rows.map(u64::from);
        let board = Board::from_rows(COLUMNS, &rows).map_err(|error| error.to_string())?;
        let piece = Piece::from_number(asked.piece).ok_or("there is no such piece")?;
        let controller = self.weights.as_ref().ok_or("no weights were set")?;
        let position = Position {
            board,
            piece,
            next: None,
        };
        let right = best(&position.board, piece, None, controller)
            .map(|(candidate, score)| Placement::of(&candidate, score));
        self.bins.position(&position, controller);
        self.compared += 1;
        match decision == right {
            true => Ok(()),
            false => Err(format!("{decision:?}, and the golden model says {right:?}")),
        }
    }
}

fn name(kind: u8) -> String {
    let message = GAME.message(kind);
    message.map_or_else(|| format!("{kind:#04x}"), |message| message.name.into())
}

#[cfg(test)]
mod tests {
    use lockstep_games::Golden as _;
    use lockstep_games::tetris::Controller;
    use protocol::frame;
    use protocol::payload::Payload;
    use protocol::payload::link::Refusal;
    use protocol::payload::tetris::{Decision, Placement as Placed};

    use super::*;

    fn wire(seq: u16, kind: u8, payload: Payload) -> Vec<u8> {
        let payload = payload.as_ref();
        let wire = frame::encode(&Frame { seq, kind, payload }).expect("short");
        wire.as_ref().to_vec()
    }

    /// A controller and a position, with the reply that the golden model would give.
    fn decided() -> (Controller, Position, Decision) {
        let controller = Controller::load("dt-20").expect("built in");
        let mut board = Board::new(COLUMNS, 20);
        (0..9).for_each(|column| board.set(column, 0, true));
        let position = Position {
            board,
            piece: Piece::I,
            next: None,
        };
        let placement = Tetris::decide(&controller, &position).expect("it plays");
        let placement = placement.map(|p| Placed {
            rotation: p.rotation as u8,
            column: p.column as u8,
            row: p.row as u8,
            rows_cleared: p.rows_cleared as u8,
            score: p.score.0,
        });
        let decision = Decision {
            placement,
            cycles: 9,
        };
        (controller, position, decision)
    }

    fn watched(change: impl Fn(&mut Placed)) -> Seen {
        let (controller, position, mut decision) = decided();
        change(decision.placement.as_mut().expect("it is legal"));
        let mut watch = Watch::default();
        let weights = Tetris::encode_controller(&controller).expect("linear");
        watch.sent(&wire(1, tetris::SET_WEIGHTS.id, weights));
        let position = Tetris::encode_position(&controller, &position).expect("fits");
        watch.sent(&wire(2, tetris::DECIDE.id, position));
        // Half a frame, and noise
        watch.sent(&[7, 7, 0, 9]);
        watch.received(&wire(1, tetris::SET_WEIGHTS_REPLY.id, Payload::EMPTY));
        watch.received(&wire(2, tetris::DECISION.id, decision.encode()));
        watch.end()
    }

    #[test]
    fn what_passes_fills_bins_and_is_compared() {
        let seen = watched(|_| {});
        assert_eq!((seen.wrong, seen.compared), (None, 1));
        for filled in [
            Bin::Message(tetris::DECIDE.id),
            Bin::Message(tetris::DECISION.id),
            Bin::Waiting(0),
            Bin::Waiting(1),
            Bin::Well(1),
        ] {
            assert_eq!(seen.bins.count(filled), 1, "{filled}");
        }
    }

    /// The golden model says what a position's bins are, whatever a core answers.
    #[test]
    fn a_wrong_answer_is_told_and_fills_no_other_bins() {
        let right = watched(|_| {});
        let wrong = watched(|placed| (placed.rows_cleared, placed.column) = (3, 4));
        assert_eq!(wrong.bins, right.bins);
        let told = wrong.wrong.expect("it is wrong");
        assert!(told.starts_with("decide is answered wrongly: "), "{told}");
    }

    #[test]
    fn a_refusal_fills_the_bin_of_its_code() {
        let mut watch = Watch::default();
        watch.sent(&wire(5, tetris::DECIDE.id, Payload::of(&tetris::DECIDE)));
        let code = tetris::WEIGHTS_UNSET;
        let request = tetris::DECIDE.id;
        let refusal = Refusal { code, request }.encode();
        watch.received(&wire(5, link::ERROR.id, refusal));
        let seen = watch.end();
        assert_eq!(seen.bins.count(Bin::Refused(code.number)), 1);
        assert_eq!((seen.wrong, seen.compared), (None, 0));
    }
}
