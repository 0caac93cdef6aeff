//! A search on several threads, with the nodes of a search on one.
//!
//! The value of a child and its nodes follow from board and window alone. So threads search the
//! children behind the first one with the window that they have if none of them is better than the
//! best one so far. If one is, the results behind it are dropped, and its later siblings are searched
//! again with the new window. What is kept is exactly what one thread would have searched.

mod batch;

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use lockstep_games::SearchControl;
use lockstep_games::gomoku::Decision;

use super::geometry::point;
use super::progress::{Ended, Host, Progress};
use super::tree::{Node, Step, Tree, Window};
use batch::{Batch, Desk, Found};

/// A search, and the threads that help it.
pub struct Team<T: Tree> {
    tree: Arc<T>,
    cache: T::Cache,
    desk: Arc<Desk<T::State>>,
    /// Number of threads of a search, this one included.
    threads: usize,
    helpers: Vec<JoinHandle<()>>,
}

impl<T: Tree> Team<T> {
    /// A search that helpers join when it first has a node that splits.
    pub fn new(tree: T, threads: usize) -> Self {
        Self {
            cache: tree.cache(),
            tree: Arc::new(tree),
            desk: Arc::default(),
            threads,
            helpers: Vec::new(),
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
        let tree = self.tree.clone();
        if progress.is_traced() {
            tree.expand::<true>(state, &mut self.cache, node, window, progress)?;
        } else if tree.splits(&node) && self.has_helpers() {
            self.split(state, node, window, progress)?;
        } else {
            tree.expand::<false>(state, &mut self.cache, node, window, progress)?;
        }
        Ok(())
    }

    /// Starts helpers if there are none; whether there are any.
    fn has_helpers(&mut self) -> bool {
        if self.helpers.is_empty() {
            let helper = |_| {
                let (tree, desk) = (self.tree.clone(), self.desk.clone());
                let named = thread::Builder::new().name("gomoku".into());
                named.spawn(move || desk.help(&*tree)).ok()
            };
            self.helpers = (1..self.threads).map_while(helper).collect();
        }
        !self.helpers.is_empty()
    }

    /// The value of a node whose children are shared, for the side to move.
    fn split(
        &mut self,
        state: &T::State,
        node: Node,
        mut window: Window,
        progress: &mut Progress<'_>,
    ) -> Result<i32, Ended> {
        let children = self.tree.children(state, &node);
        let Some(&first) = children.first() else {
            return Ok(0);
        };
        let mut best = -T::BOUND;
        let mut value = self.first(state, &node, first, window, progress)?;
        let mut done = 1;
        loop {
            // The child before `done` has that value.
            if value > best {
                best = value;
                if node.ply == 0 {
                    progress.take(point(children[done - 1]), value);
                }
            }
            window.alpha = window.alpha.max(best);
            if window.alpha >= window.beta || done == children.len() {
                return Ok(best);
            }
            let results = self.share(state, node, &children[done..], window, progress)?;
            // All but the last are no better than alpha.
            for found in &results {
                progress.count(found.nodes);
                best = best.max(value);
                value = found.value;
            }
            done += results.len();
        }
    }

    /// The value of a first child, for the side that puts its stone.
    fn first(
        &mut self,
        state: &T::State,
        node: &Node,
        spot: usize,
        window: Window,
        progress: &mut Progress<'_>,
    ) -> Result<i32, Ended> {
        let tree = self.tree.clone();
        progress.enter()?;
        match tree.step(state, &mut self.cache, node, spot) {
            Step::Known(value) => Ok(value),
            Step::Node(mut state, node) => {
                let window = T::child_window(window);
                let value = match tree.splits(&node) {
                    true => self.split(&state, node, window, progress)?,
                    false => {
                        let cache = &mut self.cache;
                        tree.expand::<false>(&mut state, cache, node, window, progress)?
                    }
                };
                Ok(-value)
            }
        }
    }

    /// Searches children with one window, up to the first one that is better than its alpha.
    fn share(
        &mut self,
        state: &T::State,
        node: Node,
        children: &[usize],
        window: Window,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Found>, Ended> {
        let batch = Arc::new(Batch::new(state.clone(), node, children, window));
        self.desk.offer(&batch);
        while let Some(child) = batch.next() {
            let mut host = Leader {
                batch: &batch,
                child,
                progress,
            };
            batch.search(&*self.tree, &mut self.cache, child, &mut host);
        }
        self.desk.withdraw(|| {
            if progress.check().is_err() {
                batch.end();
            }
        });
        match progress.control {
            SearchControl::Continue => Ok(batch.results()),
            _ => Err(Ended),
        }
    }
}

/// The host of the children that the thread of the search itself takes.
struct Leader<'a, 'w, S> {
    batch: &'a Batch<S>,
    child: usize,
    progress: &'a mut Progress<'w>,
}

impl<S> Host for Leader<'_, '_, S> {
    fn control(&mut self) -> SearchControl {
        if self.progress.check().is_err() {
            self.batch.end();
        }
        self.batch.control(self.child)
    }

    fn progress(&mut self, _: Option<Decision>) {}
}

impl<T: Tree> Drop for Team<T> {
    fn drop(&mut self) {
        self.desk.close();
        for helper in self.helpers.drain(..) {
            // A helper that panicked has reported that itself.
            let _ = helper.join();
        }
    }
}
