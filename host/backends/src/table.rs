//! The table of backends of each game.

use lockstep::BackendRegistry;
use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{BackendFactory, board, simulated};
use lockstep_engine::connect4::FastConnect4;
use lockstep_engine::gomoku::FastGomoku;
use lockstep_engine::tetris::FastTetris;
use lockstep_games::connect4::Connect4;
use lockstep_games::gomoku::Gomoku;
use lockstep_games::tetris::Tetris;
use lockstep_games::{Codec, Golden};

use crate::gomoku::{gomocup, wujian};

/// The backends of Tetris.
pub fn tetris() -> BackendRegistry<Tetris> {
    with_engine(engine(
        "the fast engine",
        &[("path", "chooses its path: avx512, avx2 or portable")],
        |spec| Ok(Box::new(FastTetris::new(spec.option("path"))?)),
    ))
}

/// The backends of Connect Four.
pub fn connect4() -> BackendRegistry<Connect4> {
    with_engine(engine("the fast engine", &[], |_| {
        Ok(Box::new(FastConnect4))
    }))
}

/// The backends of Gomoku.
pub fn gomoku() -> BackendRegistry<Gomoku> {
    let usual = with_engine(engine(
        "the fast engine",
        &[
            ("path", "chooses its path: avx512, avx2 or portable"),
            (
                "threads",
                "sets the number of threads, by default one for each CPU",
            ),
        ],
        |spec| {
            let engine = FastGomoku::named(spec.option("path"), spec.option("threads"))?;
            Ok(Box::new(engine))
        },
    ));
    usual.with(gomocup::program()).with(wujian::board())
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
        .with(board::labgrid())
        .with(exec())
}

#[cfg(test)]
mod tests {
    use lockstep_engine::tetris::EngineGame;
    use lockstep_games::Implementation as _;
    use lockstep_games::tetris::board::Board;
    use lockstep_games::tetris::playing::{self, Player};
    use lockstep_games::tetris::source::generator_after;
    use lockstep_games::tetris::{Controller, PieceSource, Pieces, Position, SelfPlay, Size, Sums};

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

    #[test]
    fn self_play_equals_decisions_piece_by_piece() {
        let lowest = Controller::load("lowest").expect("a built-in controller");
        let player = FastTetris::new(None).expect("the fastest path");
        let mut decider = player.decider(&lowest).expect("linear");
        let first = SelfPlay {
            board: Board::of_size(Size::STANDARD),
            games: 1,
            pieces: 5_000,
            spacing: 300,
            generator: 3,
            signature: EngineGame::FIRST_SIGNATURE,
        };
        // Where the first one ends.
        let mut played = Player::new(first.board.clone(), first.signature);
        for piece in Pieces::from_seed(PieceSource::Uniform, 3).take(5_000) {
            let placed = played.step(piece, |position| decider.decide(position));
            if placed.expect("it plays").is_none() {
                played.restart();
            }
        }
        let next = SelfPlay {
            board: played.board().clone(),
            generator: generator_after(3, 5_000),
            signature: played.sums().signature,
            ..first.clone()
        };
        for (run, games) in [
            (&first, 5),
            (&first, 1),
            (&next, 5),
            (&first, 1),
            (&next, 1),
        ] {
            let run = SelfPlay {
                games,
                ..run.clone()
            };
            // A single game sums no scores.
            let known = |sums: Sums| Sums {
                score: sums.score.filter(|_| games > 1),
                ..sums
            };
            let (mut long, mut single) = (Vec::new(), Vec::new());
            let end = decider.self_play(&run, &mut |sums| {
                long.push(sums);
                true
            });
            let end = end.expect("it plays");
            let decide = |position: &Position| decider.decide(position);
            let again = playing::self_play(&run, decide, &mut |sums| {
                single.push(known(sums));
                true
            });
            assert_eq!((long.len(), &long), (16, &single));
            assert_eq!(end, again.ok().map(known));
            assert!(end.is_some_and(|end| end.games > 10));
        }
    }
}
