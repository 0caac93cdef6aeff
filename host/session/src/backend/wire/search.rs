//! Requests decisions: single replies, or streams of progress that end with the decision.

use lockstep_games::{Codec, Game, SearchProgress};
use protocol::layout;
use protocol::payload::PayloadError;

use super::Wire;
use super::batch::{Batch, Parts, Request};
use super::traffic::MeasureLatency;
use crate::backend::{Answer, BackendError, Observer};

impl<G: Codec> Wire<G> {
    /// Requests a decision for each position, and decodes the replies in order.
    pub(super) async fn search_all(
        &mut self,
        positions: &[G::Position],
        observer: Observer<G>,
    ) -> Result<Vec<Answer<G>>, BackendError> {
        let finish = observer.finish().clone();
        let searching = const { &G::SEARCHING }.as_ref();
        let replies = match searching {
            None => {
                let requests = self.requests(positions, |p| Request::new(G::DECIDE, p))?;
                self.line
                    .ask(Batch::new(requests, MeasureLatency::Yes))
                    .await?
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
                let batch = Batch::streams(requests, MeasureLatency::Yes, &mut reports);
                self.line.ask(batch.finishing(finish)).await?
            }
        };
        let core = self.identity.core.as_ref();
        let exact = core.filter(|core| core.has(layout::link::EXACT_CYCLES));
        let answer = |(reply, position): (&bytes::Bytes, &G::Position)| {
            let (found, cycles) = G::decode_decision(reply)?;
            Ok::<_, PayloadError>(Answer {
                decision: found.decision,
                cycles: Some(cycles),
                expected_cycles: exact.and_then(|core| G::expected_cycles(position, core)),
                notes: found.notes,
            })
        };
        let answers = replies.iter().zip(positions).map(answer);
        let answers = answers.collect::<Result<_, _>>();
        self.line.client.named(answers)
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
