//! Traces and games of the whole core, with other requests, cancels and stalls.

use lockstep_games::tetris::Piece;
use protocol::layout::{REPLY, link, tetris};

use super::conversation::{Trial, empty};
use super::requests::Request;
use crate::Failure;
use crate::random::Pace;
use crate::tetris::{any_position, any_weights};

/// Weights with which games last long.
pub(super) const LASTING: [i32; 14] = [
    -1_340_000, 1_380_000, 0, -2_410_000, -6_320_000, 2_030_000, 0, -2_710_000, -430_000,
    -9_480_000, 890_000, 0, 0, 0,
];

impl Trial {
    /// A trace followed by another request; then a cancelled trace, of which the first parts
    /// arrive.
    pub(super) fn traces(&mut self) -> Result<(), Failure> {
        self.settle()?;
        self.paces();
        let weights = any_weights(&mut self.random);
        self.ask(&Request::set_weights(&weights))?;
        let mut position = any_position(&mut self.random);
        let behind = match self.random.chance(50) {
            true => Request::decide(&position, position.piece.number(), tetris::NO_PIECE),
            false => {
                // The request keeps its slot until the trace ends, so that fewer credits fit.
                position.piece = self
                    .random
                    .choice(&[Piece::I, Piece::O, Piece::S, Piece::Z]);
                Request::set_weights(&any_weights(&mut self.random))
            }
        };
        let requests = [Request::trace(&position), behind];
        // The four credits of a trace need all slots.
        self.ask_all(&requests)?;
        self.settle()?;
        let trace = Request::trace(&any_position(&mut self.random));
        let (seq, answer) = self.sends(&trace);
        let cycles = self.random.below(3_000);
        self.wait(cycles)?;
        let cancel = self.cancel();
        self.flush()?;
        // One part is being sent, one waits for the transmitter, three are in the reply buffer, and
        // one is ready.
        let most = self.replies.len() + 6;
        let mut parts = answer.parts.iter();
        loop {
            let reply = self.receive()?;
            if reply.1.0 == tetris::PLACEMENT.id {
                let expected = parts.next().map(|part| (seq, part.clone()));
                self.same("the part", &Some(reply), &expected)?;
                continue;
            }
            let sent = (answer.parts.len() - parts.len()) as u16;
            if usize::from(sent) > most {
                return self.differs(format!(
                    "{sent} parts of a cancelled trace, expected {most} at most"
                ));
            }
            let whole = parts.len() == 0;
            if whole && reply.1.1.get(2) == Some(&0) {
                self.is_end(&reply, seq, &answer)?;
            } else {
                let mut payload = [&sent.to_le_bytes()[..], &[1]].concat();
                payload.resize(tetris::TRACED.bytes(), 0);
                let expected = (seq, (tetris::TRACED.id, payload));
                self.same("the end of a cancelled trace", &reply, &expected)?;
                self.same("a whole trace is cancelled", &whole, &false)?;
            }
            break;
        }
        self.expect(cancel, &empty(link::CANCEL_REPLY))
    }

    /// Sends all requests before the first one is answered, and compares the answers.
    pub(super) fn ask_all(&mut self, requests: &[Request]) -> Result<(), Failure> {
        let mut sent = Vec::new();
        for request in requests {
            let seq = self.send(request);
            sent.push((seq, self.responder.answer(request)));
        }
        for (seq, answer) in sent {
            self.answered(seq, &answer, false)?;
        }
        Ok(())
    }

    /// Two `play` requests, or a `self_play` and a `decide`, the second sent during the first; then
    /// one that plays, and is cancelled at any time.
    pub(super) fn plays(&mut self) -> Result<(), Failure> {
        self.settle()?;
        self.paces();
        let weights = any_weights(&mut self.random);
        self.ask(&Request::set_weights(&weights))?;
        let position = any_position(&mut self.random);
        // Credits need two slots.
        let requests = match self.random.chance(50) {
            true => [
                Request::play(&mut self.random, 36),
                Request::play(&mut self.random, 5),
            ],
            false => [
                self.self_play(12, 1),
                Request::decide(&position, position.piece.number(), tetris::NO_PIECE),
            ],
        };
        self.ask_all(&requests)?;
        self.settle()?;
        let request = match self.random.chance(50) {
            true => Request::play(&mut self.random, 160),
            false => {
                let spacing = self.random.choice(&[1, 3, 1_000_000]);
                self.self_play(u32::MAX, spacing)
            }
        };
        let after = self.random.below(4_000);
        self.cancelled_game(&request, after)
    }

    /// A game that is cancelled `after` clock cycles.
    pub(super) fn cancelled_game(&mut self, request: &Request, after: u64) -> Result<(), Failure> {
        let seq = self.send(request);
        self.wait(after)?;
        let cancel = self.cancel();
        let mut replies = vec![self.receive()?];
        while let Some((_, (kind, _))) = replies.last()
            && [tetris::MOVES.id, tetris::CHECKPOINT.id].contains(kind)
        {
            replies.push(self.receive()?);
        }
        // Its number of pieces is arbitrary; the rest follows from it.
        let end = replies
            .pop()
            .map(|(_, (_, payload))| payload)
            .unwrap_or_default();
        self.same("bytes of the end", &end.len(), &tetris::PLAYED.bytes())?;
        let pieces = u32::from_le_bytes([end[2], end[3], end[4], end[5]]);
        let stop = (end[38] != 0).then_some(pieces);
        let answer = self.responder.answer_to(request, stop);
        replies.push((seq, (request.kind | REPLY, end)));
        let last = (seq, answer.message);
        let expected = answer.parts.into_iter().map(|part| (seq, part));
        let expected: Vec<_> = expected.chain([last]).collect();
        self.same("the replies of a cancelled game", &replies, &expected)?;
        self.expect(cancel, &empty(link::CANCEL_REPLY))
    }

    /// Two refused games, then two games during which no reply is taken: the second one stalls when
    /// its moves find no room.
    pub(super) fn long_play(&mut self) -> Result<(), Failure> {
        self.settle()?;
        (self.arrivals, self.service) = (None, None);
        self.ask(&Request::set_weights(&LASTING))?;
        let most = tetris::PLAY_PIECES as u16;
        let too_many = Request::play(&mut self.random, most + 1);
        self.ask(&too_many)?;
        let mut no_piece = Request::play(&mut self.random, most);
        no_piece.payload[27] |= 7;
        self.ask(&no_piece)?;
        self.service = Some(Pace::of(0));
        let mut sent = Vec::new();
        // All replies of the first game fit into the buffer.
        for pieces in [40, most] {
            let mut request = Request::play(&mut self.random, pieces);
            request.payload[..25].fill(0);
            sent.push((self.send(&request), request));
        }
        self.wait(50_000)?;
        self.service = None;
        for (seq, request) in sent {
            let answer = self.responder.answer(&request);
            self.answered(seq, &answer, false)?;
        }
        Ok(())
    }
}
