//! How whoever works is asked to end.

use tokio::sync::watch;

/// Turns true, once and for all, when somebody wants an end. Cheap to clone,
/// and heard on any thread.
#[derive(Debug, Clone)]
pub struct Stop(watch::Receiver<bool>);

/// The other side of a [`Stop`].
#[derive(Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stop {
    /// A stop and who asks for it.
    pub fn new() -> (Stopper, Self) {
        let (raise, raised) = watch::channel(false);
        (Stopper(raise), Self(raised))
    }

    /// One that nobody asks for.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Whether an end was asked for.
    pub fn requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until an end is asked for; for ever when nobody can any more.
    pub async fn wait(&self) {
        let mut raised = self.0.clone();
        if raised.wait_for(|raised| *raised).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Stopper {
    /// Asks for an end; `true` when that was asked before.
    pub fn stop(&self) -> bool {
        self.0.send_replace(true)
    }
}
