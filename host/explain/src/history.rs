//! Keeps the positions of a session, so that its first divergence is a case.

use std::collections::VecDeque;
use std::io;

use lockstep::{Event, Header, Sink};
use lockstep_games::Game;

use crate::case::Case;

/// Maximum number of positions kept: older ones are dropped.
pub const MAX_POSITIONS: usize = 4_096;

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
    /// Indices of the backends that decided it: all of the seat to move.
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
                if self.positions.len() == MAX_POSITIONS {
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
    use lockstep::event::Seat;
    use lockstep::{Answer, Round};
    use lockstep_games::Golden;
    use lockstep_games::connect4::{self, Connect4};
    use lockstep_games::tetris::board::Board;
    use lockstep_games::tetris::{Controller, Piece, Position, Tetris};

    use super::*;

    /// A decision of the backends 2 and 1; the first one makes the decision of `given`.
    fn round<G: Golden>(
        controller: &G::Controller,
        position: &G::Position,
        given: &G::Position,
    ) -> Event<G> {
        let decide = |p| G::decide(controller, p).unwrap_or_else(|e| panic!("{e}"));
        let (right, given) = (decide(position), decide(given));
        let answers = vec![Answer::plain(given), Answer::plain(right.clone())];
        let asked = vec![2, 1];
        let decided = Round::new((3, 4), position.clone(), Some(right), asked, answers);
        Event::Decided(decided)
    }

    fn found<G: Game>(history: &mut History<G>, events: &[&Event<G>]) -> bool {
        for event in events {
            history.take(event).expect("kept");
        }
        history.has_found()
    }

    #[test]
    fn history_powered_up_starts_again() {
        let controller = Controller::load("lowest").expect("built in");
        let [i, j, l] = [Piece::I, Piece::J, Piece::L].map(|piece| Position {
            board: Board::new(10, 20),
            piece,
            next: None,
        });
        let right = |position| round::<Tetris>(&controller, position, position);
        let wrong = round(&controller, &l, &i);
        let started = Event::Started(Header::new(Vec::new(), controller.clone()));
        let begin = [&started, &right(&i), &Event::PoweredUp, &right(&j)];
        let mut history = History::new(true);
        assert!(!found(&mut history, &begin));
        // The first one counts.
        assert!(found(&mut history, &[&wrong, &wrong]));
        let found_one = history.found().expect("it diverged");
        assert_eq!(found_one.case.positions, [j.clone(), l]);
        assert!(found_one.case.together && found_one.case.controller == controller);
        assert_eq!(
            (found_one.decided_by, found_one.backends),
            (vec![2, 1], vec![2])
        );
        assert_eq!((found_one.game, found_one.step), (3, 4));
        let mut long = History::new(false);
        assert!(!found(&mut long, &[&started]));
        let again = right(&j);
        assert!(!found(&mut long, &vec![&again; MAX_POSITIONS + 5]));
        assert!(found(&mut long, &[&wrong]));
        let case = long.found().expect("it diverged").case;
        assert_eq!(
            (case.positions.len(), case.together),
            (MAX_POSITIONS, false)
        );
    }

    #[test]
    fn history_has_the_positions_of_the_seat() {
        let [controller, other] = ["flat", "windows"].map(|name| {
            let controller = connect4::Controller::load(name).expect("built in");
            controller.with_depth(1).expect("a depth")
        });
        // Yellow and red move in turn.
        let [first, second, third, fourth] =
            [0, 1, 2, 3].map(|opening| connect4::Setup::new(3, opening).opening::<Connect4>(0));
        let mut full = third;
        while full.board.drop(3, full.to_move).is_some() {
            full.to_move = full.to_move.other();
        }
        let seat = |controller: &connect4::Controller| Seat {
            controller: controller.clone(),
            backends: vec![2, 1],
        };
        let mut header = Header::<Connect4>::new(Vec::new(), controller.clone());
        header.seats = vec![seat(&controller), seat(&other)];
        let right = |position| round(&other, position, position);
        let started = Event::Started(header);
        let wrong = round(&other, &fourth, &full);
        let events = [
            &started,
            &right(&first),
            &right(&second),
            &right(&third),
            &wrong,
        ];
        let mut history = History::new(true);
        assert!(found(&mut history, &events));
        let case = history.found().expect("it diverged").case;
        assert_eq!(case.positions, [second, fourth]);
        assert_eq!(case.controller, other);
    }
}
