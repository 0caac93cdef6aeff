//! Requests decisions: single replies, or streams of progress that end with the decision; and traces,
//! runs and self-play, a stream for each.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use lockstep_games::{
    Codec, Game, Move, Playing, Run, RunResult, SearchProgress, SelfPlay, Stream, Sums, Trace,
    Unsupported,
};
use protocol::layout::{self, Message};
use protocol::payload::PayloadError;
use protocol::payload::link::{Buttons, Info, Stats};

use super::Wire;
use super::batch::{Batch, Parts, Request};
use super::traffic::LinkReport;
use crate::backend::{Answer, Backend, BackendError, BackendErrorKind, Identity, Observer};
use crate::link::LinkError;

/// Time limit for ending an abandoned search.
const ABANDONING: Duration = Duration::from_secs(1);

#[async_trait]
impl<G: Codec> Backend<G> for Wire<G> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    async fn configure(&mut self, controller: &G::Controller) -> Result<(), BackendError> {
        let unplayable =
            |why: G::Error| BackendErrorKind::Unplayable(why.into()).of(&self.identity.name);
        let payload = G::encode_controller(controller).map_err(unplayable)?;
        if let Some(core) = &self.identity.core {
            G::check_core(controller, core).map_err(unplayable)?;
        }
        let set = Request::new(G::CONFIGURE, payload);
        self.line.settings = vec![set];
        self.controller = Some(controller.clone());
        let read_back = Request::empty(G::READ_BACK);
        let replies = self
            .line
            .ask(Batch::new(vec![set, read_back], &mut ()))
            .await?;
        let kept = replies.last().map_or(&[][..], |reply| reply.as_ref());
        if kept != payload.as_ref() {
            let why = "the controller read back differs from the one that was set";
            return Err(BackendErrorKind::Failed(why.into()).of(&self.identity.name));
        }
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[G::Position],
        observer: Observer<G>,
    ) -> Result<Vec<Answer<G>>, BackendError> {
        let finish = observer.finish().clone();
        let searching = const { &G::SEARCHING }.as_ref();
        let replies = match searching {
            None => {
                let requests = self.requests(positions, |p| Request::new(G::DECIDE, p))?;
                self.line.ask(Batch::new(requests, &mut ())).await?
            }
            Some(searching) => {
                let gap = self.time(searching.max_gap);
                let request = |payload| Request::search(G::DECIDE, payload);
                let requests = self.requests(positions, request)?.into_iter();
                let requests = requests
                    .map(|request| request.with_extra_time(gap))
                    .collect();
                let mut reports = Reports {
                    read: searching.progress,
                    best: vec![false; positions.len()],
                    observer,
                };
                let batch = Batch::new(requests, &mut reports);
                self.line.ask(batch.finishing(finish.clone())).await?
            }
        };
        let core = self.identity.core.as_ref();
        let exact = core.filter(|core| core.has(layout::link::EXACT_CYCLES));
        // A search that is finished early takes any time.
        let exact = exact.filter(|_| !finish.requested());
        let exact = exact.zip(self.controller.as_ref());
        let answer = |(reply, position): (&bytes::Bytes, &G::Position)| {
            let (found, cycles) = G::decode_decision(reply)?;
            let expected_cycles = exact.and_then(|(core, controller)| {
                G::expected_cycles(controller, position, &found.decision, core)
            });
            Ok::<_, PayloadError>(Answer {
                decision: found.decision,
                cycles: Some(cycles),
                expected_cycles,
                notes: found.notes,
            })
        };
        let answers = replies.iter().zip(positions).map(answer);
        let answers = answers.collect::<Result<_, _>>();
        self.line.client.named(answers)
    }

    async fn abandon(&mut self) {
        let ended = tokio::time::timeout(ABANDONING, self.line.client.end_streams()).await;
        if let Ok(Err(why)) | Err(why) = ended.map_err(|_| {
            BackendErrorKind::Link(LinkError::Silent("no answer came".into()))
                .of(&self.identity.name)
        }) {
            tracing::info!(name = %self.identity.name, %why, "the core may still be searching");
        }
    }

    async fn trace(&mut self, positions: &[G::Position]) -> Result<Vec<Trace<G>>, BackendError> {
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

    async fn play(&mut self, runs: &[Run<G>]) -> Result<Vec<RunResult<G>>, BackendError> {
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

    async fn self_play(
        &mut self,
        runs: &[SelfPlay<G>],
        report: &mut (dyn FnMut(usize, Sums<G>) + Send),
    ) -> Result<Vec<Sums<G>>, BackendError> {
        let can = self.identity.capabilities.self_play;
        let playing = const { &G::PLAYING }.as_ref().filter(|_| can);
        let playing = self.supported(playing, Unsupported::SelfPlay)?;
        self.run_all(playing, &playing.self_play, runs, report)
            .await
    }

    async fn stats(&mut self) -> Result<Option<Stats>, BackendError> {
        self.ask_link(&layout::link::STATS, Stats::decode)
            .await
            .map(Some)
    }

    async fn buttons(&mut self) -> Result<Option<Buttons>, BackendError> {
        let has = |core: &Info| core.has(layout::link::HAS_BUTTONS);
        if !self.identity.core.as_ref().is_some_and(has) {
            return Ok(None);
        }
        self.ask_link(&layout::link::BUTTONS, Buttons::decode)
            .await
            .map(Some)
    }

    fn link(&self) -> Option<LinkReport> {
        Some(self.line.client.report())
    }

    fn rate(&self) -> Option<u32> {
        self.line.client.rate()
    }
}

impl<G: Codec> Wire<G> {
    fn supported<T>(&self, what: Option<T>, unsupported: Unsupported) -> Result<T, BackendError> {
        what.ok_or_else(|| BackendErrorKind::Unable(unsupported).of(&self.identity.name))
    }

    /// The reply to a request of the link that has no payload.
    async fn ask_link<P>(
        &mut self,
        message: &'static Message,
        read: fn(&[u8]) -> Result<P, PayloadError>,
    ) -> Result<P, BackendError> {
        let requests = vec![Request::empty(message)];
        let replies = self.line.ask(Batch::new(requests, &mut ())).await?;
        let reply = replies.last().map_or(&[][..], |reply| reply.as_ref());
        self.line.client.named(read(reply))
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
        let core = self.identity.core.unwrap_or_default();
        let request = |run: &Q| {
            let payload = (stream.encode)(run, &core);
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
        let batch = Batch::new(requests, &mut once);
        self.line.ask(batch).await
    }
}

/// Decodes the progress of searches and passes it to the observer.
struct Reports<G: Game> {
    read: fn(&[u8]) -> Result<SearchProgress<G>, PayloadError>,
    /// Whether each search has reported a decision.
    best: Vec<bool>,
    observer: Observer<G>,
}

impl<G: Game> Parts for Reports<G> {
    fn begins(&mut self, stream: usize) {
        self.best[stream] = false;
    }

    fn part(&mut self, stream: usize, payload: &[u8]) -> Result<(), PayloadError> {
        let progress = (self.read)(payload)?;
        self.best[stream] |= progress.best.is_some();
        self.observer.progress(stream, progress);
        Ok(())
    }

    fn can_finish(&self, stream: usize) -> bool {
        self.best[stream]
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
