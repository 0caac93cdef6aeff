//! Keeps the positions of a session, so that its first divergence is a case.

use std::collections::VecDeque;
use std::io;

use lockstep::{Event, Header, Sink};
use lockstep_games::Game;

use crate::case::Case;

/// Maximum number of positions kept: older ones are dropped.
pub const MOST: usize = 4_096;

/// Keeps the last positions of a session, and its first divergence.
#[derive(Debug)]
pub struct History<G: Game> {
    header: Option<Header<G>>,
    positions: VecDeque<G::Position>,
    /// Whether positions are sent to the backends in groups.
    together: bool,
    found: Option<Found<G>>,
}

/// The first divergence of a session.
#[derive(Debug, Clone)]
pub struct Found<G: Game> {
    /// The positions up to it.
    pub case: Case<G>,
    /// Indices of the backends that decided it: those of the seat that was to move.
    pub decided_by: Vec<usize>,
    /// Indices of the backends that differ; never empty.
    pub backends: Vec<usize>,
    /// Game of the session, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    pub step: u64,
}

impl<G: Game> History<G> {
    /// Creates an empty history; `together` if the session requests several positions at once.
    pub fn new(together: bool) -> Self {
        Self {
            header: None,
            positions: VecDeque::new(),
            together,
            found: None,
        }
    }

    /// Whether the session diverged.
    pub fn has_found(&self) -> bool {
        self.found.is_some()
    }

    /// The first divergence, if there is one.
    pub fn found(self) -> Option<Found<G>> {
        self.found
    }
}

impl<G: Game> Sink<G> for History<G> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Started(header) => self.header = Some(header.clone()),
            // New backends have no state of earlier requests.
            Event::PoweredUp => self.positions.clear(),
            Event::Decided(round) if self.found.is_none() => {
                if self.positions.len() == MOST {
                    self.positions.pop_front();
                }
                self.positions.push_back(round.position.clone());
                let mut backends: Vec<usize> = round.mismatches.iter().map(|m| m.backend).collect();
                backends.dedup();
                if let (Some(header), false) = (&self.header, backends.is_empty()) {
                    // Backends get only the positions of their seat.
                    let seat = G::seat(&round.position);
                    let of_seat = |p: &G::Position| header.seats.is_empty() || G::seat(p) == seat;
                    self.found = Some(Found {
                        case: Case {
                            controller: header.controller(&round.position).clone(),
                            positions: self.positions.drain(..).filter(of_seat).collect(),
                            together: self.together,
                        },
                        decided_by: round.asked.clone(),
                        backends,
                        game: round.game,
                        step: round.step,
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lockstep::compare::compare;
    use lockstep::{Answer, Round};
    use lockstep_games::Golden as _;
    use lockstep_games::tetris::board::Board;
    use lockstep_games::tetris::{Controller, Piece, Position, Tetris};

    use super::*;

    fn round(piece: Piece, right: bool) -> Event<Tetris> {
        let position = Position {
            board: Board::new(10, 20),
            piece,
            next: None,
        };
        let controller = Controller::load("lowest").expect("built in");
        let decision = Tetris::decide(&controller, &position).expect("it plays that");
        let answers = vec![Answer::plain(decision.filter(|_| right))];
        Event::Decided(Round {
            game: 1,
            step: 1,
            line: None,
            position,
            mismatches: compare(&decision, &[0], &answers),
            recorded: Some(decision),
            asked: vec![0],
            answers,
            score: None,
            outcome: None,
        })
    }

    #[test]
    fn history_powered_up_starts_again() {
        let controller = Controller::load("lowest").expect("built in");
        let started = Event::Started(Header::new(Vec::new(), controller));
        let mut history = History::new(true);
        let before = [
            started,
            Event::PoweredUp,
            round(Piece::I, true),
            Event::PoweredUp,
        ];
        let after = [round(Piece::J, true), round(Piece::L, false)];
        for event in before.iter().chain(&after) {
            history.take(event).expect("kept");
        }
        let case = history.found().expect("it diverged").case;
        let pieces: Vec<_> = case.positions.iter().map(|p| p.piece).collect();
        assert_eq!(pieces, [Piece::J, Piece::L]);
    }
}
