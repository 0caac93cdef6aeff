//! `cobs_decoder` and `cobs_encoder`, and COBS in software.

use std::collections::VecDeque;

use protocol::frame::{DELIMITER, MAX_RAW};

use crate::random::Pace;
use crate::stream::{Sink, Source};
use crate::{Failure, Trial};

/// Decodes the bytes between two delimiters; `None` if a group reaches past the end.
pub fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut raw = Vec::new();
    let mut rest = bytes;
    while let Some((&code, after)) = rest.split_first() {
        let length = usize::from(code).checked_sub(1)?;
        raw.extend(after.get(..length)?);
        rest = &after[length..];
        if !rest.is_empty() {
            raw.push(0);
        }
    }
    Some(raw)
}

/// Encodes raw bytes, with the delimiter. Between two zeros there are fewer than 254 bytes.
pub fn encoded(raw: &[u8]) -> Vec<u8> {
    let mut wire = Vec::new();
    for group in raw.split(|byte| *byte == 0) {
        wire.push(group.len() as u8 + 1);
        wire.extend(group);
    }
    wire.push(DELIMITER);
    wire
}

/// Frames and noise, some bytes with a bad stop bit.
pub fn decoder(trial: &mut Trial) -> Result<(), Failure> {
    let mut pace = Pace::default();
    let mut line: VecDeque<(u8, bool)> = VecDeque::new();
    // Bytes of the frame under way, and whether one of them was damaged.
    let (mut inside, mut damaged) = (Vec::new(), false);
    let mut raw = Vec::new();
    // The frame that the last byte ended: the raw bytes of a good one, `Some(None)` if malformed.
    let mut ended: Option<Option<Vec<u8>>> = None;
    for _ in 0..12_000 {
        // A reset within a frame; the next bytes are a new frame.
        if trial.random.below(100) == 0 {
            trial.put("valid_i", false);
            trial.reset()?;
            line.clear();
            raw.clear();
            (inside, damaged, ended) = (Vec::new(), false, None);
        }
        if line.is_empty() && trial.random.chance(5) {
            line.extend([
                (trial.random.between(1, 255) as u8, true),
                (DELIMITER, false),
            ]);
        }
        if line.is_empty() {
            let length = trial.random.below(12);
            let bytes = trial.random.bytes(length);
            let bytes = match trial.random.chance(60) {
                true => encoded(&bytes),
                false => bytes,
            };
            let bad = trial.random.choice(&[0, 0, 5]);
            line.extend(
                bytes
                    .into_iter()
                    .map(|byte| (byte, trial.random.chance(bad))),
            );
        }
        if trial.is("raw_valid_o") {
            raw.push(trial.get("raw_data_o") as u8);
        }
        trial.expect("end_o", ended.is_some())?;
        if let Some(frame) = ended.take() {
            trial.expect("end_malformed_o", frame.is_none())?;
            if let Some(frame) = frame {
                trial.same("the frame", &raw, &frame)?;
            }
            raw.clear();
        }
        let byte = pace.next(&mut trial.random, &mut line);
        let offered = byte.map(|(byte, bad)| [byte.into(), bad.into()]);
        trial.offer("valid_i", &["data_i", "err_i"], offered);
        if let Some((byte, bad)) = byte {
            if byte != DELIMITER {
                inside.push(byte);
                damaged |= bad;
            } else if !inside.is_empty() {
                let good = !bad && !damaged;
                ended = Some(decoded(&inside).filter(|_| good));
                (inside, damaged) = (Vec::new(), false);
            }
        }
        trial.clock()?;
    }
    Ok(())
}

/// Frames of any length; some frames are aborted.
pub fn encoder(trial: &mut Trial) -> Result<(), Failure> {
    /// Cycles from the last raw byte to the first encoded byte.
    const LATENCY: u64 = 4;
    /// Cycles from the last raw byte until the frame cannot be aborted any more.
    const SENDING: u64 = 2;
    let ports = ["raw_data_i", "raw_last_i"];
    let mut source = Source::new("raw_valid_i", "raw_ready_o", &ports);
    let mut sink = Sink::new("byte_valid_o", "byte_ready_i", &["byte_data_o"]);
    let mut taken = Vec::new();
    let mut wire: VecDeque<u8> = VecDeque::new();
    // Cycle in which the last raw byte of the frame was taken.
    let mut whole: Option<u64> = None;
    // Cycle in which the delimiter of the last frame was taken.
    let mut ended: Option<u64> = None;
    for _ in 0..24_000 {
        if source.left() == 0 {
            let length = match trial.random.below(20) {
                0 => MAX_RAW as u64,
                1..=3 => trial.random.between(1, MAX_RAW as u64),
                _ => trial.random.between(1, 12),
            };
            let bytes = trial.random.bytes(length);
            source.push_bytes(&bytes);
        }
        let now = trial.cycles();
        // More often in the last cycle in which a frame can be aborted, and in the next one.
        let closes = whole.is_some_and(|last| (1..=SENDING).contains(&(now - last)));
        let drop = trial.random.chance(if closes { 5 } else { 1 });
        trial.put("abort_i", drop);
        source.drive(trial);
        sink.drive(trial);
        trial.settle()?;

        let is_sending = trial.is("sending_o");
        let began = whole.is_some_and(|last| now >= last + SENDING);
        // The output stays high for one cycle after the delimiter.
        let ends = ended.is_some_and(|at| now == at + 1);
        trial.same("sending_o", &is_sending, &(began || ends))?;
        let offered = sink.offered(trial);
        let is_expected = whole.is_some_and(|last| now >= last + LATENCY);
        let wrong = is_expected && offered.is_none() && now == whole.unwrap_or(0) + LATENCY;
        trial.never("the first byte is late", wrong)?;
        let wrong = offered.is_some() && !is_expected;
        trial.never("a byte is offered too early", wrong)?;
        if let Some(byte) = sink.take(trial) {
            let expected = wire.pop_front().map(u64::from);
            trial.same("byte_data_o", &Some(byte[0]), &expected)?;
            if wire.is_empty() {
                (whole, ended) = (None, Some(now));
            }
        }
        if let Some(byte) = source.take(trial) {
            let wrong = whole.is_some();
            trial.never("a raw byte is taken before the delimiter was", wrong)?;
            taken.push(byte[0] as u8);
            if byte[1] == 1 {
                wire = encoded(&taken).into();
                taken.clear();
                whole = Some(now);
            }
        }
        if drop && !began && !(whole.is_none() && is_sending) {
            source.clear();
            taken.clear();
            wire.clear();
            whole = None;
        }
        trial.clock()?;
    }
    Ok(())
}
