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
            let controller = self.controller.as_ref();
            let controller = controller.ok_or_else(|| BackendError::NotConfigured {
                name: self.identity.name.clone(),
            })?;
            // Lets the others send their requests first: they work elsewhere.
            tokio::task::yield_now().await;
            let decide = |position| Answer {
                decision: G::decide(controller, position),
                cycles: None,
            };
            Ok(positions.iter().map(decide).collect())
        }
        .boxed()
    }

    fn stats(&mut self) -> BoxFuture<'_, Result<Option<Stats>, BackendError>> {
        async { Ok(None) }.boxed()
    }
}
