//! `tetris_scene`: what the picture of a Tetris game shows after any requests and answers.

use lockstep_games::tetris::Piece;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::piece::{height, width};
use sim::Bits;

use super::painter::Panel;
use super::picture::packed;
use crate::tetris::{any_position, board_bits};
use crate::{Failure, Trial};

const COLUMNS: usize = 10;
const ROWS: usize = 20;
/// Bits of a panel.
const PANEL: u32 = 82;
/// Cycles in which a counter may lag behind.
const LAG: u32 = 22;

/// A piece in its first rotation: four rows of four cells, the upper left one the highest bit.
pub fn preview(piece: Piece) -> u16 {
    let cells = piece.rotations()[0].iter();
    cells.fold(0, |all, (dx, dy)| all | 1 << (3 + 4 * dy - dx))
}

/// The cells of a board, row by row from the upper left one, with a piece in colour 2.
pub fn cells(board: &Board, placed: Option<(Piece, [usize; 3])>) -> Vec<u8> {
    let mut cells = vec![0; COLUMNS * ROWS];
    let at = |column: usize, row: usize| COLUMNS * (ROWS - 1 - row) + column;
    for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
        cells[at(column, row)] = board.filled(column, row).into();
    }
    if let Some((piece, [rotation, column, row])) = placed {
        for (dx, dy) in piece.rotations()[rotation] {
            cells[at(column + dx, row + dy)] = 2;
        }
    }
    cells
}

/// What was requested last, and what came of it.
struct Shown {
    board: Board,
    piece: Option<Piece>,
    panel: Panel,
    /// Whether the board waits for its answer.
    waits: bool,
    placed: Option<(Piece, [usize; 3])>,
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut shown = Shown {
        board: Board::new(COLUMNS, ROWS),
        piece: None,
        panel: Panel::default(),
        waits: false,
        placed: None,
    };
    for _ in 0..90 {
        for _ in 0..trial.random.between(0, 6) {
            event(trial, &mut shown)?;
        }
        for _ in 0..LAG {
            rest(trial);
            trial.clock()?;
        }
        scene(trial, &mut shown)?;
    }
    Ok(())
}

/// Neither a request nor an answer.
fn rest(trial: &mut Trial) {
    let noise = trial.random.bits();
    trial.put(
        "view_i",
        view(&Board::new(COLUMNS, ROWS), None, noise, None),
    );
    trial.garbage("lines_i");
}

/// A request or an answer, and some cycles of rest.
fn event(trial: &mut Trial, shown: &mut Shown) -> Result<(), Failure> {
    let random = &mut trial.random;
    let position = any_position(random);
    let next = random.chance(50).then(|| random.choice(&Piece::ALL));
    // The answer belongs to the piece that waits; any, if none does.
    let piece = shown.piece.unwrap_or(position.piece);
    let rotation = random.index(piece.rotations().len());
    let shape = &piece.rotations()[rotation];
    let column = random.index(COLUMNS + 1 - width(shape));
    let row = random.index(ROWS + 1 - height(shape));
    let place = [rotation, column, row];
    let is_legal = random.chance(80);
    let noise = random.bits();
    let lines = random.below(5);
    if random.chance(40) {
        let request = Some((position.piece, next));
        trial.put("view_i", view(&position.board, request, noise, None));
        trial.clock()?;
        // The board is steady for one more cycle.
        trial.put("view_i", view(&position.board, None, noise, None));
        shown.panel.now = preview(position.piece);
        shown.panel.next = next.map_or(0, preview);
        shown.board = position.board;
        shown.piece = Some(position.piece);
        (shown.waits, shown.placed) = (true, None);
    } else {
        let answer = Some((is_legal, place));
        trial.put("view_i", view(&position.board, None, noise, answer));
        let [all, moves] = &mut shown.panel.numbers;
        *all = (*all + lines as u32) % 1_000_000;
        *moves += 1;
        if shown.waits {
            shown.placed = is_legal.then_some((piece, place));
        }
        shown.waits = false;
    }
    trial.put("lines_i", lines);
    trial.clock()?;
    for _ in 0..trial.random.between(0, 30) {
        rest(trial);
        trial.clock()?;
    }
    Ok(())
}

/// Loads a scene and compares its bits, while more happens.
fn scene(trial: &mut Trial, shown: &mut Shown) -> Result<(), Failure> {
    let cells = cells(&shown.board, shown.placed);
    let panel = packed(&shown.panel);
    trial.pulse("load_i")?;
    let bits = cells.iter().flat_map(|cell| [cell & 2 != 0, cell & 1 != 0]);
    let bits = bits.chain((0..PANEL).rev().map(|bit| panel.slice(bit, 1) == 1));
    for (number, bit) in bits.collect::<Vec<_>>().into_iter().enumerate() {
        rest(trial);
        trial.settle()?;
        let what = format!("bit {number} of the scene");
        trial.same(&what, &trial.is("bit_o"), &bit)?;
        if trial.random.chance(1) {
            event(trial, shown)?;
            trial.same(&what, &trial.is("bit_o"), &bit)?;
        }
        rest(trial);
        trial.pulse("next_i")?;
    }
    Ok(())
}

/// What the core shows, as a packed struct: a request, or an answer; other members have noise.
fn view(
    board: &Board,
    request: Option<(Piece, Option<Piece>)>,
    noise: u64,
    answer: Option<(bool, [usize; 3])>,
) -> Bits {
    let (piece, next) = match request {
        Some((piece, next)) => (u64::from(piece.number()), next),
        None => (noise % 7, None),
    };
    let (legal, [rotation, column, row]) = answer.unwrap_or((noise & 8 != 0, [0; 3]));
    let mut bits = Bits::default();
    // The last member has the lowest bits.
    let members = [
        (row as u64, 5),
        (column as u64, 4),
        (rotation as u64, 2),
        (legal.into(), 1),
        (answer.is_some().into(), 1),
        (next.map_or(noise >> 4 & 7, |next| next.number().into()), 3),
        (next.is_some().into(), 1),
        (piece, 3),
    ];
    for (value, width) in members {
        bits.push(value, width);
    }
    let board = board_bits(board);
    for row in 0..ROWS as u32 {
        bits.push(board.slice(10 * row, 10), 10);
    }
    bits.push(request.is_some().into(), 1);
    bits
}
