//! `frame_tx`: headers and payloads in, encoded frames out; some frames are aborted.

use std::collections::VecDeque;

use protocol::layout::MAX_PAYLOAD;

use crate::cobs::encoded;
use crate::frames::raw;
use crate::stream::{Sink, Source};
use crate::{Failure, Trial};

/// Cycles from the last byte of a payload to the first encoded byte.
const AFTER_PAYLOAD: u64 = 8;
/// Cycles from a header without a payload to the first encoded byte.
const AFTER_HEADER: u64 = 11;
/// Cycles before the first encoded byte in which the frame cannot be aborted any more.
const SENDING: u64 = 2;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let ports = ["header_i", "header_empty_i"];
    let mut headers = Source::new("header_valid_i", "header_ready_o", &ports);
    let ports = ["payload_data_i", "payload_last_i"];
    let mut payloads = Source::new("payload_valid_i", "payload_ready_o", &ports);
    let mut sink = Sink::new("byte_valid_o", "byte_ready_i", &["byte_data_o"]);

    // The header of the frame under way, and the payload bytes taken so far.
    let mut frame: Option<(Vec<u8>, Vec<u8>)> = None;
    let mut wire: VecDeque<u8> = VecDeque::new();
    // Cycle in which the first encoded byte is expected.
    let mut first: Option<u64> = None;
    // Cycle in which the delimiter of the last frame was taken.
    let mut ended: Option<u64> = None;
    for _ in 0..30_000 {
        if headers.left() == 0 && frame.is_none() && payloads.left() == 0 {
            let header = trial.random.bits() & 0xff_ffff;
            let length = match trial.random.below(20) {
                0 => MAX_PAYLOAD as u64,
                1..=3 => trial.random.below(MAX_PAYLOAD as u64 + 1),
                _ => trial.random.below(12),
            };
            let payload = trial.random.bytes(length);
            headers.push(vec![header, payload.is_empty().into()]);
            payloads.push_bytes(&payload);
        }
        let now = trial.cycles();
        // More often in the last cycle in which a frame can be aborted, and in the next one.
        let closes = first.is_some_and(|at| at == now + SENDING || at == now + SENDING + 1);
        let drop = trial.random.chance(if closes { 5 } else { 1 });
        trial.put("abort_i", drop);
        headers.drive(trial);
        payloads.drive(trial);
        sink.drive(trial);
        trial.settle()?;

        let is_sending = trial.is("sending_o");
        let began = first.is_some_and(|at| now + SENDING >= at);
        // The output stays high for one cycle after the delimiter.
        let ends = ended.is_some_and(|at| now == at + 1);
        trial.same("sending_o", &is_sending, &(began || ends))?;
        let is_offered = sink.offered(trial).is_some();
        let is_expected = first.is_some_and(|at| now >= at);
        if is_offered && !is_expected || !is_offered && first == Some(now) {
            return trial.differs(format!(
                "a byte is offered: {is_offered}, expected {is_expected}"
            ));
        }
        if let Some(byte) = sink.take(trial) {
            let expected = wire.pop_front().map(u64::from);
            trial.same("byte_data_o", &Some(byte[0]), &expected)?;
            if wire.is_empty() {
                (first, ended) = (None, Some(now));
            }
        }
        let taken = headers.take(trial);
        let wrong = taken.is_some() && (drop || first.is_some());
        trial.never("a header is taken before the frame before has left", wrong)?;
        if let Some(header) = taken {
            // The message is the upper byte of the struct in frame_pkg, but is sent last.
            let header = header[0].to_le_bytes()[..3].to_vec();
            frame = Some((header, Vec::new()));
            if payloads.left() == 0 {
                first = Some(now + AFTER_HEADER);
            }
        }
        if let Some(byte) = payloads.take(trial) {
            if let Some((_, payload)) = &mut frame {
                payload.push(byte[0] as u8);
            } else {
                return trial.differs("a payload is taken before its header".into());
            }
            if byte[1] == 1 {
                first = Some(now + AFTER_PAYLOAD);
            }
        }
        if drop && !began {
            headers.clear();
            payloads.clear();
            (frame, first) = (None, None);
            wire.clear();
        } else if first.is_some()
            && let Some((header, payload)) = frame.take()
        {
            wire = encoded(&raw([header[0], header[1], header[2]], &payload)).into();
        }
        trial.clock()?;
    }
    Ok(())
}
