//! Support of all tests: backends, sessions, random positions.

use std::cell::Cell;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use lockstep::{Backend, Session, Stop};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Position, Tetris};
use lockstep_games::{Game, SearchControl, SearchProgress, Watch};
use proptest::prelude::*;

use crate::limit;
pub use crate::positions::{controller, positions};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ lies in the repository")
}

/// A text file of the repository.
pub fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The cells of a row in a table of cases.
#[track_caller]
pub fn cells<const N: usize>(row: &str) -> [&str; N] {
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    cells.try_into().unwrap_or_else(|_| panic!("{row}"))
}

/// Runs a future to its end on this thread. The limit is much longer than any test takes.
#[track_caller]
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    limit::block_on(Duration::from_secs(600), future)
}

/// Opens a backend by its name on the command line.
pub async fn open(name: &str) -> Box<dyn Backend<Tetris>> {
    let registry = lockstep_backends::table::tetris();
    let spec = registry.parse(name).expect("a backend's name");
    let opened = registry.open(&spec, 1).await;
    opened.unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// A session on backends, all with one controller.
pub async fn session(names: &[&str], controller: &Controller) -> Session<Tetris> {
    let mut backends = Vec::new();
    for name in names {
        backends.push(open(name).await);
    }
    let mut session = Session::new(backends, Stop::never());
    session.configure(controller).await.expect("configured");
    session
}

/// Ends a search after `after` checks.
pub struct Ending<G: Game> {
    after: u64,
    /// Whether a check after that is a failure: one thread searches no more.
    pub is_last: bool,
    checks: Cell<u64>,
    wish: SearchControl,
    /// The best decision of each report.
    pub best: Vec<Option<G::Decision>>,
}

impl<G: Game> Ending<G> {
    pub fn new(after: u64, wish: SearchControl) -> Self {
        Self {
            after,
            is_last: false,
            checks: Cell::new(0),
            wish,
            best: Vec::new(),
        }
    }
}

impl<G: Game> Watch<G> for Ending<G> {
    fn progress(&mut self, progress: SearchProgress<G>) {
        self.best.push(progress.best);
    }

    fn control(&self) -> SearchControl {
        let checks = self.checks.get();
        assert!(!self.is_last || checks <= self.after, "it continues");
        self.checks.set(checks + 1);
        if checks < self.after {
            SearchControl::Continue
        } else {
            self.wish
        }
    }
}

pub fn any_piece() -> impl Strategy<Value = Piece> {
    (0u8..7).prop_map(|n| Piece::from_number(n).expect("below seven"))
}

/// Boards of every kind that the wire can carry, including some that no game reaches.
pub fn any_board() -> impl Strategy<Value = Board> {
    let noise = prop::collection::vec(0u64..1024, 20);
    let dense = prop::collection::vec((0u64..1024, 0u64..1024).prop_map(|(a, b)| a | b), 20);
    // A stack of some height with holes and full rows.
    let row = prop_oneof![
        6 => (0u64..1024, 0u64..1024, 0u64..1024).prop_map(|(a, b, c)| a | b | c),
        2 => (0u32..10).prop_map(|gap| 1023 ^ (1 << gap)),
        1 => Just(1023u64),
        1 => 0u64..1024,
    ];
    let stack = prop::collection::vec(row, 0..=20).prop_map(|mut rows| {
        rows.resize(20, 0);
        rows
    });
    // Columns with at most one hole each, as in games.
    let tidy = prop::collection::vec((0u32..=20, 0u32..20), 10).prop_map(|columns| {
        let mut rows = vec![0; 20];
        for (column, (height, hole)) in columns.iter().enumerate() {
            for row in (0..*height).filter(|row| row != hole) {
                rows[row as usize] |= 1 << column;
            }
        }
        rows
    });
    prop_oneof![1 => noise, 1 => dense, 4 => stack, 4 => tidy]
        .prop_map(|rows| Board::from_rows(10, &rows).expect("ten columns"))
}

pub fn any_position() -> impl Strategy<Value = Position> {
    (any_board(), any_piece()).prop_map(|(board, piece)| Position {
        board,
        piece,
        next: None,
    })
}

/// The faults that are not found, looked for by two threads.
pub fn missed<F: Copy + Send + std::fmt::Debug>(
    faults: impl Iterator<Item = F> + Send,
    is_found: impl Fn(F) -> bool + Sync,
) -> Vec<F> {
    let (queue, missed) = (Mutex::new(faults), Mutex::new(Vec::new()));
    let look = || {
        loop {
            let next = queue.lock().expect("not poisoned").next();
            let Some(fault) = next else { break };
            if !is_found(fault) {
                missed.lock().expect("not poisoned").push(fault);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(look);
        }
    });
    missed.into_inner().expect("not poisoned")
}
