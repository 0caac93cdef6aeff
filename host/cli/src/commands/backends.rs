//! Backends named on the command line.

use std::sync::LazyLock;

use anyhow::bail;
use lockstep::backend::open::SpecError;
use lockstep::{Backend, Header, Openers, Session, Spec};
use lockstep_games::Game;
use lockstep_games::tetris::Tetris;

static TETRIS: LazyLock<Openers<Tetris>> = LazyLock::new(lockstep_lab::backends::tetris);

/// Those that play Tetris.
pub fn openers() -> &'static Openers<Tetris> {
    &TETRIS
}

/// Reads a backend's name, for the command line.
pub fn backend(text: &str) -> Result<Spec, SpecError> {
    openers().parse(text)
}

/// Opens backends for Tetris.
pub async fn open(specs: &[Spec]) -> anyhow::Result<Vec<Box<dyn Backend<Tetris>>>> {
    let mut backends: Vec<Box<dyn Backend<Tetris>>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].contains(spec) {
            bail!("--backend {spec} is named twice; every backend needs a name of its own");
        }
        backends.push(open_one(spec, index).await?);
    }
    Ok(backends)
}

/// Opens one; no two of a process have the same index.
pub async fn open_one(spec: &Spec, index: usize) -> anyhow::Result<Box<dyn Backend<Tetris>>> {
    let nonce = u64::from(std::process::id()) << 8 | index as u64;
    Ok(openers().open(spec, nonce).await?)
}

/// The header of a session that is about to begin.
pub fn header<G: Game>(
    session: &Session<G>,
    controller: G::Controller,
    setup: Option<G::Setup>,
    planned: Option<u64>,
) -> Header<G> {
    Header {
        backends: session.identities(),
        controller,
        setup,
        planned,
    }
}
