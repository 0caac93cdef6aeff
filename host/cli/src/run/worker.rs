//! Long work on a thread of its own, so that interrupts are handled meanwhile.

use std::time::Duration;

use lockstep::Stop;

/// Time that interrupted work may take to end.
const GRACE: Duration = Duration::from_millis(500);

/// Runs work on a thread of its own; `None` if it does not end soon after an interrupt.
///
/// Such work continues until the program ends.
///
/// # Errors
/// When the work panics.
pub async fn work<T: Send + 'static>(
    stop: &Stop,
    work: impl FnOnce() -> T + Send + 'static,
) -> anyhow::Result<Option<T>> {
    let mut done = tokio::task::spawn_blocking(work);
    tokio::select! {
        done = &mut done => return Ok(Some(done?)),
        () = stop.wait() => {}
    }
    match tokio::time::timeout(GRACE, done).await {
        Ok(done) => Ok(Some(done?)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let result = runtime.block_on(future);
        runtime.shutdown_background();
        result
    }

    #[test]
    fn work_that_ends_returns_result() {
        let done = block_on(work(&Stop::never(), || 7));
        assert_eq!(done.expect("it ends"), Some(7));
        let (stopper, stop) = Stop::new();
        let interrupted = stop.clone();
        stopper.stop();
        let done = block_on(work(&stop, move || interrupted.requested()));
        assert_eq!(done.expect("it ends"), Some(true));
    }

    #[test]
    fn work_that_does_not_end_is_abandoned() {
        let (stopper, stop) = Stop::new();
        let (release, released) = channel::<()>();
        stopper.stop();
        let done = block_on(work(&stop, move || released.recv()));
        assert!(done.expect("given up").is_none());
        drop(release);
    }
}
