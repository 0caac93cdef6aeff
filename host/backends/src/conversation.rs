//! Hosts of others, which play against a core in a protocol of theirs.

use lockstep_games::Game;

/// The board's side of a protocol, byte by byte.
pub trait Conversation<G: Game>: Send {
    /// Takes a byte of the host.
    ///
    /// # Errors
    /// When the request that ends with it is not possible; the host gets no answer.
    fn take(&mut self, byte: u8) -> Result<Step<G::Position>, String>;

    /// Plays a decision; returns the bytes of the answer.
    ///
    /// # Errors
    /// When the rules do not allow it.
    fn answer(&mut self, decision: &G::Decision) -> Result<Vec<u8>, String>;
}

/// What follows from a byte.
#[derive(Debug, PartialEq)]
pub enum Step<P> {
    /// Nothing.
    Nothing,
    /// These bytes.
    Reply(Vec<u8>),
    /// The decision of this position, for [`Conversation::answer`].
    Decide(P),
}
