//! What a game is to the rest of the host.
//!
//! A game adds a folder here, its messages to the protocol's table and its
//! line to [`protocol::layout::GAMES`].

pub mod tetris;

use std::fmt::Debug;

use protocol::layout::Message;
use protocol::payload::{Payload, PayloadError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::compare::Field;

/// A game: its positions, decisions, controllers and golden model.
pub trait Game: Sized + Clone + Debug + Send + Sync + 'static {
    /// Name, in lower case.
    const NAME: &'static str;
    /// Its messages, error codes and numbers on the wire.
    const WIRE: &'static protocol::layout::Game;
    /// Board size (columns, rows) on the wire.
    const BOARD: (usize, usize);
    /// The request that hands over a controller.
    const CONFIGURE: &'static Message;
    /// The request whose reply repeats the controller.
    const READ_BACK: &'static Message;
    /// The request for a decision.
    const DECIDE: &'static Message;

    /// What is asked.
    type Position: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// What is answered. Equality is agreement.
    type Decision: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// What makes a backend play as it does.
    type Controller: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// What a session of games is dealt from.
    type Setup: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// A game under way.
    type Match: Match<Self>;

    /// Whether the controller plays positions like this one at all.
    ///
    /// # Errors
    /// When it does not, with the reason.
    fn check(controller: &Self::Controller, position: &Self::Position) -> Result<(), String>;

    /// The golden model's decision.
    fn decide(controller: &Self::Controller, position: &Self::Position) -> Self::Decision;

    /// Name of the path a fast engine would take: the one named, or the fastest.
    ///
    /// # Errors
    /// When there is no such path here.
    fn engine_path(path: Option<&str>) -> Result<String, String>;

    /// The fast engine, ready to decide as the controller does.
    ///
    /// # Errors
    /// When it cannot, with the reason.
    fn engine(
        controller: &Self::Controller,
        path: Option<&str>,
    ) -> Result<Box<dyn Decider<Self>>, String>;

    /// Whether only a backend with lookahead can decide the position.
    fn needs_lookahead(position: &Self::Position) -> bool;

    /// Whether the controller decides differently when what comes next is known.
    fn uses_lookahead(controller: &Self::Controller) -> bool;

    /// Payload of [`Self::CONFIGURE`].
    ///
    /// # Errors
    /// When no core can play as the controller does, with the reason.
    fn encode_controller(controller: &Self::Controller) -> Result<Payload, String>;

    /// Payload of [`Self::DECIDE`].
    ///
    /// # Errors
    /// When the wire cannot carry the position, with the reason.
    fn encode_position(position: &Self::Position) -> Result<Payload, String>;

    /// Reads a decision and the clock cycles it took.
    ///
    /// # Errors
    /// When the payload is not a decision.
    fn decode_decision(payload: &[u8]) -> Result<(Self::Decision, u32), PayloadError>;

    /// The decision field by field, to say where two differ.
    fn fields(decision: &Self::Decision) -> Vec<Field>;

    /// The position as text, with each decision drawn into a board of its own
    /// under its label.
    fn draw(position: &Self::Position, decisions: &[(&str, &Self::Decision)]) -> String;

    /// Deals a game of a session.
    fn deal(setup: &Self::Setup, game: u64) -> Self::Match;
}

/// An implementation in software, made ready for a controller.
pub trait Decider<G: Game>: Send {
    /// Its decision.
    ///
    /// # Errors
    /// When it does not play such a position, with the reason.
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, String>;
}

/// The golden model with its controller.
pub struct Golden<G: Game>(pub G::Controller);

impl<G: Game> Decider<G> for Golden<G> {
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, String> {
        G::check(&self.0, position)?;
        Ok(G::decide(&self.0, position))
    }
}

/// A game under way.
pub trait Match<G: Game> {
    /// What is to be decided now.
    fn position(&self) -> G::Position;

    /// Plays a decision; `false` when it ends the game.
    ///
    /// # Errors
    /// When the rules do not allow it, with the reason.
    fn apply(&mut self, decision: &G::Decision) -> Result<bool, String>;

    /// Decisions played so far.
    fn moves(&self) -> u64;

    /// Score of the game so far; lines in Tetris.
    fn score(&self) -> u64;
}
