//! A game's fast engine as a backend.

use futures::future::{BoxFuture, FutureExt as _};
use protocol::payload::link::Stats;

use super::{Answer, Backend, BackendError, Identity};
use crate::games::{Fast, Game};

/// The fast engine.
pub struct Engine<G: Game> {
    identity: Identity,
    path: Option<String>,
    fast: Option<Box<dyn Fast<G>>>,
}

impl<G: Game> Engine<G> {
    /// An engine without a controller, on the named path or the fastest.
    ///
    /// # Errors
    /// When there is no such path here.
    pub fn new(name: &str, path: Option<&str>) -> Result<Self, BackendError> {
        let path_name = G::engine_path(path).map_err(|why| BackendError::Unavailable {
            name: name.into(),
            why,
        })?;
        Ok(Self {
            identity: Identity {
                name: name.into(),
                description: format!("fast engine, {path_name}"),
                core: None,
                lookahead: false,
            },
            path: path.map(str::to_owned),
            fast: None,
        })
    }
}

impl<G: Game> Backend<G> for Engine<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>> {
        async move {
            let fast = G::engine(controller, self.path.as_deref());
            self.fast = Some(fast.map_err(|why| BackendError::Unplayable {
                name: self.identity.name.clone(),
                why,
            })?);
            self.identity.lookahead = G::uses_lookahead(controller);
            Ok(())
        }
        .boxed()
    }

    fn decide<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>> {
        async move {
            let name = &self.identity.name;
            // Lets the others send their requests first: they work elsewhere.
            tokio::task::yield_now().await;
            let mut answers = Vec::new();
            for position in positions {
                let fast = self.fast.take();
                let mut fast =
                    fast.ok_or_else(|| BackendError::NotConfigured { name: name.clone() })?;
                let refused = |why| BackendError::Position {
                    name: name.clone(),
                    why,
                };
                let decision = match self.identity.lookahead {
                    false => fast.decide(position),
                    // May take long: an interrupt must be heard meanwhile.
                    true => {
                        let position = position.clone();
                        let decide = move || (fast.decide(&position), fast);
                        let decided = tokio::task::spawn_blocking(decide).await;
                        let decision;
                        (decision, fast) = decided.map_err(|e| refused(e.to_string()))?;
                        decision
                    }
                };
                self.fast = Some(fast);
                answers.push(Answer {
                    decision: decision.map_err(refused)?,
                    cycles: None,
                });
            }
            Ok(answers)
        }
        .boxed()
    }

    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>> {
        async { Ok(None) }.boxed()
    }
}
