//! Limits of the whole core: large counts, streams after streams, cancels close to an end.

use lockstep_games::tetris::Piece;
use lockstep_games::tetris::board::Board;
use protocol::layout::{link, tetris};

use super::conversation::{Trial, empty};
use super::requests::Request;
use super::streams::LASTING;
use crate::Failure;
use crate::tetris::{any_position, any_weights, position};

/// Size of the board at the beginning of a request, in bytes.
const BOARD: usize = 25;

/// The request with a board of equal bytes.
fn on(mut request: Request, bytes: u8) -> Request {
    request.payload[..BOARD].fill(bytes);
    request
}

impl Trial {
    pub(super) fn limits(&mut self) -> Result<(), Failure> {
        self.settle()?;
        (self.arrivals, self.service) = (None, None);
        self.ask(&Request::set_weights(&LASTING))?;
        self.counts_of_many_bits()?;
        self.streams_behind_streams()?;
        self.weights_behind_a_game()?;
        self.cancels_about_the_last_piece()?;
        self.lost_games()?;
        self.a_cancel_with_a_request_behind()?;
        self.cancels_behind_a_trace()?;
        self.a_reset_in_a_stream()?;
        self.long_sums()
    }

    fn endless(&mut self) -> Request {
        on(self.self_play(u32::MAX, 1_000_000), 0)
    }

    /// Counts whose lower bits alone would be valid, or 0.
    fn counts_of_many_bits(&mut self) -> Result<(), Failure> {
        for pieces in [0x200, 0x201, 0x2a0, 0x8001] {
            let refused = Request::play(&mut self.random, pieces);
            self.ask(&refused)?;
        }
        for pieces in [0x1_0000, 0x1_0001, 0x100_0003] {
            let request = self.self_play(pieces, 1_000_000);
            self.cancelled_game(&request, 1_500)?;
        }
        let request = self.self_play(3, 0x1_0001);
        self.ask(&request)
    }

    /// The second stream needs its whole initial credit.
    fn streams_behind_streams(&mut self) -> Result<(), Failure> {
        let streams = [7, 9].map(|pieces| on(self.self_play(pieces, 1), 0));
        self.ask_all(&streams)?;
        self.settle()
    }

    /// The weights take effect after the game.
    fn weights_behind_a_game(&mut self) -> Result<(), Failure> {
        let game = on(Request::play(&mut self.random, 36), 0);
        let other = any_weights(&mut self.random);
        self.ask_all(&[game, Request::set_weights(&other)])?;
        self.ask(&Request::set_weights(&LASTING))
    }

    /// A game of one piece is either complete or cancelled, and reports which.
    fn cancels_about_the_last_piece(&mut self) -> Result<(), Failure> {
        for after in 60..500 {
            let request = on(self.self_play(1, 1), 0);
            self.cancelled_game(&request, after)?;
        }
        Ok(())
    }

    /// Games on a full board, which are lost at the last piece or with a cancel.
    fn lost_games(&mut self) -> Result<(), Failure> {
        for pieces in [1, 2, 1] {
            let request = on(self.self_play(pieces, pieces), 0xfe);
            self.ask(&request)?;
        }
        for after in 60..300 {
            let request = on(self.self_play(50, 1), 0xfe);
            self.cancelled_game(&request, after)?;
        }
        Ok(())
    }

    /// A cancel ends the stream under way; the request after it is answered.
    fn a_cancel_with_a_request_behind(&mut self) -> Result<(), Failure> {
        let endless = self.endless();
        let stream = self.send(&endless);
        let position = any_position(&mut self.random);
        let decide = Request::decide(&position, position.piece.number(), tetris::NO_PIECE);
        let behind = self.send(&decide);
        self.wait(3_000)?;
        let cancel = self.cancel();
        let (seq, (kind, _)) = self.receive()?;
        let end = (stream, tetris::SELF_PLAYED.id);
        self.same("the end of a cancelled stream", &(seq, kind), &end)?;
        let answer = self.responder.answer(&decide);
        self.expect(behind, &answer.message)?;
        self.expect(cancel, &empty(link::CANCEL_REPLY))
    }

    /// Traces an O on the empty board, whose parts are all computed early: a complete trace does
    /// not count as cancelled.
    fn cancels_behind_a_trace(&mut self) -> Result<(), Failure> {
        let trace = Request::trace(&position(Board::new(10, 20), Piece::O));
        let answer = self.responder.answer(&trace);
        let phase = self.random.below(5);
        for after in (300 + phase..900).step_by(5) {
            let seq = self.send(&trace);
            self.wait(after)?;
            let cancel = self.cancel();
            let mut parts = 0;
            let end = loop {
                let reply = self.receive()?;
                if reply.1.0 != tetris::PLACEMENT.id {
                    break reply;
                }
                parts += 1;
            };
            if parts == answer.parts.len() {
                self.is_end(&end, seq, &answer)?;
            }
            self.expect(cancel, &empty(link::CANCEL_REPLY))?;
        }
        Ok(())
    }

    /// After the reset, a request of the link does not overtake one of the game.
    fn a_reset_in_a_stream(&mut self) -> Result<(), Failure> {
        let endless = on(self.self_play(u32::MAX, 1), 0);
        self.send(&endless);
        self.receive()?;
        self.receive()?;
        let reset = self.send(&Request::of(link::RESET));
        self.responder.reset();
        while self.receive()?.0 != reset {}
        self.ask_all(&[Request::set_weights(&LASTING), Request::of(link::INFO)])
    }

    /// Parts, pieces, cycles and scores with more bits than in short games.
    fn long_sums(&mut self) -> Result<(), Failure> {
        self.ask(&Request::set_weights(&[i32::MAX; 14]))?;
        let request = self.self_play(300, 1);
        self.ask(&request)
    }
}
