//! The bins, directed positions and refused requests of Tetris.

mod bins;
mod directed;

use lockstep::Backend;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Position, Run, SelfPlay, Size, Sums, Tetris};
use lockstep_games::{BoxError, Golden as _};
use protocol::layout::tetris::{self as wire, NO_PIECE, PLAY_PIECES};
use protocol::layout::{ErrorCode, Message, link};

use self::bins::{count, groups};
use self::directed::{aimed, controller};
use super::bins::{Bins, Group};
use super::cover::{Cover, directed};
use crate::random::Random;
use crate::tetris::{any_position, any_weights, linear, position};

/// Number of random positions, in addition to those that fill a bin.
const OF_EVERY_KIND: usize = 400;

impl Cover for Tetris {
    /// Games of different lengths, and weights of both signs.
    const CONTROLLERS: &[&str] = &["dt-20", "el-tetris", "lowest", "probe"];

    fn groups() -> Vec<Group> {
        groups()
    }

    fn count(bins: &mut Bins, controller: &Controller, position: &Position) {
        if let Some(linear) = controller.linear() {
            count(bins, position, linear);
        }
    }

    fn draw(random: &mut Random, group: &str, place: usize) -> Option<(Controller, Position)> {
        aimed(random, group, place)
    }

    /// The last cases are an empty board with each piece, as games begin only with some of them.
    fn cases(seed: u64) -> Vec<(Controller, Position)> {
        let mut all = directed::<Self>(&mut Random::new(seed));
        let mut random = Random::new(seed);
        all.extend((0..OF_EVERY_KIND).map(|_| {
            let weights = any_weights(&mut random);
            (controller(linear(&weights)), any_position(&mut random))
        }));
        if let Some((controller, _)) = all.last().cloned() {
            let empty = |piece| position(Board::of_size(Size::STANDARD), piece);
            all.extend(Piece::ALL.map(|piece| (controller.clone(), empty(piece))));
        }
        all
    }

    fn payload(request: &Message, long: bool) -> Option<Vec<u8>> {
        match request.id {
            id if [wire::DECIDE.id, wire::TRACE.id].contains(&id) => {
                Some(decide(Piece::T.number(), None))
            }
            id if id == wire::PLAY.id => Some(play(PLAY_PIECES as u16, 2)),
            id if id == wire::SELF_PLAY.id => Some(match long {
                true => self_play(1, u32::MAX, 1),
                false => self_play(1, 40, 1),
            }),
            _ => None,
        }
    }

    fn refused() -> Vec<(Message, Vec<u8>, ErrorCode)> {
        let mut all = Vec::new();
        for request in [wire::DECIDE, wire::TRACE] {
            for piece in [7, 8, 0x80, u8::MAX] {
                all.push((request, decide(piece, None), wire::BAD_PIECE));
                if piece != NO_PIECE {
                    all.push((request, decide(0, Some(piece)), wire::BAD_NEXT_PIECE));
                }
            }
            all.push((request, decide(3, Some(6)), link::UNSUPPORTED));
        }
        let counts = [0, PLAY_PIECES as u16 + 1, u16::MAX];
        all.extend(counts.map(|pieces| (wire::PLAY, play(pieces, 0), wire::BAD_COUNT)));
        all.extend([7, 15].map(|number| (wire::PLAY, play(3, number), wire::BAD_PIECE)));
        let counts =
            [(0, 1), (1, 0), (0, 0)].map(|(pieces, spacing)| self_play(1, pieces, spacing));
        all.extend(counts.map(|payload| (wire::SELF_PLAY, payload, wire::BAD_COUNT)));
        let games = [0, 2, wire::SELF_PLAY_GAMES + 1, 0x81, u8::MAX];
        all.extend(games.map(|games| (wire::SELF_PLAY, self_play(games, 1, 1), wire::BAD_COUNT)));
        all
    }

    /// Plays the pieces of the positions in batches, and as many in self-play.
    async fn play_alone(
        core: &mut dyn Backend<Self>,
        controller: &Controller,
        seed: u64,
        positions: &[Position],
    ) -> Result<(), BoxError> {
        let chunks = positions.chunks(PLAY_PIECES);
        let run = |some: &[Position]| {
            let board = some.first()?.board.clone();
            let pieces = some.iter().map(|position| position.piece).collect();
            Some(Run { board, pieces })
        };
        let runs: Vec<Run> = chunks.filter_map(run).collect();
        let played = core.play(&runs).await?;
        for (run, played) in runs.iter().zip(&played) {
            let expected = Self::play(controller, run)?.map(|expected| expected.moves);
            if expected.as_ref() != Some(&played.moves) {
                return Err("the core's moves in a batch differ from the golden model's".into());
            }
        }
        let run = SelfPlay {
            board: Board::of_size(Size::STANDARD),
            games: 1,
            pieces: positions.len() as u32,
            spacing: 7,
            generator: seed,
            signature: seed ^ 0x5a5a,
        };
        let one = std::slice::from_ref(&run);
        let ends = core.self_play(one, &mut |_, _| {}).await?;
        let expected = Self::self_play(controller, &run, &mut |_| true)?;
        let signature = |sums: Option<Sums>| sums.map(|sums| sums.signature);
        match signature(ends.first().copied()) == signature(expected) {
            true => Ok(()),
            false => Err("the core's self-play differs from the golden model's".into()),
        }
    }
}

fn decide(piece: u8, next_piece: Option<u8>) -> Vec<u8> {
    let mut board = [0; wire::COLUMNS * wire::ROWS / 8];
    // Row 0 is filled except for column 8, row 1 in columns 4 and 5.
    board[..3].copy_from_slice(&[0xff, 0xc2, 0x00]);
    let decide = wire::DecideFields {
        board,
        piece,
        next_piece: next_piece.unwrap_or(wire::NO_PIECE),
    };
    decide.encode().as_ref().to_vec()
}

fn play(pieces: u16, number: u8) -> Vec<u8> {
    let play = wire::PlayFields {
        pieces,
        numbers: [number << 4 | number; PLAY_PIECES / 2],
        ..wire::PlayFields::default()
    };
    play.encode().as_ref().to_vec()
}

fn self_play(games: u8, pieces: u32, spacing: u32) -> Vec<u8> {
    let self_play = wire::SelfPlayFields {
        games,
        pieces,
        spacing,
        generator: u64::from(pieces) << 32 | u64::from(spacing),
        signature: u64::MAX,
        ..wire::SelfPlayFields::default()
    };
    self_play.encode().as_ref().to_vec()
}
