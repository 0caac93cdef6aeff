//! Third-party protocols: their hosts play against a backend as if it were their own board.

use lockstep_games::Game;

/// The board's side of a protocol, byte by byte.
pub trait Conversation<G: Game>: Send {
    /// Takes a byte from the host.
    ///
    /// # Errors
    /// When the byte completes a request that is not possible; the host gets no answer.
    fn take(&mut self, byte: u8) -> Result<Step<G::Position>, String>;

    /// Plays a decision; returns the bytes of the answer.
    ///
    /// # Errors
    /// When the rules do not allow it.
    fn answer(&mut self, decision: &G::Decision) -> Result<Vec<u8>, String>;
}

/// The response to a byte.
#[derive(Debug, PartialEq)]
pub enum Step<P> {
    /// Nothing.
    Nothing,
    /// These bytes.
    Reply(Vec<u8>),
    /// The decision of this position, for [`Conversation::answer`].
    Decide(P),
}
