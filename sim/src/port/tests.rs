use super::*;

const PINS: Depth = Depth::Pins {
    baud: 3_000_000,
    skew_ppm: 0,
};

fn open(depth: Depth) -> Port {
    let port = Port::open(&crate::variants()[0], depth);
    port.unwrap_or_else(|e| panic!("{depth:?}: {e}"))
}

/// An info request behind a zero, as a host opens a line: the receiver has to
/// see it high before it takes a byte.
fn request() -> Vec<u8> {
    let frame = protocol::Frame {
        seq: 1,
        kind: protocol::layout::link::INFO.id,
        payload: &[],
    };
    let wire = protocol::frame::encode(&frame).expect("short");
    [&[protocol::frame::DELIMITER], wire.as_ref()].concat()
}

fn receive_frame(port: &mut Port) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&protocol::frame::DELIMITER) {
        bytes.push(port.receive(20_000).expect("a reply"));
    }
    bytes
}

#[test]
fn time_passes_by_as_many_cycles_as_are_asked_for() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        for cycles in [0, 1, 7, 1_000] {
            let before = port.cycles();
            port.advance(cycles).expect("nothing is wrong");
            assert_eq!(port.cycles() - before, cycles, "{depth:?}");
        }
    }
}

/// A reply that comes while nobody waits is the reply that is waited for.
#[test]
fn bytes_that_come_meanwhile_are_kept_in_order() {
    for depth in [Depth::Bytes, PINS] {
        let mut waited = open(depth);
        waited.send(&request());
        let expected = receive_frame(&mut waited);
        let took = waited.cycles();

        let mut port = open(depth);
        port.send(&request());
        // In two parts, one of them in the middle of the reply.
        port.advance(took - port.cycles() - 5).expect("running");
        port.advance(10_000).expect("running");
        let before = port.cycles();
        assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
        assert_eq!(port.cycles(), before, "no time passes for what has come");
        // What comes later comes after it.
        port.send(&request());
        assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
    }
}

#[test]
fn a_limit_is_kept_to_the_cycle() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        let before = port.cycles();
        let error = port.receive(321).expect_err("it was asked nothing");
        assert_eq!(error, SimError::Hung { limit: 321 });
        assert_eq!(port.cycles() - before, 321, "{depth:?}");
        assert_eq!(port.receive(0), Err(SimError::Hung { limit: 0 }));
    }
}

const BAUD: u32 = 3_000_000;

/// All that comes within so many cycles.
fn exchanged(port: &mut Port, cycles: u64) -> Vec<u8> {
    let end = port.cycles() + cycles;
    let mut bytes = Vec::new();
    while port.cycles() < end {
        let left = end - port.cycles();
        bytes.extend(port.exchange(left).expect("running"));
    }
    bytes
}

/// An adapter at another rate sees garbage, and so does the core; back at
/// the core's rate the line is as good as ever.
#[test]
fn another_rate_of_the_host_gives_garbage_and_the_right_one_mends_it() {
    let mut port = open(PINS);
    port.send(&request());
    let expected = receive_frame(&mut port);
    port.send(&request());
    assert_eq!(exchanged(&mut port, 40_000), expected);
    assert_eq!(port.framing_errors(), 0);

    // The question is asked at the right rate, the answer heard at a wrong one.
    for wrong in [BAUD / 2, BAUD * 3 / 2, 115_200, 100_000_000] {
        port.set_rate(BAUD).expect("a rate");
        port.send(&request());
        while !port.has_sent() {
            assert_eq!(port.exchange(1), Ok(None), "it answers too early");
        }
        port.set_rate(wrong).expect("a rate");
        let garbage = exchanged(&mut port, 80_000);
        assert_ne!(garbage, expected, "{wrong}");
        assert!(!garbage.is_empty(), "{wrong}");
    }
    assert!(port.framing_errors() > 0);

    // Asked at a wrong one, it does not answer.
    port.set_rate(115_200).expect("a rate");
    port.send(&request());
    assert_eq!(exchanged(&mut port, 400_000), []);
    port.set_rate(BAUD).expect("a rate");
    port.send(&request());
    assert_eq!(exchanged(&mut port, 40_000), expected);
}

/// What an adapter shrugs off is an error of the model where both ends are
/// said to have one rate.
#[test]
fn a_broken_frame_is_an_error_unless_an_adapter_listens() {
    let mut port = open(PINS);
    port.send(&request());
    while !port.has_sent() {
        port.advance(1).expect("running");
    }
    port.set_rate(BAUD * 3 / 2).expect("a rate");
    let error = port.advance(80_000).expect_err("the stop bit is elsewhere");
    assert!(matches!(error, SimError::Framing { .. }), "{error}");
}

#[test]
fn a_rate_the_host_cannot_have_is_refused_and_changes_nothing() {
    let mut port = open(PINS);
    for baud in [0, 49, 100_000_001, u32::MAX] {
        let error = port.set_rate(baud).expect_err("refused");
        assert!(matches!(error, SimError::HostBaud { .. }), "{error}");
    }
    port.send(&request());
    assert_eq!(receive_frame(&mut port).last(), Some(&0));
}

/// The reply to the request, behind its sequence number and type.
fn info(port: &mut Port) -> protocol::payload::link::Info {
    port.send(&request());
    let mut decoder = protocol::Decoder::new();
    loop {
        let byte = port.receive(20_000).expect("a reply");
        if let Some(frame) = decoder.push(byte) {
            let payload = frame.expect("a frame").payload;
            return protocol::payload::link::Info::decode(payload).expect("info");
        }
    }
}

#[test]
fn a_core_says_it_is_the_build_it_was_made_as() {
    let variant = &crate::variants()[0];
    let mut port = open(PINS);
    let own = info(&mut port);
    assert_eq!(own.build_id, variant.build_id);
    let mut port = Port::open_started(
        variant,
        PINS,
        Start {
            build_id: 0x1234_5678,
            ..Start::of(variant)
        },
    )
    .expect("a model");
    let other = info(&mut port);
    assert_eq!(other.build_id, 0x1234_5678);
    assert_eq!(
        protocol::payload::link::Info {
            build_id: own.build_id,
            ..other
        },
        own
    );
    // Nor does a reset make it another one.
    port.reset();
    port.advance(100).expect("running");
    assert_eq!(info(&mut port).build_id, 0x1234_5678);
}

/// In the middle of an answer: what was begun is not finished, and the next
/// question is answered in full.
#[test]
fn a_reset_in_the_middle_of_anything_leaves_a_core_that_answers() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        port.send(&request());
        let expected = receive_frame(&mut port);
        let half = expected.len() / 2;

        port.send(&request());
        let mut begun = Vec::new();
        while begun.len() < half {
            begun.extend(port.exchange(20_000).expect("running"));
        }
        port.reset();
        let rest = exchanged(&mut port, 20_000);
        assert!(begun.len() + rest.len() < expected.len(), "{depth:?}");
        port.send(&request());
        assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
    }
}

/// Queued, then on the line, then nowhere.
#[test]
fn what_is_queued_and_what_is_on_the_line_can_be_asked() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        assert!(port.is_idle() && port.has_sent());
        port.send(&request());
        assert_eq!(port.queued(), request().len());
        assert!(!port.is_idle() && !port.has_sent());
        let mut heard = false;
        while port.exchange(1).expect("running").is_none() {
            heard |= port.has_sent() && !port.is_idle();
        }
        assert_eq!(heard, depth == PINS, "a byte on its way here is seen");
        receive_frame(&mut port);
        assert_eq!(port.queued(), 0);
        // The stop bit was only seen to begin.
        port.advance(100).expect("running");
        assert!(port.is_idle() && port.has_sent(), "{depth:?}");

        port.send(&request());
        port.advance(1).expect("running");
        port.clear();
        assert_eq!(port.queued(), 0);
        assert_eq!(exchanged(&mut port, 20_000), [], "{depth:?}");
    }
}
