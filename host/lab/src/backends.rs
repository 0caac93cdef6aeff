//! The backends there are, by game.

use lockstep::Openers;
use lockstep::backend::board::{SerialOpener, TcpOpener};
use lockstep::backend::open::SoftwareOpener;
use lockstep::backend::simulated::SimOpener;
use lockstep_engine::tetris::FastTetris;
use lockstep_games::tetris::Tetris;

/// Those that play Tetris: the golden model, the engine, the simulated RTL, boards.
pub fn tetris() -> Openers<Tetris> {
    let engine = SoftwareOpener::engine(
        "the fast one",
        &[("path", "takes another path than the fastest, such as avx2")],
        |spec| Ok(Box::new(FastTetris::new(spec.option("path"))?)),
    );
    Openers::new()
        .with(SoftwareOpener::golden())
        .with(engine)
        .with(SimOpener::bytes())
        .with(SimOpener::pins())
        .with(SerialOpener)
        .with(TcpOpener)
}
