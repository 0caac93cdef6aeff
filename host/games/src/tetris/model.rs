//! The golden model of all controllers: linear ones and programs.

use super::playing;
use super::{
    Controller, Placement, Position, Rule, Run, Search, SelfPlay, Size, Sums, Tetris, candidate,
    lookahead,
};
use crate::{BoardSize, Boards, Capabilities, GameError, Golden, RunResult, Trace};

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

/// Whether a controller is linear and has no lookahead, as a core requires.
fn is_plain(controller: &Controller) -> bool {
    let linear = controller.linear();
    linear.is_some_and(|linear| linear.search == Search::ONE)
}
