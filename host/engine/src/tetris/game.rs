//! A running game and its counters.

use super::brute::Place;
use super::limits::PAD;
use super::shape::shape;
use super::stack::Stack;
use lockstep_games::tetris::Setup;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::piece::Piece;
use lockstep_games::tetris::size::Size;
use lockstep_games::tetris::source::Pieces;

/// A game, or a series of games: each starts on an empty board when the last is lost.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) stack: Stack,
    pub(super) pieces: Pieces,
    pub(super) next_known: bool,
    pub(super) tally: Tally,
}

/// What happened since a game was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Pieces drawn, also the ones that found no place.
    pub pieces: u64,
    /// Rows removed.
    pub lines: u64,
    /// Games lost.
    pub games: u64,
    /// Hash of all moves: equal signatures, equal games.
    pub signature: u64,
}

impl Tally {
    /// Counts a piece: its rotation, column and the rows it removed, or `None`
    /// when it found no place and the game is lost. The signature takes
    /// `rotation * columns + column`, or 255.
    #[inline(always)]
    pub fn count(&mut self, size: Size, placed: Option<(usize, usize, u64)>) {
        self.pieces += 1;
        match placed {
            Some((rotation, column, lines)) => {
                self.mix((rotation * size.columns() + column) as u64);
                self.lines += lines;
            }
            None => {
                self.mix(LOST);
                self.games += 1;
            }
        }
    }

    /// Mixes one move into the signature, FNV-1a with a shift.
    #[inline(always)]
    fn mix(&mut self, value: u64) {
        let h = (self.signature ^ value).wrapping_mul(0x0000_0100_0000_01b3);
        self.signature = h ^ h >> 29;
    }
}

/// Value mixed into the signature for a lost game: no move is so large.
const LOST: u64 = 255;

impl Game {
    /// An empty board of `size` fed from `pieces`, the next one unknown.
    pub fn new(size: Size, pieces: Pieces) -> Game {
        Game {
            stack: Stack::empty(size),
            pieces,
            next_known: false,
            tally: Tally {
                pieces: 0,
                lines: 0,
                games: 0,
                signature: 0x1465_0fb0_739d_0383,
            },
        }
    }

    /// Game `game` of a session, the one [`State`](lockstep_games::tetris::State) deals.
    pub fn deal(setup: &Setup, game: u64) -> Game {
        let pieces = Pieces::new(setup.piece_source, setup.seed, game);
        Game {
            next_known: setup.next_known,
            ..Game::new(setup.board, pieces)
        }
    }

    /// Counters so far.
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// The board as it stands.
    pub fn board(&self) -> Board {
        let mut board = Board::of_size(self.stack.size);
        for c in 0..board.columns() {
            let word = self.stack.columns[c + PAD];
            for r in (0..board.rows()).filter(|r| word >> r & 1 == 1) {
                board.set(c, r, true);
            }
        }
        board
    }

    /// The piece after the one just drawn, when it is known.
    pub(super) fn peek(&self) -> Option<Piece> {
        self.next_known.then(|| self.pieces.clone().draw())
    }

    /// Plays up to `pieces` pieces where `choose` places them; `true` when one found no place.
    pub(super) fn play(
        &mut self,
        pieces: u64,
        choose: impl Fn(&Game, Piece) -> Option<Place>,
    ) -> bool {
        (0..pieces).any(|_| {
            let piece = self.pieces.draw();
            let chosen = choose(self, piece);
            self.advance(chosen.map(|(r, x, _)| (r, x)), |stack| {
                chosen.map_or(0, |(r, x, row)| stack.place(shape(piece, r), x, row))
            })
        })
    }

    /// Carries out a decision, a rotation and a column; `place` adds the piece
    /// and removes full rows. `true` when the game is lost.
    #[inline(always)]
    pub(super) fn advance(
        &mut self,
        choice: Option<(usize, usize)>,
        place: impl FnOnce(&mut Stack) -> u32,
    ) -> bool {
        let size = self.stack.size;
        let Some((rotation, column)) = choice else {
            self.tally.count(size, None);
            self.stack = Stack::empty(size);
            return true;
        };
        let lines = u64::from(place(&mut self.stack));
        self.tally.count(size, Some((rotation, column, lines)));
        false
    }
}
