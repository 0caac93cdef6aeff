//! Runs and self-play of a core: a stream for each.

use lockstep_games::{Codec, Move, Playing, Run, RunResult, SelfPlay, Stream, Sums, Unsupported};
use protocol::payload::PayloadError;

use super::Wire;
use super::batch::{Batch, Parts, Request};
use super::traffic::Watched;
use crate::backend::{BackendError, BackendErrorKind};

impl<G: Codec> Wire<G> {
    pub(super) async fn play_all(
        &mut self,
        runs: &[Run<G>],
    ) -> Result<Vec<RunResult<G>>, BackendError> {
        let playing = self.playing(self.identity.capabilities.batch, Unsupported::Batch)?;
        let mut moves = vec![Vec::new(); runs.len()];
        let mut tell = |run: usize, part: Vec<Move<G>>| moves[run].extend(part);
        let ends = self.stream_all(playing, &playing.play, runs, &mut tell);
        let ends = ends.await?.into_iter().zip(moves);
        Ok(ends
            .map(|(sums, moves)| RunResult { moves, sums })
            .collect())
    }

    pub(super) async fn self_play_all(
        &mut self,
        runs: &[SelfPlay<G>],
        tell: &mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        let playing = self.playing(self.identity.capabilities.self_play, Unsupported::SelfPlay)?;
        self.stream_all(playing, &playing.self_play, runs, tell)
            .await
    }

    fn playing(
        &self,
        can: bool,
        unsupported: Unsupported,
    ) -> Result<&'static Playing<G>, BackendError> {
        let playing = const { &G::PLAYING }.as_ref().filter(|_| can);
        playing.ok_or_else(|| BackendErrorKind::Unable(unsupported).of(&self.identity.name))
    }

    /// Requests one stream for each query, passes their parts on and returns their ends.
    async fn stream_all<Q, P>(
        &mut self,
        playing: &Playing<G>,
        stream: &Stream<G, Q, P>,
        runs: &[Q],
        tell: &mut (dyn FnMut(usize, P) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        let name = &self.identity.name;
        let request = |run: &Q| {
            let payload = (stream.encode)(run);
            let payload = payload.map_err(|why| BackendErrorKind::Position(why.into()).of(name))?;
            let cycles = (stream.max_gap)(run).saturating_mul(playing.max_cycles.into());
            let pause = self.time(cycles);
            let most = Some((stream.max_parts)(run));
            Ok(Request::stream(stream.request, payload, most).pausing(pause))
        };
        let requests: Vec<_> = runs.iter().map(request).collect::<Result<_, _>>()?;
        let mut told = Told {
            read: stream.part,
            come: vec![0; runs.len()],
            told: vec![0; runs.len()],
            tell,
        };
        let ends = self
            .line
            .ask(Batch::streams(requests, Watched::No, &mut told));
        let ends = ends.await?;
        let sums = ends.iter().map(|end| (stream.end)(end)).collect();
        self.line.client.named(sums)
    }
}

/// Passes parts on, once each: parts that a restarted stream repeats are dropped.
struct Told<'a, P> {
    read: fn(&[u8]) -> Result<P, PayloadError>,
    /// Parts of each stream since it began.
    come: Vec<u64>,
    /// Parts passed on.
    told: Vec<u64>,
    tell: &'a mut (dyn FnMut(usize, P) + Send),
}

impl<P> Parts for Told<'_, P> {
    fn begins(&mut self, stream: usize) {
        self.come[stream] = 0;
    }

    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError> {
        let part = (self.read)(payload)?;
        self.come[stream] += 1;
        if self.come[stream] > self.told[stream] {
            self.told[stream] += 1;
            (self.tell)(stream, part);
        }
        Ok(())
    }
}
