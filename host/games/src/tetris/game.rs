//! The types and words of Tetris.

use super::{Candidate, Controller, Move, Placement, Position, Run, Score, SelfPlay, Setup, Sums};
use crate::{Batches, BoardSize, Field, Game, GameError, Noun, Requirements, Words};

/// Tetris.
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// The best placement; `None` if no placement is legal.
    type Decision = Option<Placement>;
    type Candidate = Candidate;
    type Batches = Self;
    type Controller = Controller;
    type Setup = Setup;
    type Error = GameError;

    fn fields(decision: &Option<Placement>) -> Vec<Field> {
        let number = |get: fn(&Placement) -> usize| decision.as_ref().map(get);
        vec![
            Field::new("legal", decision.is_some()),
            Field::new("rotation", number(|p| p.rotation)),
            Field::new("column", number(|p| p.column)),
            Field::new("row", number(|p| p.row)),
            Field::new("rows_cleared", number(|p| p.rows_cleared)),
            Field::new("score", decision.map(|p| p.score.to_string())),
        ]
    }

    fn candidate_fields(candidate: &Candidate) -> Vec<Field> {
        candidate.fields()
    }

    fn requirements(position: &Position) -> Requirements {
        let board = &position.board;
        Requirements {
            board: BoardSize::new(board.columns(), board.rows()),
            known_next: position.next.is_some(),
        }
    }

    fn class(position: &Position) -> &'static str {
        position.piece.name()
    }
}

impl Batches for Tetris {
    type Run = Run;
    type SelfPlay = SelfPlay;
    type Move = Move;
    type Sums = Sums;

    fn move_fields(played: &Move) -> Vec<Field> {
        vec![
            Field::new("rotation", played.rotation),
            Field::new("column", played.column),
        ]
    }

    fn sums_fields(sums: &Sums) -> Vec<Field> {
        vec![
            Field::new("pieces", sums.pieces),
            Field::new("games", sums.games),
            Field::new("rows_cleared", sums.rows_cleared),
            Field::new("score", sums.score.map(|sum| Score(sum).to_string())),
            Field::new("cycles", sums.cycles),
            Field::new("signature", format!("{:016x}", sums.signature)),
            Field::new("board_crc", sums.board_crc.map(|crc| format!("{crc:08x}"))),
        ]
    }
}
