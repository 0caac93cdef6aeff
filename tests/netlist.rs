//! The netlist for an ECP5, simulated cell by cell: it answers as the RTL from any power-up state,
//! and does not with an inverted look-up table.

use lockstep::compare::deviations;
use lockstep::{BackendRegistry, Session, Stop};
use lockstep_games::stones::Setup;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Piece, Run};
use lockstep_games::{Codec, Match as _, Rules};
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
    sim::netlist("tetris", None).expect("the netlist")
}

#[test]
fn netlist_has_the_build_id_of_its_rtl() {
    let rtl = sim::variant("tetris", None).expect("the RTL as designed");
    assert_eq!(netlist().build_id, rtl.build_id);
    assert!(netlist().netlist && !rtl.netlist);
    let opened = block_on(session(&["sim-netlist"], &controller("probe")));
    let identity = &opened.identities()[0];
    let description = identity.description.raw();
    assert!(description.contains("netlist"), "{identity:?}");
}

#[test]
fn netlist_answers_golden_frames() {
    for power_up in 0..2 {
        converse(netlist(), Depth::Bytes, power_up);
    }
    let (baud, skew_ppm) = (12_000_000, 20_000);
    converse(netlist(), Depth::Pins { baud, skew_ppm }, 2);
}

/// At random power-up states, with bad stop bits, glitches and breaks on the line.
#[test]
fn netlist_answers_on_a_bad_line() {
    for seed in 0..4 {
        let [good, ..] = talk(netlist(), 12_000_000, Trouble::Errors, 20, seed)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(good > 0, "seed {seed}");
    }
}

#[test]
fn netlist_plays_whole_games_as_its_rtl() {
    whole_games_agree("sim-netlist", "lowest", 2);
}

#[test]
fn netlist_agrees_on_random_positions() {
    random_positions("sim-netlist", &controller("probe"), 40);
}

#[test]
fn netlist_self_play_agrees() {
    random_games_agree("sim-netlist", 1);
}

#[test]
fn netlist_decides_as_recorded() {
    recorded_games_agree("sim-netlist");
}

#[test]
fn netlist_agrees_under_random_weights() {
    random_weights("sim-netlist", 20);
}

/// Whether an inverted look-up table shows when the netlist plays a few pieces, decides a few
/// positions, or answers the golden frames.
async fn shows(fault: &str) -> bool {
    let openers = lockstep_backends::table::tetris();
    let spec = openers.parse(&format!("sim-netlist:fault={fault}"));
    let opened = openers.open(&spec.expect("a backend's name"), 1).await;
    // A netlist that does not answer shows it, too.
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
fn netlist_with_inverted_table_differs() {
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

/// The first difference of a netlist from the RTL in a game, if any: in a decision, notes, clock
/// cycles or a trace.
async fn difference<G: Codec + Rules<Setup = Setup>>(
    openers: BackendRegistry<G>,
    netlist: &str,
    controller: &G::Controller,
    setup: Setup,
) -> Option<String> {
    let mut backends = Vec::new();
    for name in ["sim", netlist] {
        let spec = openers.parse(name).expect("a backend's name");
        let mut backend = match openers.open(&spec, 1).await {
            Ok(backend) => backend,
            Err(error) => return Some(error.to_string()),
        };
        if let Err(error) = backend.configure(controller).await {
            return Some(error.to_string());
        }
        backends.push(backend);
    }
    let mut game = G::deal(&setup, 0);
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
            return Some(format!("expected {:?}, got {:?}", traces[0], traces[1]));
        }
        for backend in &mut backends {
            match backend.decide(&position).await {
                Ok(answer) => answers.extend(answer),
                Err(error) => return Some(error.to_string()),
            }
        }
        let fields = answers.iter().map(|a| (&a.decision, &a.notes, a.cycles));
        let fields: Vec<_> = fields.collect();
        let [rtl, other] = fields.as_slice() else {
            return Some(format!("{fields:?}"));
        };
        if rtl != other {
            return Some(format!("expected {rtl:?}, got {other:?}"));
        }
        if !game.apply(&answers[0].decision).expect("by the rules") {
            return None;
        }
    }
}

async fn connect4_difference(netlist: &str) -> Option<String> {
    let openers = lockstep_backends::table::connect4();
    difference(openers, netlist, &preset("windows", 3), Setup::new(3, 2)).await
}

async fn gomoku_difference(netlist: &str) -> Option<String> {
    let openers = lockstep_backends::table::gomoku();
    let controller = crate::gomoku::preset("lines", 2);
    difference(openers, netlist, &controller, Setup::new(5, 3)).await
}

#[test]
fn netlists_of_searches_agree_with_their_rtl_to_the_cycle() {
    assert_eq!(block_on(connect4_difference("sim-netlist")), None);
    assert_eq!(block_on(gomoku_difference("sim-netlist")), None);
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

/// All but the few that such a game does not reach: a board without candidates, a long search's parts.
#[test]
fn gomoku_netlist_with_inverted_table_differs() {
    let faults = Vec::from_iter(inverted("gomoku"));
    let found = faults.iter().filter(|fault| {
        let name = format!("sim-netlist:fault={fault}");
        block_on(gomoku_difference(&name)).is_some()
    });
    let (found, all) = (found.count(), faults.len());
    assert!(found * 4 >= all * 3, "{found} of {all} found");
}
