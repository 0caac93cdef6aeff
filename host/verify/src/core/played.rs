//! The expected replies of batches and self-play, as `docs/wire.md` defines them.

use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::golden::best_now;
use lockstep_games::tetris::timing::{Core, Interleaved};
use lockstep_games::tetris::{Piece, Placement};
use protocol::layout::ErrorCode;
use protocol::layout::tetris::{self, PART_MOVES, PLAY_PIECES};

use super::requests::cells;
use super::responder::Message;
use crate::frames::crc32;
use crate::play::plan::Source;
use crate::tetris::{linear, position};

/// The beginning of a game, or of several side by side.
pub struct Game {
    board: Board,
    games: u8,
    pieces: u32,
    source: Source,
}

impl Game {
    /// The game of a `play` request, from the bytes after the board.
    pub fn given(board: Board, rest: &[u8]) -> Self {
        Self {
            board,
            games: 1,
            pieces: u16::from_le_bytes([rest[0], rest[1]]).into(),
            source: Source::Given((0..PLAY_PIECES).map(|n| number_of(&rest[2..], n)).collect()),
        }
    }

    /// The game of a `self_play` request, from the bytes after the board.
    pub fn drawn(board: Board, rest: &[u8]) -> Self {
        let number = |from: usize, bytes: usize| {
            let bytes = rest[from..from + bytes].iter().rev();
            bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
        };
        Self {
            board,
            games: rest[0],
            pieces: number(1, 4) as u32,
            source: Source::Drawn {
                spacing: number(5, 4) as u32,
                generator: number(9, 8),
                signature: number(17, 8),
            },
        }
    }
}

/// The reason to refuse a `play` request, from the bytes after the board.
pub fn refused(rest: &[u8]) -> Option<ErrorCode> {
    let pieces = usize::from(u16::from_le_bytes([rest[0], rest[1]]));
    if !(1..=PLAY_PIECES).contains(&pieces) {
        return Some(tetris::BAD_COUNT);
    }
    let none = |number| number_of(&rest[2..], number) > 6;
    (0..pieces).any(none).then_some(tetris::BAD_PIECE)
}

fn number_of(numbers: &[u8], place: usize) -> u8 {
    numbers[place / 2] >> (4 * (place % 2)) & 15
}

/// Draws a number below 7 by SplitMix64; returns it and the next state.
pub fn draw(generator: u64) -> (u8, u64) {
    let state = generator.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    let z = z ^ z >> 31;
    ((((z >> 32) * 7) >> 32) as u8, state)
}

/// The signature after one more value.
pub fn signed(signature: u64, value: u8) -> u64 {
    let mixed = (signature ^ u64::from(value)).wrapping_mul(0x100_0000_01b3);
    mixed ^ mixed >> 29
}

#[derive(Default)]
struct Tally {
    pieces: u32,
    games: u32,
    rows: u32,
    score: i64,
    cycles: u64,
    signature: u64,
}

impl Tally {
    fn bytes(&self) -> Vec<u8> {
        let counts = [self.pieces, self.games, self.rows].map(u32::to_le_bytes);
        let sums = [self.score as u64, self.cycles, self.signature].map(u64::to_le_bytes);
        [counts.concat(), sums.concat()].concat()
    }
}

/// The reason to refuse a `self_play` request of a core that plays `most` games side by side, from
/// the bytes after the board.
pub fn refused_drawn(rest: &[u8], most: u8) -> Option<ErrorCode> {
    let counts = rest[1..9].chunks(4).all(|count| count != [0; 4]);
    let served = counts && (1..=most).contains(&rest[0]);
    (!served).then_some(tetris::BAD_COUNT)
}

/// The parts and the end of a game, which is cancelled before piece `stop` if given.
pub fn play(
    game: Game,
    weights: &[i32; 14],
    core: Option<Core>,
    stop: Option<u32>,
) -> (Vec<Message>, Vec<u8>) {
    let Game {
        board,
        games,
        pieces,
        mut source,
    } = game;
    let mut boards = vec![board; games.into()];
    let mut core = core.map(|core| Interleaved::new(core, games));
    // All decisions end at a checkpoint and at the end.
    let settle = |tally: &mut Tally, core: &mut Option<Interleaved>| {
        tally.cycles += core.as_mut().map_or(0, Interleaved::settle);
    };
    let (mut moves, mut parts) = (Vec::new(), Vec::<Message>::new());
    let mut tally = Tally {
        signature: source.signature(),
        ..Tally::default()
    };
    let mut cancelled = false;
    while tally.pieces < pieces {
        if stop == Some(tally.pieces) {
            cancelled = true;
            break;
        }
        let number = source.next(tally.pieces);
        let piece = Piece::ALL[usize::from(number)];
        let board = &mut boards[tally.pieces as usize % usize::from(games)];
        tally.pieces += 1;
        let best = best_now(board, piece, &linear(weights));
        if let Some(core) = &mut core {
            let placement = best
                .as_ref()
                .map(|(best, score)| Placement::of(best, *score));
            core.push(&position(board.clone(), piece), placement.as_ref());
        }
        let mut value = 255;
        if let Some((best, score)) = &best {
            let cells = &piece.rotations()[best.rotation];
            board.place(cells, best.column, best.row);
            tally.rows += board.clear_full_rows().len() as u32;
            tally.score = tally.score.wrapping_add(score.0);
            moves.push((16 * best.rotation + best.column) as u8);
            value = (10 * best.rotation + best.column) as u8;
        }
        tally.signature = signed(tally.signature, value);
        tally.games += u32::from(best.is_none());
        match &source {
            Source::Given(_) if best.is_none() => break,
            Source::Given(_) => {}
            Source::Drawn { spacing, .. } => {
                if best.is_none() {
                    *board = Board::new(10, 20);
                }
                if tally.pieces.is_multiple_of(*spacing) {
                    settle(&mut tally, &mut core);
                    let part = (parts.len() as u16).to_le_bytes();
                    parts.push((tetris::CHECKPOINT.id, [&part[..], &tally.bytes()].concat()));
                }
            }
        }
    }
    if let Source::Given(_) = source {
        for moves in moves.chunks(PART_MOVES) {
            let part = (parts.len() as u16).to_le_bytes();
            let mut payload = [&part[..], &[moves.len() as u8], moves].concat();
            payload.resize(tetris::MOVES.bytes(), 0);
            parts.push((tetris::MOVES.id, payload));
        }
    }
    settle(&mut tally, &mut core);
    let mut end = (parts.len() as u16).to_le_bytes().to_vec();
    end.extend(tally.bytes());
    end.push(cancelled.into());
    let boards: Vec<u8> = boards.iter().flat_map(cells).collect();
    end.extend(crc32(&boards).to_le_bytes());
    (parts, end)
}
