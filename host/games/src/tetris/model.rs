//! The golden model of whole controllers: linear ones and programs.

use super::controller::{Controller, Rule};
use super::error::TetrisError;
use super::game::Tetris;
use super::linear::Linear;
use super::lookahead;
use super::placement::Placement;
use super::playing::{self, Run, SelfPlay, Sums};
use super::position::Position;
use super::search::Search;
use super::size::Size;
use super::weighed;
use crate::{BoardSize, Boards, Capabilities, Golden, Played, Trace};

impl Golden for Tetris {
    fn capabilities(controller: Option<&Controller>) -> Capabilities {
        let largest = BoardSize::new(Size::MAX, Size::MAX);
        let looks_ahead = controller.is_none_or(Controller::looks_ahead);
        let averages = |c: &Controller| c.linear().is_some_and(|l| l.search.looks_ahead());
        Capabilities {
            known_next: looks_ahead,
            averaged_next: controller.is_none_or(averages),
            batch: controller.is_none_or(plays),
            self_play: controller.is_none_or(plays),
            trace: controller.is_none_or(plays),
            ..Capabilities::plain(Boards::UpTo(largest))
        }
    }

    fn decide(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Placement>, TetrisError> {
        let Position { board, piece, next } = position;
        controller.check_board(Size::new(board.columns(), board.rows())?)?;
        Ok(match &controller.rule {
            Rule::Linear(linear) => lookahead::best(board, *piece, *next, linear)
                .map(|(candidate, score)| Placement::of(&candidate, score)),
            Rule::Program(program) => (program.decide)(board, *piece, *next),
        })
    }

    fn trace(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Trace<Self>>, TetrisError> {
        let decision = Self::decide(controller, position)?;
        let linear = controller.linear().filter(|linear| weighs(linear));
        Ok(linear.map(|linear| Trace {
            weighed: weighed::all(&position.board, position.piece, linear),
            decision,
        }))
    }

    fn play(controller: &Controller, run: &Run) -> Result<Option<Played<Self>>, TetrisError> {
        let decide = |position: &Position| Self::decide(controller, position);
        if !plays(controller) {
            return Ok(None);
        }
        let (moves, sums) = playing::play(run, decide)?;
        Ok(Some(Played { moves, sums }))
    }

    fn self_play(
        controller: &Controller,
        run: &SelfPlay,
        tell: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Option<Sums>, TetrisError> {
        let decide = |position: &Position| Self::decide(controller, position);
        let played = plays(controller).then(|| playing::self_play(run, decide, tell));
        played.transpose()
    }
}

/// Whether it decides as a core can.
fn plays(controller: &Controller) -> bool {
    controller.linear().is_some_and(weighs)
}

/// Whether it chooses by what each placement scores by itself.
fn weighs(linear: &Linear) -> bool {
    linear.search == Search::ONE
}
