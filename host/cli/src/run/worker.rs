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
