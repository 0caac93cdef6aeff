//! The table of backends of each game.

use lockstep::BackendRegistry;
use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{BackendFactory, board, simulated};
use lockstep_engine::connect4::FastConnect4;
use lockstep_engine::gomoku::FastGomoku;
use lockstep_games::connect4::Connect4;
use lockstep_games::gomoku::Gomoku;
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

/// The backends of Gomoku.
pub fn gomoku() -> BackendRegistry<Gomoku> {
    with_engine(engine(
        "the fast engine",
        &[
            ("path", "uses another path than the fastest, such as avx2"),
            (
                "threads",
                "searches on so many threads, by default one a core",
            ),
        ],
        |spec| {
            let engine = FastGomoku::named(spec.option("path"), spec.option("threads"))?;
            Ok(Box::new(engine))
        },
    ))
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

    use super::*;

    fn error(text: &str) -> String {
        tetris().parse(text).expect_err(text).to_string()
    }

    #[test]
    fn registry_parses_port_and_rates_of_board() {
        let registry = tetris();
        for (text, target, baud, start) in [
            ("serial:/dev/ttyUSB1", "/dev/ttyUSB1", None, None),
            ("serial:auto", "auto", None, None),
            (
                "serial:0403:6010:A1,baud=3000000",
                "0403:6010:A1",
                Some("3000000"),
                None,
            ),
            (
                "serial:COM3,start=9600,baud=9600",
                "COM3",
                Some("9600"),
                Some("9600"),
            ),
            ("tcp:[::1]:5000", "[::1]:5000", None, None),
            ("tcp:localhost:5000", "localhost:5000", None, None),
        ] {
            let spec = registry
                .parse(text)
                .unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(spec.target(), target, "{text}");
            assert_eq!(
                (spec.option("baud"), spec.option("start")),
                (baud, start),
                "{text}"
            );
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
                "no option 'speed'; the options are baud, start",
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
        let controller = lockstep_games::tetris::Controller::load("dt-20").expect("built in");
        let board = lockstep_games::BoardSize::new(10, 20);
        let defaults = tetris().defaults(&controller, board);
        let names: Vec<_> = defaults
            .iter()
            .map(|spec| spec.factory().to_owned())
            .collect();
        assert!(names.iter().any(|name| name == "software"), "{names:?}");
        assert!(
            !names.iter().any(|name| name == "serial" || name == "tcp"),
            "{names:?}"
        );
    }
}
