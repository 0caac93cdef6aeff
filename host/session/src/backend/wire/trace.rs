//! Traces: a stream of candidates for each position.

use lockstep_games::{Codec, Game, Trace, Unsupported};
use protocol::payload::PayloadError;

use super::Wire;
use super::batch::{Batch, Parts, Request};
use super::traffic::Watched;
use crate::backend::{BackendError, BackendErrorKind};

impl<G: Codec> Wire<G> {
    pub(super) async fn trace_all(
        &mut self,
        positions: &[G::Position],
    ) -> Result<Vec<Trace<G>>, BackendError> {
        let can = self.identity.capabilities.trace;
        let tracing = G::TRACING.filter(|_| can);
        let unsupported = || BackendErrorKind::Unable(Unsupported::Trace).of(&self.identity.name);
        let tracing = tracing.ok_or_else(unsupported)?;
        let requests = self.requests(positions, |payload| {
            Request::stream(tracing.request, payload, Some(tracing.max_parts))
        })?;
        let mut weighed = Weighed::<G> {
            read: tracing.candidate,
            weighed: vec![Vec::new(); positions.len()],
        };
        let batch = Batch::streams(requests, Watched::No, &mut weighed);
        let ends = self.line.ask(batch).await?;
        let trace = |(end, weighed): (&bytes::Bytes, Vec<G::Candidate>)| {
            let decision = (tracing.decision)(end)?;
            Ok::<_, PayloadError>(Trace {
                candidates: weighed,
                decision,
            })
        };
        let traces = ends.iter().zip(weighed.weighed).map(trace);
        self.line.client.named(traces.collect())
    }
}

/// The candidates of each position.
struct Weighed<G: Game> {
    read: fn(&[u8]) -> Result<G::Candidate, PayloadError>,
    weighed: Vec<Vec<G::Candidate>>,
}

impl<G: Game> Parts for Weighed<G> {
    fn begins(&mut self, stream: usize) {
        self.weighed[stream].clear();
    }

    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError> {
        self.weighed[stream].push((self.read)(payload)?);
        Ok(())
    }
}
