//! A harness that cannot find bugs is worth nothing: each fault seeded in the
//! RTL is found, and the RTL without any is not suspected.

use lockstep_games::tetris::Controller;
use lockstep_lab::faults::{faults, hunt};

use crate::support::{block_on, controller};

/// A controller, a seed, and how many decisions the hunt may take.
fn found(fault: Option<&str>, controller: &Controller) -> Option<u64> {
    let finding = block_on(hunt(fault, controller, 1, 3_000)).unwrap_or_else(|e| panic!("{e}"));
    finding.field.map(|_| finding.decisions)
}

#[test]
fn every_seeded_fault_is_found_by_playing() {
    let probe = controller("probe");
    let mut table = String::new();
    let mut missed = Vec::new();
    for variant in faults() {
        let name = variant.fault.expect("a fault has a name");
        match found(Some(name), &probe) {
            Some(decisions) => table += &format!("{name}: decision {decisions}\n"),
            None => missed.push(name),
        }
    }
    println!("{table}");
    assert!(faults().count() >= 10);
    assert!(missed.is_empty(), "not found: {missed:?}\n{table}");
}

#[test]
fn the_rtl_as_designed_is_not_suspected() {
    assert_eq!(found(None, &controller("probe")), None);
}

/// The models tell apart what they are: their game, its lanes, their fault.
#[test]
fn a_model_is_found_by_game_and_fault() {
    for variant in sim::variants() {
        let found = sim::variant(variant.game, variant.fault).expect("it is listed");
        assert!(std::ptr::eq(found, variant), "{variant:?}");
        assert_eq!((variant.game, variant.lanes), ("tetris", 1));
    }
    assert!(sim::variant("chess", None).is_none());
    assert!(sim::variant("tetris", Some("no-such-fault")).is_none());
}

/// Every fault is a build of its own, and says so.
#[test]
fn no_two_models_have_the_same_build_id() {
    let ids: std::collections::BTreeSet<u32> = sim::variants().iter().map(|v| v.build_id).collect();
    assert_eq!(ids.len(), sim::variants().len());
}
