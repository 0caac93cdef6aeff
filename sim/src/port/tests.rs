use super::*;

const BAUD: u32 = 3_000_000;
const PINS: Depth = Depth::Pins {
    baud: BAUD,
    skew_ppm: 0,
};

fn open(depth: Depth) -> Port {
    let port = Port::open(&crate::variants()[0], depth);
    port.unwrap_or_else(|e| panic!("{depth:?}: {e}"))
}

/// An `info` request after a delimiter, with which a host opens a line: the receiver must see the
/// line high before the first byte.
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
fn advance_runs_exact_number_of_cycles() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        for cycles in [0, 1, 7, 1_000] {
            let before = port.cycles();
            port.advance(cycles).expect("nothing is wrong");
            assert_eq!(port.cycles() - before, cycles, "{depth:?}");
        }
    }
}

#[test]
fn advance_keeps_bytes_for_receive_in_order() {
    for depth in [Depth::Bytes, PINS] {
        let mut waited = open(depth);
        waited.send(&request());
        let expected = receive_frame(&mut waited);
        let took = waited.cycles();

        let mut port = open(depth);
        port.send(&request());
        // Two calls, the second begins within the reply.
        port.advance(took - port.cycles() - 5).expect("running");
        port.advance(10_000).expect("running");
        let before = port.cycles();
        assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
        assert_eq!(port.cycles(), before, "no time passes for kept bytes");
        port.send(&request());
        assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
    }
}

#[test]
fn receive_stops_at_exact_limit() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        let before = port.cycles();
        let error = port.receive(321).expect_err("there was no request");
        assert_eq!(error, SimError::Hung { limit: 321 });
        assert_eq!(port.cycles() - before, 321, "{depth:?}");
        assert_eq!(port.receive(0), Err(SimError::Hung { limit: 0 }));
    }
}

/// All bytes that arrive within `cycles` clock cycles.
fn exchanged(port: &mut Port, cycles: u64) -> Vec<u8> {
    let end = port.cycles() + cycles;
    let mut bytes = Vec::new();
    while port.cycles() < end {
        let left = end - port.cycles();
        bytes.extend(port.exchange(left).expect("running"));
    }
    bytes
}

#[test]
fn set_rate_wrong_gives_garbage_and_right_one_recovers() {
    let mut port = open(PINS);
    port.send(&request());
    let expected = receive_frame(&mut port);
    port.send(&request());
    assert_eq!(exchanged(&mut port, 40_000), expected);
    assert_eq!(port.framing_errors(), 0);

    // The request is sent at the right rate, the reply received at a wrong one.
    for wrong in [BAUD / 2, BAUD * 3 / 2, 115_200, 100_000_000] {
        port.set_rate(BAUD).expect("a rate");
        port.send(&request());
        while !port.has_sent() {
            assert_eq!(port.exchange(1), Ok(None), "the reply is too early");
        }
        port.set_rate(wrong).expect("a rate");
        let garbage = exchanged(&mut port, 80_000);
        assert_ne!(garbage, expected, "{wrong}");
        assert!(!garbage.is_empty(), "{wrong}");
    }
    assert!(port.framing_errors() > 0);

    // A request at a wrong rate gets no reply.
    port.set_rate(115_200).expect("a rate");
    port.send(&request());
    assert_eq!(exchanged(&mut port, 400_000), []);
    port.set_rate(BAUD).expect("a rate");
    port.send(&request());
    assert_eq!(exchanged(&mut port, 40_000), expected);
}

#[test]
fn advance_byte_without_stop_bit_is_error() {
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
fn set_rate_out_of_range_is_refused_and_changes_nothing() {
    let mut port = open(PINS);
    for baud in [0, 49, 100_000_001, u32::MAX] {
        let error = port.set_rate(baud).expect_err("refused");
        assert!(matches!(error, SimError::HostBaud { .. }), "{error}");
    }
    port.send(&request());
    assert_eq!(receive_frame(&mut port).last(), Some(&0));
}

/// The payload of the reply to an `info` request.
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
fn core_reports_build_id_of_start_also_after_reset() {
    let variant = &crate::variants()[0];
    assert_eq!(info(&mut open(PINS)).build_id, variant.build_id);
    let start = Start {
        build_id: 0x1234_5678,
        ..Start::of(variant)
    };
    let mut port = Port::open_started(variant, PINS, start).expect("a model");
    assert_eq!(info(&mut port).build_id, 0x1234_5678);
    // A reset does not change it.
    port.reset();
    port.advance(100).expect("running");
    assert_eq!(info(&mut port).build_id, 0x1234_5678);
}

/// The reply under way is not completed; the next request is answered in full.
#[test]
fn reset_within_reply_leaves_core_that_answers() {
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

#[test]
fn port_reports_queue_and_line_until_idle() {
    for depth in [Depth::Bytes, PINS] {
        let mut port = open(depth);
        assert!(port.is_idle() && port.has_sent());
        port.send(&request());
        assert_eq!(port.queued(), request().len());
        assert!(!port.is_idle() && !port.has_sent());
        let mut receiving = false;
        while port.exchange(1).expect("running").is_none() {
            receiving |= port.has_sent() && !port.is_idle();
        }
        assert_eq!(receiving, depth == PINS, "a byte on the line to the host");
        receive_frame(&mut port);
        assert_eq!(port.queued(), 0);
        // The stop bit has only begun.
        port.advance(100).expect("running");
        assert!(port.is_idle() && port.has_sent(), "{depth:?}");

        port.send(&request());
        port.advance(1).expect("running");
        port.clear();
        assert_eq!(port.queued(), 0);
        assert_eq!(exchanged(&mut port, 20_000), [], "{depth:?}");
    }
}
