//! The children that threads share, and the desk at which helpers wait for them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lockstep_games::SearchControl;
use lockstep_games::gomoku::Decision;

use crate::gomoku::progress::{Host, Progress};
use crate::gomoku::tree::{Node, Tree, Window};

/// Time between two looks at the watch while helpers finish.
const WAIT: Duration = Duration::from_millis(1);

/// The result of a child.
#[derive(Clone, Copy)]
pub struct Found {
    /// The value for the side that puts its stone.
    pub value: i32,
    /// The child and the nodes below it.
    pub nodes: u64,
}

/// Children of a node that are searched with one window.
pub struct Batch<S> {
    state: S,
    node: Node,
    children: Vec<usize>,
    window: Window,
    next: AtomicUsize,
    /// The first child known to be better than alpha: those behind it are void.
    better: AtomicUsize,
    ended: AtomicBool,
    results: Mutex<Vec<Option<Found>>>,
}

impl<S> Batch<S> {
    pub fn new(state: S, node: Node, children: &[usize], window: Window) -> Self {
        Self {
            state,
            node,
            children: children.to_vec(),
            window,
            next: AtomicUsize::new(0),
            better: AtomicUsize::new(usize::MAX),
            ended: AtomicBool::new(false),
            results: Mutex::new(vec![None; children.len()]),
        }
    }

    /// The next child to search.
    pub fn next(&self) -> Option<usize> {
        let child = self.next.fetch_add(1, Ordering::Relaxed);
        let is_left = child < self.children.len();
        (is_left && self.control(child) == SearchControl::Continue).then_some(child)
    }

    /// Whether the result of a child is of use.
    pub fn control(&self, child: usize) -> SearchControl {
        let is_void = child > self.better.load(Ordering::Relaxed);
        match is_void || self.ended.load(Ordering::Relaxed) {
            true => SearchControl::Abandon,
            false => SearchControl::Continue,
        }
    }

    /// Ends the search of all children.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Searches a child, unless `host` ends it.
    pub fn search<T: Tree<State = S>>(
        &self,
        tree: &T,
        cache: &mut T::Cache,
        child: usize,
        host: &mut dyn Host,
    ) {
        let mut progress = Progress::new(host);
        let spot = self.children[child];
        let window = self.window;
        let value = tree.child(&self.state, cache, &self.node, spot, window, &mut progress);
        let Ok(value) = value else { return };
        if value > self.window.alpha {
            self.better.fetch_min(child, Ordering::Relaxed);
        }
        let nodes = progress.nodes();
        lock(&self.results)[child] = Some(Found { value, nodes });
    }

    /// The results up to the first child that is better than alpha.
    pub fn results(&self) -> Vec<Found> {
        let better = self.better.load(Ordering::Relaxed);
        let results = lock(&self.results);
        let valid = results.iter().take(better.saturating_add(1));
        valid.map_while(|found| *found).collect()
    }
}

/// Where helpers wait for a batch.
pub struct Desk<S> {
    board: Mutex<Board<S>>,
    /// There is a new batch, or the desk is closed.
    news: Condvar,
    /// A helper left its batch.
    left: Condvar,
}

struct Board<S> {
    batch: Option<Arc<Batch<S>>>,
    /// Number of batches so far.
    offered: u64,
    /// Number of helpers that have a batch.
    working: usize,
    closed: bool,
}

impl<S> Default for Desk<S> {
    fn default() -> Self {
        let board = Board {
            batch: None,
            offered: 0,
            working: 0,
            closed: false,
        };
        Self {
            board: Mutex::new(board),
            news: Condvar::new(),
            left: Condvar::new(),
        }
    }
}

impl<S> Desk<S> {
    /// Offers a batch to all helpers.
    pub fn offer(&self, batch: &Arc<Batch<S>>) {
        let mut board = lock(&self.board);
        board.batch = Some(batch.clone());
        board.offered += 1;
        self.news.notify_all();
    }

    /// Takes the batch back and waits for the helpers that have it; `meanwhile` is called again and
    /// again.
    pub fn withdraw(&self, mut meanwhile: impl FnMut()) {
        let mut board = lock(&self.board);
        board.batch = None;
        while board.working > 0 {
            let waited = self.left.wait_timeout(board, WAIT);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            meanwhile();
            board = lock(&self.board);
        }
    }

    /// Sends the helpers away.
    pub fn close(&self) {
        lock(&self.board).closed = true;
        self.news.notify_all();
    }

    /// Helps with every batch until the desk is closed.
    pub fn help<T: Tree<State = S>>(&self, tree: &T) {
        let mut cache = tree.cache();
        let mut seen = 0;
        while let Some(batch) = self.wait(&mut seen) {
            let _leaving = Leaving(self);
            while let Some(child) = batch.next() {
                let mut host = Helper {
                    batch: &*batch,
                    child,
                };
                batch.search(tree, &mut cache, child, &mut host);
            }
        }
    }

    /// Waits for a batch after number `seen`; `None` if the desk is closed.
    fn wait(&self, seen: &mut u64) -> Option<Arc<Batch<S>>> {
        let mut board = lock(&self.board);
        loop {
            if board.closed {
                return None;
            }
            if let Some(batch) = board.batch.clone().filter(|_| board.offered > *seen) {
                *seen = board.offered;
                board.working += 1;
                return Some(batch);
            }
            let news = self.news.wait(board);
            board = news.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Reports that a helper left its batch, also when it panics.
struct Leaving<'a, S>(&'a Desk<S>);

impl<S> Drop for Leaving<'_, S> {
    fn drop(&mut self) {
        lock(&self.0.board).working -= 1;
        self.0.left.notify_all();
    }
}

/// The host of the children that a helper takes.
struct Helper<'a, S> {
    batch: &'a Batch<S>,
    child: usize,
}

impl<S> Host for Helper<'_, S> {
    fn control(&mut self) -> SearchControl {
        self.batch.control(self.child)
    }

    fn progress(&mut self, _: Option<Decision>) {}
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
