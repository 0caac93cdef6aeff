//! Simulated cores, opened by name: what they are, and each request of a session.

use futures::FutureExt as _;
use lockstep::backend::simulated::traced;
use lockstep::backend::wire::Counts;
use lockstep::backend::{Kind, Observer};
use lockstep::compare::{deviations, sums_deviations};
use lockstep::{Backend, Identity, Stop};
use lockstep_games::connect4::{self, Connect4, Setup};
use lockstep_games::tetris::Tetris;
use lockstep_games::{Boards, Capabilities, Catalog, Codec, Match as _, Rules as _};
use protocol::layout::WINDOW;
use protocol::payload::link::Stats;
use tokio::sync::mpsc::unbounded_channel;

use crate::block_on;
use crate::names::registry;
use crate::positions::{controller, positions};
use crate::streams::{games, self_played};

/// Opens a backend by its name, and gives it a controller.
pub async fn open<G: Catalog>(name: &str, controller: &str) -> Box<dyn Backend<G>> {
    let registry = registry();
    let spec = registry.parse(name).unwrap_or_else(|e| panic!("{e}"));
    let opened = registry.open(&spec, 1).await;
    let mut opened = opened.unwrap_or_else(|e| panic!("{e}"));
    let controller = G::load(controller).unwrap_or_else(|e| panic!("{e}"));
    opened.configure(&controller).await.expect("configured");
    opened
}

/// The identity of a simulated core, with the `info` of this one.
fn identity<G: Codec>(
    core: &dyn Backend<G>,
    name: &str,
    place: &str,
    capabilities: Capabilities,
) -> Identity {
    let variant = sim::variant(G::NAME, None).expect("the RTL as designed");
    let build = variant.build_id;
    assert_eq!(core.identity().build_id(), Some(format!("{build:08x}")));
    let lanes = match variant.parameter("Lanes") {
        Some(0) => "no lanes",
        _ => "1 lane",
    };
    Identity {
        name: name.into(),
        kind: Kind::Simulated,
        description: format!("RTL build {build:08x}, {lanes}, window {WINDOW}, 100 MHz, {place}")
            .into(),
        capabilities,
        core: core.identity().core,
    }
}

/// Checks decisions, `traces` traces, runs and self-plays of a core with the controller `lowest`;
/// returns the clock cycles of a self-play.
pub async fn serves_every_request(core: &mut dyn Backend<Tetris>, traces: usize) -> Option<u64> {
    let mut software = open::<Tetris>("software", "lowest").await;
    let (positions, (run, self_play)) = (positions(20), games());
    let right = software.decide(&positions).await.expect("answers");
    let answers = core.decide(&positions).await.expect("answers");
    assert_eq!(answers.len(), right.len());
    for (right, answer) in right.iter().zip(&answers) {
        assert_eq!(answer.decision, right.decision);
        assert!(answer.cycles.is_some() && answer.cycles == answer.expected_cycles);
    }
    let traced = core.trace(&positions[..traces]).await.expect("traces");
    let right = software.trace(&positions[..traces]).await;
    assert_eq!(traced, right.expect("traces"));
    let runs = vec![run; 2];
    let played = core.play(&runs).await.expect("played");
    let right = software.play(&runs).await.expect("played");
    for (right, played) in right.iter().zip(&played) {
        assert_eq!(deviations(right, played), []);
    }
    let self_plays = vec![self_play; 2];
    let (checkpoints, ends) = self_played(core, &self_plays).await.expect("played");
    let right = self_played(&mut *software, &self_plays).await;
    let right = right.expect("played");
    assert_eq!((played.len(), checkpoints[1].len(), ends.len()), (2, 20, 2));
    let sums = right.0.iter().flatten().chain(&right.1);
    for (expected, got) in sums.zip(checkpoints.iter().flatten().chain(&ends)) {
        assert_eq!(sums_deviations::<Tetris>(expected, got), []);
    }
    ends[0].cycles
}

#[test]
fn tetris_core_serves_every_request_as_the_golden_model() {
    let able = Capabilities {
        batch: true,
        self_play: true,
        trace: true,
        ..Capabilities::plain(Boards::Only(Tetris::BOARD))
    };
    for (name, place) in [
        ("sim", "without UART"),
        ("sim-uart", "UART pins at 3000000 baud"),
        ("sim-uart:baud=12000000", "UART pins at 12000000 baud"),
    ] {
        block_on(async {
            let mut core = open::<Tetris>(name, "lowest").await;
            assert_eq!(core.identity(), &identity(&*core, name, place, able));
            let cycles = serves_every_request(&mut *core, 3).await;
            let report = core.link().expect("it has one");
            let requests = report.counts.requests;
            let counts = Counts {
                requests,
                ..Counts::default()
            };
            assert_eq!(report.counts, counts, "nothing is lost");
            let timed = report.latency.map(|latency| latency.count);
            assert_eq!((report.rate, timed), (None, Some(20)));
            assert!(report.link.simulated_cycles > cycles);
            // With that request, without the reset before the handshake's ping.
            let stats = Stats {
                frames_good: requests as u32,
                ..Stats::default()
            };
            assert_eq!(core.stats().await.expect("statistics"), Some(stats));
        });
    }
}

/// A search reports its progress, ends with its best decision on request, and is ended when it is
/// abandoned.
#[test]
fn connect4_core_searches_until_it_is_finished() {
    let position = [Connect4::deal(&Setup::new(3, 2), 0).position()];
    let able = Capabilities {
        trace: true,
        search: true,
        ..Capabilities::plain(Boards::Only(Connect4::BOARD))
    };
    block_on(async {
        let mut software = open::<Connect4>("software", "windows").await;
        let mut core = open::<Connect4>("sim", "windows").await;
        let expected = identity(&*core, "sim", "without UART", able);
        assert_eq!(core.identity(), &expected);
        let right = software
            .decide(&position)
            .await
            .expect("an answer")
            .remove(0);
        let mut answer = core.decide(&position).await.expect("an answer").remove(0);
        let nodes = answer.notes.pop().map(|note| (note.name, note.promised));
        assert_eq!(nodes, Some(("nodes", true)));
        let (cycles, decision) = (answer.cycles, &right.decision);
        assert!(cycles > Some(0) && right.notes[0].promised, "{right:?}");
        assert_eq!(
            (&answer.decision, answer.notes),
            (decision, right.notes.clone())
        );
        let traces = core.trace(&position).await.expect("traces");
        assert_eq!(traces, software.trace(&position).await.expect("traces"));

        let deep = connect4::Controller::load("windows").expect("a built-in controller");
        let deep = deep.with_depth(42).expect("a depth");
        core.configure(&deep).await.expect("configured");
        let (reports, mut progress) = unbounded_channel();
        let (stopper, finish) = Stop::new();
        let observer = Observer::new(reports, finish).of(5);
        let finishing = async {
            while let Some((backend, at, progress)) = progress.recv().await {
                assert_eq!((backend, at), (5, 0));
                if progress.best.is_some() {
                    stopper.stop();
                    break;
                }
            }
        };
        let (answers, ()) = tokio::join!(core.search(&position, observer), finishing);
        let notes = &answers.expect("an answer")[0].notes;
        assert!(notes.iter().all(|note| !note.promised), "{notes:?}");

        let requests = |core: &dyn Backend<_>| core.link().map(|link| link.counts.requests);
        assert!(core.decide(&position).now_or_never().is_none());
        let before = requests(&*core);
        core.abandon().await;
        let after = requests(&*core);
        assert_eq!(after, before.map(|n| n + 2), "a cancel and a ping");
        core.abandon().await;
        assert_eq!(requests(&*core), after, "it has nothing to end");
    });
}

#[test]
fn traced_core_writes_waves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("waves.fst");
    let spec = |name| registry::<Tetris>().parse(name).expect("a name");
    block_on(async {
        let (mut core, waves) = traced::<Tetris>(&spec("sim"), 1).await.expect("a core");
        core.configure(&controller("probe"))
            .await
            .expect("configured");
        let begun = waves.begin(file.clone()).await.expect("a file");
        core.decide(&positions(1)).await.expect("an answer");
        let ended = waves.end().await.expect("written");
        assert!(0 < begun && begun < ended, "{begun} to {ended}");
        assert!(file.metadata().expect("a file").len() > 1_000);
        let error = traced::<Tetris>(&spec("software"), 1)
            .await
            .err()
            .expect("no model");
        assert_eq!(
            error.to_string(),
            "backend software: not available: it is not simulated"
        );
    });
}
