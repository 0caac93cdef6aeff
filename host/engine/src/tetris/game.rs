//! A game that the engine plays, and its counters.

use super::brute::Place;
use super::limits::PAD;
use super::shape::shape;
use super::stack::Stack;
use lockstep_games::tetris::playing::signed;
use lockstep_games::tetris::{Board, Move, Piece, Pieces, Setup, Size};

/// A series of games: each begins on an empty board when the one before is lost.
#[derive(Clone, Debug)]
pub struct EngineGame {
    pub(super) stack: Stack,
    pub(super) pieces: Pieces,
    pub(super) next_known: bool,
    pub(super) totals: EngineTotals,
}

/// The counters of an [`EngineGame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineTotals {
    /// Pieces drawn, also those without a legal placement.
    pub pieces: u64,
    /// Rows removed.
    pub lines: u64,
    /// Games lost.
    pub games: u64,
    /// Hash of all moves, the same for equal games.
    pub signature: u64,
}

impl EngineTotals {
    /// Counts a piece: its rotation, column and removed rows; `None` if the game is lost.
    #[inline(always)]
    pub fn count(&mut self, size: Size, placed: Option<(usize, usize, u64)>) {
        self.pieces += 1;
        self.games += u64::from(placed.is_none());
        self.lines += placed.map_or(0, |(.., lines)| lines);
        let played = placed.map(|(rotation, column, _)| Move { rotation, column });
        self.signature = signed(self.signature, size.columns(), played);
    }
}

impl EngineGame {
    /// The signature before the first move.
    pub const FIRST_SIGNATURE: u64 = 0x1465_0fb0_739d_0383;

    /// A game on an empty board of `size` with these pieces, the next one unknown.
    pub fn new(size: Size, pieces: Pieces) -> EngineGame {
        EngineGame {
            stack: Stack::empty(size),
            pieces,
            next_known: false,
            totals: EngineTotals {
                pieces: 0,
                lines: 0,
                games: 0,
                signature: Self::FIRST_SIGNATURE,
            },
        }
    }

    /// Deals game `game` of a session, with the pieces that [`State`](lockstep_games::tetris::State)
    /// has.
    pub fn deal(setup: &Setup, game: u64) -> EngineGame {
        let pieces = Pieces::new(setup.piece_source, setup.seed, game);
        EngineGame {
            next_known: setup.next_known,
            ..EngineGame::new(setup.board, pieces)
        }
    }

    /// The counters so far.
    pub const fn totals(&self) -> EngineTotals {
        self.totals
    }

    /// The current board.
    pub fn board(&self) -> Board {
        let (size, columns) = (self.stack.size, &self.stack.columns);
        let filled = |column, row| columns[column + PAD] >> row & 1 == 1;
        Board::from_cells(size.columns(), size.rows(), filled)
    }

    /// The piece after the one drawn last, if it is known.
    pub(super) fn peek(&self) -> Option<Piece> {
        self.next_known.then(|| self.pieces.clone().draw())
    }

    /// Plays up to `pieces` pieces as `choose` places them; `true` when the game is lost.
    pub(super) fn play(
        &mut self,
        pieces: u64,
        choose: impl Fn(&EngineGame, Piece) -> Option<Place>,
    ) -> bool {
        (0..pieces).any(|_| {
            let piece = self.pieces.draw();
            let chosen = choose(self, piece);
            self.advance(chosen.map(|(r, x, _)| (r, x)), |stack| {
                chosen.map_or(0, |(r, x, row)| stack.place(shape(piece, r), x, row))
            })
        })
    }

    /// Carries out a decision, given as rotation and column; `true` when the game is lost.
    ///
    /// `place` adds the piece, removes full rows and returns their number.
    #[inline(always)]
    pub(super) fn advance(
        &mut self,
        choice: Option<(usize, usize)>,
        place: impl FnOnce(&mut Stack) -> u32,
    ) -> bool {
        let size = self.stack.size;
        let Some((rotation, column)) = choice else {
            self.totals.count(size, None);
            self.stack = Stack::empty(size);
            return true;
        };
        let lines = u64::from(place(&mut self.stack));
        self.totals.count(size, Some((rotation, column, lines)));
        false
    }
}
