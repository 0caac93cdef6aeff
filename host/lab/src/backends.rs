//! The backends there are, by game.

use lockstep::BackendRegistry;
use lockstep::backend::exec::exec;
use lockstep::backend::software::{engine, golden};
use lockstep::backend::{BackendFactory, board, simulated};
use lockstep_engine::connect4::FastConnect4;
use lockstep_games::connect4::Connect4;
use lockstep_games::tetris::Tetris;
use lockstep_games::{Codec, Golden};

use crate::engine::FastPlayer;

/// The backends of Tetris: the golden model, the engine, the simulated RTL, boards, programs.
pub fn tetris() -> BackendRegistry<Tetris> {
    with_engine(engine(
        "the fast one",
        &[("path", "takes another path than the fastest, such as avx2")],
        |spec| Ok(Box::new(FastPlayer::new(spec.option("path"))?)),
    ))
}

/// The backends of Connect Four.
pub fn connect4() -> BackendRegistry<Connect4> {
    with_engine(engine("the fast one", &[], |_| Ok(Box::new(FastConnect4))))
}

/// The backends of any game without an engine.
pub fn common<G: Golden + Codec>() -> BackendRegistry<G> {
    cores(BackendRegistry::new().with(golden()))
}

/// The backends of a game that has an engine.
fn with_engine<G: Golden + Codec>(engine: BackendFactory<G>) -> BackendRegistry<G> {
    cores(BackendRegistry::new().with(golden()).with(engine))
}

/// Adds the game's core, simulated and on boards, and programs.
fn cores<G: Golden + Codec>(software: BackendRegistry<G>) -> BackendRegistry<G> {
    software
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
    fn a_board_is_named_by_its_place_and_rates() {
        let openers = tetris();
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
            let spec = openers
                .parse(text)
                .unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(spec.target(), target, "{text}");
            assert_eq!(
                (spec.option("baud"), spec.option("start")),
                (baud, start),
                "{text}"
            );
            assert_eq!(openers.kind(&spec), Some(Kind::Link), "{text}");
            assert_eq!(spec.to_string(), text);
        }
        let spec = openers.parse("sim-uart:baud=9600").expect("a name");
        assert_eq!((spec.target(), spec.option("baud")), ("", Some("9600")));
    }

    #[test]
    fn what_names_no_board_is_told_what_would() {
        for text in ["serial", "serial:", "serial:,baud=9600", "serial:baud=9600"] {
            assert!(error(text).ends_with("serial:PORT"), "{}", error(text));
        }
        assert!(error("tcp").ends_with("tcp:HOST:PORT"));
        for (text, told) in [
            ("serial:0403:60", "VID:PID:SERIAL"),
            ("tcp:localhost", "expected HOST:PORT"),
            ("tcp:::1:5000", "[::1]:5000"),
            ("tcp:localhost:5000,baud=1", "tcp has no option 'baud'"),
            (
                "serial:auto,speed=1",
                "no option 'speed'; there is baud, start",
            ),
            ("serial:auto,baud=1,baud=2", "'baud' is named twice"),
            ("serial:auto,baud=fast", "baud=fast: expected a rate"),
            ("serial:auto,start=0", "start=0: expected a rate"),
            ("serial:auto,baud=9600", "that of start="),
            ("serial:auto,start=9600,baud=4800", "that of start="),
        ] {
            assert!(error(text).contains(told), "{}", error(text));
        }
    }

    #[test]
    fn help_says_how_a_board_is_named() {
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
    fn connect4_backends_are_named_as_tetris_ones() {
        let openers = connect4();
        for name in ["software", "engine", "sim", "sim-uart", "serial:auto"] {
            assert!(openers.parse(name).is_ok(), "{name}");
        }
        let error = openers.parse("engine:path=avx2").expect_err("no option");
        assert!(error.to_string().contains("no option"), "{error}");
    }

    /// A board is only asked when it is named.
    #[test]
    fn no_board_is_among_the_usual_ones() {
        let controller = lockstep_games::tetris::Controller::load("dt-20").expect("built in");
        let board = lockstep_games::BoardSize::new(10, 20);
        let usual = tetris().defaults(&controller, board);
        let names: Vec<_> = usual.iter().map(|spec| spec.factory().to_owned()).collect();
        assert!(names.iter().any(|name| name == "software"), "{names:?}");
        assert!(
            !names.iter().any(|name| name == "serial" || name == "tcp"),
            "{names:?}"
        );
    }
}
