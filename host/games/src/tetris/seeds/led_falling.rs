//! A falling piece of [`super::led_game`] and how it is steered.

use std::cmp::Ordering;

use super::led_wall::{Place, Wall, rotation_order};
use crate::tetris::piece::Piece;

/// A falling piece.
#[derive(Debug, Clone)]
pub(super) struct Falling {
    pub game: usize,
    pub piece: Piece,
    /// Index in the order of its rotations.
    pub turn: usize,
    pub place: Place,
    /// Where it is steered; `None` when nothing was decided.
    pub goal: Option<Place>,
    pub falls_at: u64,
}

impl Falling {
    /// Moves a column and turns once towards the goal, as far as landed pieces
    /// allow; whether it did either.
    pub(super) fn steer(&mut self, landed: &Wall) -> bool {
        let Some(goal) = self.goal else { return false };
        let before = self.place;
        let mut aside = self.place;
        match goal.x.cmp(&aside.x) {
            Ordering::Less => aside.x -= 1,
            Ordering::Equal => {}
            Ordering::Greater => aside.x += 1,
        }
        if landed.free(self.piece, aside) {
            self.place = aside;
        }
        let order = rotation_order(self.piece);
        let turn = (self.turn + 1) % order.len();
        let turned = Place {
            rotation: order[turn],
            ..self.place
        };
        if goal.rotation != self.place.rotation && landed.free(self.piece, turned) {
            self.turn = turn;
            self.place = turned;
        }
        self.place != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_steered_as_far_as_landed_ones_allow() {
        let mut landed = Wall {
            columns: 96,
            rows: vec![0; 64],
        };
        let mut falling = Falling {
            game: 0,
            piece: Piece::L,
            turn: 0,
            place: Place {
                rotation: 0,
                x: 7,
                y: 0,
            },
            goal: Some(Place {
                rotation: 2,
                x: 2,
                y: 60,
            }),
            falls_at: 3,
        };
        let mut free = falling.clone();
        assert!(free.steer(&landed));
        assert_eq!((free.place.x, free.turn), (6, 1));
        while free.steer(&landed) {}
        assert_eq!((free.place.x, free.place.rotation, free.turn), (2, 2, 2));
        landed.rows[1] = 1 << 4;
        while falling.steer(&landed) {}
        assert_eq!(falling.place.x, 5);
    }
}
