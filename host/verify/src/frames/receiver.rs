//! `frame_rx`: good frames, damaged frames and noise.

use protocol::frame::{DELIMITER, MAX_RAW, OVERHEAD};
use protocol::layout::MAX_PAYLOAD;

use crate::cobs::{decoded, encoded};
use crate::frames::{crc32, error_of_bit, raw, with_crc};
use crate::random::{Pace, Random};
use crate::{Failure, Trial};

/// Cycles from a delimiter to its frame's verdict.
const LATENCY: u64 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    BadCrc,
    Malformed,
}

/// Bytes of a line, each with `true` for a bad stop bit.
fn any_bytes(random: &mut Random) -> Vec<(u8, bool)> {
    let header = [random.byte(), random.byte(), random.byte()];
    let length = match random.chance(70) {
        true => random.below(20),
        false => random.choice(&[0, 1, 119, MAX_PAYLOAD as u64]),
    };
    let payload = random.bytes(length);
    let good = raw(header, &payload);
    let mut damaged = good.clone();
    let at = random.index(damaged.len());
    let (_, crc) = damaged.split_at_mut(good.len() - 4);
    if random.chance(60) {
        let error = error_of_bit(random.below(32) as u32).to_le_bytes();
        crc.iter_mut().zip(error).for_each(|(byte, e)| *byte ^= e);
    } else {
        damaged[at] ^= random.between(1, 255) as u8;
    }
    // A damaged byte alone, or a damaged delimiter.
    match random.below(20) {
        0 => return vec![(random.between(1, 255) as u8, true), (DELIMITER, false)],
        1 => {
            let intact = encoded(&good)
                .into_iter()
                .map(|byte| (byte, byte == DELIMITER));
            return intact.collect();
        }
        _ => {}
    }
    let mut bytes = match random.below(8) {
        0 => encoded(&damaged),
        // Too short or too long, with a good CRC.
        1 => {
            let short = random.below(3);
            encoded(&with_crc(random.bytes(short)))
        }
        2 => {
            let long = random.between(MAX_RAW as u64 - 6, MAX_RAW as u64 + 10);
            encoded(&with_crc(random.bytes(long)))
        }
        3 => {
            let noise = random.below(12);
            [random.bytes(noise), vec![DELIMITER]].concat()
        }
        4 => vec![DELIMITER; random.between(1, 4) as usize],
        _ => encoded(&good),
    };
    // A missing byte, so that a COBS group reaches past the end.
    if random.chance(5) && bytes.len() > 2 {
        bytes.remove(random.below(bytes.len() as u64 - 1) as usize);
    }
    let errors = random.choice(&[0, 0, 0, 2]);
    bytes
        .into_iter()
        .map(|byte| (byte, random.chance(errors)))
        .collect()
}

/// The verdict on the bytes before a delimiter, with the body of a good frame; `None` without
/// bytes.
fn verdict(bytes: &[(u8, bool)], end_is_bad: bool) -> Option<(Verdict, Vec<u8>)> {
    let plain: Vec<u8> = bytes.iter().map(|(byte, _)| *byte).collect();
    let intact = !end_is_bad && bytes.iter().all(|(_, bad)| !bad);
    if plain.is_empty() {
        return None;
    }
    let frame = decoded(&plain).filter(|raw| intact && (OVERHEAD..=MAX_RAW).contains(&raw.len()));
    Some(match frame {
        None => (Verdict::Malformed, Vec::new()),
        Some(raw) => {
            let (body, crc) = raw.split_at(raw.len() - 4);
            match crc32(body).to_le_bytes() == *crc {
                true => (Verdict::Good, body.to_vec()),
                false => (Verdict::BadCrc, Vec::new()),
            }
        }
    })
}

/// The expected verdict on a frame whose delimiter has been sent.
struct Expected {
    at: u64,
    verdict: Verdict,
    /// Header and payload of a good frame.
    body: Vec<u8>,
    /// Whether a slot was free for it, and the slot's number.
    free: bool,
    slot: u64,
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let verdicts = [
        (Verdict::Good, "good_o"),
        (Verdict::BadCrc, "bad_crc_o"),
        (Verdict::Malformed, "malformed_o"),
    ];
    let mut pace = Pace::default();
    let mut line = Vec::new().into_iter();
    let mut inside: Vec<(u8, bool)> = Vec::new();
    // Whether a slot is free, and which: random until the second byte of the header.
    let (mut free, mut offered) = (false, 0);
    // The bytes written for the frame under way, by offset.
    let mut written = [None; 128];
    let mut pending: Option<Expected> = None;
    for _ in 0..20_000 {
        // Resets, more often before a verdict and within a frame that is too long. The bytes after
        // a reset are a new frame.
        let chance = match (pending.is_some(), inside.len() > MAX_RAW) {
            (true, _) => 100,
            (false, true) => 40,
            (false, false) => 5,
        };
        if trial.random.below(1_000) < chance {
            trial.put("byte_valid_i", false);
            trial.reset()?;
            inside.clear();
            (line, pending, written) = (Vec::new().into_iter(), None, [None; 128]);
        }
        let now = trial.cycles();
        trial.put("slot_free_i", free);
        trial.put("slot_i", offered);
        let next = match pace.go(&mut trial.random) {
            true => line.next().or_else(|| {
                line = any_bytes(&mut trial.random).into_iter();
                line.next()
            }),
            false => None,
        };
        let byte = next.map(|(byte, bad)| [byte.into(), bad.into()]);
        trial.offer("byte_valid_i", &["byte_data_i", "byte_err_i"], byte);
        trial.settle()?;

        if trial.is("mem_en_o") {
            let at = trial.get("mem_addr_o");
            trial.never("a payload without a slot is written", !free)?;
            trial.same("the slot written", &(at >> 7), &offered)?;
            written[(at & 127) as usize] = Some(trial.get("mem_wdata_o") as u8);
        }
        let expected = pending.take_if(|frame| frame.at == now);
        for (verdict, output) in verdicts {
            let is_expected = expected
                .as_ref()
                .is_some_and(|frame| frame.verdict == verdict);
            trial.expect(output, is_expected)?;
        }
        if let Some(good) = expected.filter(|frame| frame.verdict == Verdict::Good) {
            let (header, payload) = good.body.split_at(3);
            let [message, seq] = trial.bits("header_o").members([8, 16]);
            let seq = (seq as u16).to_le_bytes();
            trial.same(
                "header_o",
                &[seq[0], seq[1], message as u8].as_slice(),
                &header,
            )?;
            trial.expect("length_o", payload.len() as u64)?;
            trial.expect("stored_o", good.free)?;
            if good.free {
                trial.expect("slot_o", good.slot)?;
                let expected: Vec<_> = payload.iter().copied().map(Some).collect();
                trial.same(
                    "the payload",
                    &&written[..payload.len()],
                    &expected.as_slice(),
                )?;
            }
        }

        if let Some((byte, bad)) = next {
            if byte == DELIMITER {
                if let Some((verdict, body)) = verdict(&inside, bad) {
                    pending = Some(Expected {
                        at: now + LATENCY,
                        verdict,
                        body,
                        free,
                        slot: offered,
                    });
                }
                inside.clear();
            } else {
                inside.push((byte, bad));
            }
        }
        trial.clock()?;
        // After the verdict, the slot belongs to the next frame.
        match inside.len() {
            0 if pending.is_none() => written = [None; 128],
            1 | 2 => {
                // The module reads these inputs with the end of the header, which it has decoded
                // after the third byte at the earliest.
                free = trial.random.chance(70);
                offered = trial.random.below(4);
            }
            _ => {}
        }
    }
    Ok(())
}
