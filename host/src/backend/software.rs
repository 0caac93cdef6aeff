//! What decides in this process as a backend: the golden model, or a game's
//! fast engine.

use futures::future::{BoxFuture, FutureExt as _};
use protocol::payload::link::Stats;

use super::{Answer, Backend, BackendError, Identity};
use crate::games::{Decider, Game, Golden};

/// A decider in this process.
pub struct Software<G: Game> {
    identity: Identity,
    kind: Kind,
    decider: Option<Box<dyn Decider<G>>>,
}

enum Kind {
    Golden,
    Engine {
        /// `None`: the fastest here.
        path: Option<String>,
    },
}

impl<G: Game> Software<G> {
    /// The golden model, without a controller.
    pub fn golden(name: &str) -> Self {
        Self::new(name, "golden model".into(), Kind::Golden)
    }

    /// The engine without a controller, on the named path or the fastest.
    ///
    /// # Errors
    /// When there is no such path here.
    pub fn engine(name: &str, path: Option<&str>) -> Result<Self, BackendError> {
        let path_name = G::engine_path(path).map_err(|why| BackendError::Unavailable {
            name: name.into(),
            why,
        })?;
        let path = path.map(str::to_owned);
        let description = format!("fast engine, {path_name}");
        Ok(Self::new(name, description, Kind::Engine { path }))
    }

    fn new(name: &str, description: String, kind: Kind) -> Self {
        Self {
            identity: Identity {
                name: name.into(),
                description,
                core: None,
                lookahead: false,
            },
            kind,
            decider: None,
        }
    }
}

impl<G: Game> Backend<G> for Software<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn configure<'a>(
        &'a mut self,
        controller: &'a G::Controller,
    ) -> BoxFuture<'a, Result<(), BackendError>> {
        async move {
            let decider: Result<Box<dyn Decider<G>>, String> = match &self.kind {
                Kind::Golden => Ok(Box::new(Golden(controller.clone()))),
                Kind::Engine { path } => G::engine(controller, path.as_deref()),
            };
            self.decider = Some(decider.map_err(|why| BackendError::Unplayable {
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
                let decider = self.decider.take();
                let mut decider =
                    decider.ok_or_else(|| BackendError::NotConfigured { name: name.clone() })?;
                let refused = |why| BackendError::Position {
                    name: name.clone(),
                    why,
                };
                let decision = match self.identity.lookahead {
                    false => decider.decide(position),
                    // May take long: an interrupt must be heard meanwhile.
                    true => {
                        let position = position.clone();
                        let decide = move || (decider.decide(&position), decider);
                        let decided = tokio::task::spawn_blocking(decide).await;
                        let decision;
                        (decision, decider) = decided.map_err(|e| refused(e.to_string()))?;
                        decision
                    }
                };
                self.decider = Some(decider);
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
