//! The loop that plays whole games in lanes.

use lockstep_games::tetris::piece::Piece;

use super::super::clear::Removal;
use super::super::evaluate::{below, height};
use super::super::game::EngineGame;
use super::super::limits::PAD;
use super::super::scalar::Choice;
use super::super::shape::{SHAPES, shape};
use super::super::stack::{ROW, Stack, walls};
use super::Wide;

/// A job for [`run`].
pub(in super::super) enum Task<'a> {
    Choose(&'a Stack, Piece),
    /// Choose for the same piece on each of these boards.
    ChooseEach(&'a [Stack], Piece, &'a mut [Option<Choice>]),
    /// Play at most this number of pieces of a game.
    Play(&'a mut EngineGame, u64),
}

/// The result of a [`Task`].
pub(in super::super) enum Outcome {
    Chosen(Option<Choice>),
    /// All are chosen.
    ChosenEach,
    /// Whether the game is lost.
    Played(bool),
}

/// Runs `task` with the decisions of `choose`.
///
/// One function for single decisions and whole games, so that `choose` is inlined only once.
#[inline(always)]
pub(in super::super) fn run<L: Wide>(
    token: L::Token,
    mut task: Task,
    choose: impl Fn(&Stack, Piece) -> Option<Choice>,
) -> Outcome {
    loop {
        let (stack, piece) = match &mut task {
            Task::Choose(stack, piece) => (*stack, *piece),
            Task::ChooseEach(stacks, piece, _) => match stacks.split_off_first() {
                Some(stack) => (stack, *piece),
                None => return Outcome::ChosenEach,
            },
            Task::Play(_, 0) => return Outcome::Played(false),
            Task::Play(game, left) => {
                *left -= 1;
                let piece = game.pieces.draw();
                (&game.stack, piece)
            }
        };
        let choice = choose(stack, piece);
        let game = match &mut task {
            Task::Choose(..) => return Outcome::Chosen(choice),
            Task::ChooseEach(_, _, choices) => {
                if let Some(first) = choices.split_off_first_mut() {
                    *first = choice;
                }
                continue;
            }
            Task::Play(game, _) => game,
        };
        let lost = game.advance(choice.map(|c| (c.rotation, c.column)), |stack| {
            let Some(choice) = choice else { return 0 };
            if !choice.fills {
                place::<L>(token, stack, piece as usize, choice);
                return 0;
            }
            let shape = shape(piece, choice.rotation);
            let removal = Removal::new(stack, shape, choice.column, choice.row);
            place::<L>(token, stack, piece as usize, choice);
            remove::<L>(token, stack, removal.full << choice.row);
            removal.removed as u32
        });
        if lost {
            return Outcome::Played(true);
        }
    }
}

/// A piece in lanes, with padding on both sides, from which a load takes any offset.
#[repr(align(64))]
struct Template {
    /// Top of each column of the piece, from element 16 on; the other elements are far below the
    /// board.
    tops: [i32; 32],
    /// Cells of each column of the piece, from element 16 on; the other elements are 0.
    cells: [u32; 32],
    /// Each row of the piece, from element 32 on; the other elements are 0.
    rows: [u16; 68],
}

static TEMPLATES: [[Template; 4]; 7] = templates();

const fn templates() -> [[Template; 4]; 7] {
    const BLANK: Template = Template {
        tops: [-10_000; 32],
        cells: [0; 32],
        rows: [0; 68],
    };
    const LINE: [Template; 4] = [BLANK; 4];
    let mut all = [LINE; 7];
    let mut n = 0;
    while n < 28 {
        let shape = &SHAPES[n / 4][n % 4];
        let template = &mut all[n / 4][n % 4];
        let mut i = 0;
        while i < 4 {
            if i < shape.width {
                template.tops[16 + i] = shape.top[i];
                template.cells[16 + i] = shape.columns[i];
            }
            template.rows[32 + i] = shape.rows[i];
            i += 1;
        }
        n += 1;
    }
    all
}

/// Sixteen elements of a template, with the piece at lane [`PAD`] + `x`.
#[inline(always)]
fn slid<T>(from: &[T; 32], x: usize) -> &[T; 16] {
    let start = 14 - x.min(14);
    const { assert!(PAD == 2) };
    match from[start..].first_chunk() {
        Some(chunk) => chunk,
        None => unreachable!(),
    }
}

/// Adds a piece that fills no row.
#[inline(always)]
pub(in super::super) fn place<L: Wide>(
    token: L::Token,
    stack: &mut Stack,
    piece: usize,
    choice: Choice,
) {
    let template = &TEMPLATES[piece][choice.rotation & 3];
    let row = L::splat(token, choice.row);
    let tops = L::load(token, slid(&template.tops, choice.column)) + row;
    let heights = L::load(token, &stack.heights).max(tops);
    heights.store(&mut stack.heights);
    let cells = L::load(token, slid(&template.cells, choice.column)).shl_by(row);
    let columns = L::load(token, &stack.columns) | cells;
    columns.store(&mut stack.columns);
    let shift = (choice.column + PAD) as u32;
    let start = 32 - (choice.row as usize & 31);
    if let (Some(rows), Some(pattern)) = (
        stack.rows[ROW..].first_chunk_mut(),
        template.rows[start..].first_chunk(),
    ) {
        L::add_rows(token, rows, pattern, shift);
    }
}

/// Removes the full rows `full`, bit r = row r.
#[inline(always)]
pub(in super::super) fn remove<L: Wide>(token: L::Token, stack: &mut Stack, mut full: u32) {
    let wall = L::load(token, &stack.wall_columns);
    let mut columns = L::load(token, &stack.columns);
    let empty = walls(stack.size);
    while full != 0 {
        let row = height(full) - 1;
        full &= below(row);
        let keep = L::splat(token, below(row) as i32);
        columns = (columns & keep) | keep.clear_in(columns.shr::<1>()) | wall;
        if let Some(rows) = stack.rows[ROW..].first_chunk_mut() {
            L::drop_row(token, rows, row as u32, empty);
        }
    }
    columns.store(&mut stack.columns);
    let heights = columns.height().max(L::load(token, &stack.wall_heights));
    heights.store(&mut stack.heights);
}
