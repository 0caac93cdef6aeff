//! The table of backends of each game.

use lockstep::BackendRegistry;
use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{BackendFactory, board, simulated};
use lockstep_engine::connect4::FastConnect4;
use lockstep_games::connect4::Connect4;
use lockstep_games::tetris::Tetris;
use lockstep_games::{Codec, Golden};

use crate::engine::FastPlayer;

/// The backends of Tetris.
pub fn tetris() -> BackendRegistry<Tetris> {
    with_engine(engine(
        "the fast engine",
        &[("path", "uses another path than the fastest, such as avx2")],
        |spec| Ok(Box::new(FastPlayer::new(spec.option("path"))?)),
    ))
}

/// The backends of Connect Four.
pub fn connect4() -> BackendRegistry<Connect4> {
    with_engine(engine("the fast engine", &[], |_| {
        Ok(Box::new(FastConnect4))
    }))
}

/// The backends of a game: golden model, engine, simulated RTL, boards and external programs.
fn with_engine<G: Golden + Codec>(engine: BackendFactory<G>) -> BackendRegistry<G> {
    BackendRegistry::new()
        .with(golden())
        .with(engine)
        .with(simulated::bytes())
        .with(simulated::pins())
        .with(simulated::netlist())
        .with(board::serial())
        .with(board::tcp())
        .with(exec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect4_registry_has_same_names_as_tetris() {
        let registry = connect4();
        for name in ["software", "engine", "sim", "sim-uart", "serial:auto"] {
            assert!(registry.parse(name).is_ok(), "{name}");
        }
        let error = registry.parse("engine:path=avx2").expect_err("no option");
        assert!(error.to_string().contains("no option"), "{error}");
    }
}
