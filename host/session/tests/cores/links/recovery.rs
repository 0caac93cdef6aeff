//! A line that fails recovers, and its decisions are right.

use std::time::Duration;

use lockstep::backend::wire::{Counts, LinkConfig, LinkReport, RecoveryPolicy, Timeout, Wire};
use lockstep::backend::{Backend as _, BackendError, BackendErrorKind, Kind};
use lockstep::link::Link;
use lockstep_games::tetris::{Position, Tetris};
use lockstep_games::{Boards, Capabilities, Codec as _, Golden as _, Unsupported};
use protocol::layout::{Capability, WINDOW, link as table};
use protocol::payload::link::Buttons;

use super::core::{BASE, Core, CoreLink, Shared};
use super::faulty_link::{Faults, Faulty};
use crate::block_on;
use crate::positions::{controller, positions};

/// Highest rate of the host's end and of the line.
const TOP: u32 = 12_000_000;

fn config(top: u32) -> LinkConfig {
    LinkConfig {
        name: "board".into(),
        kind: Kind::Link,
        timeout: Timeout::Learned(Duration::from_millis(50)),
        nonce: 77,
        recovery: Some(RecoveryPolicy {
            base: BASE,
            top,
            reopening: Duration::from_secs(20),
        }),
    }
}

async fn open(link: impl Link + 'static, top: u32) -> Result<Wire<Tetris>, BackendError> {
    let mut wire = Wire::open(config(top), Box::new(link)).await?;
    wire.configure(&controller("probe")).await?;
    Ok(wire)
}

/// Decides positions in groups of `count`, and checks every answer.
async fn decide(wire: &mut Wire<Tetris>, positions: &[Position], count: usize) {
    for some in positions.chunks(count) {
        let answers = wire.decide(some).await.expect("answers");
        assert_eq!(answers.len(), some.len(), "none is lost");
        for (position, answer) in some.iter().zip(&answers) {
            let right = Tetris::decide(&controller("probe"), position).expect("a decision");
            assert_eq!(answer.decision, right);
        }
    }
}

/// A core on a line whose host can run at any rate.
fn line(change: impl FnOnce(&mut Core)) -> (CoreLink, Shared) {
    let (link, core) = CoreLink::new(TOP);
    change(&mut core.get());
    (link, core)
}

/// Decides over a link, checks every answer and reports the traffic.
fn decide_over(link: impl Link + 'static, top: u32, count: u64) -> LinkReport {
    block_on(async {
        let mut wire = open(link, top).await.expect("a core");
        decide(&mut wire, &positions(count), 7).await;
        wire.link().expect("it has a link")
    })
}

#[test]
fn line_without_faults_sends_each_request_once() {
    let (link, core) = line(|_| {});
    let report = decide_over(link, TOP, 50);
    let counts = Counts {
        requests: report.counts.requests,
        ..Counts::default()
    };
    assert_eq!(report.counts, counts);
    let latency = report.latency.expect("decisions were made");
    assert_eq!(latency.count, 50, "decisions alone are timed");
    assert!(latency.p50 <= latency.p99 && latency.p99 <= latency.max);
    assert_eq!(core.get().decided, 50);
}

/// A board without buttons is not asked.
#[test]
fn buttons_are_read_from_boards_that_have_them() {
    let pressed = Buttons {
        presses: [1, 2, 3, 4, 5, 255],
    };
    for (capabilities, expected) in [(0, None), (1 << table::HAS_BUTTONS.bit, Some(pressed))] {
        let (link, _core) = line(|core| {
            core.info.capabilities = capabilities;
            core.buttons = pressed;
            core.unknown = expected.is_none().then_some(table::BUTTONS.id);
        });
        let read = block_on(async {
            let mut wire = open(link, TOP).await.expect("a core");
            wire.buttons().await.expect("an answer")
        });
        assert_eq!(read, expected);
    }
}

/// It raises the rate step by step to the highest rate that is allowed and works; that does not count as a
/// recovery.
#[test]
fn line_climbs_to_the_highest_rate_that_holds() {
    let quiet: fn(&mut Core) = |_| {};
    for (host, change, top, rate) in [
        (TOP, quiet, TOP, TOP),
        (TOP, quiet, 3_000_000, 3_000_000),
        (TOP, quiet, 2_500_000, 2_500_000),
        (TOP, quiet, BASE, BASE),
        (4_000_000, quiet, TOP, 4_000_000),
        (TOP, |core| core.clean_to = 3_500_000, TOP, 3_000_000),
        (TOP, |core| core.lossy_above = 3_500_000, TOP, 3_000_000),
        (TOP, |core| core.clean_to = BASE, TOP, BASE),
        // Left by an earlier session.
        (TOP, |core| core.rate = 6_000_000, BASE, BASE),
    ] {
        let (link, core) = CoreLink::new(host);
        change(&mut core.get());
        let report = decide_over(link, top, 20);
        assert_eq!((report.rate, report.counts.recovered), (Some(rate), 0));
        let rates = core.get().rates.clone();
        if rate == top {
            let below = [460_800, 1_000_000, 2_000_000, 3_000_000, 4_000_000];
            let below = below.into_iter().chain([6_000_000, 8_000_000, TOP]);
            let steps = below.filter(|step| *step < top).count() + usize::from(top > BASE);
            assert_eq!(rates.len(), steps, "{rates:?}");
            assert!(rates.is_sorted(), "{rates:?}");
        } else {
            assert!(rates.iter().any(|tried| *tried > rate), "{rates:?}");
        }
    }
    let (link, core) = CoreLink::new(0);
    assert_eq!(decide_over(link, TOP, 10).rate, None, "it cannot be set");
    assert!(core.get().rates.is_empty());
}

/// The timeout is learned by then.
#[test]
fn line_failed_step_times_out_soon() {
    let (link, core) = line(|core| core.clean_to = BASE);
    let slow = LinkConfig {
        timeout: Timeout::Learned(Duration::from_secs(2)),
        ..config(TOP)
    };
    let opened = block_on(Wire::<Tetris>::open(slow, Box::new(link)));
    assert!(opened.is_ok(), "it stays at the base rate");
    let waits = core.get().waits.clone();
    assert!(!waits.is_empty(), "it climbed");
    let longest = waits.iter().max();
    assert!(longest < Some(&Duration::from_secs(1)), "{waits:?}");
}

/// Garbage above a rate, or a third of the requests lost.
#[test]
fn line_that_becomes_bad_runs_slower() {
    let dirty: fn(&mut Core) = |core| core.clean_to = 3_000_000;
    let lossy: fn(&mut Core) = |core| core.lossy_above = 8_000_000;
    for (change, count, rate) in [(dirty, 30, 3_000_000), (lossy, 400, 8_000_000)] {
        let (link, core) = line(|_| {});
        let report = block_on(async {
            let mut wire = open(link, TOP).await.expect("a core");
            decide(&mut wire, &positions(10), 7).await;
            change(&mut core.get());
            decide(&mut wire, &positions(count), 7).await;
            wire.link().expect("a link")
        });
        assert_eq!(report.rate, Some(rate), "{report:?}");
        let counts = report.counts;
        assert!(counts.recovered > 0 && counts.lost > 0, "{report:?}");
        assert!(counts.recovered == 1 || rate < 8_000_000, "{report:?}");
        assert!(report.recovery_seconds > 0.0);
    }
}

/// After a failed step, after a step that works on retry, and after a recovery.
#[test]
fn line_uses_the_window_again_after_every_handshake() {
    for (top, swallows, reset_after) in [
        (TOP, 0, None),
        // Every request for the next rate is lost.
        (4_000_000, 3, None),
        (BASE, 0, Some(3)),
    ] {
        let (link, core) = CoreLink::new(4_000_000);
        core.get().swallows = swallows;
        core.get().reset_after = reset_after;
        let positions = positions(20);
        block_on(async {
            let mut wire = open(link, top).await.expect("a core");
            decide(&mut wire, &positions, 7).await;
            core.get().most = 0;
            decide(&mut wire, &positions, 7).await;
            let recovered = wire.link().expect("a link").counts.recovered;
            assert_eq!(recovered, u64::from(reset_after.is_some()));
        });
        let most = core.get().most;
        assert_eq!(most, usize::from(WINDOW), "up to {top} baud");
    }
}

#[test]
fn line_with_faults_decides_right() {
    let hang_up = |rate, noise| Faults {
        hang_up: rate,
        ..Faults::noise(noise)
    };
    type Check = fn(&LinkReport) -> bool;
    let damaged: Check = |r| r.counts.lost > 10 && r.counts.damaged > 0;
    let reopened: Check = |r| r.link.reopened > 1 && r.counts.recovered > 0;
    // After a hang-up between two steps it climbs on.
    let climbed: Check = |r| r.rate == Some(TOP);
    // More than a quarter is lost at every rate: the slowest is as good as any.
    let slowest: Check = |r| r.counts.lost > 100 && r.rate < Some(TOP);
    for (faults, seeds, count, check) in [
        (Faults::noise(0.00025), 0..3, 600, damaged),
        (hang_up(0.0002, 0.0001), 0..3, 400, reopened),
        (hang_up(0.0005, 0.0), 0..3, 10, climbed),
        (Faults::noise(0.0015), 5..6, 700, slowest),
    ] {
        for seed in seeds {
            let (link, _core) = line(|_| {});
            let report = decide_over(Faulty::new(link, faults, seed), TOP, count);
            assert!(check(&report), "{faults:?}, seed {seed}: {report:?}");
        }
    }
}

/// Every answer allows the line one more recovery.
#[test]
fn line_recovers_often_as_long_as_answers_come() {
    let faults = Faults {
        hang_up: 0.001,
        ..Faults::default()
    };
    let (link, _core) = line(|_| {});
    let positions = positions(400);
    let report = block_on(async {
        let link = Faulty::new(link, faults, 1);
        let mut wire = open(link, BASE).await.expect("a core");
        let answers = wire.decide(&positions).await.expect("answers");
        assert_eq!(answers.len(), positions.len());
        wire.link().expect("a link")
    });
    assert!(report.counts.recovered > 8, "{report:?}");
}

/// Each handshake has a nonce of its own, so that no pong is taken for another handshake's.
#[test]
fn core_that_was_reset_gets_its_weights_again() {
    for top in [BASE, TOP] {
        for after in [1, 2, 3, 9] {
            let (link, core) = line(|core| core.reset_after = Some(after));
            let report = decide_over(link, top, 20);
            assert_eq!((report.rate, report.counts.recovered), (Some(top), 1));
            let nonces = core.get().nonces.clone();
            assert!(nonces.len() == 2 && nonces[0] != nonces[1], "{nonces:x?}");
        }
    }
}

#[test]
fn decide_without_controller_is_an_error() {
    let (link, _core) = line(|_| {});
    let error = block_on(async {
        let opened = Wire::<Tetris>::open(config(BASE), Box::new(link)).await;
        opened.expect("a core").decide(&positions(1)).await
    });
    let error = error.expect_err("no weights");
    let unset = matches!(error.kind, BackendErrorKind::NotConfigured);
    assert!(unset, "{error}");
}

/// When it is opened, or when it has changed since.
#[test]
fn line_errors_name_the_cause() {
    let own = sim::variant("tetris", None).expect("the RTL as designed");
    let own = format!("{:08x}", own.build_id);
    let quiet: fn(&mut Core) = |_| {};
    type Change = fn(&mut Core);
    let dead: Change = |core| core.clean_to = 0;
    let foreign: Change = |core| core.foreign = true;
    let late: Change = |core| core.late = true;
    let no_rates: Change = |core| core.unknown = Some(table::SET_RATE.id);
    let layout: Change = |core| core.info.layout_hash = 0x0dd;
    let version: Change = |core| core.info.protocol_version += 1;
    let other: Change = |core| {
        core.reset();
        core.info.build_id = 0xbad;
    };
    let nothing = "nothing answers on a core in software|115200 baud|start=RATE";
    let layouts = format!("0000600d|000000dd|{own}|make generate");
    let builds = "backend board: the core came back as another one|00000bad|0000600d";
    for (before, after, words) in [
        (dead, quiet, nothing),
        (foreign, quiet, "with no frame|another device"),
        (late, quiet, "answers too late"),
        (no_rates, quiet, "refused set_rate"),
        (layout, quiet, &layouts),
        (version, quiet, "protocol version 3, this host 2"),
        (quiet, other, builds),
        (quiet, dead, "within 0 s|no answer"),
    ] {
        let (link, core) = line(before);
        let error = block_on(async {
            let mut brief = config(TOP);
            brief.recovery.as_mut().expect("a policy").reopening = Duration::ZERO;
            let mut wire = Wire::<Tetris>::open(brief, Box::new(link)).await?;
            wire.configure(&controller("probe")).await?;
            after(&mut core.get());
            wire.decide(&positions(1)).await
        });
        let error = error.expect_err(words).to_string();
        let all = words.split('|').all(|part| error.contains(part));
        assert!(all, "{words}: {error}");
        assert_eq!(core.get().decided, 0);
    }
}

/// A core returns to its base rate after a pause; raising it again does not count as a recovery.
#[test]
fn core_back_at_its_base_rate_after_a_pause_climbs_again() {
    for gone_back in [false, true] {
        let (link, core) = line(|_| {});
        let (report, climbs) = block_on(async {
            let mut wire = open(link, TOP).await.expect("a core");
            decide(&mut wire, &positions(5), 7).await;
            // The pause itself is tested.
            tokio::time::sleep(Duration::from_millis(600)).await;
            if gone_back {
                core.get().rate = BASE;
            }
            decide(&mut wire, &positions(5), 7).await;
            let climbs = core.get().rates.len();
            (wire.link().expect("a link"), climbs)
        });
        assert_eq!((report.rate, report.counts.recovered), (Some(TOP), 0));
        assert_eq!(climbs, 8 + usize::from(gone_back), "straight to the top");
        assert_eq!(report.latency.expect("decisions").count, 10);
    }
}

/// A window of 1 has no place for a credit beside a stream.
#[test]
fn streams_need_capability_and_window() {
    let all = table::LINK.capabilities.iter().map(|known| 1 << known.bit);
    for (bits, window) in all
        .chain([0, !0])
        .flat_map(|bits| [1, 2].map(|window| (bits, window)))
    {
        let (link, _core) = line(|core| {
            (core.info.capabilities, core.info.window) = (bits, window);
        });
        let has = |known: Capability| bits >> known.bit & 1 == 1;
        let streams = |known| window > 1 && has(known);
        let expected = Capabilities {
            known_next: has(table::LOOKAHEAD),
            averaged_next: has(table::LOOKAHEAD),
            batch: streams(table::PLAY),
            self_play: streams(table::SELF_PLAY),
            trace: streams(table::TRACE),
            ..Capabilities::plain(Boards::Only(Tetris::BOARD))
        };
        block_on(async {
            let mut wire = open(link, BASE).await.expect("a core");
            let able = wire.identity().capabilities;
            assert_eq!(able, expected, "{bits:#x}, window {window}");
            let (trace, play) = (wire.trace(&[]).await.err(), wire.play(&[]).await.err());
            let self_play = wire.self_play(&[], &mut |_, _| {}).await.err();
            for (failed, can, lacks) in [
                (trace, able.trace, Unsupported::Trace),
                (play, able.batch, Unsupported::Batch),
                (self_play, able.self_play, Unsupported::SelfPlay),
            ] {
                let expected = (!can).then(|| format!("backend board: {lacks}"));
                assert_eq!(failed.map(|error| error.to_string()), expected);
            }
        });
    }
}
