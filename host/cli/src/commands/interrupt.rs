//! Signals that ask for an end.

use std::process::exit;
use std::thread;

use lockstep::Stop;
use lockstep::stop::Stopper;
use tokio::signal::ctrl_c;

/// Exit status of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// Listens from now on for whatever asks a program to end: the interrupt of a
/// terminal, and on Unix SIGTERM and SIGHUP. The first is to end things in good
/// order; the second ends the program.
///
/// It has a thread of its own: whatever the others are busy with, it is heard.
pub fn listen() -> Stop {
    let (stopper, stop) = Stop::new();
    let listening = thread::Builder::new()
        .name("signals".into())
        .spawn(move || hear(&stopper));
    if let Err(error) = listening {
        tracing::warn!(%error, "no thread to hear interrupts: the first one ends the program");
    }
    stop
}

fn hear(stopper: &Stopper) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        while asked().await {
            if stopper.stop() {
                // Asked twice: whatever it waits for does not come.
                exit(INTERRUPTED.into());
            }
        }
    });
}

/// Waits to be asked; `false` when that can never happen.
#[cfg(unix)]
async fn asked() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let term = signal(SignalKind::terminate());
    let hup = signal(SignalKind::hangup());
    let (Ok(mut term), Ok(mut hup)) = (term, hup) else {
        return ctrl_c().await.is_ok();
    };
    tokio::select! {
        asked = ctrl_c() => asked.is_ok(),
        asked = term.recv() => asked.is_some(),
        asked = hup.recv() => asked.is_some(),
    }
}

/// Waits to be asked; `false` when that can never happen.
#[cfg(not(unix))]
async fn asked() -> bool {
    ctrl_c().await.is_ok()
}
