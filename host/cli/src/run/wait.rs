//! A run of a command: its interrupt, and waiting for slow work.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use indicatif::ProgressBar;
use lockstep::{SessionError, Stop};

use super::interrupt::listen;
use crate::output::is_drawn;

/// Time after which running work is shown on standard error.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
const TURN: Duration = Duration::from_millis(120);

/// A run of a command, which can be interrupted.
pub struct Run {
    pub quiet: bool,
    /// Requested by the first signal.
    pub stop: Stop,
}

impl Run {
    /// Listens for signals from now on.
    pub fn start(quiet: bool) -> Self {
        let stop = listen();
        Self { quiet, stop }
    }

    /// The same run for work that handles the interrupt itself.
    pub fn uninterrupted(&self) -> Self {
        let (quiet, stop) = (self.quiet, Stop::never());
        Self { quiet, stop }
    }

    /// Waits until work is done or the run is interrupted.
    ///
    /// Work of more than a second is named on standard error, if that is a terminal.
    ///
    /// # Errors
    /// [`SessionError::Interrupted`], and the errors of the work.
    pub async fn wait<T, E>(
        &self,
        what: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> anyhow::Result<T>
    where
        E: Into<anyhow::Error>,
    {
        let mut work = pin!(work);
        let stopped = || Err(SessionError::Interrupted.into());
        tokio::select! {
            biased;
            () = self.stop.wait() => return stopped(),
            done = &mut work => return done.map_err(Into::into),
            () = tokio::time::sleep(SHOWN_AFTER) => {}
        }
        let spinner = is_drawn(self.quiet).then(|| {
            let spinner = ProgressBar::new_spinner().with_message(format!("{what} …"));
            spinner.enable_steady_tick(TURN);
            spinner
        });
        let done = tokio::select! {
            biased;
            () = self.stop.wait() => stopped(),
            done = &mut work => done.map_err(Into::into),
        };
        if let Some(spinner) = spinner {
            spinner.finish_and_clear();
        }
        done
    }

    pub fn check(&self) -> anyhow::Result<()> {
        match self.stop.requested() {
            true => Err(SessionError::Interrupted.into()),
            false => Ok(()),
        }
    }
}
