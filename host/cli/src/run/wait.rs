//! Waiting for what may take long: heard to be stopped, and seen to go on.

use std::future::Future;
use std::io::{self, IsTerminal as _};
use std::pin::pin;
use std::time::Duration;

use indicatif::ProgressBar;
use lockstep::{SessionError, Stop};

/// What takes no longer needs no word.
const SILENT: Duration = Duration::from_secs(1);
/// Time between two pictures of what turns.
const TURN: Duration = Duration::from_millis(120);

/// Waits for something, but not longer than until the user wants no more. What
/// takes more than a second is named on standard error, if that is a terminal.
///
/// # Errors
/// [`SessionError::Interrupted`], and those of what is waited for.
pub async fn wait<T, E>(
    what: &str,
    quiet: bool,
    stop: &Stop,
    work: impl Future<Output = Result<T, E>>,
) -> anyhow::Result<T>
where
    E: Into<anyhow::Error>,
{
    let mut work = pin!(work);
    let stopped = || Err(SessionError::Interrupted.into());
    tokio::select! {
        biased;
        () = stop.wait() => return stopped(),
        done = &mut work => return done.map_err(Into::into),
        () = tokio::time::sleep(SILENT) => {}
    }
    let turning = (!quiet && io::stderr().is_terminal()).then(|| {
        let turning = ProgressBar::new_spinner().with_message(format!("{what} …"));
        turning.enable_steady_tick(TURN);
        turning
    });
    let done = tokio::select! {
        biased;
        () = stop.wait() => stopped(),
        done = &mut work => done.map_err(Into::into),
    };
    if let Some(turning) = turning {
        turning.finish_and_clear();
    }
    done
}
