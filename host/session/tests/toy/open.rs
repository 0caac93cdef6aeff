//! Backends by name.

use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::Kind;
use lockstep::backend::open::{Opener, SoftwareOpener};
use lockstep::{Backend, BackendError, Openers, Spec};
use lockstep_games::BoardSize;

use crate::game::{Controller, TicTacToe};
use crate::scripted::Scripted;
use crate::support::{block_on, in_order};

/// Opens a scripted backend, unless it is not part of this build.
struct ScriptedOpener {
    present: bool,
}

impl Opener<TicTacToe> for ScriptedOpener {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn kind(&self) -> Kind {
        Kind::Simulated
    }

    fn about(&self) -> &'static str {
        "does as it is told"
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[("speed", "sets how fast"), ("mood", "sets how well")]
    }

    fn present(&self) -> Result<(), String> {
        if self.present {
            Ok(())
        } else {
            Err("it was left out".into())
        }
    }

    fn can_play(&self, controller: &Controller, board: BoardSize) -> bool {
        !controller.order.is_empty() && board == BoardSize::new(3, 3)
    }

    fn open<'a>(
        &'a self,
        spec: &'a Spec,
        _nonce: u64,
    ) -> BoxFuture<'a, Result<Box<dyn Backend<TicTacToe>>, BackendError>> {
        async { Ok(Scripted::right(&spec.to_string()).boxed()) }.boxed()
    }
}

fn openers(present: bool) -> Openers<TicTacToe> {
    Openers::new()
        .with(SoftwareOpener::golden())
        .with(ScriptedOpener { present })
}

#[test]
fn names_and_options_are_read() {
    let openers = openers(true);
    let spec = openers.parse("scripted:speed=3,mood=").expect("a name");
    assert_eq!(
        (spec.opener(), spec.option("speed")),
        ("scripted", Some("3"))
    );
    assert_eq!((spec.option("mood"), spec.option("x")), (Some(""), None));
    assert_eq!(openers.kind(&spec), Some(Kind::Simulated));
    let error = |text| openers.parse(text).expect_err(text).to_string();
    let unknown = error("scirpted");
    assert!(
        unknown.contains("'scirpted'") && unknown.contains("scripted"),
        "{unknown}"
    );
    assert!(error("scripted:x=1").contains("no option 'x'; there is speed, mood"));
    assert!(error("software:x=1").contains("software has no option 'x'; it has none"));
    assert!(error("scripted:speed=1,speed=2").contains("'speed' is named twice"));
    assert!(error("scripted:").contains("no option ''"));
}

#[test]
fn the_usual_ones_are_those_that_can_play() {
    let names = |openers: &Openers<TicTacToe>, controller: &Controller, board| {
        let usual = openers.defaults(controller, board);
        usual.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let board = BoardSize::new(3, 3);
    let none = Controller { order: Vec::new() };
    assert_eq!(
        names(&openers(true), &in_order(), board),
        ["software", "scripted"]
    );
    assert_eq!(names(&openers(false), &in_order(), board), ["software"]);
    let two = openers(true).with(ScriptedOpener { present: true });
    assert_eq!(
        names(&two, &in_order(), board),
        ["software", "scripted"],
        "one of each kind"
    );
    assert_eq!(names(&openers(true), &none, board), ["software"]);
    let other = BoardSize::new(4, 4);
    assert!(names(&openers(true), &in_order(), other).is_empty());
}

#[test]
fn what_is_absent_says_what_helps() {
    let openers = openers(false);
    let spec = openers.parse("scripted").expect("a name");
    let error = block_on(openers.open(&spec, 1)).err().expect("absent");
    assert_eq!(
        error.to_string(),
        "backend scripted: not available: it was left out"
    );
    let spec = openers.parse("software").expect("a name");
    let opened = block_on(openers.open(&spec, 1)).expect("always there");
    assert_eq!(opened.identity().kind, Kind::Golden);
}
