//! Lets a test that hangs fail, with the place where it waits. Other crates' tests use it, too.

use std::io::Write as _;
use std::panic::Location;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use tokio::runtime::Builder;

/// Runs a future to its end on this thread. The process ends if that takes longer than `limit` of
/// real time: the future may never yield, and other tests may hang for the same reason.
#[track_caller]
pub fn block_on<T>(limit: Duration, future: impl Future<Output = T>) -> T {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default().to_owned();
    let place = format!("{test}, {}", Location::caller());
    let (running, ended) = channel::<()>();
    std::thread::spawn(move || {
        if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            // A macro's output would be captured, and lost.
            let _ = writeln!(std::io::stderr(), "{place}: no end within {limit:?}");
            std::process::abort();
        }
    });
    let runtime = Builder::new_current_thread().enable_all().build();
    let result = runtime.expect("a runtime").block_on(future);
    drop(running);
    result
}
