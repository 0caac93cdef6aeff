//! The nodes of a search, its best point so far, and its end.

use lockstep_games::SearchControl;
use lockstep_games::gomoku::decision::Nodes;
use lockstep_games::gomoku::{Answer, Candidate, Decision};

/// Nodes between two calls of the host, at most twice as many.
const CHECK_EVERY: u64 = 4_096;

/// The search was ended before it was complete.
pub struct Ended;

/// Gets each new best decision, or `None` between them, and returns whether the search goes on.
pub type Host<'a> = dyn FnMut(Option<Decision>) -> SearchControl + 'a;

/// The state of a search: its nodes, the best point so far, and whether it goes on.
pub struct Progress<'a> {
    nodes: u64,
    /// Number of nodes at which the host is called next.
    check_at: u64,
    best: Option<(usize, i32)>,
    trace: Option<Nodes>,
    host: &'a mut Host<'a>,
    /// The host's last answer.
    pub control: SearchControl,
}

impl<'a> Progress<'a> {
    pub fn new(host: &'a mut Host<'a>) -> Self {
        Self {
            nodes: 0,
            check_at: CHECK_EVERY,
            best: None,
            trace: None,
            host,
            control: SearchControl::Continue,
        }
    }

    /// Lists the nodes from now on.
    pub fn trace(mut self) -> Self {
        self.trace = Some(Nodes::default());
        self
    }

    pub fn is_traced(&self) -> bool {
        self.trace.is_some()
    }

    /// The nodes listed.
    pub fn into_trace(self) -> Vec<Candidate> {
        self.trace.unwrap_or_default().into_inner()
    }

    /// Number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts stones that are placed on the board.
    #[inline]
    pub fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Counts a stone that is placed on the board.
    #[inline]
    pub fn enter(&mut self) -> Result<(), Ended> {
        self.nodes += 1;
        match self.nodes >= self.check_at {
            true => self.check(),
            false => Ok(()),
        }
    }

    /// Asks the host whether the search goes on.
    #[cold]
    pub fn check(&mut self) -> Result<(), Ended> {
        self.check_at = self.nodes + CHECK_EVERY;
        self.control = (self.host)(None);
        match self.control {
            SearchControl::Continue => Ok(()),
            _ => Err(Ended),
        }
    }

    /// Lists a node, unless nodes are not listed.
    pub fn leave(&mut self, node: Candidate) {
        if let Some(trace) = &mut self.trace {
            trace.push(node);
        }
    }

    /// Takes a point of the root that is better than those before it.
    pub fn take(&mut self, point: usize, value: i32) {
        self.best = Some((point, value));
        let best = self.so_far().decision();
        (self.host)(best);
    }

    /// The best answer so far.
    pub fn so_far(&self) -> Answer {
        Answer {
            point: self.best.map(|(point, _)| point),
            value: self.best.map_or(0, |(_, value)| value),
            nodes: self.nodes,
        }
    }
}
