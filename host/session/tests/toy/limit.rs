//! Lets a test that hangs fail, with the place where it waits. Other crates' tests use it, too.

use std::panic::Location;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// Time for a late future to be dropped before the process is aborted.
const GRACE: Duration = Duration::from_secs(10);

/// Runs a future to its end on this thread; panics if that takes longer than `limit` of real time.
/// A future that never yields cannot be dropped: then the process ends, and names the place.
#[track_caller]
pub fn block_on<T>(limit: Duration, future: impl Future<Output = T>) -> T {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default().to_owned();
    let place = format!("{test}, {}", Location::caller());
    let shown = place.clone();
    let (running, ended) = channel::<()>();
    let (late, is_late) = oneshot::channel::<()>();
    std::thread::spawn(move || {
        if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            let _ = late.send(());
            if ended.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("{shown}: no end within {limit:?}, and it never yields");
                std::process::abort();
            }
        }
    });
    let runtime = Builder::new_current_thread().enable_all().build();
    let result = runtime.expect("a runtime").block_on(async {
        tokio::select! {
            biased;
            result = future => result,
            Ok(()) = is_late => panic!("{place}: no end within {limit:?}"),
        }
    });
    drop(running);
    result
}
