//! Signals that interrupt a command.

use std::future::pending;
use std::io;
use std::process::exit;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use lockstep::Stop;
use lockstep::stop::Stopper;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::output::failure::INTERRUPTED;

/// Time within which several signals count as one: a closed terminal sends several.
const ONE: Duration = Duration::from_millis(200);

/// Requests the end and shows it, once signals are listened for.
static STOP: OnceLock<(Arc<Stopper>, Stop)> = OnceLock::new();

/// Listens for the signals that end a program: Ctrl-C, SIGTERM, SIGHUP and SIGQUIT.
///
/// The first signal requests an orderly end; the second ends the program. They are received on a
/// thread of their own, which no busy thread delays. Every call returns the same stop.
pub fn listen() -> Stop {
    let begin = || {
        let (stopper, stop) = Stop::new();
        let stopper = Arc::new(stopper);
        if let Err(error) = start(&stopper) {
            tracing::warn!(%error, "cannot listen for signals: the first one ends the program");
        }
        (stopper, stop)
    };
    STOP.get_or_init(begin).1.clone()
}

/// Time of the first signal or request.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Requests an orderly end, as the first signal does.
pub fn request() {
    FIRST.get_or_init(Instant::now);
    if let Some((stopper, _)) = STOP.get() {
        stopper.stop();
    }
}

fn start(stopper: &Arc<Stopper>) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    // Before anything else is done: a signal that comes later is heard.
    let entered = runtime.enter();
    for mut signal in signals()? {
        let stopper = Arc::clone(stopper);
        runtime.spawn(async move {
            while signal.recv().await.is_some() {
                if FIRST.get_or_init(Instant::now).elapsed() > ONE {
                    // The second signal: what the program waits for does not come.
                    exit(INTERRUPTED.into());
                }
                stopper.stop();
            }
        });
    }
    drop(entered);
    let named = thread::Builder::new().name("signals".into());
    named.spawn(move || runtime.block_on(pending::<()>()))?;
    Ok(())
}

fn signals() -> io::Result<Vec<Signal>> {
    // A file that must not grow further is an error of who writes it, as a full disk is.
    let limit = rustix::process::Signal::XFSZ.as_raw();
    drop(signal(SignalKind::from_raw(limit))?);
    let hangup = Some(SignalKind::hangup()).filter(|hangup| !is_ignored(*hangup));
    // The interrupt last: once it is handled, all are.
    let kinds = [
        SignalKind::quit(),
        SignalKind::terminate(),
        SignalKind::interrupt(),
    ];
    hangup.into_iter().chain(kinds).map(signal).collect()
}

/// Whether the program was started with a signal ignored, if the system reports that (Linux).
fn is_ignored(signal: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let bit = u32::try_from(signal.as_raw_value() - 1).ok();
    let ignored = mask.zip(bit).and_then(|(mask, bit)| mask.checked_shr(bit));
    ignored.is_some_and(|mask| mask & 1 == 1)
}
