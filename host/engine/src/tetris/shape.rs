//! The geometry of the seven pieces, and tables derived from it.

use super::evaluate::diversity_bit;
use super::limits::PAD;
use lockstep_games::tetris::piece::Piece;

/// Number of distinct rotations by piece number.
pub(super) const ROTATIONS: [usize; 7] = [2, 1, 4, 2, 2, 4, 4];

/// Geometry of a rotation of a piece; rotations after the last repeat rotation 0.
#[inline(always)]
pub(super) const fn shape(piece: Piece, rotation: usize) -> &'static Shape {
    &SHAPES[piece as usize][rotation & 3]
}

/// Geometry of one rotation inside its bounding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Columns of the bounding box.
    pub width: usize,
    /// Rows of the bounding box.
    pub height: usize,
    /// Lowest row of each column, counted from the bottom of the box.
    pub bottom: [i32; 4],
    /// Highest row of each column, plus 1.
    pub top: [i32; 4],
    /// Cells of each row from the bottom, bit i = column i of the box.
    pub rows: [u16; 4],
    /// Cells of each column from the left, bit k = row k of the box.
    pub columns: [u32; 4],
    /// Empty rows under each column with a cell of the piece beside them: there the piece can make
    /// well cells. Bit k = row k.
    pub(super) closed_under: [u32; 4],
    /// Whether a column can fill cells of a well: in some row from its bottom up, neither neighbour
    /// is certainly empty.
    pub(super) takes_wells: [bool; 4],
    /// The side of the cell that decides whether the cell above column i, in row k, becomes a well
    /// cell: -1 left, 1 right; 0 if it cannot become one. The piece fills the other side.
    pub(super) rests_on: [[i8; 4]; 4],
    /// The piece in the window of four rows: bit 16 k + c is row k; its left column is at bit
    /// [`PAD`].
    pub(super) pattern: u64,
    /// The cells beside the piece in its rows, in the same window.
    pub(super) edges: u64,
    /// Diversity bits of the steps between neighbouring columns of the piece.
    pub(super) steps: u32,
}

impl Shape {
    /// Derives the tables from rows drawn from the top down, `#` for a cell.
    const fn draw<const H: usize>(picture: [&[u8]; H]) -> Shape {
        let mut shape = Shape {
            width: picture[0].len(),
            height: H,
            bottom: [0; 4],
            top: [0; 4],
            rows: [0; 4],
            columns: [0; 4],
            closed_under: [0; 4],
            takes_wells: [false; 4],
            rests_on: [[0; 4]; 4],
            pattern: 0,
            edges: 0,
            steps: 0,
        };
        let mut k = 0;
        while k < H {
            let line = picture[H - 1 - k];
            let mut i = 0;
            while i < shape.width {
                if line[i] == b'#' {
                    shape.rows[k] |= 1 << i;
                    shape.columns[i] |= 1 << k;
                }
                i += 1;
            }
            k += 1;
        }
        let mut i = 0;
        while i < shape.width {
            shape.bottom[i] = shape.columns[i].trailing_zeros() as i32;
            shape.top[i] = 32 - shape.columns[i].leading_zeros() as i32;
            i += 1;
        }
        let mut cell = 0;
        while cell < 4 * shape.width {
            shape.derive(cell / 4, cell % 4);
            cell += 1;
        }
        let mut k = 0;
        while k < H {
            shape.pattern |= (shape.rows[k] as u64) << (16 * k + PAD);
            k += 1;
        }
        shape.edges = (shape.pattern << 1 | shape.pattern >> 1) & !shape.pattern;
        let mut i = 1;
        while i < shape.width {
            shape.steps |= diversity_bit(shape.top[i - 1] - shape.top[i]);
            i += 1;
        }
        shape
    }

    /// Number of cells beside the piece: two for each row.
    #[inline]
    pub(super) const fn edge_count(&self) -> i32 {
        2 * self.height as i32
    }

    /// Derives the tables of wells at column `i`, row `k`.
    const fn derive(&mut self, i: usize, k: usize) {
        let at = i as isize;
        let (left, right) = (self.has(at - 1, k), self.has(at + 1, k));
        if k < self.bottom[i] as usize {
            if left || right {
                self.closed_under[i] |= 1 << k;
            }
            return;
        }
        if k >= self.height {
            return;
        }
        let (left_open, right_open) = (self.open(at - 1, k), self.open(at + 1, k));
        if !left_open && !right_open {
            self.takes_wells[i] = true;
        }
        if k >= self.top[i] as usize {
            self.rests_on[i][k] = match (left, right) {
                (_, true) if !left_open => -1,
                (true, _) if !right_open => 1,
                _ => 0,
            };
        }
    }

    /// Whether piece column `j` is certainly empty in row `k` before the move: the row is not below
    /// its bottom. False outside the piece.
    #[inline(always)]
    pub(super) const fn open(&self, j: isize, k: usize) -> bool {
        j >= 0 && j < self.width as isize && k >= self.bottom[j as usize] as usize
    }

    /// Whether the box has a cell at column `i`, row `k`; false outside the box.
    #[inline(always)]
    pub(super) const fn has(&self, i: isize, k: usize) -> bool {
        i >= 0 && i < self.width as isize && k < 4 && self.rows[k] >> i & 1 == 1
    }
}

const I: [Shape; 2] = [
    Shape::draw([b"#", b"#", b"#", b"#"]),
    Shape::draw([b"####"]),
];
const O: Shape = Shape::draw([b"##", b"##"]);
const T: [Shape; 4] = [
    Shape::draw([b".#.", b"###"]),
    Shape::draw([b".#", b"##", b".#"]),
    Shape::draw([b"###", b".#."]),
    Shape::draw([b"#.", b"##", b"#."]),
];
const S: [Shape; 2] = [
    Shape::draw([b".##", b"##."]),
    Shape::draw([b"#.", b"##", b".#"]),
];
const Z: [Shape; 2] = [
    Shape::draw([b"##.", b".##"]),
    Shape::draw([b".#", b"##", b"#."]),
];
const J: [Shape; 4] = [
    Shape::draw([b"#..", b"###"]),
    Shape::draw([b".#", b".#", b"##"]),
    Shape::draw([b"###", b"..#"]),
    Shape::draw([b"##", b"#.", b"#."]),
];
const L: [Shape; 4] = [
    Shape::draw([b"..#", b"###"]),
    Shape::draw([b"#.", b"#.", b"##"]),
    Shape::draw([b"###", b"#.."]),
    Shape::draw([b"##", b".#", b".#"]),
];

/// Shapes by piece number and rotation; unused rotations repeat rotation 0.
pub(super) const SHAPES: [[Shape; 4]; 7] = [
    [I[0], I[1], I[0], I[0]],
    [O, O, O, O],
    T,
    [S[0], S[1], S[0], S[0]],
    [Z[0], Z[1], Z[0], Z[0]],
    J,
    L,
];
