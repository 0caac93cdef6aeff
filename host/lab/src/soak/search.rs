//! From a wrong checkpoint to the first wrong decision.
//!
//! The backend plays again from the last place at which all agreed, with half as many pieces, half
//! of those and so on. A difference that does not recur from there depends on earlier moves: it is
//! searched from earlier places, last from the beginning.

use lockstep::Backend;
use lockstep::compare::{Deviation, Difference, Mismatch, compare, first_difference};
use lockstep_games::tetris::playing::signed;
use lockstep_games::tetris::{Move, Piece, Placement, Position, Tetris};
use lockstep_games::{Golden as _, Trace};
use serde::Serialize;

use super::ask::{Wrong, ask};
use super::reference::{Place, Plan, Stretch, Way};
use super::run::{MOST_SPACING, SoakError, Watch, reference};

/// Most decisions that are played again to come nearer to one.
const MOST: u64 = 2_000_000;

/// Most checkpoints of a repeated run, unless they have to be closer.
const MOST_CHECKPOINTS: u64 = 4_096;

/// Most stretches in flight.
const AT_ONCE: usize = 64;

/// A divergence of a soak.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Pieces up to which all agreed.
    pub from: u64,
    /// Pieces after which something differed.
    pub to: u64,
    /// What differed there.
    pub differs: Vec<Deviation>,
    /// Whether it recurred.
    pub shown: Shown,
    /// The pieces from which it was played again; if it recurred, the one from which it did.
    pub tried: Vec<u64>,
    /// Why the search ended early.
    pub unfinished: Option<String>,
    /// The first decision after which it shows.
    pub decision: Option<Box<Isolated>>,
}

/// Whether a divergence recurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// At one decision.
    Decision,
    /// Somewhere: to narrow it down would take too long.
    Again,
    /// From none of the places tried.
    Never,
}

/// The first decision after which something differs.
#[derive(Debug, Serialize)]
pub struct Isolated {
    /// Number of the decision, from 1.
    pub number: u64,
    /// The position to be decided.
    pub position: Position,
    /// The right decision.
    pub expected: Option<Placement>,
    /// The move played; missing if the answer does not show it, `None` if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Option<Move>>,
    /// What differs after it.
    pub differs: Vec<Deviation>,
    /// Whether it shows without the moves before it.
    pub alone: bool,
    /// The backend's decision on this position alone.
    pub asked_alone: Option<Placement>,
    /// Why there is no such decision.
    pub asked_alone_error: Option<String>,
    /// The fields in which that decision is wrong.
    pub mismatches: Vec<Mismatch>,
    /// The first candidate in which the backend differs, if its decision alone is wrong and it has
    /// traces.
    pub weighed: Option<Difference>,
}

impl Finding {
    /// The finding before the search.
    pub(super) fn new(wrong: &Wrong) -> Self {
        Self {
            from: wrong.good.sums.pieces,
            to: wrong.bad.sums.pieces,
            differs: wrong.differs.clone(),
            shown: Shown::Never,
            tried: Vec::new(),
            unfinished: None,
            decision: None,
        }
    }
}

/// Searches the first wrong decision, from each of the places `starts` on; `finding` has the
/// result so far.
///
/// # Errors
/// When the backend fails.
pub(super) async fn search(
    plan: &Plan,
    backend: &mut dyn Backend<Tetris>,
    wrong: &Wrong,
    starts: &[Place],
    finding: &mut Finding,
    watch: &mut dyn Watch,
) -> Result<(), SoakError> {
    let (good, bad) = (finding.from, finding.to);
    let mut probe = Probe {
        plan,
        spacing: wrong.spacing,
        backend,
    };
    for start in starts {
        let begin = start.sums.pieces;
        if begin > good || finding.tried.contains(&begin) {
            continue;
        }
        watch.narrowing(good, bad);
        finding.tried.push(begin);
        let Some(again) = probe.first(start, bad - begin).await? else {
            continue;
        };
        let (low, high) = (good - begin, again.bad.sums.pieces - begin);
        (finding.shown, finding.tried) = (Shown::Again, vec![begin]);
        let rounds = u64::from(u64::BITS - high.saturating_sub(low).leading_zeros());
        if low < high && high.saturating_mul(rounds) <= MOST {
            let isolated = probe.narrow(start, [low, high], again, watch).await?;
            finding.shown = Shown::Decision;
            finding.decision = Some(Box::new(isolated));
        }
        return Ok(());
    }
    Ok(())
}

struct Probe<'a> {
    plan: &'a Plan,
    spacing: u32,
    backend: &'a mut dyn Backend<Tetris>,
}

impl Probe<'_> {
    /// The first wrong answer of so many pieces from a place on.
    async fn first(&mut self, start: &Place, pieces: u64) -> Result<Option<Wrong>, SoakError> {
        let mut place = start.clone();
        let end = start.sums.pieces + pieces;
        while place.sums.pieces < end {
            let stretches = self.stretches(place, end).await?;
            let Some(last) = stretches.last().and_then(|stretch| stretch.places.last()) else {
                break;
            };
            place = last.clone();
            let wrong = ask(self.backend, &stretches, &mut |_| {}).await?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
        Ok(None)
    }

    /// The requests from a place on: a self-play to the end, or some batches.
    async fn stretches(&self, place: Place, end: u64) -> Result<Vec<Stretch>, SoakError> {
        let plan = self.plan.clone();
        // Not more of them than is worth while.
        let apart = (end - place.sums.pieces) / MOST_CHECKPOINTS;
        let apart = u32::try_from(apart).unwrap_or(u32::MAX);
        let spacing = self.spacing.max(apart).min(MOST_SPACING);
        let work = move || {
            let mut reference = reference(&plan, place)?;
            let mut stretches = Vec::new();
            while stretches.len() < AT_ONCE {
                let left = end.saturating_sub(reference.place().sums.pieces);
                let pieces = u32::try_from(left).unwrap_or(u32::MAX);
                if pieces == 0 {
                    break;
                }
                stretches.push(reference.stretch(pieces, spacing));
            }
            Ok(stretches)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|why| SoakError::Thread(why.to_string()))?
    }

    /// The first decision after which something differs, when it is played from a place on:
    /// it is one of those behind the first of `interval` up to the second.
    async fn narrow(
        &mut self,
        start: &Place,
        [mut low, mut high]: [u64; 2],
        mut last: Wrong,
        watch: &mut dyn Watch,
    ) -> Result<Isolated, SoakError> {
        let begin = start.sums.pieces;
        while high - low > 1 {
            watch.narrowing(begin + low, begin + high);
            let middle = low + (high - low) / 2;
            match self.first(start, middle).await? {
                None => low = middle,
                Some(wrong) => {
                    high = (wrong.bad.sums.pieces - begin).clamp(low + 1, middle);
                    last = wrong;
                }
            }
        }
        self.isolate(start, begin + high, last).await
    }

    async fn isolate(
        &mut self,
        start: &Place,
        number: u64,
        last: Wrong,
    ) -> Result<Isolated, SoakError> {
        let before = self.at(start, number - 1).await?;
        let position = self.plan.position(&before);
        let expected = reference(self.plan, before.clone())?.decide(&position);
        let played = match self.plan.way {
            Way::SelfPlay => unsigned(before.sums.signature, last.got.signature),
            Way::Batch => {
                let index = number - 1 - last.good.sums.pieces;
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                (index <= last.moves.len()).then(|| last.moves.get(index).copied())
            }
        };
        let alone = self.first(&before, 1).await?.is_some();
        let positions = std::slice::from_ref(&position);
        // A backend that fails here has still diverged.
        let answer = self.backend.decide(positions).await;
        let answer = answer.map_err(|why| why.to_string()).and_then(|answers| {
            let answer = answers.into_iter().next();
            answer.ok_or_else(|| "it gives no answer".to_owned())
        });
        let answered = answer.as_ref().map(std::slice::from_ref);
        let mismatches = compare(&expected, &[0], answered.unwrap_or_default());
        let weighed = match answer.is_ok() && mismatches.is_empty() {
            true => None,
            false => self.weighed(positions).await.unwrap_or_default(),
        };
        Ok(Isolated {
            number,
            position,
            expected,
            played,
            differs: last.differs,
            alone,
            asked_alone: answer.as_ref().ok().and_then(|answer| answer.decision),
            asked_alone_error: answer.err(),
            mismatches,
            weighed,
        })
    }

    /// The place after so many pieces.
    async fn at(&self, start: &Place, pieces: u64) -> Result<Place, SoakError> {
        let mut place = start.clone();
        while place.sums.pieces < pieces {
            let stretches = self.stretches(place.clone(), pieces).await?;
            match stretches.last().and_then(|stretch| stretch.places.last()) {
                Some(last) => place = last.clone(),
                None => break,
            }
        }
        Ok(place)
    }

    /// The first candidate in which the backend differs, if it has traces.
    async fn weighed(&mut self, positions: &[Position]) -> Result<Option<Difference>, SoakError> {
        if !self.backend.identity().capabilities.trace {
            return Ok(None);
        }
        let expected: Option<Trace<Tetris>> = positions
            .first()
            .and_then(|position| Tetris::trace(&self.plan.controller, position).ok()?);
        let got = self.backend.trace(positions).await?;
        let pair = expected.zip(got.into_iter().next());
        Ok(pair.and_then(|(expected, got)| first_difference(&expected, &got)))
    }
}

/// The move with which one signature becomes another.
fn unsigned(before: u64, after: u64) -> Option<Option<Move>> {
    const COLUMNS: usize = protocol::layout::tetris::COLUMNS;
    let rotations = Piece::ALL.map(|piece| piece.rotations().len());
    let rotations = rotations.into_iter().max().unwrap_or(0);
    let moves = (0..rotations)
        .flat_map(|rotation| (0..COLUMNS).map(move |column| Some(Move { rotation, column })));
    let mut moves = moves.chain([None]);
    moves.find(|played| signed(before, COLUMNS, *played) == after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_tells_its_last_move() {
        for played in [None, Some([0, 0]), Some([3, 8]), Some([1, 9])] {
            let played = played.map(|[rotation, column]| Move { rotation, column });
            let after = signed(0x1234_5678_9abc_def0, 10, played);
            assert_eq!(unsigned(0x1234_5678_9abc_def0, after), Some(played));
        }
        assert_eq!(unsigned(1, 2), None);
    }
}
