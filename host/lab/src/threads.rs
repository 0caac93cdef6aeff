//! Thread pools.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Most threads anything here may be given.
pub const MAX_THREADS: usize = 1024;

/// The threads cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("{threads} threads cannot be started: {why}; name fewer with --threads")]
pub struct ThreadsError {
    threads: usize,
    why: ThreadPoolBuildError,
}

/// So many threads and no more, also for what one decision spreads.
///
/// # Errors
/// When they cannot be started.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadsError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1));
    pool.build().map_err(|why| ThreadsError { threads, why })
}

/// As many threads as this machine has cores for.
pub fn cores() -> usize {
    let cores = std::thread::available_parallelism();
    cores.map_or(1, usize::from).min(MAX_THREADS)
}
