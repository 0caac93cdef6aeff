//! Pictures of Connect Four.

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::board::SEATS;
use super::position::sign;
use super::{Connect4, Decision, Position, Stone};
use crate::picture::{Cell, Colour};
use crate::{Draw, Picture};

impl Draw for Connect4 {
    /// Stones are `Y` and `R`; the decision's stone is marked.
    fn picture(position: &Position, decision: Option<&Decision>) -> Picture {
        let Position { mut board, to_move } = *position;
        // A record may contain any column.
        let chosen = decision.map(|decision| decision.column);
        let chosen = chosen.and_then(|column| Some((column, board.drop(column, to_move)?)));
        let mut picture = Picture::empty(COLUMNS, ROWS);
        picture.bottom_up = true;
        for (column, row) in (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r))) {
            let stone = board.stone(column, row);
            let colour = match stone {
                None => continue,
                Some(Stone::Yellow) => Colour::Yellow,
                Some(Stone::Red) => Colour::Red,
            };
            if let Some(cell) = picture.cell(column, row) {
                *cell = Cell::new(sign(stone), colour);
                cell.marked = chosen == Some((column, row));
            }
        }
        let seat = SEATS[to_move.seat()];
        picture.notes.push(match decision {
            Some(decision) => format!("{seat} plays column {}", decision.column),
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
    fn picture_marks_dropped_stone() {
        let mut board = Board::default();
        board.drop(3, Stone::Yellow);
        let to_move = Stone::Red;
        let position = Position { board, to_move };
        for (column, top) in [(3, "...R..."), (0, "......."), (7, ".......")] {
            let decision = Decision { column, value: 0 };
            let picture = Connect4::picture(&position, Some(&decision));
            let text = picture
                .lines()
                .map(|line| line.iter().map(|cell| cell.sign));
            let text: Vec<String> = text.map(Iterator::collect).collect();
            assert_eq!(text[4], top);
            let marked = picture.lines().flatten().filter(|cell| cell.marked);
            let colours: Vec<Colour> = marked.map(|cell| cell.colour).collect();
            assert_eq!(colours, vec![Colour::Red; usize::from(column < 7)]);
            assert_eq!(picture.notes, [format!("red plays column {column}")]);
        }
    }
}
