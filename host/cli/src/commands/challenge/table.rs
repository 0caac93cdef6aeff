//! A game between a person and a backend: its moves, whose turn it is, and its result.

use lockstep::{Answer, Round};
use lockstep_games::{Match as _, Outcome};
use serde::{Deserialize, Serialize};

use crate::games::CliGame;

/// The result of a game for the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    Won,
    Lost,
    Drawn,
}

/// A game, as the list of its moves: taking moves back plays the others again.
///
/// A game of two players has one board. In a game of one player, person and backend have a board
/// each with the same random draws, and move in turns; more points win.
pub struct Table<G: CliGame> {
    pub setup: G::Setup,
    /// Maximum number of moves on a board.
    pub limit: u64,
    /// Number of the game, from 0.
    pub game: u64,
    pub person_first: bool,
    played: Vec<G::Decision>,
    /// The person's board, and the backend's if it has one of its own.
    boards: Vec<Board<G>>,
    pub result: Option<GameResult>,
    pub takebacks: u64,
}

/// A board with its last move.
pub struct Board<G: CliGame> {
    pub state: G::Match,
    pub last: Option<(G::Position, G::Decision)>,
}

impl<G: CliGame> Table<G> {
    pub fn new(setup: G::Setup, limit: u64, game: u64) -> Self {
        Self {
            setup,
            limit,
            game,
            person_first: true,
            played: Vec::new(),
            boards: Vec::new(),
            result: None,
            takebacks: 0,
        }
    }

    /// Begins a game.
    ///
    /// # Errors
    /// As [`Self::replay`].
    pub fn begin(&mut self, game: u64, person_first: bool) -> Result<(), G::Error> {
        (self.game, self.person_first, self.takebacks) = (game, person_first, 0);
        self.replay(Vec::new())
    }

    /// Plays moves from the beginning of the game.
    ///
    /// # Errors
    /// When one of them is illegal.
    fn replay(&mut self, moves: Vec<G::Decision>) -> Result<(), G::Error> {
        let boards = if G::SEATS.len() > 1 { 1 } else { 2 };
        let deal = |_| Board {
            state: G::deal(&self.setup, self.game),
            last: None,
        };
        self.boards = (0..boards).map(deal).collect();
        self.played.clear();
        self.result = None;
        moves
            .into_iter()
            .try_for_each(|decision| self.play(decision))
    }

    pub fn boards(&self) -> &[Board<G>] {
        &self.boards
    }

    /// The rules and seed of its games in words.
    pub fn described(&self) -> lockstep_games::RulesDescription {
        G::describe(&self.setup)
    }

    /// Number of moves of both sides.
    pub fn moves(&self) -> usize {
        self.played.len()
    }

    /// Whether a move, from 0, is the person's.
    fn is_persons(&self, number: usize) -> bool {
        number.is_multiple_of(2) == self.person_first
    }

    pub fn is_persons_turn(&self) -> bool {
        self.result.is_none() && self.is_persons(self.moves())
    }

    /// The position of the side to move.
    pub fn position(&self) -> G::Position {
        self.boards[self.board(self.is_persons(self.moves()))]
            .state
            .position()
    }

    /// Index of the board on which the person or the backend moves.
    fn board(&self, is_person: bool) -> usize {
        if is_person { 0 } else { self.boards.len() - 1 }
    }

    /// Index of the person's seat in [`lockstep_games::Game::SEATS`].
    pub fn seat(&self) -> usize {
        let first = G::seat(&G::deal(&self.setup, self.game).position());
        match self.person_first {
            true => first,
            false => (first + 1) % G::SEATS.len(),
        }
    }

    /// The person's legal moves; none when it is not the person's turn.
    pub fn choices(&self) -> Vec<([usize; 2], G::Decision)> {
        match self.is_persons_turn() {
            true => G::choices(&self.position()),
            false => Vec::new(),
        }
    }

    /// Plays a move of the side whose turn it is.
    ///
    /// # Errors
    /// When it is illegal; nothing changes then.
    pub fn play(&mut self, decision: G::Decision) -> Result<(), G::Error> {
        let is_person = self.is_persons(self.moves());
        let at = self.board(is_person);
        let board = &mut self.boards[at];
        let position = board.state.position();
        let goes_on = board.state.apply(&decision)?;
        board.last = Some((position, decision.clone()));
        self.played.push(decision);
        let is_limit = |board: &Board<G>| board.state.moves() >= self.limit;
        if !goes_on || self.boards.iter().all(is_limit) {
            self.result = Some(self.outcome((!goes_on).then_some(is_person)));
        } else if self.is_persons_turn() && self.choices().is_empty() {
            self.result = Some(self.outcome(Some(true)));
        }
        Ok(())
    }

    /// The result of a game that is over; `ended`: who cannot move, the person or the backend.
    fn outcome(&self, ended: Option<bool>) -> GameResult {
        let won = |is_person| match is_person {
            true => GameResult::Won,
            false => GameResult::Lost,
        };
        if let [board] = &self.boards[..] {
            return match board.state.outcome() {
                Some(Outcome::Won(seat)) => won(seat == self.seat()),
                Some(Outcome::Draw) | None => GameResult::Drawn,
            };
        }
        match self.scores() {
            [person, backend] if person != backend => won(person > backend),
            _ => ended.map_or(GameResult::Drawn, |is_person| won(!is_person)),
        }
    }

    /// The decisions on the backend's board, for a record: of the backend, which has index 0, and of
    /// a person with index 1 on the same board.
    ///
    /// # Errors
    /// As [`Self::replay`].
    pub fn rounds(&self) -> Result<Vec<Round<G>>, G::Error> {
        let mut state = G::deal(&self.setup, self.game);
        let all = self.played.iter().enumerate();
        let moves = all.map(|(number, decision)| (self.is_persons(number), decision));
        let moves = moves.filter(|(is_person, _)| self.boards.len() == 1 || !is_person);
        let round = |(is_person, decision): (bool, &G::Decision)| {
            let (place, position) = ((1, state.moves() + 1), state.position());
            let asked = vec![usize::from(is_person)];
            let answers = vec![Answer::plain(decision.clone())];
            state.apply(decision)?;
            Ok(Round {
                outcome: state.outcome(),
                ..Round::new(place, position, None, asked, answers)
            })
        };
        moves.map(round).collect()
    }

    /// The scores of person and backend; `None` in games without scores.
    pub fn scores(&self) -> [Option<u64>; 2] {
        let score = |is_person| self.boards[self.board(is_person)].state.score();
        [score(true), score(false)]
    }

    /// Takes back the person's last move and what followed; whether there is such a move in a game
    /// that is not over.
    ///
    /// # Errors
    /// As [`Self::replay`].
    pub fn take_back(&mut self) -> Result<bool, G::Error> {
        let last = (0..self.moves()).rfind(|number| self.is_persons(*number));
        let Some(last) = last.filter(|_| self.result.is_none()) else {
            return Ok(false);
        };
        let mut moves = std::mem::take(&mut self.played);
        moves.truncate(last);
        self.replay(moves)?;
        self.takebacks += 1;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use lockstep_games::connect4::{Connect4, Decision};
    use lockstep_games::tetris::Tetris;
    use lockstep_games::{Catalog as _, Golden as _, stones};

    use super::*;

    fn connect4(person_first: bool) -> Table<Connect4> {
        let setup = stones::Setup::new(1, 0);
        let mut table = Table::new(setup, 100, 0);
        table.begin(0, person_first).expect("no moves");
        table
    }

    fn drop_in<const N: usize>(table: &mut Table<Connect4>, columns: [usize; N]) {
        for column in columns {
            let decision = Decision { column, value: 0 };
            table.play(decision).expect("legal");
        }
    }

    #[test]
    fn take_back_returns_to_persons_last_move() {
        for person_first in [true, false] {
            let mut table = connect4(person_first);
            if !person_first {
                drop_in(&mut table, [0]);
                assert!(!table.take_back().expect("legal"), "the backend's move");
            }
            let before = table.position();
            drop_in(&mut table, [3]);
            assert!(!table.is_persons_turn());
            assert!(table.take_back().expect("legal"), "before the answer");
            drop_in(&mut table, [3, 3]);
            assert!(table.take_back().expect("legal"), "after the answer");
            assert!(table.is_persons_turn() && table.position() == before);
            assert_eq!(table.takebacks, 2);
        }
    }

    #[test]
    fn result_is_the_persons_and_final() {
        for (person_first, result) in [(true, GameResult::Won), (false, GameResult::Lost)] {
            let mut table = connect4(person_first);
            drop_in(&mut table, [0, 1, 0, 1, 0, 1, 0]);
            assert_eq!(table.result, Some(result));
            assert!(table.choices().is_empty() && !table.is_persons_turn());
            assert!(!table.take_back().expect("legal"));
        }
    }

    /// Both place the same pieces; the person fills the board from the left.
    #[test]
    fn tetris_ends_at_limit_or_when_person_cannot_place() {
        for (limit, result) in [(2, GameResult::Drawn), (100, GameResult::Lost)] {
            let setup = Tetris::default_setup(1);
            let controller = Tetris::load("dt-20").expect("built in");
            let mut table = Table::<Tetris>::new(setup, limit, 0);
            table.begin(0, true).expect("no moves");
            while table.result.is_none() {
                let decision = match table.choices().first() {
                    Some((_, decision)) => *decision,
                    None => Tetris::decide(&controller, &table.position()).expect("decided"),
                };
                table.play(decision).expect("legal");
                let [own, other] = table.boards() else {
                    panic!("a board each");
                };
                if table.moves().is_multiple_of(2) {
                    assert_eq!(own.state.position().piece, other.state.position().piece);
                }
            }
            assert_eq!(table.result, Some(result));
            assert_eq!(table.boards()[0].state.moves() == limit, limit == 2);
        }
    }
}
