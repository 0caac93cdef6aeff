//! Explanations of cases by backends that stand in for simulated cores; waveforms of simulated ones.

#[path = "../../../session/tests/toy/a_hang.rs"]
mod a_hang;
#[path = "../../../session/tests/toy/limit.rs"]
mod limit;
#[path = "../../../session/tests/cores/positions.rs"]
mod positions;
mod summary;
#[cfg(feature = "sim")]
mod waves;
mod wrong;

/// Much longer than any test takes.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    limit::block_on(std::time::Duration::from_secs(120), future)
}
