//! The golden model of all controllers; without lookahead it scores all placements in order.

use super::piece::width;
use super::{
    Board, Cells, Controller, Features, Linear, Piece, Placement, Position, Rule, Run, Score,
    Search, SelfPlay, Size, Sums, Tetris, candidate, lookahead, playing,
};
use crate::{BoardSize, Boards, Capabilities, GameError, Golden, RunResult, Trace};

/// A legal placement, its features and the board after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the bottom row of the piece.
    pub row: usize,
    /// The features.
    pub features: Features,
    /// The board after full rows are cleared.
    pub after: Board,
}

/// All placements of a piece, in order: rotation and column, and `None` if it is not legal.
pub fn all_placements(
    board: &Board,
    piece: Piece,
) -> impl Iterator<Item = ([usize; 2], Option<Landing>)> {
    let of_rotation = move |(rotation, cells): (usize, &'static Cells)| {
        let columns = 0..(board.columns() + 1).saturating_sub(width(cells));
        columns.map(move |column| {
            let landing = board.landing_row(cells, column).map(|row| {
                let (features, after) = Features::of(board, cells, column, row);
                Landing {
                    rotation,
                    column,
                    row,
                    features,
                    after,
                }
            });
            ([rotation, column], landing)
        })
    };
    piece.rotations().iter().enumerate().flat_map(of_rotation)
}

/// The legal placements of a piece, in order.
pub fn placements(board: &Board, piece: Piece) -> impl Iterator<Item = Landing> {
    all_placements(board, piece).filter_map(|(_, landing)| landing)
}

/// The first legal placement with the highest score without lookahead, if any.
pub fn best_now(board: &Board, piece: Piece, controller: &Linear) -> Option<(Landing, Score)> {
    let scored = placements(board, piece).map(|landing| {
        let score = controller.score(&landing.features);
        (landing, score)
    });
    scored.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

impl Golden for Tetris {
    fn capabilities(controller: Option<&Controller>) -> Capabilities {
        let largest = BoardSize::new(Size::MAX, Size::MAX);
        let looks_ahead = controller.is_none_or(Controller::looks_ahead);
        let averages = |c: &Controller| c.linear().is_some_and(|l| l.search.looks_ahead());
        Capabilities {
            known_next: looks_ahead,
            averaged_next: controller.is_none_or(averages),
            batch: controller.is_none_or(is_plain),
            self_play: controller.is_none_or(is_plain),
            trace: controller.is_none_or(is_plain),
            ..Capabilities::plain(Boards::UpTo(largest))
        }
    }

    fn decide(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Placement>, GameError> {
        let Position { board, piece, next } = position;
        controller.check_board(Size::new(board.columns(), board.rows())?)?;
        Ok(match &controller.rule {
            Rule::Linear(linear) => lookahead::best(board, *piece, *next, linear)
                .map(|(landing, score)| Placement::of(&landing, score)),
            Rule::Program(program) => (program.decide)(board, *piece, *next),
        })
    }

    fn trace(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Trace<Self>>, GameError> {
        let decision = Self::decide(controller, position)?;
        let linear = controller.linear().filter(|_| is_plain(controller));
        Ok(linear.map(|linear| Trace {
            candidates: candidate::all(&position.board, position.piece, linear),
            decision,
        }))
    }

    fn play(controller: &Controller, run: &Run) -> Result<Option<RunResult<Self>>, GameError> {
        let decide = |position: &Position| Self::decide(controller, position);
        if !is_plain(controller) {
            return Ok(None);
        }
        let (moves, sums) = playing::play(run, decide)?;
        Ok(Some(RunResult { moves, sums }))
    }

    fn self_play(
        controller: &Controller,
        run: &SelfPlay,
        on_checkpoint: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Option<Sums>, GameError> {
        let decide = |position: &Position| Self::decide(controller, position);
        let played = is_plain(controller).then(|| playing::self_play(run, decide, on_checkpoint));
        played.transpose()
    }
}

/// Whether a controller is linear and has no lookahead, as batches, self-play and traces require.
fn is_plain(controller: &Controller) -> bool {
    let linear = controller.linear();
    linear.is_some_and(|linear| linear.search == Search::ONE)
}
