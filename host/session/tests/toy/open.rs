//! Opening backends by name.

use futures::future::{FutureExt as _, ready};
use lockstep::backend::Kind;
use lockstep::backend::open::{BackendFactory, Open, Target};
use lockstep::backend::software::golden;
use lockstep::{BackendRegistry, Spec};
use lockstep_games::BoardSize;

use crate::game::{Controller, TicTacToe};
use crate::scripted::Scripted;
use crate::support::{block_on, in_order};

/// Opens a scripted backend, unless it is not part of this build.
fn scripted(present: bool) -> BackendFactory<TicTacToe> {
    let can_play = |controller: &Controller, board| {
        !controller.order.is_empty() && board == BoardSize::new(3, 3)
    };
    let read = |spec: &Spec| {
        let backend = Scripted::right(&spec.to_string()).boxed();
        Ok(Box::new(|_| ready(Ok(backend)).boxed()) as Open<_>)
    };
    BackendFactory {
        name: "scripted",
        kind: Kind::Simulated,
        about: "answers by a script",
        target: Target::None,
        options: &[("speed", "sets how fast"), ("mood", "sets how well")],
        absent: (!present).then_some("it was left out"),
        can_play: Box::new(can_play),
        read: Box::new(read),
    }
}

fn registry(present: bool) -> BackendRegistry<TicTacToe> {
    let registry = BackendRegistry::new().with(golden());
    registry.with(scripted(present))
}

#[test]
fn registry_reads_names_and_options() {
    let registry = registry(true);
    let spec = registry.parse("scripted:speed=3,mood=").expect("a name");
    assert_eq!(spec.factory(), "scripted");
    let options = ["speed", "mood", "x"].map(|name| spec.option(name));
    assert_eq!(options, [Some("3"), Some(""), None]);
    assert_eq!(registry.kind(&spec), Some(Kind::Simulated));
    let unknown = "'scirpted'; there are software, scripted (`lockstep info` describes them)";
    for (text, why) in [
        ("scirpted", unknown),
        ("software,scripted", "; repeat the option for each backend"),
        ("scripted:x=1", "option 'x'; the options are speed, mood"),
        ("software:x=1", "has no option 'x'; write software alone"),
        ("scripted:speed=1,speed=2", "'speed' is named twice"),
        ("scripted:", "no option ''"),
    ] {
        let error = registry.parse(text).expect_err(text).to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// Those that are present and can play, one of each kind.
#[test]
fn registry_defaults_can_play() {
    let (small, large) = (BoardSize::new(3, 3), BoardSize::new(4, 4));
    let none = Controller { order: Vec::new() };
    let twice = || registry(true).with(scripted(true));
    for (registry, controller, board, expected) in [
        (registry(true), in_order(), small, "software scripted"),
        (registry(false), in_order(), small, "software"),
        (twice(), in_order(), small, "software scripted"),
        (registry(true), none, small, "software"),
        (registry(true), in_order(), large, ""),
    ] {
        let names = registry.defaults(&controller, board);
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        assert_eq!(names.join(" "), expected);
    }
}

#[test]
fn registry_absent_backend_names_the_remedy() {
    let registry = registry(false);
    let open = |name| block_on(registry.open(&registry.parse(name).expect("a name"), 1));
    let error = open("scripted").err().expect("absent").to_string();
    assert_eq!(error, "backend scripted: not available: it was left out");
    let opened = open("software").expect("always there");
    assert_eq!(opened.identity().kind, Kind::Golden);
}
