//! What Yosys makes of the RTL for an ECP5, simulated cell by cell: it answers as the RTL does,
//! whatever its registers hold at power-up, and a broken one does not.

use lockstep::compare::deviations;
use lockstep::{Session, Stop};
use lockstep_games::connect4::{Connect4, Setup};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Piece, Run};
use lockstep_games::{Match as _, Rules as _};
use lockstep_verify::line::{Trouble, talk};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sim::{Depth, Variant};

use crate::agreement::{random_positions, random_weights, whole_games_agree};
use crate::connect4::preset;
use crate::frames::{converse, conversed};
use crate::play::{golden_run, random_games_agree};
use crate::records::recorded_games_agree;
use crate::support::{any_position, block_on, controller, session};

fn netlist() -> &'static Variant {
    sim::netlist("tetris", None).expect("the netlist as it is")
}

#[test]
fn a_netlist_says_it_is_the_build_of_its_rtl() {
    let rtl = sim::variant("tetris", None).expect("the RTL as designed");
    assert_eq!(netlist().build_id, rtl.build_id);
    assert!(netlist().netlist && !rtl.netlist);
    let opened = block_on(session(&["sim-netlist"], &controller("probe")));
    let told = &opened.identities()[0];
    assert!(told.description.raw().contains("netlist"), "{told:?}");
}

#[test]
fn a_netlist_answers_as_scripted() {
    for power_up in 0..2 {
        converse(netlist(), Depth::Bytes, power_up);
    }
    let (baud, skew_ppm) = (12_000_000, 20_000);
    converse(netlist(), Depth::Pins { baud, skew_ppm }, 2);
}

/// At random power-up states, with bad stop bits, glitches and breaks on the line.
#[test]
fn a_netlist_answers_on_a_bad_line() {
    for seed in 0..4 {
        let tally = talk(netlist(), 12_000_000, Trouble::Errors, 20, seed)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(tally.good > 0, "{tally:?}");
    }
}

#[test]
fn a_netlist_plays_whole_games_as_its_rtl_does() {
    whole_games_agree("sim-netlist", "lowest", 2);
}

#[test]
fn a_netlist_agrees_on_random_positions() {
    random_positions("sim-netlist", &controller("probe"), 40);
}

#[test]
fn a_netlist_plays_by_itself_as_the_golden_model_does() {
    random_games_agree("sim-netlist", 1);
}

#[test]
fn a_netlist_decides_as_recorded() {
    recorded_games_agree("sim-netlist");
}

#[test]
fn a_netlist_agrees_under_random_weights() {
    random_weights("sim-netlist", 20);
}

/// Plays a few pieces, decides a few positions and, when that shows nothing, holds the conversation
/// with a look-up table inverted, and says whether it shows.
async fn shows(fault: &str) -> bool {
    let openers = lockstep_lab::backends::tetris();
    let spec = openers.parse(&format!("sim-netlist:fault={fault}"));
    let opened = openers.open(&spec.expect("a backend's name"), 1).await;
    // One that cannot be talked to at all shows it, too.
    let Ok(mut broken) = opened else { return true };
    let probe = controller("probe");
    if broken.configure(&probe).await.is_err() {
        return true;
    }
    let run = Run {
        board: Board::new(10, 20),
        pieces: Piece::ALL.to_vec(),
    };
    let multipliers = broken.identity().core.map_or(0, |core| core.multipliers);
    let expected = golden_run(&probe, &run, multipliers);
    match broken.play(&[run]).await.as_deref() {
        Ok([got]) if deviations(&expected, got).is_empty() => {}
        _ => return true,
    }
    let backends = vec![crate::support::open("software").await, broken];
    let mut session = Session::new(backends, Stop::never());
    if session.configure(&probe).await.is_err() {
        return true;
    }
    let mut runner = TestRunner::deterministic();
    let positions = prop::collection::vec(any_position(), 30).new_tree(&mut runner);
    let positions = positions.expect("positions").current();
    let Ok(rows) = session.ask(&positions).await else {
        return true;
    };
    if rows.iter().any(|answers| !answers.mismatches().is_empty()) {
        return true;
    }
    let inverted = sim::netlist("tetris", Some(fault)).expect("it was opened");
    let (wrong, _) = conversed(inverted, Depth::Bytes, 0);
    !wrong.is_empty()
}

#[test]
fn a_netlist_with_an_inverted_table_does_not_agree() {
    let missed = Vec::from_iter(inverted("tetris").filter(|fault| !block_on(shows(fault))));
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// The names of the inverted look-up tables of a game's netlist.
fn inverted(game: &str) -> impl Iterator<Item = &'static str> {
    let own = sim::netlists().iter().filter(move |v| v.game == game);
    let faults: Vec<&str> = own.filter_map(|v| v.fault).collect();
    assert!(faults.len() > 5, "{game}: {faults:?}");
    faults.into_iter()
}

/// Plays a game of Connect Four on the RTL, and says in what a netlist differs from it:
/// decisions, notes, clock cycles, traces.
async fn connect4_difference(netlist: &str) -> Option<String> {
    let controller = preset("windows", 3);
    let mut backends = Vec::new();
    for name in ["sim", netlist] {
        let openers = lockstep_lab::backends::connect4();
        let spec = openers.parse(name).expect("a backend's name");
        let mut backend = match openers.open(&spec, 1).await {
            Ok(backend) => backend,
            Err(error) => return Some(error.to_string()),
        };
        if let Err(error) = backend.configure(&controller).await {
            return Some(error.to_string());
        }
        backends.push(backend);
    }
    let mut game = Connect4::deal(&Setup::standard(3), 0);
    loop {
        let position = [game.position()];
        // A broken search may go on for ever; a trace may not.
        let (mut traces, mut answers) = (Vec::new(), Vec::new());
        for backend in &mut backends {
            match backend.trace(&position).await {
                Ok(trace) => traces.extend(trace),
                Err(error) => return Some(error.to_string()),
            }
        }
        if traces[0] != traces[1] {
            return Some(format!("{:?}, and the RTL {:?}", traces[1], traces[0]));
        }
        for backend in &mut backends {
            match backend.decide(&position).await {
                Ok(answer) => answers.extend(answer),
                Err(error) => return Some(error.to_string()),
            }
        }
        let told = answers.iter().map(|a| (&a.decision, &a.notes, a.cycles));
        let told: Vec<_> = told.collect();
        let [rtl, other] = told.as_slice() else {
            return Some(format!("{told:?}"));
        };
        if rtl != other {
            return Some(format!("{other:?}, and the RTL {rtl:?}"));
        }
        if !game.apply(&answers[0].decision).expect("by the rules") {
            return None;
        }
    }
}

#[test]
fn connect4_netlist_agrees_with_its_rtl_to_the_cycle() {
    assert_eq!(block_on(connect4_difference("sim-netlist")), None);
}

#[test]
fn connect4_netlist_with_inverted_table_differs() {
    let missed = inverted("connect4").filter(|fault| {
        let name = format!("sim-netlist:fault={fault}");
        block_on(connect4_difference(&name)).is_none()
    });
    let missed = Vec::from_iter(missed);
    assert!(missed.is_empty(), "not found: {missed:?}");
}
