//! From one place to the next, until the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lockstep::{Backend, BackendError, Stop};
use lockstep_engine::tetris::EngineError;
use lockstep_games::BoxError;
use lockstep_games::tetris::Tetris;
use protocol::layout::link::STREAM_CREDIT;
use protocol::layout::tetris::PLAY_PIECES;
use tokio::sync::mpsc;

use super::ask::{Wrong, ask};
use super::reference::{Place, Plan, Reference, Stretch, Way};
use super::search::{Finding, search};

/// Most pieces from one checkpoint to the next: a core at another rate of the line than its
/// base rate goes back to that when it hears nothing for as long as several of them take.
pub const MOST_SPACING: u32 = 10_000;

/// Pieces from one checkpoint to the next before it is known how fast they come.
const FIRST_SPACING: u32 = 8;

/// Time that a checkpoint is to take, unless their distance is named.
const CHECKPOINT: Duration = Duration::from_millis(100);

/// Time of the requests in flight together. Between two such rounds the backend has nothing to do
/// for the time of an answer.
const TURN: Duration = Duration::from_secs(2);

/// Stretches that the engine plays ahead, at most: of self-play, whose length changes, and
/// of short batches.
const AHEAD: [usize; 2] = [16, 4_096];

/// Follows a soak.
pub trait Watch: Send {
    /// All agreed up to here.
    fn at(&mut self, place: &Place);

    /// Keeps a place to continue from. All answers up to there have been compared.
    ///
    /// # Errors
    /// When it cannot be kept; the soak ends then.
    fn keep(&mut self, place: &Place) -> Result<(), BoxError>;

    /// Something differs between these two pieces, and it is looked for where.
    fn narrowing(&mut self, from: u64, to: u64);
}

/// How a soak ended.
#[derive(Debug)]
pub enum End {
    /// All decisions agreed.
    Agreed,
    /// The user stopped it.
    Interrupted,
    /// Something differs.
    Diverged(Box<Finding>),
}

/// Why a soak cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SoakError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is no engine to compare with.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine plays linear controllers.
    #[error("{0} is no linear controller of depth 1: no core plays it, and nothing is compared")]
    Controller(String),
    /// There is no thread for the engine, or it ended.
    #[error("the engine's thread: {0}")]
    Thread(String),
    /// The state cannot be kept.
    #[error(transparent)]
    Keep(BoxError),
}

/// A soak of a backend.
pub struct Soak<'a> {
    /// Its plan.
    pub plan: &'a Plan,
    /// Pieces from one checkpoint to the next; `None` for as many as take a tenth of a
    /// second.
    pub spacing: Option<u32>,
    /// When to end.
    pub stop: &'a Stop,
}

/// What the engine plays ahead.
type Ahead = mpsc::Receiver<Result<Stretch, SoakError>>;

impl Soak<'_> {
    /// Plays from a place on. Returns the last place at which all agreed, and how it ended.
    pub async fn run(
        &self,
        backend: &mut dyn Backend<Tetris>,
        from: Place,
        watch: &mut dyn Watch,
    ) -> (Place, Result<End, SoakError>) {
        let mut good = from.clone();
        let end = self.play(backend, &mut good, watch).await;
        let end = match end {
            Ok(None) => Ok(End::Agreed),
            Err(Stopped::Interrupted) => Ok(End::Interrupted),
            Err(Stopped::Failed(why)) => Err(why),
            Ok(Some((wrong, starts))) => {
                let mut finding = Finding::new(&wrong);
                let looked = search(self.plan, backend, &wrong, &starts, &mut finding, watch);
                let looked = tokio::select! {
                    biased;
                    () = self.stop.wait() => Err("interrupted".to_owned()),
                    looked = looked => looked.map_err(|why| why.to_string()),
                };
                finding.unfinished = looked.err();
                Ok(End::Diverged(Box::new(finding)))
            }
        };
        // The first error is the one that counts.
        let kept = watch.keep(&good).map_err(SoakError::Keep);
        (good, end.and_then(|end| kept.map(|()| end)))
    }

    /// Plays until the end or the first wrong answer; with that, the places to search it from.
    async fn play(
        &self,
        backend: &mut dyn Backend<Tetris>,
        good: &mut Place,
        watch: &mut dyn Watch,
    ) -> Result<Option<(Wrong, Vec<Place>)>, Stopped> {
        let spacing = Arc::new(AtomicU32::new(self.spacing.unwrap_or(FIRST_SPACING)));
        let mut ahead = self.ahead(good.clone(), &spacing)?;
        let mut turn = 1;
        while good.sums.pieces < self.plan.decisions {
            let stretches = self.next(&mut ahead, turn).await?;
            let begun = Instant::now();
            let first = good.clone();
            let mut at = |place: &Place| {
                if place.sums.pieces > good.sums.pieces {
                    good.clone_from(place);
                }
                watch.at(place);
            };
            let asked = ask(backend, &stretches, &mut at);
            let wrong = tokio::select! {
                biased;
                () = self.stop.wait() => return Err(Stopped::Interrupted),
                wrong = asked => wrong.map_err(SoakError::from)?,
            };
            if let Some(wrong) = wrong {
                let stretch = stretches.get(wrong.stretch).map(|s| s.from.clone());
                let starts = [Some(wrong.good.clone()), stretch, Some(first)];
                let starts = starts.into_iter().flatten();
                let starts = starts.chain([self.plan.begin()]).collect();
                good.clone_from(&wrong.good);
                return Ok(Some((wrong, starts)));
            }
            watch.keep(good).map_err(SoakError::Keep)?;
            let pieces = good.sums.pieces - first.sums.pieces;
            let rate = pieces as f64 / begun.elapsed().as_secs_f64().max(1e-6);
            if self.spacing.is_none() {
                // Not far beyond what it was: the link learns how long a checkpoint takes.
                let most = spacing.load(Ordering::Relaxed).saturating_mul(2);
                let next = (rate * CHECKPOINT.as_secs_f64()) as u32;
                let next = next.clamp(FIRST_SPACING, MOST_SPACING.min(most));
                spacing.store(next, Ordering::Relaxed);
            }
            turn = ((rate * TURN.as_secs_f64()) as u64).max(1);
        }
        Ok(None)
    }

    /// The next requests: so many decisions, or as many as the engine has ahead.
    async fn next(&self, ahead: &mut Ahead, decisions: u64) -> Result<Vec<Stretch>, Stopped> {
        let gone = || SoakError::Thread("it ended early".into());
        let first = tokio::select! {
            biased;
            () = self.stop.wait() => return Err(Stopped::Interrupted),
            first = ahead.recv() => first.ok_or_else(gone)??,
        };
        let mut count = first.end.sums.pieces;
        let mut stretches = vec![first];
        while count < decisions
            && let Ok(next) = ahead.try_recv()
        {
            let next = next?;
            count += next.end.sums.pieces;
            stretches.push(next);
        }
        Ok(stretches)
    }

    /// Has the engine play ahead on a thread of its own, until nobody listens.
    fn ahead(&self, from: Place, spacing: &Arc<AtomicU32>) -> Result<Ahead, SoakError> {
        let [games, batches] = AHEAD;
        let (send, ahead) = mpsc::channel(match self.plan.way {
            Way::SelfPlay => games,
            Way::Batch => batches,
        });
        let (plan, spacing) = (self.plan.clone(), Arc::clone(spacing));
        let work = move || {
            let mut reference = match reference(&plan, from) {
                Ok(reference) => reference,
                Err(why) => {
                    let _ = send.blocking_send(Err(why));
                    return;
                }
            };
            loop {
                let left = plan.decisions.saturating_sub(reference.place().sums.pieces);
                let spacing = spacing.load(Ordering::Relaxed);
                let most = match plan.way {
                    // It can come to its end without credit: the next one follows at once.
                    Way::SelfPlay => spacing.saturating_mul(STREAM_CREDIT.into()),
                    Way::Batch => PLAY_PIECES as u32,
                };
                let pieces = u32::try_from(left).map_or(most, |left| left.min(most));
                if pieces == 0 {
                    return;
                }
                let stretch = reference.stretch(pieces, spacing);
                if send.blocking_send(Ok(stretch)).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("reference".into());
        let spawned = thread.spawn(work);
        spawned.map_err(|why| SoakError::Thread(why.to_string()))?;
        Ok(ahead)
    }
}

/// The engine at a place.
pub(super) fn reference(plan: &Plan, place: Place) -> Result<Reference<'_>, SoakError> {
    let reference = Reference::new(plan, place)?;
    reference.ok_or_else(|| SoakError::Controller(plan.controller.name.clone()))
}

/// Why playing stopped before the end.
enum Stopped {
    Interrupted,
    Failed(SoakError),
}

impl From<SoakError> for Stopped {
    fn from(why: SoakError) -> Self {
        Self::Failed(why)
    }
}
