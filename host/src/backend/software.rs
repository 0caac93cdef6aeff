//! The golden model as a backend.

use futures::future::{BoxFuture, FutureExt as _};
use protocol::payload::link::Stats;

use super::{Answer, Backend, BackendError, Identity};
use crate::games::Game;

/// The golden model.
pub struct Software<G: Game> {
    identity: Identity,
    controller: Option<G::Controller>,
}

impl<G: Game> Software<G> {
    /// A golden model without a controller.
    pub fn new(name: &str) -> Self {
        Self {
            identity: Identity {
                name: name.into(),
                description: "golden model".into(),
                core: None,
                lookahead: false,
            },
            controller: None,
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
        self.identity.lookahead = G::uses_lookahead(controller);
        self.controller = Some(controller.clone());
        async { Ok(()) }.boxed()
    }

    fn decide<'a>(
        &'a mut self,
        positions: &'a [G::Position],
    ) -> BoxFuture<'a, Result<Vec<Answer<G>>, BackendError>> {
        async move {
            let name = &self.identity.name;
            let controller = self.controller.as_ref();
            let controller =
                controller.ok_or_else(|| BackendError::NotConfigured { name: name.clone() })?;
            // Lets the others send their requests first: they work elsewhere.
            tokio::task::yield_now().await;
            let mut answers = Vec::new();
            for position in positions {
                let refused = |why| BackendError::Position {
                    name: name.clone(),
                    why,
                };
                G::check(controller, position).map_err(refused)?;
                let decision = match self.identity.lookahead {
                    false => G::decide(controller, position),
                    // May take long: an interrupt must be heard meanwhile.
                    true => {
                        let (controller, position) = (controller.clone(), position.clone());
                        let decide = move || G::decide(&controller, &position);
                        let decided = tokio::task::spawn_blocking(decide).await;
                        decided.map_err(|e| refused(e.to_string()))?
                    }
                };
                answers.push(Answer {
                    decision,
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
