//! Requests to a backend, and the first answer that differs from the engine's.

use lockstep::compare::{Deviation, deviations, sums_deviations};
use lockstep::{Backend, BackendError};
use lockstep_games::tetris::{Move, Run, SelfPlay, Sums, Tetris};
use lockstep_games::{RunResult, Value};
use tokio::sync::mpsc::unbounded_channel;

use super::reference::{Place, Question, Stretch};

/// The first checkpoint, or end, that is not as expected.
#[derive(Debug, Clone)]
pub struct Wrong {
    /// Of which stretch.
    pub stretch: usize,
    /// The last place before it at which all agreed.
    pub good: Place,
    /// Where it should stand there.
    pub bad: Place,
    /// Pieces from one checkpoint to the next, as requested.
    pub spacing: u32,
    /// What differs.
    pub differs: Vec<Deviation>,
    /// The sums of the answer; their signature shows the last move.
    pub got: Sums,
    /// Moves that came, of a batch.
    pub moves: Vec<Move>,
}

/// Requests stretches, one behind the other. `at` takes each place at which all agreed.
///
/// # Errors
/// When the backend fails.
pub async fn ask(
    backend: &mut dyn Backend<Tetris>,
    stretches: &[Stretch],
    at: &mut dyn FnMut(&Place),
) -> Result<Option<Wrong>, BackendError> {
    let (mut games, mut runs) = (Vec::new(), Vec::new());
    for stretch in stretches {
        match &stretch.question {
            Question::SelfPlay(game) => games.push(game.clone()),
            Question::Batch(run) => runs.push(run.clone()),
        }
    }
    match runs.is_empty() {
        true => self_play(backend, stretches, &games, at).await,
        false => play(backend, stretches, &runs, at).await,
    }
}

async fn self_play(
    backend: &mut dyn Backend<Tetris>,
    stretches: &[Stretch],
    games: &[SelfPlay],
    at: &mut dyn FnMut(&Place),
) -> Result<Option<Wrong>, BackendError> {
    let (tell, mut told) = unbounded_channel();
    // It is listened to until the backend has no more to tell.
    let mut hand = |game, sums| {
        let _ = tell.send((game, sums));
    };
    let mut playing = backend.self_play(games, &mut hand);
    let mut seen = vec![0; stretches.len()];
    let mut take = |stretch: usize, sums: Sums| {
        let number = seen.get_mut(stretch)?;
        *number += 1;
        check(stretches, stretch, *number - 1, sums, at)
    };
    let ends = loop {
        tokio::select! {
            biased;
            Some((stretch, sums)) = told.recv() => {
                if let Some(wrong) = take(stretch, sums) {
                    return Ok(Some(wrong));
                }
            }
            ends = &mut playing => break ends?,
        }
    };
    while let Ok((stretch, sums)) = told.try_recv() {
        if let Some(wrong) = take(stretch, sums) {
            return Ok(Some(wrong));
        }
    }
    for (index, (stretch, got)) in stretches.iter().zip(ends).enumerate() {
        if seen[index] < stretch.checkpoints.len() {
            let count = (stretch.checkpoints.len(), seen[index]);
            return Ok(miscounted(stretches, index, count, got));
        }
        let end = RunResult {
            moves: Vec::new(),
            sums: got,
        };
        if let Some(wrong) = ended(stretches, index, end, at) {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

async fn play(
    backend: &mut dyn Backend<Tetris>,
    stretches: &[Stretch],
    runs: &[Run],
    at: &mut dyn FnMut(&Place),
) -> Result<Option<Wrong>, BackendError> {
    let ends = backend.play(runs).await?.into_iter().enumerate();
    let mut wrong = ends.filter_map(|(index, got)| ended(stretches, index, got, at));
    Ok(wrong.next())
}

/// A checkpoint that came.
fn check(
    stretches: &[Stretch],
    index: usize,
    number: usize,
    got: Sums,
    at: &mut dyn FnMut(&Place),
) -> Option<Wrong> {
    let stretch = stretches.get(index)?;
    let (Some(expected), Some(place)) =
        (stretch.checkpoints.get(number), stretch.places.get(number))
    else {
        let count = (stretch.checkpoints.len(), number + 1);
        return miscounted(stretches, index, count, got);
    };
    let differs = sums_deviations::<Tetris>(expected, &got);
    if differs.is_empty() {
        at(place);
        return None;
    }
    let before = number.checked_sub(1).map(|before| &stretch.places[before]);
    Some(Wrong {
        stretch: index,
        good: before.unwrap_or(&stretch.from).clone(),
        bad: place.clone(),
        spacing: stretch.spacing(),
        differs,
        got,
        moves: Vec::new(),
    })
}

/// An end that came. Nothing before it says where what differs there began.
fn ended(
    stretches: &[Stretch],
    index: usize,
    got: RunResult<Tetris>,
    at: &mut dyn FnMut(&Place),
) -> Option<Wrong> {
    let stretch = stretches.get(index)?;
    let place = stretch.places.last()?;
    let differs = deviations(&stretch.end, &got);
    if differs.is_empty() {
        at(place);
        return None;
    }
    Some(Wrong {
        stretch: index,
        good: stretch.from.clone(),
        bad: place.clone(),
        spacing: stretch.spacing(),
        differs,
        got: got.sums,
        moves: got.moves,
    })
}

/// Another number of checkpoints than expected came.
fn miscounted(
    stretches: &[Stretch],
    index: usize,
    (expected, got): (usize, usize),
    sums: Sums,
) -> Option<Wrong> {
    let stretch = stretches.get(index)?;
    let number = |count: usize| Value::Number(count as u64);
    Some(Wrong {
        stretch: index,
        good: stretch.from.clone(),
        bad: stretch.places.last()?.clone(),
        spacing: stretch.spacing(),
        differs: vec![Deviation {
            step: None,
            field: "checkpoints",
            expected: number(expected),
            got: number(got),
        }],
        got: sums,
        moves: Vec::new(),
    })
}
