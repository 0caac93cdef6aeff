//! What numbers of a training that was kept can be.

use super::random::Random;

/// What no training comes to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Contradiction(String);

/// More of anything than a training lives to; sums of such numbers still fit.
const MAX_COUNT: u64 = 1 << 53;

/// Fails with the words unless that holds.
///
/// # Errors
/// The words, as of all that follow.
pub fn ensure(holds: bool, wrong: impl FnOnce() -> String) -> Result<(), Contradiction> {
    match holds {
        true => Ok(()),
        false => Err(Contradiction(wrong())),
    }
}

/// Fails unless these are as many finite numbers as there are features.
pub fn vector(what: &str, numbers: &[f64], features: usize) -> Result<(), Contradiction> {
    ensure(numbers.len() == features, || {
        format!("{what}: {} numbers, not {features}", numbers.len())
    })?;
    finite(what, numbers)
}

/// Fails unless all are finite.
pub fn finite(what: &str, numbers: &[f64]) -> Result<(), Contradiction> {
    let odd = numbers.iter().find(|number| !number.is_finite());
    ensure(odd.is_none(), || {
        format!("{what}: {} is no number", odd.unwrap_or(&f64::NAN))
    })
}

/// Fails unless that is the size of a step.
pub fn step(what: &str, sigma: f64) -> Result<(), Contradiction> {
    ensure(sigma.is_finite() && sigma > 0.0, || {
        format!("{what}: {sigma} is no size of a step, which is above 0")
    })
}

/// Fails unless that many lines a game can be.
pub fn lines(what: &str, lines: f64) -> Result<(), Contradiction> {
    ensure(lines.is_finite() && lines >= 0.0, || {
        format!("{what}: {lines} lines a game")
    })
}

/// Fails where a generator makes no numbers.
pub fn random(random: &Random) -> Result<(), Contradiction> {
    ensure(random.is_sound(), || {
        "random: a generator whose state is all 0 makes no numbers".into()
    })
}

/// Fails where a count is beyond all reason.
pub fn count(what: &str, count: u64) -> Result<(), Contradiction> {
    ensure(count <= MAX_COUNT, || {
        format!("{what}: {count} is more than 2^53")
    })
}
