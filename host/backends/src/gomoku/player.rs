//! The board of a player who knows its own stones and the opponent's, but no colours.

use lockstep_games::GameError;
use lockstep_games::gomoku::board::POINTS;
use lockstep_games::gomoku::{Black, Board, Decision, Gomoku, Position, Stone, White};
use lockstep_games::stones::Stones as _;
use protocol::layout::gomoku::COLUMNS;

/// The stone of a player until its colour matters.
const OWN: Stone = Black;

/// A player's board.
#[derive(Debug, Clone, Copy, Default)]
pub struct Player(Board);

/// How a player chooses its next point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// By deciding this position.
    Decide(Position),
    /// As the game is over, the lowest empty point.
    Lowest(Decision),
    /// The player has no next point: the board is full.
    Full,
}

impl Player {
    /// Places a stone of the player or its opponent.
    ///
    /// # Errors
    /// When there is no such point, or a stone lies there.
    pub fn put(&mut self, (x, y): (usize, usize), own: bool) -> Result<(), GameError> {
        let [x, y] = Gomoku::place(&Decision::only(x, y))?;
        let stone = if own { OWN } else { OWN.other() };
        let put = Gomoku::put(&mut self.0, x, y, stone).map(drop);
        put.ok_or_else(|| GameError(format!("a stone lies on x {x}, y {y}")))
    }

    /// Takes the stone off a point; `false` if none lies there.
    pub fn take(&mut self, (x, y): (usize, usize)) -> bool {
        let point = Decision::only(x, y).point();
        let point = point.filter(|point| self.0.stone(*point).is_some());
        point.is_some_and(|point| {
            self.0.take(point);
            true
        })
    }

    /// How the player chooses its next point. Its colour follows from the number of stones.
    pub fn next(&self) -> Next {
        if self.0.is_full() {
            return Next::Full;
        }
        if self.0.is_over() {
            let empty = (0..POINTS).find(|point| self.0.is_empty(*point));
            let lowest = |point| Decision::only(point % COLUMNS, point / COLUMNS);
            return empty.map_or(Next::Full, |point| Next::Lowest(lowest(point)));
        }
        let to_move = match self.0.stones() % 2 {
            0 => Black,
            _ => White,
        };
        let (own, opponent) = (self.0.rows(OWN), self.0.rows(OWN.other()));
        let board = Board::from_rows(to_move, own, opponent);
        board.map_or(Next::Full, |board| {
            Next::Decide(Position { board, to_move })
        })
    }
}
