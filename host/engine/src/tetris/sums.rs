//! Measures how one placement changes the well sums.
//!
//! A run of empty cells counts from its topmost well cell. So three changes matter: a new well cell
//! above all others of its run, beside or under the piece; well cells that the piece fills or
//! covers; and new well cells on top of the piece.

use super::evaluate::{below, height};
use super::limits::PAD;
use super::shape::Shape;
use super::stack::Stack;

/// 1 + 2 + .. + n.
#[inline(always)]
pub(super) const fn triangle(n: i32) -> i32 {
    n * (n + 1) / 2
}

/// The increase of the well sums in a column whose cells `new` become well cells.
///
/// `wells` are the column's well cells; each new one lies above the old ones of its run.
#[inline(always)]
fn gain(word: u32, wells: u32, mut new: u32) -> i32 {
    let mut sum = 0;
    while new != 0 {
        let top = height(new);
        let floor = height(word & below(top));
        let old = height(wells & below(top));
        sum += triangle(top - floor) - triangle((old - floor).max(0));
        new &= below(floor);
    }
    sum
}

/// The change by `shape` at column `x` and row `row`; `wells` is indexed as [`Stack::columns`].
#[inline(always)]
pub(super) fn sums_change(
    stack: &Stack,
    wells: &[u32; 16],
    shape: &Shape,
    x: usize,
    row: i32,
) -> i32 {
    let (w, h) = (shape.width, shape.height);
    let shift = row & 31;
    let place = |i: isize| ((x + PAD) as isize + i) as usize & 15;
    let word = |i: isize| stack.columns[place(i)];
    let mut sum = 0;
    for (side, away, edge) in [(-1, -2, 0), (w as isize, w as isize + 1, w - 1)] {
        let new = !word(side) & word(away) & shape.columns[edge] << shift;
        sum += gain(word(side), wells[place(side)], new);
    }
    for i in 0..w {
        let at = i as isize;
        let closed = shape.closed_under[i];
        if closed != 0 {
            let with_piece = |j: isize| {
                if j >= 0 && j < w as isize {
                    word(j) | shape.columns[j as usize] << shift
                } else {
                    word(j)
                }
            };
            let new = !word(at) & with_piece(at - 1) & with_piece(at + 1) & closed << shift;
            sum += gain(word(at), wells[place(at)], new);
        }
        if shape.takes_wells[i] {
            let (floor, own) = (stack.heights[place(at)], wells[place(at)]);
            let before = (height(own) - floor).max(0);
            let under = height(own & below(row + shape.bottom[i])) - floor;
            sum += triangle(under.max(0)) - triangle(before);
            if w == 1 {
                // The well continues above the piece.
                sum += triangle((height(own) - row - h as i32).max(0));
            }
        }
        let mut top = 0;
        for k in 0..h {
            let side = shape.rests_on[i][k];
            if side != 0 && word(at + side as isize) >> (shift + k as i32) & 1 != 0 {
                top = triangle(k as i32 - shape.top[i] + 1);
            }
        }
        sum += top;
    }
    sum
}
