//! The table of backends of each game.

use lockstep::BackendRegistry;
use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{BackendFactory, board, simulated};
use lockstep_engine::connect4::FastConnect4;
use lockstep_engine::tetris::FastTetris;
use lockstep_games::connect4::Connect4;
use lockstep_games::tetris::Tetris;
use lockstep_games::{Codec, Golden};

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
    use lockstep::backend::Kind;
    use lockstep_engine::tetris::EngineGame;
    use lockstep_games::Implementation as _;
    use lockstep_games::tetris::board::Board;
    use lockstep_games::tetris::{Controller, Position, SelfPlay, Size, Sums, playing};

    use super::*;

    fn error(text: &str) -> String {
        tetris().parse(text).expect_err(text).to_string()
    }

    #[test]
    fn registry_parses_port_and_rates_of_board() {
        let registry = tetris();
        let (slow, fast) = (Some("9600"), Some("3000000"));
        for (text, target, baud, start) in [
            ("serial:/dev/ttyUSB1", "/dev/ttyUSB1", None, None),
            ("serial:auto", "auto", None, None),
            (
                "serial:0403:6010:A1,baud=3000000",
                "0403:6010:A1",
                fast,
                None,
            ),
            ("serial:COM3,start=9600,baud=9600", "COM3", slow, slow),
            ("tcp:[::1]:5000", "[::1]:5000", None, None),
            ("tcp:localhost:5000", "localhost:5000", None, None),
        ] {
            let spec = registry.parse(text).expect(text);
            let rates = (spec.option("baud"), spec.option("start"));
            assert_eq!((spec.target(), rates), (target, (baud, start)));
            assert_eq!(registry.kind(&spec), Some(Kind::Link), "{text}");
            assert_eq!(spec.to_string(), text);
        }
        let spec = registry.parse("sim-uart:baud=9600").expect("a name");
        assert_eq!((spec.target(), spec.option("baud")), ("", Some("9600")));
    }

    #[test]
    fn registry_refuses_unclear_board_with_syntax() {
        for text in ["serial", "serial:", "serial:,baud=9600", "serial:baud=9600"] {
            assert!(error(text).ends_with("serial:PORT"), "{}", error(text));
        }
        assert!(error("tcp").ends_with("tcp:HOST:PORT"));
        for (text, expected) in [
            ("serial:0403:60", "VID:PID:SERIAL"),
            ("tcp:localhost", "expected HOST:PORT"),
            ("tcp:::1:5000", "[::1]:5000"),
            ("tcp:localhost:5000,baud=1", "tcp has no option 'baud'"),
            (
                "serial:auto,speed=1",
                "no option 'speed'; the options are baud,",
            ),
            ("serial:auto,baud=1,baud=2", "'baud' is named twice"),
            ("serial:auto,baud=fast", "baud=fast: expected a rate"),
            ("serial:auto,start=0", "start=0: expected a rate"),
            ("serial:auto,baud=9600", "that of start="),
            ("serial:auto,start=9600,baud=4800", "that of start="),
        ] {
            assert!(error(text).contains(expected), "{}", error(text));
        }
    }

    #[test]
    fn summary_shows_syntax_of_boards() {
        let summary = tetris().summary();
        for part in [
            "serial:PORT (",
            "serial:PORT,baud=…",
            "tcp:HOST:PORT (",
            "sim-uart:baud=…",
        ] {
            assert!(summary.contains(part), "no {part} in {summary}");
        }
    }

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
    fn default_backends_include_no_board() {
        let controller = Controller::load("dt-20").expect("built in");
        let board = lockstep_games::BoardSize::new(10, 20);
        let defaults = tetris().defaults(&controller, board);
        let names: Vec<_> = defaults.iter().map(|spec| spec.factory()).collect();
        assert!(names.contains(&"software"), "{names:?}");
        assert!(!names.contains(&"serial") && !names.contains(&"tcp"));
    }

    #[test]
    fn self_play_equals_decisions_piece_by_piece() {
        let lowest = Controller::load("lowest").expect("a preset");
        let player = FastTetris::new(None).expect("the fastest path");
        let mut decider = player.decider(&lowest).expect("linear");
        let run = SelfPlay {
            board: Board::of_size(Size::STANDARD),
            pieces: 5_000,
            spacing: 300,
            generator: 3,
            signature: EngineGame::FIRST_SIGNATURE,
        };
        let known = |sums: Sums| Sums {
            score: None,
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
