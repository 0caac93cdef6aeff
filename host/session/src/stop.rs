//! Requests to end early.

use tokio::sync::watch;

/// Shows whether an end was requested. Cheap to clone, for any thread.
#[derive(Debug, Clone)]
pub struct Stop(watch::Receiver<bool>);

/// Requests the end that a [`Stop`] shows.
#[derive(Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stop {
    /// A stop with the handle that requests it.
    pub fn new() -> (Stopper, Self) {
        let (raise, raised) = watch::channel(false);
        (Stopper(raise), Self(raised))
    }

    /// A stop that is never requested.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Whether an end is requested.
    pub fn requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until an end is requested; for ever once the [`Stopper`] is dropped.
    pub async fn wait(&self) {
        let mut raised = self.0.clone();
        if raised.wait_for(|raised| *raised).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Stopper {
    /// Requests the end; returns whether it was requested before.
    pub fn stop(&self) -> bool {
        self.0.send_replace(true)
    }
}
