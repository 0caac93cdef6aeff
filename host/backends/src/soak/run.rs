//! Plays a soak until its end or the first wrong answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lockstep::{Backend, Stop};
use lockstep_games::BoxError;
use lockstep_games::tetris::Tetris;
use protocol::layout::link::STREAM_CREDIT;
use protocol::layout::tetris::PLAY_PIECES;
use tokio::sync::mpsc;

use super::ask::{WrongAnswer, ask};
use super::reference::{Reference, Segment, SoakMode, SoakPlan, SoakState};
use super::search::{Finding, search};

/// Maximum number of pieces from one checkpoint to the next. A core at a raised rate returns to its
/// base rate when the line is silent for as long as several checkpoints take.
pub const MOST_SPACING: u32 = 10_000;

/// Pieces from one checkpoint to the next before the backend's speed is known.
const FIRST_SPACING: u32 = 8;

/// Time between checkpoints, unless the spacing is given.
const CHECKPOINT: Duration = Duration::from_millis(100);

/// Duration of a round of requests sent together: long, as the backend is idle for the time of one
/// answer between two rounds.
const ROUND: Duration = Duration::from_secs(2);

/// Maximum number of segments that the engine plays ahead in self-play. Few, as their length
/// changes.
const SELF_PLAYS_AHEAD: usize = 16;

const BATCHES_AHEAD: usize = 4_096;

/// Is called as a soak progresses.
pub trait Watch: Send {
    /// Shows the progress: backend and engine agree up to this state.
    fn at(&mut self, state: &SoakState);

    /// Keeps a state from which the soak can resume; all answers before it are compared.
    ///
    /// # Errors
    /// When it cannot be kept; the soak ends then.
    fn keep(&mut self, state: &SoakState) -> Result<(), BoxError>;

    /// Shows the progress of the search: the first wrong decision lies between these two pieces.
    fn narrowing(&mut self, from: u64, to: u64);
}

/// How a soak ended.
#[derive(Debug)]
pub enum SoakEnd {
    /// All decisions agreed.
    Agreed,
    /// [`Soak::stop`] was requested.
    Interrupted,
    /// An answer differed.
    Diverged(Box<Finding>),
}

/// A soak of a backend.
pub struct Soak<'a> {
    /// Its plan.
    pub plan: &'a SoakPlan,
    /// Pieces from one checkpoint to the next; `None` for as many as take a tenth of a
    /// second.
    pub spacing: Option<u32>,
    /// Ends the soak early.
    pub stop: &'a Stop,
}

/// The segments that the engine plays ahead.
type Ahead = mpsc::Receiver<Result<Segment, BoxError>>;

impl Soak<'_> {
    /// Plays from a state on; returns the last state at which both agreed, and how it ended.
    pub async fn run(
        &self,
        backend: &mut dyn Backend<Tetris>,
        from: SoakState,
        watch: &mut dyn Watch,
    ) -> (SoakState, Result<SoakEnd, BoxError>) {
        let mut good = from.clone();
        let end = self.play(backend, &mut good, watch).await;
        let end = match end {
            Ok(None) => Ok(SoakEnd::Agreed),
            Err(None) => Ok(SoakEnd::Interrupted),
            Err(Some(why)) => Err(why),
            Ok(Some((wrong, starts))) => {
                let mut finding = Finding::new(&wrong);
                let searched = search(self.plan, backend, &wrong, &starts, &mut finding, watch);
                let searched = tokio::select! {
                    biased;
                    () = self.stop.wait() => Err("interrupted".to_owned()),
                    searched = searched => searched.map_err(|why| why.to_string()),
                };
                finding.unfinished = searched.err();
                Ok(SoakEnd::Diverged(Box::new(finding)))
            }
        };
        // The error of the soak matters more than the one of keeping its state.
        let kept = watch.keep(&good);
        (good, end.and_then(|end| kept.map(|()| end)))
    }

    /// Plays until the end or the first wrong answer, returned with the states to search it from.
    ///
    /// The error of an interrupted soak is `None`.
    async fn play(
        &self,
        backend: &mut dyn Backend<Tetris>,
        good: &mut SoakState,
        watch: &mut dyn Watch,
    ) -> Result<Option<(WrongAnswer, Vec<SoakState>)>, Option<BoxError>> {
        let spacing = Arc::new(AtomicU32::new(self.spacing.unwrap_or(FIRST_SPACING)));
        let mut ahead = self.ahead(good.clone(), &spacing)?;
        let mut round = 1;
        while good.sums.pieces < self.plan.decisions {
            let segments = self.next(&mut ahead, round).await?;
            let begun = Instant::now();
            let first = good.clone();
            let mut at = |state: &SoakState| {
                if state.sums.pieces > good.sums.pieces {
                    good.clone_from(state);
                }
                watch.at(state);
            };
            let answered = ask(backend, &segments, &mut at);
            let wrong = tokio::select! {
                biased;
                () = self.stop.wait() => return Err(None),
                wrong = answered => wrong.map_err(BoxError::from)?,
            };
            if let Some(wrong) = wrong {
                let segment = wrong.from.clone();
                let starts = match self.plan.games {
                    1 => vec![wrong.good.clone(), segment, first, self.plan.begin()],
                    // From elsewhere other games would be played.
                    _ => vec![segment],
                };
                good.clone_from(&wrong.good);
                return Ok(Some((wrong, starts)));
            }
            watch.keep(good)?;
            let pieces = good.sums.pieces - first.sums.pieces;
            let rate = pieces as f64 / begun.elapsed().as_secs_f64().max(1e-6);
            if self.spacing.is_none() {
                // At most doubled: the link learns from each checkpoint how long one takes.
                let most = spacing.load(Ordering::Relaxed).saturating_mul(2);
                let next = (rate * CHECKPOINT.as_secs_f64()) as u32;
                let next = next.clamp(FIRST_SPACING, MOST_SPACING.min(most));
                spacing.store(next, Ordering::Relaxed);
            }
            round = ((rate * ROUND.as_secs_f64()) as u64).max(1);
        }
        Ok(None)
    }

    /// The next segments: at least `decisions` decisions, or as many as the engine has ready.
    async fn next(
        &self,
        ahead: &mut Ahead,
        decisions: u64,
    ) -> Result<Vec<Segment>, Option<BoxError>> {
        let gone = || BoxError::from("the engine's thread ended early");
        let first = tokio::select! {
            biased;
            () = self.stop.wait() => return Err(None),
            first = ahead.recv() => first.ok_or_else(gone)??,
        };
        let mut count = first.end.sums.pieces;
        let mut segments = vec![first];
        while count < decisions
            && let Ok(next) = ahead.try_recv()
        {
            let next = next?;
            count += next.end.sums.pieces;
            segments.push(next);
        }
        Ok(segments)
    }

    /// Starts a thread on which the engine plays ahead, until the receiver is dropped.
    fn ahead(&self, from: SoakState, spacing: &Arc<AtomicU32>) -> Result<Ahead, BoxError> {
        let (send, ahead) = mpsc::channel(match self.plan.mode {
            SoakMode::SelfPlay => SELF_PLAYS_AHEAD,
            SoakMode::Batch => BATCHES_AHEAD,
        });
        let (plan, spacing) = (self.plan.clone(), Arc::clone(spacing));
        let work = move || {
            let mut reference = match Reference::new(&plan, from) {
                Ok(reference) => reference,
                Err(why) => {
                    let _ = send.blocking_send(Err(why));
                    return;
                }
            };
            loop {
                let left = plan.decisions.saturating_sub(reference.state().sums.pieces);
                let spacing = spacing.load(Ordering::Relaxed);
                let most = match plan.mode {
                    // It can end without further credit, and the next one follows at once.
                    SoakMode::SelfPlay => spacing.saturating_mul(STREAM_CREDIT.into()),
                    SoakMode::Batch => PLAY_PIECES as u32,
                };
                let pieces = u32::try_from(left).map_or(most, |left| left.min(most));
                if pieces == 0 {
                    return;
                }
                let segment = reference.segment(pieces, spacing);
                if send.blocking_send(Ok(segment)).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("reference".into());
        let spawned = thread.spawn(work);
        spawned.map_err(|why| format!("the engine's thread failed: {why}"))?;
        Ok(ahead)
    }
}
