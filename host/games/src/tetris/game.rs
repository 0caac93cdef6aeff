//! Tetris as a game: its types and its words.

use super::controller::Controller;
use super::error::TetrisError;
use super::placement::Placement;
use super::playing::{Move, Run, SelfPlay, Sums};
use super::position::Position;
use super::setup::Setup;
use super::weighed::Weighed;
use crate::{Batches, BoardSize, Field, Game, Noun, Requirements, Value, Words};

/// The game.
#[derive(Debug, Clone, Copy)]
pub struct Tetris;

impl Game for Tetris {
    const NAME: &'static str = "tetris";
    const WORDS: Words = Words {
        step: Noun {
            one: "piece",
            many: "pieces",
        },
        score: Noun {
            one: "line",
            many: "lines",
        },
    };

    type Position = Position;
    /// `None`: no placement is legal.
    type Decision = Option<Placement>;
    type Weighed = Weighed;
    type Batches = Self;
    type Controller = Controller;
    type Setup = Setup;
    type Error = TetrisError;

    fn fields(decision: &Option<Placement>) -> Vec<Field> {
        let value = |get: fn(&Placement) -> Value| decision.as_ref().map_or(Value::Nothing, get);
        vec![
            Field::new("legal", Value::Flag(decision.is_some())),
            Field::new("rotation", value(|p| Value::Number(p.rotation as u64))),
            Field::new("column", value(|p| Value::Number(p.column as u64))),
            Field::new("row", value(|p| Value::Number(p.row as u64))),
            Field::new(
                "rows_cleared",
                value(|p| Value::Number(p.rows_cleared as u64)),
            ),
            Field::new("score", value(|p| Value::Text(p.score.to_string()))),
        ]
    }

    fn weighed_fields(weighed: &Weighed) -> Vec<Field> {
        weighed.fields()
    }

    fn requirements(position: &Position) -> Requirements {
        let board = &position.board;
        Requirements {
            board: BoardSize::new(board.columns(), board.rows()),
            known_next: position.next.is_some(),
        }
    }

    fn class(position: &Position) -> &'static str {
        let names = &protocol::layout::tetris::PIECES;
        let name = names.get(usize::from(position.piece.number()));
        name.copied().unwrap_or("?")
    }
}

impl Batches for Tetris {
    type Run = Run;
    type SelfPlay = SelfPlay;
    type Move = Move;
    type Sums = Sums;

    fn move_fields(played: &Move) -> Vec<Field> {
        played.fields()
    }

    fn sums_fields(sums: &Sums) -> Vec<Field> {
        sums.fields()
    }
}
