//! Requests traces, runs and self-play: a stream for each.

use bytes::Bytes;
use lockstep_games::{
    Codec, Move, Playing, Run, RunResult, SelfPlay, Stream, Sums, Trace, Unsupported,
};
use protocol::payload::PayloadError;

use super::Wire;
use super::batch::{Batch, Parts, Request};
use super::traffic::MeasureLatency;
use crate::backend::{BackendError, BackendErrorKind};

impl<G: Codec> Wire<G> {
    pub(super) async fn trace_all(
        &mut self,
        positions: &[G::Position],
    ) -> Result<Vec<Trace<G>>, BackendError> {
        let can = self.identity.capabilities.trace;
        let tracing = self.supported(G::TRACING.filter(|_| can), Unsupported::Trace)?;
        let requests = self.requests(positions, |payload| {
            Request::stream(tracing.request, payload, Some(tracing.max_parts))
        })?;
        let mut candidates = vec![Vec::new(); positions.len()];
        let mut take = |position: usize, candidate| candidates[position].push(candidate);
        let ends = self.stream_all(requests, tracing.candidate, &mut take);
        let traces = ends.await?.into_iter().zip(candidates);
        let traces = traces.map(|(end, candidates)| {
            let decision = (tracing.decision)(&end)?;
            Ok::<_, PayloadError>(Trace {
                candidates,
                decision,
            })
        });
        self.line.client.named(traces.collect())
    }

    pub(super) async fn play_all(
        &mut self,
        runs: &[Run<G>],
    ) -> Result<Vec<RunResult<G>>, BackendError> {
        let can = self.identity.capabilities.batch;
        let playing = const { &G::PLAYING }.as_ref().filter(|_| can);
        let playing = self.supported(playing, Unsupported::Batch)?;
        let mut moves = vec![Vec::new(); runs.len()];
        let mut take = |run: usize, part: Vec<Move<G>>| moves[run].extend(part);
        let ends = self.run_all(playing, &playing.play, runs, &mut take);
        let ends = ends.await?.into_iter().zip(moves);
        Ok(ends
            .map(|(sums, moves)| RunResult { moves, sums })
            .collect())
    }

    pub(super) async fn self_play_all(
        &mut self,
        runs: &[SelfPlay<G>],
        take: &mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        let can = self.identity.capabilities.self_play;
        let playing = const { &G::PLAYING }.as_ref().filter(|_| can);
        let playing = self.supported(playing, Unsupported::SelfPlay)?;
        self.run_all(playing, &playing.self_play, runs, take).await
    }

    fn supported<T>(&self, what: Option<T>, unsupported: Unsupported) -> Result<T, BackendError> {
        what.ok_or_else(|| BackendErrorKind::Unable(unsupported).of(&self.identity.name))
    }

    /// Requests one stream for each run, and returns their sums.
    async fn run_all<Q, P>(
        &mut self,
        playing: &Playing<G>,
        stream: &Stream<G, Q, P>,
        runs: &[Q],
        take: &mut (dyn FnMut(usize, P) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        let name = &self.identity.name;
        let request = |run: &Q| {
            let payload = (stream.encode)(run);
            let payload = payload.map_err(|why| BackendErrorKind::Position(why.into()).of(name))?;
            let cycles = (stream.max_gap)(run).saturating_mul(playing.max_cycles.into());
            let gap = self.time(cycles);
            let most = Some((stream.max_parts)(run));
            Ok(Request::stream(stream.request, payload, most).with_extra_time(gap))
        };
        let requests = runs.iter().map(request).collect::<Result<_, _>>()?;
        let ends = self.stream_all(requests, stream.part, take).await?;
        let sums = ends.iter().map(|end| (stream.end)(end)).collect();
        self.line.client.named(sums)
    }

    /// Requests streams, passes each of their parts on once, and returns their ends.
    async fn stream_all<P>(
        &mut self,
        requests: Vec<Request>,
        read: fn(&[u8]) -> Result<P, PayloadError>,
        take: &mut (dyn FnMut(usize, P) + Send),
    ) -> Result<Vec<Bytes>, BackendError> {
        let mut once = Once {
            read,
            arrived: vec![0; requests.len()],
            passed: vec![0; requests.len()],
            take,
        };
        let batch = Batch::streams(requests, MeasureLatency::No, &mut once);
        self.line.ask(batch).await
    }
}

/// Passes each part on once: parts that a stream repeats when it begins anew are dropped.
struct Once<'a, P> {
    read: fn(&[u8]) -> Result<P, PayloadError>,
    /// Parts of each stream since it began.
    arrived: Vec<u64>,
    /// Parts passed on.
    passed: Vec<u64>,
    take: &'a mut (dyn FnMut(usize, P) + Send),
}

impl<P> Parts for Once<'_, P> {
    fn begins(&mut self, stream: usize) {
        self.arrived[stream] = 0;
    }

    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError> {
        let part = (self.read)(payload)?;
        self.arrived[stream] += 1;
        if self.arrived[stream] > self.passed[stream] {
            self.passed[stream] += 1;
            (self.take)(stream, part);
        }
        Ok(())
    }
}
