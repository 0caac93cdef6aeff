//! A search on several threads that visits the same nodes as a search on one thread.
//!
//! The value and the nodes of a child depend only on the board and the window. So after the first
//! child, threads search the other children side by side, on the assumption that none is better
//! than the best so far. If one is, the results of the children after it are dropped, and these
//! children are searched again with the new window. The results kept are exactly those of one
//! thread.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use lockstep_games::SearchControl;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::geometry::point;
use super::progress::{Ended, Progress};
use super::tree::{Node, Step, Tree, Window};

/// Time between two calls of the host while helpers finish.
const WAIT: Duration = Duration::from_millis(1);

/// A search, and the threads that help it.
pub struct Team<T: Tree> {
    tree: T,
    cache: T::Cache,
    /// Number of threads of a search, this one included.
    threads: usize,
    /// The other threads, and a cache for each.
    helpers: Option<(ThreadPool, Vec<T::Cache>)>,
}

impl<T: Tree> Team<T> {
    /// A search; its helper threads start at the first node whose children threads share.
    pub fn new(tree: T, threads: usize) -> Self {
        Self {
            cache: tree.cache(),
            tree,
            threads,
            helpers: None,
        }
    }

    pub fn tree(&self) -> &T {
        &self.tree
    }

    /// Calls a function with the search and the cache of this thread.
    pub fn with_cache<R>(&mut self, call: impl FnOnce(&T, &mut T::Cache) -> R) -> R {
        call(&self.tree, &mut self.cache)
    }

    /// Searches from the root.
    pub fn search(
        &mut self,
        state: &mut T::State,
        progress: &mut Progress<'_>,
    ) -> Result<(), Ended> {
        let node = self.tree.root(state);
        let window = Window {
            alpha: -T::BOUND,
            beta: T::BOUND,
        };
        let is_shared = self.threads > 1 && !progress.is_traced() && self.tree.splits(&node);
        if is_shared && self.helpers.is_none() {
            self.helpers = helpers(&self.tree, self.threads - 1);
        }
        let (tree, cache) = (&self.tree, &mut self.cache);
        match &mut self.helpers {
            Some((pool, caches)) if is_shared => {
                let mut shared = Shared {
                    tree,
                    cache,
                    pool,
                    caches,
                    progress,
                };
                shared.split(state, node, window)?
            }
            _ if progress.is_traced() => {
                tree.expand::<true>(state, cache, node, window, progress)?
            }
            _ => tree.expand::<false>(state, cache, node, window, progress)?,
        };
        Ok(())
    }
}

/// Threads that help; `None` if they cannot be started.
fn helpers<T: Tree>(tree: &T, threads: usize) -> Option<(ThreadPool, Vec<T::Cache>)> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.thread_name(|_| "gomoku".into()).build().ok()?;
    Some((pool, (0..threads).map(|_| tree.cache()).collect()))
}

/// A search whose nodes are shared with helpers.
struct Shared<'a, 'w, T: Tree> {
    tree: &'a T,
    cache: &'a mut T::Cache,
    pool: &'a ThreadPool,
    caches: &'a mut [T::Cache],
    progress: &'a mut Progress<'w>,
}

impl<T: Tree> Shared<'_, '_, T> {
    /// The value of a node whose children are shared, for the side to move.
    fn split(&mut self, state: &T::State, node: Node, mut window: Window) -> Result<i32, Ended> {
        let children = self.tree.children(state, &node);
        let Some(&first) = children.first() else {
            return Ok(0);
        };
        let mut best = -T::BOUND;
        let mut value = self.first(state, &node, first, window)?;
        let mut done = 1;
        loop {
            // The child before `done` has that value.
            if value > best {
                best = value;
                if node.ply == 0 {
                    self.progress.take(point(children[done - 1]), value);
                }
            }
            window.alpha = window.alpha.max(best);
            if window.alpha >= window.beta || done == children.len() {
                return Ok(best);
            }
            let results = self.share(state, node, &children[done..], window)?;
            // All but the last are no better than alpha.
            for found in &results {
                self.progress.count(found.nodes);
                best = best.max(value);
                value = found.value;
            }
            done += results.len();
        }
    }

    /// The value of a first child, for the side that places its stone.
    fn first(
        &mut self,
        state: &T::State,
        node: &Node,
        spot: usize,
        window: Window,
    ) -> Result<i32, Ended> {
        self.progress.enter()?;
        match self.tree.step(state, self.cache, node, spot) {
            Step::Node(state, node) if self.tree.splits(&node) => {
                Ok(-self.split(&state, node, T::child_window(window))?)
            }
            step => value_of(self.tree, self.cache, step, window, self.progress),
        }
    }

    /// Searches children with one window, up to the first one that is better than its alpha.
    fn share(
        &mut self,
        state: &T::State,
        node: Node,
        children: &[usize],
        window: Window,
    ) -> Result<Vec<Found>, Ended> {
        let batch = Batch {
            tree: self.tree,
            state,
            node,
            children,
            window,
            next: AtomicUsize::new(0),
            better: AtomicUsize::new(usize::MAX),
            ended: AtomicBool::new(false),
        };
        let mut results = vec![None; children.len()];
        self.pool.in_place_scope(|scope| {
            let (sender, receiver) = channel();
            for cache in self.caches.iter_mut() {
                let (batch, sender) = (&batch, sender.clone());
                scope.spawn(move |_| {
                    while let Some(child) = batch.next() {
                        let found = batch.search(cache, child, || batch.control(child));
                        // The receiver stays as long as there are senders.
                        let _ = sender.send((child, found));
                    }
                });
            }
            drop(sender);
            while let Some(child) = batch.next() {
                let control = || {
                    batch.check(self.progress);
                    batch.control(child)
                };
                results[child] = batch.search(self.cache, child, control);
            }
            loop {
                match receiver.recv_timeout(WAIT) {
                    Ok((child, found)) => results[child] = found,
                    Err(RecvTimeoutError::Timeout) => batch.check(self.progress),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        if self.progress.control != SearchControl::Continue {
            return Err(Ended);
        }
        // Those up to the first one that is better.
        let better = batch.better.into_inner();
        let valid = results.into_iter().take(better.saturating_add(1));
        Ok(valid.map_while(|found| found).collect())
    }
}

/// The value of what follows a stone, for the side that places it, with the window of its parent.
fn value_of<T: Tree>(
    tree: &T,
    cache: &mut T::Cache,
    step: Step<T::State>,
    window: Window,
    progress: &mut Progress<'_>,
) -> Result<i32, Ended> {
    match step {
        Step::Known(value) => Ok(value),
        Step::Node(mut state, node) => {
            let window = T::child_window(window);
            let value = tree.expand::<false>(&mut state, cache, node, window, progress)?;
            Ok(-value)
        }
    }
}

/// The result of a child.
#[derive(Clone, Copy)]
struct Found {
    /// The value for the side that places its stone.
    value: i32,
    /// The child and the nodes below it.
    nodes: u64,
}

/// Children of a node that are searched with one window.
struct Batch<'a, T: Tree> {
    tree: &'a T,
    state: &'a T::State,
    node: Node,
    children: &'a [usize],
    window: Window,
    next: AtomicUsize,
    /// The first child known to be better than alpha: the results after it are void.
    better: AtomicUsize,
    ended: AtomicBool,
}

impl<T: Tree> Batch<'_, T> {
    /// The next child to search.
    fn next(&self) -> Option<usize> {
        let child = self.next.fetch_add(1, Relaxed);
        let is_left = child < self.children.len();
        (is_left && self.control(child) == SearchControl::Continue).then_some(child)
    }

    /// Whether the search of a child continues, because its result may still count.
    fn control(&self, child: usize) -> SearchControl {
        match child > self.better.load(Relaxed) || self.ended.load(Relaxed) {
            true => SearchControl::Abandon,
            false => SearchControl::Continue,
        }
    }

    /// Ends the search of all children if the whole search must end.
    fn check(&self, progress: &mut Progress<'_>) {
        if progress.check().is_err() {
            self.ended.store(true, Relaxed);
        }
    }

    /// Searches a child, unless `control` ends it.
    fn search(
        &self,
        cache: &mut T::Cache,
        child: usize,
        mut control: impl FnMut() -> SearchControl,
    ) -> Option<Found> {
        let mut host = |_| control();
        let mut progress = Progress::new(&mut host);
        progress.enter().ok()?;
        let spot = self.children[child];
        let step = self.tree.step(self.state, cache, &self.node, spot);
        let value = value_of(self.tree, cache, step, self.window, &mut progress).ok()?;
        if value > self.window.alpha {
            self.better.fetch_min(child, Relaxed);
        }
        let nodes = progress.nodes();
        Some(Found { value, nodes })
    }
}
