//! Runs and self-play, as a core plays them (docs/wire.md): each decision is carried out before the
//! next one.

use protocol::layout::tetris::SELF_PLAY_GAMES;
use protocol::payload::link::Info;
use serde::{Deserialize, Serialize};

use super::state::put;
use super::timing::{Core, Interleaved};
use super::{Board, Piece, PieceSource, Pieces, Placement, Position};
use crate::GameError;

/// A run: a board and the pieces to place. It ends at the first piece without a legal placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The board before the first piece.
    pub board: Board,
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
}

/// A self-play: a board and the number of pieces to draw. After a lost game the board is empty.
///
/// Several games are played in turn: piece n, counted from 0, goes to game n modulo `games`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPlay {
    /// The board before the first piece of each game.
    pub board: Board,
    /// Number of games side by side, at least 1.
    pub games: u8,
    /// Number of pieces, at least 1.
    pub pieces: u32,
    /// Number of pieces between checkpoints, at least 1.
    pub spacing: u32,
    /// State of the generator before the first piece is drawn.
    pub generator: u64,
    /// Signature of the earlier moves.
    pub signature: u64,
}

/// The move of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
}

/// The totals of decisions that were carried out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Number of pieces, with those without a legal placement.
    pub pieces: u64,
    /// Number of lost games.
    pub games: u64,
    /// Number of rows removed.
    pub rows_cleared: u64,
    /// Sum of the scores of the placements, in millionths modulo 2⁶⁴; `None` if unknown.
    #[serde(rename = "score_millionths")]
    pub score: Option<i64>,
    /// Number of clock cycles in which a decision was under way; `None` if unknown.
    pub cycles: Option<u64>,
    /// Signature of the moves.
    pub signature: u64,
    /// CRC-32 of the bytes of the last boards on the wire, game 0 first; `None` if unknown.
    pub board_crc: Option<u32>,
}

/// The signature after one more decision on a board of `columns` columns; `None` for a lost game.
#[inline(always)]
pub fn signed(signature: u64, columns: usize, played: Option<Move>) -> u64 {
    const LOST: u64 = 255;
    let value = played.map_or(LOST, |m| (m.rotation * columns + m.column) as u64);
    let mixed = (signature ^ value).wrapping_mul(0x100_0000_01b3);
    mixed ^ mixed >> 29
}

/// Carries out decisions on the boards of its games in turn, and adds up their totals.
#[derive(Debug, Clone)]
pub struct Player {
    /// The board of each game, with its last piece.
    positions: Vec<Position>,
    sums: Sums,
    /// The core whose clock cycles are counted, if they are.
    core: Option<Interleaved>,
}

impl Player {
    /// A player of one game on a board, after moves with that signature; all other totals are 0.
    pub fn new(board: Board, signature: u64) -> Self {
        Self::with_games(1, board, signature)
    }

    /// A player of several games, at least one, that all begin on that board.
    pub fn with_games(games: u8, board: Board, signature: u64) -> Self {
        let position = Position {
            board,
            piece: Piece::I,
            next: None,
        };
        Self {
            positions: vec![position; games.max(1).into()],
            sums: Sums {
                score: Some(0),
                signature,
                ..Sums::default()
            },
            core: None,
        }
    }

    /// Also counts the clock cycles of a core.
    #[must_use]
    pub fn counting_cycles(mut self, core: Core) -> Self {
        self.core = Some(Interleaved::new(core, self.positions.len() as u8));
        self.sums.cycles = Some(0);
        self
    }

    /// Index of the game that piece `number` goes to, counted from 0.
    fn game(&self, number: u64) -> usize {
        (number % self.positions.len() as u64) as usize
    }

    /// The board of the next piece.
    pub fn board(&self) -> &Board {
        &self.positions[self.game(self.sums.pieces)].board
    }

    /// The boards of all games, in order.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.positions.iter().map(|position| &position.board)
    }

    /// The totals so far. All decisions end before the next one, as at a checkpoint.
    pub fn sums(&mut self) -> Sums {
        if let Some((cycles, core)) = self.sums.cycles.as_mut().zip(self.core.as_mut()) {
            *cycles = cycles.wrapping_add(core.settle());
        }
        self.sums
    }

    /// As [`Self::sums`], with the CRC of the boards.
    pub fn end(&mut self) -> Sums {
        Sums {
            board_crc: board_crc(self.boards()),
            ..self.sums()
        }
    }

    /// Empties the board of the last piece, as after a lost game.
    pub fn restart(&mut self) {
        let last = self.game(self.sums.pieces.saturating_sub(1));
        let board = &mut self.positions[last].board;
        *board = Board::new(board.columns(), board.rows());
    }

    /// Carries out the decision of `decide` for a piece on the next game's board, and returns it.
    ///
    /// The board is unchanged if no placement is legal.
    ///
    /// # Errors
    /// When `decide` fails, or its placement is not legal.
    pub fn step<E: From<GameError>>(
        &mut self,
        piece: Piece,
        mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
    ) -> Result<Option<Placement>, E> {
        let game = self.game(self.sums.pieces);
        let position = &mut self.positions[game];
        position.piece = piece;
        let decision = decide(position)?;
        if let Some(core) = &mut self.core {
            core.push(position, decision.as_ref());
        }
        let board = &mut position.board;
        let sums = &mut self.sums;
        match &decision {
            None => sums.games += 1,
            Some(placement) => {
                sums.rows_cleared += put(board, piece, placement)?;
                sums.score = sums.score.map(|sum| sum.wrapping_add(placement.score.0));
            }
        }
        sums.pieces += 1;
        let played = decision.as_ref().map(Move::of);
        sums.signature = signed(sums.signature, board.columns(), played);
        Ok(decision)
    }
}

impl Move {
    /// The move of a placement.
    fn of(placement: &Placement) -> Self {
        Self {
            rotation: placement.rotation,
            column: placement.column,
        }
    }
}

/// Plays a run with the decisions of `decide`.
///
/// # Errors
/// As [`Player::step`].
pub fn play<E: From<GameError>>(
    run: &Run,
    mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
) -> Result<(Vec<Move>, Sums), E> {
    let mut player = Player::new(run.board.clone(), 0);
    let mut moves = Vec::with_capacity(run.pieces.len());
    for &piece in &run.pieces {
        let Some(placement) = player.step(piece, &mut decide)? else {
            break;
        };
        moves.push(Move::of(&placement));
    }
    Ok((moves, player.end()))
}

/// Checks that a core, or software for `None`, can play `games` games side by side.
///
/// # Errors
/// When they are not 1 to [`SELF_PLAY_GAMES`], or more than one on a core without lanes.
pub fn check_games(games: u8, core: Option<&Info>) -> Result<(), GameError> {
    if !(1..=SELF_PLAY_GAMES).contains(&games) {
        return Err(GameError(format!(
            "{games} games side by side, expected 1 to {SELF_PLAY_GAMES}"
        )));
    }
    if games > 1 && core.is_some_and(|core| core.lanes == 0) {
        return Err(GameError(format!(
            "{games} games side by side, but this core plays one game at a time; leave --games out"
        )));
    }
    Ok(())
}

/// Plays a self-play with the decisions of `decide`, to its end or until `on_checkpoint` returns
/// false.
///
/// # Errors
/// As [`check_games`] and [`Player::step`].
pub fn self_play<E: From<GameError>>(
    run: &SelfPlay,
    mut decide: impl FnMut(&Position) -> Result<Option<Placement>, E>,
    on_checkpoint: &mut dyn FnMut(Sums) -> bool,
) -> Result<Sums, E> {
    check_games(run.games, None)?;
    let mut player = Player::with_games(run.games, run.board.clone(), run.signature);
    let pieces = Pieces::from_seed(PieceSource::Uniform, run.generator);
    for (piece, number) in pieces.zip(1..=run.pieces) {
        if player.step(piece, &mut decide)?.is_none() {
            player.restart();
        }
        if number.is_multiple_of(run.spacing.max(1)) && !on_checkpoint(player.sums()) {
            break;
        }
    }
    Ok(player.end())
}

/// CRC-32 of the boards' bytes on the wire, one after the other; `None` for boards that the wire
/// cannot carry.
pub fn board_crc<'a>(boards: impl IntoIterator<Item = &'a Board>) -> Option<u32> {
    let bytes: Option<Vec<_>> = boards.into_iter().map(Board::wire_bytes).collect();
    Some(protocol::frame::checksum(&[&bytes?.concat()]))
}

#[cfg(test)]
mod tests {
    use super::super::{Controller, Tetris};
    use super::*;
    use crate::Golden as _;

    /// Each game has every third piece, as if it were played alone.
    #[test]
    fn self_play_of_several_games_deals_pieces_in_turn() {
        let lowest = Controller::load("lowest").expect("a built-in controller");
        let mut rows = [0; 20];
        rows[..4].copy_from_slice(&[0x3fe, 0x2f3, 0x001, 0x003]);
        let run = SelfPlay {
            board: Board::from_rows(10, &rows).expect("ten columns"),
            games: 3,
            pieces: 1_000,
            spacing: 300,
            generator: 7,
            signature: 1,
        };
        let mut checkpoints = Vec::new();
        let mut take = |sums: Sums| {
            checkpoints.push(sums.pieces);
            true
        };
        let end = Tetris::self_play(&lowest, &run, &mut take).expect("a board");
        let end = end.expect("it plays by itself");
        assert_eq!(checkpoints, [300, 600, 900]);

        let pieces = || Pieces::from_seed(PieceSource::Uniform, 7).take(1_000);
        let (mut moves, mut bytes) = (vec![None; 1_000], Vec::new());
        let (mut games, mut lines, mut score) = (0, 0, 0);
        for game in 0..3 {
            let mut board = run.board.clone();
            for (number, piece) in pieces().enumerate().skip(game).step_by(3) {
                let position = Position {
                    board: board.clone(),
                    piece,
                    next: None,
                };
                let Some(best) = Tetris::decide(&lowest, &position).expect("it decides") else {
                    games += 1;
                    board = Board::new(10, 20);
                    continue;
                };
                let cells = &piece.rotations()[best.rotation];
                board.place(cells, best.column, best.row);
                lines += board.clear_full_rows().len() as u64;
                score += best.score.0;
                moves[number] = Some(Move {
                    rotation: best.rotation,
                    column: best.column,
                });
            }
            bytes.extend(board.wire_bytes().expect("the wire's size"));
        }
        let signature = moves.iter().fold(1, |s, played| signed(s, 10, *played));
        let expected = Sums {
            pieces: 1_000,
            games,
            rows_cleared: lines,
            score: Some(score),
            cycles: None,
            signature,
            board_crc: Some(protocol::frame::checksum(&[&bytes])),
        };
        assert_eq!(end, expected);
        assert!(games > 3, "{games}");
        for games in [0, 17] {
            let run = SelfPlay {
                games,
                ..run.clone()
            };
            let refused =
                Tetris::self_play(&lowest, &run, &mut |_| true).expect_err("no such number");
            let why = format!("{games} games side by side, expected 1 to 16");
            assert_eq!(refused.to_string(), why);
        }
    }
}
