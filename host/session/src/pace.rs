//! The pauses between decisions, so that people can watch; they may change while a session plays.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::stop::Stop;

/// The pauses of a session. A clone changes the pauses of the same session.
#[derive(Debug, Clone, Default)]
pub struct Pace(watch::Sender<State>);

#[derive(Debug, Clone, Copy, Default)]
struct State {
    pause: Duration,
    is_held: bool,
    /// Decisions to make while it is held.
    steps: u64,
}

impl Pace {
    /// A pause of this length after each decision.
    pub fn every(pause: Duration) -> Self {
        let pace = Self::default();
        pace.set(pause);
        pace
    }

    /// Sets the length of the pauses.
    pub fn set(&self, pause: Duration) {
        self.0.send_modify(|state| state.pause = pause);
    }

    /// Holds the session after its next decision, or lets it go on.
    pub fn hold(&self, is_held: bool) {
        self.0.send_modify(|state| {
            state.is_held = is_held;
            state.steps = 0;
        });
    }

    /// Lets a session that is held make one decision.
    pub fn step(&self) {
        self.0.send_modify(|state| state.steps += 1);
    }

    /// Waits for the end of a pause that begins now, or for a stop.
    pub(crate) async fn wait(&self, stop: &Stop) {
        let begun = Instant::now();
        let mut states = self.0.subscribe();
        loop {
            let state = *states.borrow_and_update();
            if state.is_held && state.steps > 0 {
                self.0.send_modify(|state| state.steps -= 1);
                return;
            }
            if !state.is_held && state.pause.is_zero() {
                return;
            }
            tokio::select! {
                () = stop.wait() => return,
                () = sleep_until(begun + state.pause), if !state.is_held => return,
                // The sender is this handle: it cannot be gone.
                _ = states.changed() => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a pause ends within a second; the clock of the test stands still otherwise.
    async fn ends(pace: &Pace) -> bool {
        let stop = Stop::never();
        let wait = pace.wait(&stop);
        tokio::time::timeout(Duration::from_secs(1), wait)
            .await
            .is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn pause_ends_after_its_length_or_a_step_or_a_stop() {
        assert!(ends(&Pace::default()).await);
        assert!(ends(&Pace::every(Duration::from_millis(900))).await);
        let pace = Pace::every(Duration::from_millis(1100));
        assert!(!ends(&pace).await);
        pace.set(Duration::ZERO);
        pace.hold(true);
        assert!(!ends(&pace).await);
        pace.step();
        assert!(ends(&pace).await && !ends(&pace).await);
        pace.step();
        pace.hold(false);
        assert!(ends(&pace).await);
        pace.hold(true);
        let (stopper, stop) = Stop::new();
        stopper.stop();
        pace.wait(&stop).await;
    }

    #[tokio::test(start_paused = true)]
    async fn change_reaches_a_pause_that_has_begun() {
        let pace = Pace::every(Duration::from_secs(3600));
        let (waiting, stop) = (pace.clone(), Stop::never());
        let wait = tokio::spawn(async move { waiting.wait(&stop).await });
        tokio::time::sleep(Duration::from_millis(1)).await;
        pace.set(Duration::from_millis(2));
        tokio::time::timeout(Duration::from_secs(1), wait)
            .await
            .expect("the pause ends")
            .expect("it does not panic");
    }
}
