//! Requests to a backend, and the first answer that differs from the engine's.

use lockstep::compare::{Deviation, FieldDifference, deviations, sums_deviations};
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::{Move, Run, SelfPlay, Sums, Tetris};
use lockstep_games::{RunResult, Value};
use tokio::sync::mpsc::unbounded_channel;

use super::reference::{Segment, SegmentRequest, SoakState};

/// The first checkpoint or end that differs from the engine's.
#[derive(Debug, Clone)]
pub struct WrongAnswer {
    /// Index of its segment in the request.
    pub segment: usize,
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
    match runs.is_empty() {
        true => self_play(backend, segments, &games, agreed).await,
        false => play(backend, segments, &runs, agreed).await,
    }
}

async fn self_play(
    backend: &mut dyn Backend<Tetris>,
    segments: &[Segment],
    games: &[SelfPlay],
    agreed: &mut dyn FnMut(&SoakState),
) -> Result<Option<WrongAnswer>, BackendError> {
    let (sender, mut checkpoints) = unbounded_channel();
    // The receiver lives longer than the backend sends.
    let mut report = |game, sums| {
        let _ = sender.send((game, sums));
    };
    let mut playing = backend.self_play(games, &mut report);
    let mut seen = vec![0; segments.len()];
    let mut take = |segment: usize, sums: Sums| {
        let number = seen.get_mut(segment)?;
        *number += 1;
        check(segments, segment, *number - 1, sums, agreed)
    };
    let ends = loop {
        tokio::select! {
            biased;
            Some((segment, sums)) = checkpoints.recv() => {
                if let Some(wrong) = take(segment, sums) {
                    return Ok(Some(wrong));
                }
            }
            ends = &mut playing => break ends?,
        }
    };
    while let Ok((segment, sums)) = checkpoints.try_recv() {
        if let Some(wrong) = take(segment, sums) {
            return Ok(Some(wrong));
        }
    }
    for (index, (segment, got)) in segments.iter().zip(ends).enumerate() {
        if seen[index] < segment.checkpoints.len() {
            let count = (segment.checkpoints.len(), seen[index]);
            return Ok(miscounted(segments, index, count, got));
        }
        let end = RunResult {
            moves: Vec::new(),
            sums: got,
        };
        if let Some(wrong) = ended(segments, index, end, agreed) {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

async fn play(
    backend: &mut dyn Backend<Tetris>,
    segments: &[Segment],
    runs: &[Run],
    agreed: &mut dyn FnMut(&SoakState),
) -> Result<Option<WrongAnswer>, BackendError> {
    let ends = backend.play(runs).await?.into_iter().enumerate();
    let mut wrong = ends.filter_map(|(index, got)| ended(segments, index, got, agreed));
    Ok(wrong.next())
}

/// Compares checkpoint `number` of a segment, counted from 0.
fn check(
    segments: &[Segment],
    index: usize,
    number: usize,
    got: Sums,
    agreed: &mut dyn FnMut(&SoakState),
) -> Option<WrongAnswer> {
    let segment = segments.get(index)?;
    let (Some(expected), Some(state)) =
        (segment.checkpoints.get(number), segment.states.get(number))
    else {
        let count = (segment.checkpoints.len(), number + 1);
        return miscounted(segments, index, count, got);
    };
    let differs = sums_deviations::<Tetris>(expected, &got);
    if differs.is_empty() {
        agreed(state);
        return None;
    }
    let before = number.checked_sub(1).map(|before| &segment.states[before]);
    let good = before.unwrap_or(&segment.from);
    Some(segment.wrong(index, [good, state], differs, got))
}

/// Compares the end of a segment. A difference there may have begun anywhere in the segment.
fn ended(
    segments: &[Segment],
    index: usize,
    got: RunResult<Tetris>,
    agreed: &mut dyn FnMut(&SoakState),
) -> Option<WrongAnswer> {
    let segment = segments.get(index)?;
    let state = segment.states.last()?;
    let differs = deviations(&segment.end, &got);
    if differs.is_empty() {
        agreed(state);
        return None;
    }
    let wrong = segment.wrong(index, [&segment.from, state], differs, got.sums);
    Some(WrongAnswer {
        moves: got.moves,
        ..wrong
    })
}

/// The wrong answer for an unexpected number of checkpoints.
fn miscounted(
    segments: &[Segment],
    index: usize,
    (expected, got): (usize, usize),
    sums: Sums,
) -> Option<WrongAnswer> {
    let segment = segments.get(index)?;
    let number = |count: usize| Value::Number(count as u64);
    let differs = Deviation {
        step: None,
        difference: FieldDifference {
            field: "checkpoints",
            expected: number(expected),
            got: number(got),
        },
    };
    let states = [&segment.from, segment.states.last()?];
    Some(segment.wrong(index, states, vec![differs], sums))
}

impl Segment {
    /// A wrong answer between two states of this segment, without moves.
    fn wrong(
        &self,
        segment: usize,
        [good, bad]: [&SoakState; 2],
        differs: Vec<Deviation>,
        got: Sums,
    ) -> WrongAnswer {
        WrongAnswer {
            segment,
            good: good.clone(),
            expected: bad.clone(),
            spacing: self.spacing(),
            differs,
            got,
            moves: Vec::new(),
        }
    }
}
