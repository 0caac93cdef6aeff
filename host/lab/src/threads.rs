//! Thread pools.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Upper limit of `--threads`.
pub const MAX_THREADS: usize = 1024;

/// The error of threads that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("{threads} threads cannot be started: {why}; give a smaller --threads")]
pub struct ThreadsError {
    threads: usize,
    why: ThreadPoolBuildError,
}

/// A pool of `threads` threads, which also limits the threads within one decision.
///
/// # Errors
/// When the threads cannot be started.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadsError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1));
    pool.build().map_err(|why| ThreadsError { threads, why })
}

/// The number of this machine's cores, at most [`MAX_THREADS`].
pub fn cores() -> usize {
    let cores = std::thread::available_parallelism();
    cores.map_or(1, usize::from).min(MAX_THREADS)
}
