//! A search tree that several threads can search.

use super::progress::{Ended, Progress};

/// A node whose children are searched.
#[derive(Clone, Copy)]
pub struct Node {
    /// Stones since the root.
    pub ply: usize,
    /// Stones to look ahead from here.
    pub depth: usize,
    /// Whether the side to move must block five in a row.
    pub block: bool,
}

/// The bounds of a node's value, for the side to move.
#[derive(Clone, Copy)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

/// The result of a stone.
pub enum Step<S> {
    /// The value is known, for the side that placed the stone.
    Known(i32),
    /// The other side moves.
    Node(S, Node),
}

/// A search that is a function of board, node and window.
pub trait Tree: Send + Sync + 'static {
    /// A board.
    type State: Clone + Send + Sync;
    /// State that a thread keeps from one board to the next.
    type Cache: Send;

    /// Magnitude of the bounds at the root.
    const BOUND: i32;

    /// A new cache.
    fn cache(&self) -> Self::Cache;

    /// The node of the root.
    fn root(&self, state: &Self::State) -> Node;

    /// Whether a node is large enough that threads share its children.
    fn splits(&self, node: &Node) -> bool;

    /// The spots of the children, in their order.
    fn children(&self, state: &Self::State, node: &Node) -> Vec<usize>;

    /// The result of the stone on a spot.
    fn step(
        &self,
        state: &Self::State,
        cache: &mut Self::Cache,
        node: &Node,
        spot: usize,
    ) -> Step<Self::State>;

    /// The window of the children of a node with that window.
    fn child_window(window: Window) -> Window;

    /// The value of a node, for the side to move.
    fn expand<const TRACE: bool>(
        &self,
        state: &mut Self::State,
        cache: &mut Self::Cache,
        node: Node,
        window: Window,
        progress: &mut Progress<'_>,
    ) -> Result<i32, Ended>;
}
