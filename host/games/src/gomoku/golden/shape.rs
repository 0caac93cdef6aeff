//! Shapes: what a stone on an empty point would make in one direction.

use std::sync::LazyLock;

/// A cell of the nine around a point, as a side sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellView {
    /// No stone.
    Empty,
    /// A stone of the side.
    Own,
    /// A stone of the other side, or outside of the board.
    Blocked,
}

/// Shape of five in a row.
pub const FIVE: u8 = 7;
/// Shape of a four that can become five in two ways.
pub const OPEN_FOUR: u8 = 6;
/// Shape of a four that can become five in one way.
pub const FOUR: u8 = 5;

/// The cells of a line at the distances -4 to 4 from a point.
type Nine = [CellView; 9];

/// The neighbours of a point in a direction, at the distances -4 to -1 and 1 to 4 in that order.
///
/// They are the digits of a number in base three.
#[derive(Debug, Clone, Copy, Default)]
pub struct Neighbours(usize);

impl Neighbours {
    /// Adds the next neighbour.
    pub fn add(&mut self, neighbour: CellView) {
        self.0 = 3 * self.0 + neighbour as usize;
    }

    /// The shape of the point between eight neighbours.
    pub fn shape(self) -> u8 {
        SHAPES[self.0]
    }
}

/// The shapes of all neighbours.
static SHAPES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let all = 0..3usize.pow(8);
    all.map(|number| defined(neighbours(number))).collect()
});

/// The neighbours with that number.
fn neighbours(mut number: usize) -> [CellView; 8] {
    let mut neighbours = [CellView::Empty; 8];
    for neighbour in neighbours.iter_mut().rev() {
        *neighbour = [CellView::Empty, CellView::Own, CellView::Blocked][number % 3];
        number /= 3;
    }
    neighbours
}

/// The shape by the definition.
fn defined(neighbours: [CellView; 8]) -> u8 {
    let mut nine = [CellView::Own; 9];
    nine[..4].copy_from_slice(&neighbours[..4]);
    nine[5..].copy_from_slice(&neighbours[4..]);
    let one_more = |nine| filled(nine).map(fives).max().unwrap_or(0);
    let two_more = |nine| filled(nine).map(one_more).max().unwrap_or(0);
    if is_five(nine) {
        return FIVE;
    }
    for (count, open, half_open) in [
        (fives(nine), OPEN_FOUR, FOUR),
        (one_more(nine), 4, 3),
        (two_more(nine), 2, 1),
    ] {
        match count {
            0 => continue,
            1 => return half_open,
            _ => return open,
        }
    }
    0
}

/// Whether five consecutive cells have own stones.
fn is_five(nine: Nine) -> bool {
    let mut fives = nine.windows(5);
    fives.any(|five| five.iter().all(|cell| *cell == CellView::Own))
}

/// The number of empty cells that, filled with an own stone, give five in a row.
fn fives(nine: Nine) -> usize {
    filled(nine).filter(|nine| is_five(*nine)).count()
}

/// The lines with one more own stone.
fn filled(nine: Nine) -> impl Iterator<Item = Nine> {
    let empty = (0..9).filter(move |cell| nine[*cell] == CellView::Empty);
    empty.map(move |cell| {
        let mut filled = nine;
        filled[cell] = CellView::Own;
        filled
    })
}
