//! Backends named on the command line.

use std::sync::LazyLock;

use anyhow::bail;
use lockstep::backend::open::SpecError;
use lockstep::{Backend, Header, Openers, Session, Spec, Stop};
use lockstep_games::Game;
use lockstep_games::tetris::{Controller, Tetris};

use super::suggest::nearest;
use super::wait::wait;

static TETRIS: LazyLock<Openers<Tetris>> = LazyLock::new(lockstep_lab::backends::tetris);

/// Those that play Tetris.
pub fn openers() -> &'static Openers<Tetris> {
    &TETRIS
}

/// Reads a backend's name, for the command line.
pub fn backend(text: &str) -> anyhow::Result<Spec> {
    let parsed = openers().parse(text);
    let names = || openers().iter().map(|opener| opener.name());
    if let Err(SpecError::Unknown { name, .. }) = &parsed
        && let Some(meant) = nearest(name, names())
    {
        let all = names().collect::<Vec<_>>().join(", ");
        bail!("no backend is called '{name}'; did you mean '{meant}'? There are {all}");
    }
    Ok(parsed?)
}

/// Opens backends for Tetris.
pub async fn open(
    specs: &[Spec],
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<Vec<Box<dyn Backend<Tetris>>>> {
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].contains(spec) {
            bail!("--backend {spec} is named twice; every backend needs a name of its own");
        }
    }
    let mut backends: Vec<Box<dyn Backend<Tetris>>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let what = format!("opening {spec}");
        backends.push(wait(&what, quiet, stop, open_one(spec, index)).await?);
    }
    Ok(backends)
}

/// Opens one; no two of a process have the same index.
pub async fn open_one(spec: &Spec, index: usize) -> anyhow::Result<Box<dyn Backend<Tetris>>> {
    Ok(openers().open(spec, nonce(index)).await?)
}

/// A number for the session of one backend of this process on its link.
pub fn nonce(index: usize) -> u64 {
    u64::from(std::process::id()) << 8 | index as u64
}

/// Hands a controller to all backends.
pub async fn configure(
    session: &mut Session<Tetris>,
    controller: &Controller,
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<()> {
    let what = format!("handing over {}", controller.name);
    wait(&what, quiet, stop, session.configure(controller)).await
}

/// The header of a session that is about to begin.
pub fn header<G: Game>(
    session: &Session<G>,
    controller: G::Controller,
    setup: Option<G::Setup>,
    planned: Option<u64>,
) -> Header<G> {
    Header {
        seats: Vec::new(),
        backends: session.identities(),
        controller,
        setup,
        planned,
    }
}
