//! Signals that interrupt a command.

use std::io;
use std::process::exit;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use lockstep::Stop;
use lockstep::stop::Stopper;
use tokio::runtime::{Builder, Runtime};

use crate::output::failure::INTERRUPTED;

/// Time within which several signals count as one: a closed terminal sends several.
const ONE: Duration = Duration::from_millis(200);

/// Requests the end and shows it, once signals are listened for.
static STOP: OnceLock<(Arc<Stopper>, Stop)> = OnceLock::new();

/// Listens for the signals that end a program: Ctrl-C, and on Unix SIGTERM and SIGHUP.
///
/// The first signal requests an orderly end; the second ends the program. They are received on a
/// thread of their own, which no busy thread delays. Every call returns the same stop.
pub fn listen() -> Stop {
    let begin = || {
        let (stopper, stop) = Stop::new();
        let stopper = Arc::new(stopper);
        if let Err(error) = start(Arc::clone(&stopper)) {
            tracing::warn!(%error, "cannot listen for signals: the first one ends the program");
        }
        (stopper, stop)
    };
    STOP.get_or_init(begin).1.clone()
}

/// Requests an orderly end, as the first signal does.
pub fn request() {
    if let Some((stopper, _)) = STOP.get() {
        stopper.stop();
    }
}

fn start(stopper: Arc<Stopper>) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    // Before anything else is done: a signal that comes later is heard.
    let signals = {
        let _entered = runtime.enter();
        Signals::new()?
    };
    let named = thread::Builder::new().name("signals".into());
    named.spawn(move || hear(&runtime, signals, &stopper))?;
    Ok(())
}

fn hear(runtime: &Runtime, mut signals: Signals, stopper: &Stopper) {
    runtime.block_on(async {
        let mut first = Instant::now();
        while signals.next().await.is_some() {
            if !stopper.stop() {
                first = Instant::now();
            } else if first.elapsed() > ONE {
                // The second signal: what the program waits for does not come.
                exit(INTERRUPTED.into());
            }
        }
    });
}

#[cfg(unix)]
use unix::Signals;

#[cfg(unix)]
mod unix {
    use std::io;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// The signals that end a program.
    pub struct Signals {
        interrupt: Signal,
        terminate: Signal,
        /// SIGHUP; `None` if it is ignored, as under `nohup`.
        hangup: Option<Signal>,
    }

    impl Signals {
        pub fn new() -> io::Result<Self> {
            let hangup = SignalKind::hangup();
            let hangup = match is_ignored(hangup) {
                true => None,
                false => Some(signal(hangup)?),
            };
            // The interrupt last: once it is handled, all are.
            let terminate = signal(SignalKind::terminate())?;
            // A file that must not grow further is an error of who writes it, as a full disk is.
            let limit = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
            drop(signal(limit)?);
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate,
                hangup,
            })
        }

        /// Waits for one of the signals; `None` if none can come any more.
        pub async fn next(&mut self) -> Option<()> {
            let hangup = async {
                match &mut self.hangup {
                    Some(hangup) => hangup.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                signal = self.interrupt.recv() => signal,
                signal = self.terminate.recv() => signal,
                signal = hangup => signal,
            }
        }
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
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for Ctrl-C; `None` if it cannot come.
    async fn next(&mut self) -> Option<()> {
        tokio::signal::ctrl_c().await.ok()
    }
}
