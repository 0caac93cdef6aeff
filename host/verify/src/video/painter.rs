//! What a picture looks like, pixel by pixel.

/// A board and its place.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub columns: usize,
    pub rows: usize,
    /// Pixels of a cell, and of the board's corner.
    pub cell: usize,
    pub left: usize,
    pub top: usize,
}

pub const TETRIS: Layout = Layout {
    columns: 10,
    rows: 20,
    cell: 22,
    left: 114,
    top: 20,
};

/// What is shown beside the board.
#[derive(Debug, Clone, Copy, Default)]
pub struct Panel {
    /// Four rows of four cells, the upper left one the highest bit.
    pub now: u16,
    pub next: u16,
    pub numbers: [u32; 2],
    pub turn: [bool; 2],
}

/// Colours with 4 bits each of red, green and blue.
const PALETTE: [u16; 4] = [0x112, 0x48c, 0xfa2, 0xfff];
const GRID: u16 = 0x224;
const FRAME: u16 = 0x88a;
const TEXT: u16 = 0xddd;

/// Pixels of the frame around the board.
const BORDER: usize = 4;
/// The panel, and a character of it.
const PANEL: std::ops::Range<usize> = 448..576;
const LETTER: [usize; 2] = [16, 32];
/// Pixels of a dot, and of a cell of a piece.
const DOT: usize = 4;
const PIECE: usize = 16;

/// Rows of characters: title, labels of the pieces, labels of the seats; numbers are below those.
const TITLE: usize = 1;
const PIECES: usize = 3;
const LABELS: [usize; 2] = [8, 11];

const FONT: [(char, &str); 22] = [
    ('0', "### #.# #.# #.# ###"),
    ('1', ".#. ##. .#. .#. ###"),
    ('2', "### ..# ### #.. ###"),
    ('3', "### ..# ### ..# ###"),
    ('4', "#.# #.# ### ..# ..#"),
    ('5', "### #.. ### ..# ###"),
    ('6', "### #.. ### #.# ###"),
    ('7', "### ..# ..# ..# ..#"),
    ('8', "### #.# ### #.# ###"),
    ('9', "### #.# ### ..# ###"),
    ('E', "### #.. ### #.. ###"),
    ('I', "### .#. .#. .#. ###"),
    ('L', "#.. #.. #.. #.. ###"),
    ('M', "#.# ### ### #.# #.#"),
    ('N', "##. #.# #.# #.# #.#"),
    ('O', "### #.# #.# #.# ###"),
    ('R', "##. #.# ##. #.# #.#"),
    ('S', "### #.. ### ..# ###"),
    ('T', "### .#. .#. .#. .#."),
    ('V', "#.# #.# #.# #.# .#."),
    ('W', "#.# #.# ### ### #.#"),
    ('X', "#.# #.# .#. #.# #.#"),
];

impl Layout {
    /// The colour of a pixel.
    pub fn colour(&self, cells: &[u8], panel: &Panel, x: usize, y: usize) -> u16 {
        let (width, height) = (self.columns * self.cell, self.rows * self.cell);
        let (right, below) = (x.wrapping_sub(self.left), y.wrapping_sub(self.top));
        if right < width && below < height {
            let cell = cells[below / self.cell * self.columns + right / self.cell];
            let is_grid = right % self.cell == 0 || below % self.cell == 0;
            return if is_grid {
                GRID
            } else {
                PALETTE[usize::from(cell)]
            };
        }
        let is_near = |at: usize, first: usize, size: usize| {
            (first - BORDER..first + size + BORDER).contains(&at)
        };
        if is_near(x, self.left, width) && is_near(y, self.top, height) {
            return FRAME;
        }
        if PANEL.contains(&x) {
            return panel.colour(x - PANEL.start, y);
        }
        0
    }
}

impl Panel {
    /// The colour of a pixel of the panel.
    fn colour(&self, x: usize, y: usize) -> u16 {
        let (column, row) = (x / LETTER[0], y / LETTER[1]);
        if row == PIECES + 1 || row == PIECES + 2 {
            let piece = if column < 4 { self.now } else { self.next };
            let (right, below) = (x / PIECE % 4, (y - (PIECES + 1) * LETTER[1]) / PIECE);
            return match piece >> (15 - 4 * below - right) & 1 {
                1 => PALETTE[2],
                _ => 0,
            };
        }
        let (right, below) = (x % LETTER[0] / DOT, y % LETTER[1] / DOT);
        let seat = (0..2).find(|seat| LABELS[*seat] == row || LABELS[*seat] + 1 == row);
        let (text, ink, is_underlined) = match seat {
            Some(seat) if row == LABELS[seat] => (
                ["LINES", "MOVES"][seat].into(),
                PALETTE[seat + 1],
                self.turn[seat],
            ),
            Some(seat) => (format!("{:06}", self.numbers[seat]), TEXT, false),
            None if row == TITLE => ("TETRIS".into(), TEXT, false),
            None if row == PIECES => ("NOW NEXT".into(), TEXT, false),
            None => return 0,
        };
        let letter = text.chars().nth(column).unwrap_or(' ');
        let lines = FONT.iter().find(|(known, _)| *known == letter);
        let line = lines.and_then(|(_, lines)| lines.split(' ').nth(below.wrapping_sub(1)));
        let is_dot = line.is_some_and(|line| line.as_bytes().get(right) == Some(&b'#'));
        if is_dot || (is_underlined && below == 7) {
            ink
        } else {
            0
        }
    }
}
