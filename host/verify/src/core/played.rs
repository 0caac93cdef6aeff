//! The expected replies of batches and self-play, as `docs/wire.md` defines them.

use lockstep_games::GameError;
use lockstep_games::tetris::golden::best_now;
use lockstep_games::tetris::playing::Player;
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Board, Piece, Placement, Position, Sums};
use protocol::layout::ErrorCode;
use protocol::layout::tetris::{self, PART_MOVES, PLAY_PIECES};

use super::responder::Message;
use crate::play::plan::Source;
use crate::tetris::linear;

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

/// Totals on the wire, as in a checkpoint.
fn totals(sums: &Sums) -> Vec<u8> {
    let counts = [sums.pieces, sums.games, sums.rows_cleared].map(|n| (n as u32).to_le_bytes());
    let score = sums.score.unwrap_or(0) as u64;
    let numbers = [score, sums.cycles.unwrap_or(0), sums.signature].map(u64::to_le_bytes);
    [counts.concat(), numbers.concat()].concat()
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
    let linear = linear(weights);
    let mut player = Player::with_games(games, board, source.signature());
    if let Some(core) = core {
        player = player.counting_cycles(core);
    }
    let (mut moves, mut parts) = (Vec::new(), Vec::<Message>::new());
    let part = |parts: &[Message]| (parts.len() as u16).to_le_bytes();
    let (mut played, mut cancelled) = (0, false);
    while played < pieces {
        if stop == Some(played) {
            cancelled = true;
            break;
        }
        let piece = Piece::ALL[usize::from(source.next(played))];
        played += 1;
        let decide = |position: &Position| {
            let best = best_now(&position.board, piece, &linear);
            Ok::<_, GameError>(best.map(|(best, score)| Placement::of(&best, score)))
        };
        let placed = player.step(piece, decide).ok().flatten();
        match (&source, placed) {
            (Source::Given(_), Some(best)) => moves.push((16 * best.rotation + best.column) as u8),
            (Source::Given(_), None) => break,
            (Source::Drawn { .. }, Some(_)) => {}
            (Source::Drawn { .. }, None) => player.restart(),
        }
        if let Source::Drawn { spacing, .. } = &source
            && played.is_multiple_of(*spacing)
        {
            let payload = [&part(&parts)[..], &totals(&player.sums())].concat();
            parts.push((tetris::CHECKPOINT.id, payload));
        }
    }
    for moves in moves.chunks(PART_MOVES) {
        let mut payload = [&part(&parts)[..], &[moves.len() as u8], moves].concat();
        payload.resize(tetris::MOVES.bytes(), 0);
        parts.push((tetris::MOVES.id, payload));
    }
    let sums = player.end();
    let mut end = [&part(&parts)[..], &totals(&sums), &[cancelled.into()]].concat();
    end.extend(sums.board_crc.unwrap_or(0).to_le_bytes());
    (parts, end)
}
