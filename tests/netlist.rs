//! What Yosys makes of the RTL for an ECP5, simulated cell by cell: it answers as the RTL does,
//! whatever its registers hold at power-up. (That a broken one does not: tests/netlist.py.)

use lockstep_testbench::line::{Trouble, talk};
use sim::{Depth, Variant};

use crate::agreement::{random_positions, random_weights};
use crate::frames::converse;
use crate::support::{block_on, controller, session};

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
    assert!(told.description.contains("netlist"), "{told:?}");
}

#[test]
fn a_netlist_answers_as_scripted() {
    for power_up in 0..3 {
        converse(netlist(), Depth::Bytes, power_up);
    }
    let (baud, skew_ppm) = (12_000_000, 20_000);
    converse(netlist(), Depth::Pins { baud, skew_ppm }, 3);
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
fn a_netlist_agrees_on_random_positions() {
    random_positions("sim-netlist", &controller("probe"), 40);
}

#[test]
fn a_netlist_agrees_under_random_weights() {
    random_weights("sim-netlist", 20);
}
