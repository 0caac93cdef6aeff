//! Narrows a wrong checkpoint down to the first wrong decision.
//!
//! The search is a bisection: the backend plays again from the last state at which both agreed,
//! with half as many pieces each time. A difference that does not recur from there depends on
//! earlier moves and is searched from earlier states, finally from the first piece. Several games
//! side by side are played again from the beginning of their request only.

use lockstep::Backend;
use lockstep::compare::{Deviation, Difference, Mismatch, compare, first_difference};
use lockstep_games::tetris::playing::signed;
use lockstep_games::tetris::{Move, Piece, Placement, Position, Tetris};
use lockstep_games::{BoxError, Golden as _, Trace};
use serde::Serialize;

use super::ask::{WrongAnswer, ask};
use super::reference::{Reference, Segment, SoakMode, SoakPlan, SoakState};
use super::run::{MOST_SPACING, Watch};

/// Maximum number of decisions that a bisection may play again.
const MAX_REPLAYED: u64 = 2_000_000;

/// Maximum number of checkpoints of a repeated run, unless [`MOST_SPACING`] requires more.
const MOST_CHECKPOINTS: u64 = 4_096;

/// Maximum number of segments requested together.
const AT_ONCE: usize = 64;

/// The divergence of a soak, with the result of the search.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The last number of pieces after which both sides agreed.
    pub from: u64,
    /// Number of pieces after which they differed.
    pub to: u64,
    /// The fields that differed there.
    pub differs: Vec<Deviation>,
    /// Whether it recurred.
    pub shown: Recurrence,
    /// Pieces before each repeated run; only the last run's if the divergence recurred in it.
    pub tried: Vec<u64>,
    /// Why the search ended early.
    pub unfinished: Option<String>,
    /// The first wrong decision, if it was found.
    pub decision: Option<Box<WrongDecision>>,
}

/// Whether a divergence recurred when it was played again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Recurrence {
    /// It recurred at a decision that was found.
    Decision,
    /// It recurred at an unknown decision: finding it would take too long.
    Again,
    /// It recurred from none of the states tried.
    Never,
}

/// The first decision after which an answer differs.
#[derive(Debug, Serialize)]
pub struct WrongDecision {
    /// Number of the decision, from 1.
    pub number: u64,
    /// The position before it.
    pub position: Position,
    /// The engine's decision.
    pub expected: Option<Placement>,
    /// The move played: outer `None` if the answer does not show it, inner `None` for no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Option<Move>>,
    /// The fields that differ after it.
    pub differs: Vec<Deviation>,
    /// Whether it recurs without the moves before it.
    pub alone: bool,
    /// The backend's decision on this position in a request of its own.
    pub asked_alone: Option<Placement>,
    /// Why that request failed.
    pub asked_alone_error: Option<String>,
    /// The fields in which that decision is wrong.
    pub mismatches: Vec<Mismatch>,
    /// The first candidate that differs, if that decision is wrong and the backend has traces.
    #[serde(rename = "weighed")]
    pub candidate: Option<Difference>,
}

impl Finding {
    pub(super) fn new(wrong: &WrongAnswer) -> Self {
        Self {
            from: wrong.good.sums.pieces,
            to: wrong.expected.sums.pieces,
            differs: wrong.differs.clone(),
            shown: Recurrence::Never,
            tried: Vec::new(),
            unfinished: None,
            decision: None,
        }
    }
}

/// Searches the first wrong decision from each of `starts`; `finding` holds the result so far.
///
/// # Errors
/// When the backend fails.
pub(super) async fn search(
    plan: &SoakPlan,
    backend: &mut dyn Backend<Tetris>,
    wrong: &WrongAnswer,
    starts: &[SoakState],
    finding: &mut Finding,
    watch: &mut dyn Watch,
) -> Result<(), BoxError> {
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
        let (low, high) = (good - begin, again.expected.sums.pieces - begin);
        (finding.shown, finding.tried) = (Recurrence::Again, vec![begin]);
        let rounds = u64::from(u64::BITS - high.saturating_sub(low).leading_zeros());
        if low < high && high.saturating_mul(rounds) <= MAX_REPLAYED {
            let isolated = probe.narrow(start, [low, high], again, watch).await?;
            finding.shown = Recurrence::Decision;
            finding.decision = Some(Box::new(isolated));
        }
        return Ok(());
    }
    Ok(())
}

struct Probe<'a> {
    plan: &'a SoakPlan,
    spacing: u32,
    backend: &'a mut dyn Backend<Tetris>,
}

impl Probe<'_> {
    /// Plays `pieces` pieces from a state on; returns the first wrong answer.
    async fn first(
        &mut self,
        start: &SoakState,
        pieces: u64,
    ) -> Result<Option<WrongAnswer>, BoxError> {
        let mut state = start.clone();
        let end = start.sums.pieces + pieces;
        while state.sums.pieces < end {
            let segments = self.segments(state, end).await?;
            let Some(last) = segments.last().and_then(|segment| segment.states.last()) else {
                break;
            };
            state = last.clone();
            let wrong = ask(self.backend, &segments, &mut |_| {}).await?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
        Ok(None)
    }

    /// The segments from a state on: one self-play up to `end`, or up to [`AT_ONCE`] batches.
    async fn segments(&self, state: SoakState, end: u64) -> Result<Vec<Segment>, BoxError> {
        let plan = self.plan.clone();
        // Limits the number of checkpoints.
        let apart = (end - state.sums.pieces) / MOST_CHECKPOINTS;
        let apart = u32::try_from(apart).unwrap_or(u32::MAX);
        let spacing = self.spacing.max(apart).min(MOST_SPACING);
        let work = move || {
            let mut reference = Reference::new(&plan, state)?;
            let mut segments = Vec::new();
            while segments.len() < AT_ONCE {
                let left = end.saturating_sub(reference.state().sums.pieces);
                let pieces = u32::try_from(left).unwrap_or(u32::MAX);
                if pieces == 0 {
                    break;
                }
                segments.push(reference.segment(pieces, spacing));
            }
            Ok(segments)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done?
    }

    /// Bisects for the first wrong decision after `start`: more than `low`, at most `high`
    /// pieces after it.
    async fn narrow(
        &mut self,
        start: &SoakState,
        [mut low, mut high]: [u64; 2],
        mut last: WrongAnswer,
        watch: &mut dyn Watch,
    ) -> Result<WrongDecision, BoxError> {
        let begin = start.sums.pieces;
        while high - low > 1 {
            watch.narrowing(begin + low, begin + high);
            let middle = low + (high - low) / 2;
            match self.first(start, middle).await? {
                None => low = middle,
                Some(wrong) => {
                    high = (wrong.expected.sums.pieces - begin).clamp(low + 1, middle);
                    last = wrong;
                }
            }
        }
        self.isolate(start, begin + high, last).await
    }

    /// Describes the wrong decision `number`; `last` is the answer that showed it.
    async fn isolate(
        &mut self,
        start: &SoakState,
        number: u64,
        last: WrongAnswer,
    ) -> Result<WrongDecision, BoxError> {
        let before = self.at(start, number - 1).await?;
        let position = self.plan.position(&before);
        let expected = Reference::new(self.plan, before.clone())?.decide(&position);
        let played = match self.plan.mode {
            SoakMode::SelfPlay => move_between(before.sums.signature, last.got.signature),
            SoakMode::Batch => {
                let index = number - 1 - last.good.sums.pieces;
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                (index <= last.moves.len()).then(|| last.moves.get(index).copied())
            }
        };
        // Several games would all begin on this board.
        let single = SoakPlan {
            games: 1,
            ..self.plan.clone()
        };
        let mut probe = Probe {
            plan: &single,
            spacing: self.spacing,
            backend: &mut *self.backend,
        };
        let alone = probe.first(&before, 1).await?.is_some();
        let positions = std::slice::from_ref(&position);
        // A backend that fails here has still diverged.
        let answer = self.backend.decide(positions).await;
        let answer = answer.map_err(|why| why.to_string()).and_then(|answers| {
            let answer = answers.into_iter().next();
            answer.ok_or_else(|| "it gives no answer".to_owned())
        });
        let answered = answer.as_ref().map(std::slice::from_ref);
        let mismatches = compare(&expected, &[0], answered.unwrap_or_default());
        let candidate = match answer.is_ok() && mismatches.is_empty() {
            true => None,
            false => self.candidate(positions).await.unwrap_or_default(),
        };
        Ok(WrongDecision {
            number,
            position,
            expected,
            played,
            differs: last.differs,
            alone,
            asked_alone: answer.as_ref().ok().and_then(|answer| answer.decision),
            asked_alone_error: answer.err(),
            mismatches,
            candidate,
        })
    }

    /// The engine's state after `pieces` pieces, played from `start`.
    async fn at(&self, start: &SoakState, pieces: u64) -> Result<SoakState, BoxError> {
        let mut state = start.clone();
        while state.sums.pieces < pieces {
            let segments = self.segments(state.clone(), pieces).await?;
            match segments.last().and_then(|segment| segment.states.last()) {
                Some(last) => state = last.clone(),
                None => break,
            }
        }
        Ok(state)
    }

    /// The first candidate that differs, if the backend has traces.
    async fn candidate(&mut self, positions: &[Position]) -> Result<Option<Difference>, BoxError> {
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

/// The move that turns the signature `before` into `after`; outer `None` if there is none.
fn move_between(before: u64, after: u64) -> Option<Option<Move>> {
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
    fn unsigned_finds_last_move_of_signature() {
        for played in [None, Some([0, 0]), Some([3, 8]), Some([1, 9])] {
            let played = played.map(|[rotation, column]| Move { rotation, column });
            let after = signed(0x1234_5678_9abc_def0, 10, played);
            assert_eq!(move_between(0x1234_5678_9abc_def0, after), Some(played));
        }
        assert_eq!(move_between(1, 2), None);
    }
}
