//! Pictures of Gomoku.

use protocol::layout::gomoku::{COLUMNS, ROWS};

use super::board::{SEATS, Stone};
use super::decision::Decision;
use super::game::Gomoku;
use super::position::{Position, sign};
use crate::picture::{Cell, Colour};
use crate::{Draw, Picture};

impl Draw for Gomoku {
    /// Stones are `B` and `W`, row 0 is the topmost; the stone of the decision is marked.
    fn picture(position: &Position, decision: Option<&Decision>) -> Picture {
        let Position { mut board, to_move } = *position;
        // A record may contain any point.
        let chosen = decision.and_then(Decision::point);
        let chosen = chosen.filter(|point| board.put(*point, to_move));
        let mut picture = Picture::empty(COLUMNS, ROWS);
        for (x, y) in (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| (x, y))) {
            let point = y * COLUMNS + x;
            let stone = board.stone(point);
            let colour = match stone {
                None => continue,
                Some(Stone::Black) => Colour::Grey,
                Some(Stone::White) => Colour::White,
            };
            if let Some(cell) = picture.cell(x, y) {
                *cell = Cell::new(sign(stone), colour);
                cell.marked = chosen == Some(point);
            }
        }
        let seat = SEATS[to_move.seat()];
        picture.notes.push(match decision {
            Some(Decision { x, y, .. }) => format!("{seat} plays x {x}, y {y}"),
            None => format!("{seat} to move"),
        });
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn picture_marks_stone_of_decision() {
        let mut board = Board::default();
        board.put(16, Stone::Black);
        let to_move = Stone::White;
        let position = Position { board, to_move };
        for (x, y, row) in [
            (2, 1, ".BW............"),
            (1, 1, ".B............."),
            (15, 1, ".B............."),
        ] {
            let decision = Decision::only(x, y);
            let picture = Gomoku::picture(&position, Some(&decision));
            let text = picture
                .lines()
                .map(|line| line.iter().map(|cell| cell.sign));
            let text: Vec<String> = text.map(Iterator::collect).collect();
            assert_eq!(text[1], row);
            let marked = picture.lines().flatten().filter(|cell| cell.marked);
            let colours: Vec<Colour> = marked.map(|cell| cell.colour).collect();
            assert_eq!(colours, vec![Colour::White; usize::from(x == 2)]);
            assert_eq!(picture.notes, [format!("white plays x {x}, y {y}")]);
        }
        assert_eq!(Gomoku::picture(&position, None).notes, ["white to move"]);
    }
}
