//! Requests to a backend, and the first answer that differs from the engine's.

use lockstep::compare::{Deviation, FieldDifference, deviations, sums_deviations};
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::{Move, Sums, Tetris};
use lockstep_games::{RunResult, Value};
use tokio::sync::mpsc::unbounded_channel;

use super::reference::{Segment, SegmentRequest, SoakState};

/// The first checkpoint or end that differs from the engine's.
#[derive(Debug, Clone)]
pub struct WrongAnswer {
    /// The state before its segment.
    pub from: SoakState,
    /// The last state before it at which both agreed.
    pub good: SoakState,
    /// The engine's state at this checkpoint or end.
    pub expected: SoakState,
    /// Pieces from one checkpoint to the next, as requested.
    pub spacing: u32,
    /// The fields that differ.
    pub differs: Vec<Deviation>,
    /// The sums of the answer; their signature shows the last move.
    pub got: Sums,
    /// The moves of the answer, if it is a batch.
    pub moves: Vec<Move>,
}

/// Requests all segments and returns the first wrong answer; calls `agreed` with each state
/// at which both agree.
///
/// # Errors
/// When the backend fails.
pub async fn ask(
    backend: &mut dyn Backend<Tetris>,
    segments: &[Segment],
    agreed: &mut dyn FnMut(&SoakState),
) -> Result<Option<WrongAnswer>, BackendError> {
    let (mut games, mut runs) = (Vec::new(), Vec::new());
    for segment in segments {
        match &segment.request {
            SegmentRequest::SelfPlay(game) => games.push(game.clone()),
            SegmentRequest::Batch(run) => runs.push(run.clone()),
        }
    }
    let mut comparison = Comparison {
        segments,
        seen: vec![0; segments.len()],
        agreed,
    };
    if games.is_empty() {
        let ends = backend.play(&runs).await?;
        return Ok(comparison.ends(ends));
    }
    let (sender, mut checkpoints) = unbounded_channel();
    // The receiver lives longer than the backend sends.
    let mut report = |game, sums| {
        let _ = sender.send((game, sums));
    };
    let mut playing = backend.self_play(&games, &mut report);
    let ends = loop {
        tokio::select! {
            biased;
            Some((segment, sums)) = checkpoints.recv() => {
                if let Some(wrong) = comparison.checkpoint(segment, sums) {
                    return Ok(Some(wrong));
                }
            }
            ends = &mut playing => break ends?,
        }
    };
    while let Ok((segment, sums)) = checkpoints.try_recv() {
        if let Some(wrong) = comparison.checkpoint(segment, sums) {
            return Ok(Some(wrong));
        }
    }
    let end = |sums| RunResult {
        moves: Vec::new(),
        sums,
    };
    Ok(comparison.ends(ends.into_iter().map(end)))
}

/// Compares the answers to segments, as they come.
struct Comparison<'a> {
    segments: &'a [Segment],
    /// Checkpoints of each segment that have come.
    seen: Vec<usize>,
    agreed: &'a mut dyn FnMut(&SoakState),
}

impl Comparison<'_> {
    /// Compares the next checkpoint of a segment.
    fn checkpoint(&mut self, index: usize, got: Sums) -> Option<WrongAnswer> {
        let segment = self.segments.get(index)?;
        let number = self.seen[index];
        self.seen[index] += 1;
        let Some(expected) = segment.checkpoints.get(number) else {
            return segment.miscounted(number + 1, got);
        };
        let differs = sums_deviations::<Tetris>(expected, &got);
        let before = number.checked_sub(1).map(|before| &segment.states[before]);
        let states = [before.unwrap_or(&segment.from), &segment.states[number]];
        self.compared(segment, states, differs, got)
    }

    /// Compares the ends of the segments. A difference there may have begun anywhere in the segment.
    fn ends(&mut self, ends: impl IntoIterator<Item = RunResult<Tetris>>) -> Option<WrongAnswer> {
        let segments = self.segments.iter().enumerate();
        segments.zip(ends).find_map(|((index, segment), got)| {
            if self.seen[index] < segment.checkpoints.len() {
                return segment.miscounted(self.seen[index], got.sums);
            }
            let differs = deviations(&segment.end, &got);
            let states = [&segment.from, segment.states.last()?];
            let wrong = self.compared(segment, states, differs, got.sums)?;
            Some(WrongAnswer {
                moves: got.moves,
                ..wrong
            })
        })
    }

    fn compared(
        &mut self,
        segment: &Segment,
        states: [&SoakState; 2],
        differs: Vec<Deviation>,
        got: Sums,
    ) -> Option<WrongAnswer> {
        if differs.is_empty() {
            (self.agreed)(states[1]);
            return None;
        }
        Some(segment.wrong(states, differs, got))
    }
}

impl Segment {
    /// The wrong answer for an unexpected number of checkpoints.
    fn miscounted(&self, got: usize, sums: Sums) -> Option<WrongAnswer> {
        let number = |count: usize| Value::Number(count as u64);
        let differs = Deviation {
            step: None,
            difference: FieldDifference {
                field: "checkpoints",
                expected: number(self.checkpoints.len()),
                got: number(got),
            },
        };
        Some(self.wrong([&self.from, self.states.last()?], vec![differs], sums))
    }

    /// A wrong answer between two states of this segment, without moves.
    fn wrong(
        &self,
        [good, bad]: [&SoakState; 2],
        differs: Vec<Deviation>,
        got: Sums,
    ) -> WrongAnswer {
        WrongAnswer {
            from: self.from.clone(),
            good: good.clone(),
            expected: bad.clone(),
            spacing: self.spacing(),
            differs,
            got,
            moves: Vec::new(),
        }
    }
}
