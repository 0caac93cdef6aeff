//! A line that fails is recovered, and the decisions are those of one that does not.

use std::time::Duration;

use lockstep::backend::wire::{LinkReport, RecoveryPolicy, Timeout, LinkConfig, Wire};
use lockstep::backend::{Backend as _, BackendError, BackendErrorKind, Kind};
use lockstep::link::Link;
use lockstep::link::faulty::{Faults, Faulty};
use lockstep_games::tetris::{Position, Tetris};
use lockstep_games::{Golden as _, Lack};
use protocol::layout::{WINDOW, link as table};

use super::core::{Adapter, BASE, CoreLink};
use super::positions;
use crate::support::{block_on, controller};

const FAST: Adapter = Adapter { top: 12_000_000 };

fn reach(top: u32) -> LinkConfig {
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
    let mut wire = Wire::open(reach(top), Box::new(link)).await?;
    wire.configure(&controller("probe")).await?;
    Ok(wire)
}

/// Decides all of them, some at a time, each as the golden model does.
async fn decides_right(wire: &mut Wire<Tetris>, positions: &[Position]) {
    let probe = controller("probe");
    for some in positions.chunks(7) {
        let answers = wire.decide(some).await.expect("answers");
        assert_eq!(answers.len(), some.len(), "none is lost");
        for (position, answer) in some.iter().zip(answers) {
            let right = Tetris::decide(&probe, position).expect("a decision");
            assert_eq!(answer.decision, right);
        }
    }
}

/// Decides over that link and tells what passed.
fn decide_over(link: impl Link + 'static, top: u32, positions: &[Position]) -> LinkReport {
    block_on(async {
        let mut wire = open(link, top).await.expect("met");
        decides_right(&mut wire, positions).await;
        wire.link().expect("it has a link")
    })
}

#[test]
fn a_quiet_line_is_used_once_for_each_request() {
    let (link, core) = CoreLink::new(FAST);
    let report = decide_over(link, 12_000_000, &positions(50));
    assert_eq!(
        (
            report.counts.lost,
            report.counts.recovered,
            report.counts.damaged
        ),
        (0, 0, 0)
    );
    assert_eq!((report.counts.stale, report.counts.busy), (0, 0));
    let latency = report.latency.expect("decisions were made");
    assert_eq!(latency.count, 50, "decisions alone are timed");
    assert!(latency.p50 <= latency.p99 && latency.p99 <= latency.max);
    assert_eq!(core.lock().expect("not poisoned").decided, 50);
}

#[test]
fn the_line_climbs_step_by_step_to_the_highest_rate_that_is_asked_for() {
    for (top, steps) in [(12_000_000, 8), (3_000_000, 4), (2_500_000, 4), (BASE, 0)] {
        let (link, core) = CoreLink::new(FAST);
        let report = decide_over(link, top, &positions(3));
        assert_eq!(report.rate, Some(top));
        let rates = core.lock().expect("not poisoned").rates.clone();
        assert_eq!(rates.len(), steps, "{rates:?}");
        assert!(rates.is_sorted(), "{rates:?}");
    }
}

/// Whichever end does not hold a rate: the line stays at the step below.
#[test]
fn the_line_stays_below_a_rate_that_one_end_does_not_hold() {
    let (link, core) = CoreLink::new(Adapter { top: 4_000_000 });
    let report = decide_over(link, 12_000_000, &positions(20));
    assert_eq!((report.rate, report.counts.recovered), (Some(4_000_000), 0));
    let rates = core.lock().expect("not poisoned").rates.clone();
    assert!(rates.contains(&6_000_000), "it was tried: {rates:?}");

    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").clean_to = 3_500_000;
    let report = decide_over(link, 12_000_000, &positions(20));
    assert_eq!((report.rate, report.counts.recovered), (Some(3_000_000), 0));

    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").lossy_above = 3_500_000;
    let report = decide_over(link, 12_000_000, &positions(20));
    assert_eq!((report.rate, report.counts.recovered), (Some(3_000_000), 0));

    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").clean_to = BASE;
    let report = decide_over(link, 12_000_000, &positions(20));
    assert_eq!(report.rate, Some(BASE), "none of the steps holds");
}

/// How long answers take is known by then: nobody waits at each step for as long as
/// for a board that was never heard.
#[test]
fn a_step_that_does_not_hold_is_given_up_soon() {
    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").clean_to = BASE;
    let patient = LinkConfig {
        timeout: Timeout::Learned(Duration::from_secs(2)),
        ..reach(12_000_000)
    };
    let met = block_on(Wire::<Tetris>::open(patient, Box::new(link)));
    assert!(met.is_ok(), "it stays at the base rate");
    let waits = core.lock().expect("not poisoned").waits.clone();
    assert!(!waits.is_empty(), "it climbed");
    let longest = waits.iter().max();
    assert!(longest < Some(&Duration::from_secs(1)), "{waits:?}");
}

#[test]
fn a_line_whose_rate_cannot_be_set_stays_at_it() {
    let (link, core) = CoreLink::new(Adapter { top: 0 });
    let report = decide_over(link, 12_000_000, &positions(10));
    assert_eq!(report.rate, None);
    assert!(core.lock().expect("not poisoned").rates.is_empty());
}

/// An earlier session left the core at a high rate.
#[test]
fn a_core_at_another_rate_is_met() {
    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").rate = 6_000_000;
    let report = decide_over(link, BASE, &positions(10));
    assert_eq!((report.rate, report.counts.recovered), (Some(BASE), 0));
}

#[test]
fn a_line_that_becomes_bad_is_run_slower() {
    let (link, core) = CoreLink::new(FAST);
    let report = block_on(async {
        let mut wire = open(link, 12_000_000).await.expect("met");
        decides_right(&mut wire, &positions(10)).await;
        core.lock().expect("not poisoned").clean_to = 3_000_000;
        decides_right(&mut wire, &positions(30)).await;
        wire.link().expect("a link")
    });
    assert_eq!(report.rate, Some(3_000_000));
    assert!(
        report.counts.recovered > 0 && report.counts.lost > 0,
        "{report:?}"
    );
    assert!(report.mending_seconds > 0.0);
}

/// A third of the requests is lost: that is enough to go a step down, and there it
/// stays.
#[test]
fn a_line_that_loses_too_much_goes_down_until_it_does_not() {
    let (link, core) = CoreLink::new(FAST);
    let report = block_on(async {
        let mut wire = open(link, 12_000_000).await.expect("met");
        core.lock().expect("not poisoned").lossy_above = 8_000_000;
        decides_right(&mut wire, &positions(400)).await;
        wire.link().expect("a link")
    });
    assert_eq!(
        (report.rate, report.counts.recovered),
        (Some(8_000_000), 1),
        "{report:?}"
    );
}

/// After a step that does not hold, after one that holds when it is tried again, and
/// after the line was recovered.
#[test]
fn the_window_is_used_again_after_every_meeting() {
    for (top, swallows, reset_after) in [
        (12_000_000, 0, None),
        // As often as it is batch, and tried no more.
        (4_000_000, 3, None),
        (BASE, 0, Some(3)),
    ] {
        let (link, core) = CoreLink::new(Adapter { top: 4_000_000 });
        core.lock().expect("not poisoned").swallows = swallows;
        core.lock().expect("not poisoned").reset_after = reset_after;
        let positions = positions(20);
        block_on(async {
            let mut wire = open(link, top).await.expect("met");
            decides_right(&mut wire, &positions).await;
            core.lock().expect("not poisoned").most = 0;
            decides_right(&mut wire, &positions).await;
            let recovered = wire.link().expect("a link").counts.recovered;
            assert_eq!(recovered, u64::from(reset_after.is_some()));
        });
        let most = core.lock().expect("not poisoned").most;
        assert_eq!(most, usize::from(WINDOW), "up to {top} baud");
    }
}

/// Every answer shows that the line can be recovered once more.
#[test]
fn a_line_may_be_mended_often_as_long_as_answers_come() {
    let faults = Faults {
        hang_up: 0.001,
        ..Faults::default()
    };
    let (link, _core) = CoreLink::new(FAST);
    let positions = positions(400);
    let report = block_on(async {
        let mut wire = open(Faulty::new(link, faults, 1), BASE).await.expect("met");
        let answers = wire.decide(&positions).await.expect("answers");
        assert_eq!(answers.len(), positions.len());
        wire.link().expect("a link")
    });
    assert!(report.counts.recovered > 8, "{report:?}");
}

/// More than a quarter is lost at every rate: the slowest is as good as any.
#[test]
fn a_line_that_loses_much_ends_at_the_lowest_rate_and_still_decides_right() {
    let (link, _core) = CoreLink::new(FAST);
    let report = decide_over(
        Faulty::new(link, Faults::noise(0.0015), 5),
        12_000_000,
        &positions(700),
    );
    assert!(report.counts.lost > 100, "{report:?}");
    assert!(report.rate < Some(12_000_000), "{report:?}");
}

#[test]
fn a_core_that_was_reset_is_told_its_weights_again() {
    for top in [BASE, 12_000_000] {
        for after in [1, 2, 3, 9] {
            let (link, core) = CoreLink::new(FAST);
            core.lock().expect("not poisoned").reset_after = Some(after);
            let report = decide_over(link, top, &positions(20));
            assert_eq!(report.counts.recovered, 1, "{report:?}");
            assert_eq!(report.rate, Some(top));
        }
    }
}

/// So that no pong of one meeting can be taken for that of the next.
#[test]
fn every_meeting_has_a_nonce_of_its_own() {
    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").reset_after = Some(2);
    decide_over(link, BASE, &positions(10));
    let nonces = core.lock().expect("not poisoned").nonces.clone();
    assert_eq!(nonces.len(), 2, "{nonces:x?}");
    assert_ne!(nonces[0], nonces[1]);
}

/// Reset before it was ever told its weights, it has nothing to be told.
#[test]
fn decide_without_controller_asks_nothing() {
    let (link, _core) = CoreLink::new(FAST);
    let error = block_on(async {
        let opened = Wire::<Tetris>::open(reach(BASE), Box::new(link)).await;
        opened.expect("met").decide(&positions(1)).await
    });
    let error = error.expect_err("no weights");
    assert!(
        matches!(error.kind, BackendErrorKind::NotConfigured),
        "{error}"
    );
}

#[test]
fn another_build_that_comes_back_is_refused_and_both_are_named() {
    let (link, core) = CoreLink::new(FAST);
    let error = block_on(async {
        let mut wire = open(link, 12_000_000).await.expect("met");
        decides_right(&mut wire, &positions(5)).await;
        {
            let mut core = core.lock().expect("not poisoned");
            core.reset();
            core.build_id = 0xbad;
        }
        wire.decide(&positions(1)).await.expect_err("another build")
    });
    let text = error.to_string();
    assert!(
        matches!(error.kind, BackendErrorKind::Changed { .. }),
        "{text}"
    );
    assert!(
        text.contains("00000bad") && text.contains("0000600d"),
        "{text}"
    );
}

#[test]
fn no_answer_is_lost_or_wrong_over_a_noisy_line() {
    for seed in 0..3 {
        let (link, _core) = CoreLink::new(FAST);
        let link = Faulty::new(link, Faults::noise(0.00025), seed);
        let report = decide_over(link, 12_000_000, &positions(600));
        assert!(report.counts.lost > 10, "{report:?}");
        assert!(report.counts.damaged > 0, "{report:?}");
    }
}

#[test]
fn a_line_that_hangs_up_is_opened_again_and_the_game_goes_on() {
    let faults = Faults {
        hang_up: 0.0002,
        ..Faults::noise(0.0001)
    };
    for seed in 0..3 {
        let (link, _core) = CoreLink::new(FAST);
        let link = Faulty::new(link, faults, seed);
        let report = decide_over(link, 12_000_000, &positions(400));
        assert!(report.link.reopened > 1, "{report:?}");
        assert!(report.counts.recovered > 0, "{report:?}");
    }
}

/// Hung up between two steps of a climb, the line climbs on to the top.
#[test]
fn a_climb_that_is_cut_short_goes_on() {
    let faults = Faults {
        hang_up: 0.0005,
        ..Faults::default()
    };
    for seed in 0..3 {
        let (link, core) = CoreLink::new(FAST);
        let report = decide_over(Faulty::new(link, faults, seed), 12_000_000, &positions(10));
        let rates = core.lock().expect("not poisoned").rates.clone();
        assert_eq!(report.rate, Some(12_000_000), "seed {seed}: {rates:?}");
    }
}

#[test]
fn a_place_where_nobody_answers_says_what_to_look_at() {
    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").clean_to = 0;
    let error = block_on(open(link, BASE)).err().expect("nobody");
    let text = error.to_string();
    assert!(
        matches!(error.kind, BackendErrorKind::Mute { .. }),
        "{text}"
    );
    for part in ["a core in software", "115200 baud", "start=RATE"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_device_that_speaks_otherwise_is_not_called_silent() {
    let (link, core) = CoreLink::new(FAST);
    core.lock().expect("not poisoned").foreign = true;
    let error = block_on(open(link, BASE)).err().expect("no frame");
    let text = error.to_string();
    assert!(
        matches!(error.kind, BackendErrorKind::Garbled { .. }),
        "{text}"
    );
    assert!(text.contains("another device"), "{text}");
}

/// The core held its rate only so long: it is brought up again, and that is no
/// failure of the line.
#[test]
fn a_core_that_went_back_in_a_pause_is_brought_up_again() {
    for gone_back in [false, true] {
        let (link, core) = CoreLink::new(FAST);
        let (report, climbs) = block_on(async {
            let mut wire = open(link, 12_000_000).await.expect("met");
            decides_right(&mut wire, &positions(5)).await;
            // The pause itself is what is tested, not what happens meanwhile.
            tokio::time::sleep(Duration::from_millis(600)).await;
            if gone_back {
                core.lock().expect("not poisoned").rate = BASE;
            }
            decides_right(&mut wire, &positions(5)).await;
            let climbs = core.lock().expect("not poisoned").rates.len();
            (wire.link().expect("a link"), climbs)
        });
        assert_eq!((report.rate, report.counts.recovered), (Some(12_000_000), 0));
        assert_eq!(climbs, 8 + usize::from(gone_back), "straight to the top");
        assert_eq!(report.latency.expect("decisions").count, 10);
    }
}

/// It says that it traces, and has a place for a credit beside the stream; otherwise it is
/// not batch.
#[test]
fn only_a_core_that_can_trace_is_asked_to() {
    let trace = 1 << table::TRACE.bit;
    for (capabilities, window, can) in [(trace, 4, true), (!trace, 4, false), (trace, 1, false)] {
        let (link, core) = CoreLink::new(FAST);
        {
            let mut core = core.lock().expect("not poisoned");
            (core.capabilities, core.window) = (capabilities, window);
        }
        block_on(async {
            let mut wire = open(link, BASE).await.expect("met");
            assert_eq!(wire.identity().capabilities.trace, can, "window {window}");
            if !can {
                let error = wire.trace(&positions(1)).await.expect_err("it cannot");
                let lacks = matches!(error.kind, BackendErrorKind::Unable(Lack::Trace));
                assert!(lacks, "{error}");
            }
        });
    }
}

/// A core of another version or layout is refused before it is batch anything.
#[test]
fn a_core_of_another_source_is_refused_and_the_builds_are_named() {
    let own = sim::variant("tetris", None).expect("the RTL as designed");
    let refused = |change: fn(&mut super::core::Core)| {
        let (link, core) = CoreLink::new(FAST);
        change(&mut core.lock().expect("not poisoned"));
        let error = block_on(open(link, 12_000_000)).err().expect("refused");
        let core = core.lock().expect("not poisoned");
        assert_eq!((core.decided, core.rates.len()), (0, 0), "{error}");
        error.to_string()
    };
    let text = refused(|core| core.layout_hash = 0x0dd);
    for part in [
        "0000600d",
        "000000dd",
        &format!("{:08x}", own.build_id),
        "make generate",
    ] {
        assert!(text.contains(part), "no {part} in: {text}");
    }
    let text = refused(|core| core.version += 1);
    assert!(text.contains("protocol version 3, this host 2"), "{text}");
}

/// Closed for good: it is said how it began, how long it was tried, and how it is now.
#[test]
fn a_line_that_cannot_be_mended_says_how_it_failed() {
    let (link, core) = CoreLink::new(FAST);
    let error = block_on(async {
        let mut brief = reach(BASE);
        if let Some(recovery) = &mut brief.recovery {
            recovery.reopening = Duration::ZERO;
        }
        let mut wire = Wire::<Tetris>::open(brief, Box::new(link))
            .await
            .expect("met");
        wire.configure(&controller("probe"))
            .await
            .expect("configured");
        core.lock().expect("not poisoned").clean_to = 0;
        wire.decide(&positions(1))
            .await
            .expect_err("nobody is left")
    });
    let text = error.to_string();
    assert!(
        matches!(error.kind, BackendErrorKind::Lost { .. }),
        "{text}"
    );
    assert!(
        text.contains("within 0 s") && text.contains("no answer"),
        "{text}"
    );
}
