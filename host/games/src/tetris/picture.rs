//! Pictures of Tetris.

use super::programs::{OwnGame, Policy};
use super::{Board, Piece, Placement, Position, Tetris};
use crate::picture::{Cell, Colour};
use crate::{Draw, Picture, ProgramGame};

impl Draw for Tetris {
    /// The stack is `#`, the placed piece its letter.
    fn picture(position: &Position, decision: Option<&Option<Placement>>) -> Picture {
        let piece = position.piece;
        let cells = decision.and_then(Option::as_ref).map(|p| p.cells(piece));
        let mut picture = with_piece(&position.board, piece, &cells.unwrap_or_default());
        if let Some(next) = position.next {
            picture.notes.push(format!("next {next:?}"));
        }
        picture
    }
}

/// A board with a piece in `cells`, [column, row] each; cells outside the board are not drawn.
fn with_piece(board: &Board, piece: Piece, cells: &[[usize; 2]]) -> Picture {
    let mut picture = Picture::empty(board.columns(), board.rows());
    picture.bottom_up = true;
    for row in 0..board.rows() {
        for column in (0..board.columns()).filter(|&c| board.filled(c, row)) {
            if let Some(cell) = picture.cell(column, row) {
                *cell = Cell::new('#', Colour::Grey);
            }
        }
    }
    for &[column, row] in cells {
        if let Some(cell) = picture.cell(column, row) {
            *cell = Cell {
                sign: piece.letter(),
                colour: colour(piece),
                marked: true,
            };
        }
    }
    picture
}

/// The usual colour of a piece.
fn colour(piece: Piece) -> Colour {
    match piece {
        Piece::I => Colour::Cyan,
        Piece::O => Colour::Yellow,
        Piece::T => Colour::Purple,
        Piece::S => Colour::Green,
        Piece::Z => Colour::Red,
        Piece::J => Colour::Blue,
        Piece::L => Colour::Orange,
    }
}

/// Game `game` of the session `seed` by a program's own rules, if it has any.
pub fn program_game(policy: &Policy, seed: u64, game: u64) -> Option<Box<dyn ProgramGame>> {
    Some(Box::new(Pictured(policy.own_game(seed, game)?)))
}

/// A program's own game, with pictures.
struct Pictured(Box<dyn OwnGame>);

impl ProgramGame for Pictured {
    /// The board before the piece, with the piece where it came to rest.
    fn step(&mut self) -> Option<Picture> {
        let board = self.0.board();
        let locked = self.0.step()?;
        let mut picture = with_piece(&board, locked.piece, &locked.cells);
        picture.notes = self.0.notes();
        Some(picture)
    }

    fn moves(&self) -> u64 {
        self.0.moves()
    }

    fn score(&self) -> u64 {
        self.0.lines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::Score;

    #[test]
    fn picture_marks_placed_piece() {
        let board = Board::from_rows(4, &[0b0011, 0, 0, 0]).unwrap();
        let position = Position {
            board,
            piece: Piece::O,
            next: Some(Piece::L),
        };
        let placement = Placement {
            rotation: 0,
            column: 2,
            row: 0,
            rows_cleared: 1,
            score: Score(0),
        };
        let picture = Tetris::picture(&position, Some(&Some(placement)));
        let text: Vec<String> = picture
            .lines()
            .map(|line| line.iter().map(|cell| cell.sign).collect())
            .collect();
        assert_eq!(text, ["....", "....", "..OO", "##OO"]);
        let marked = picture.lines().flatten().filter(|cell| cell.marked);
        assert!(marked.map(|cell| cell.colour).eq([Colour::Yellow; 4]));
        assert_eq!(picture.notes, ["next L"]);
        // A record may contain any placement.
        let outside = Placement {
            column: usize::MAX,
            ..placement
        };
        let picture = Tetris::picture(&position, Some(&Some(outside)));
        assert!(!picture.lines().flatten().any(|cell| cell.marked));
    }
}
