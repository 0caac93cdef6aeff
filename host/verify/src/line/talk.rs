//! A conversation with a whole core over a line with errors.

use protocol::frame::{self, DELIMITER, Frame};
use protocol::layout::{ErrorCode, link};
use protocol::payload::link::{Ping, Stats};
use sim::{SimError, Variant};

use super::{CLOCK, FrameResult, Pins, Sender, Time, Wave, frame_results, receive, tally};
use crate::Failure;
use crate::random::Random;

/// The kinds of errors on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineErrors {
    /// Bad stop bits, glitches, runts and breaks, none of them unsure.
    Errors,
    /// The errors of [`Self::Errors`], and inverted levels for short times.
    Noise,
}

/// Sends requests to a core with errors between and within them, by a host with any clock error in
/// the margin.
///
/// Returns the counts of [`tally`]. The plain receiver gives the expected result: each good request must be answered once and in
/// order, and the core's statistics must agree with the line. Where noise makes a byte ambiguous,
/// answers may be missing.
///
/// # Errors
/// The first difference.
pub fn talk(
    variant: &'static Variant,
    baud: u32,
    errors: LineErrors,
    requests: u32,
    seed: u64,
) -> Result<[u32; 4], Failure> {
    let mut random = Random::new(seed);
    let mut pins = Pins::open(variant, baud, random.power_up())?;
    let own = Sender::off(pins.bit(), &mut random);
    let mut host = Host {
        sender: Sender::new(random.chance(50), own, pins.bit()),
        bit: pins.bit(),
        noisy: Vec::new(),
        sent: Vec::new(),
    };
    host.sender.begin(&mut random);
    for _ in 0..requests {
        host.ask(errors, &mut random);
    }
    // Ends an incomplete frame.
    host.sender.idle(12);
    host.sender.bytes(&[DELIMITER]);
    host.sender.idle(12);
    let (wave, sent) = host.finish(&mut random);
    let received = frame_results(&receive(&wave, pins.bit()));
    let counts = tally(&received);
    let [_, bad_crc, malformed, unsure] = counts;
    pins.play(&wave)?;
    // Time for the longest answers to the last requests.
    pins.idle(800)?;
    let answers = pins.frames();
    // One per answer, and the request for statistics itself.
    let frames_good = answers.len() as u32 + 1;
    let wrong = |what, pins: &Pins| {
        let cycle = pins.cycles();
        Failure::Differs { cycle, what }
    };
    compare(&received, &sent, answers, unsure > 0).map_err(|what| wrong(what, &pins))?;
    let got = statistics(&mut pins)?;
    let known = match got {
        Some(got) if unsure > 0 => (got.bad_crc, got.malformed),
        _ => (bad_crc, malformed),
    };
    let expected = Stats {
        frames_good,
        bad_crc: known.0,
        malformed: known.1,
        overrun: 0,
    };
    match got == Some(expected) {
        true => Ok(counts),
        false => {
            let what = format!("the core counts {got:?}, expected {expected:?}");
            Err(wrong(what, &pins))
        }
    }
}

/// The expected answer to a request.
fn answer(request: &FrameResult) -> Option<FrameResult> {
    let FrameResult::Good { seq, kind, payload } = request else {
        return None;
    };
    let refused = |code: ErrorCode| (link::ERROR.id, vec![code.number, *kind]);
    let (kind, payload) = match *kind {
        kind if kind == link::PING.id && payload.len() == link::PING.bytes() => {
            (link::PONG.id, payload.clone())
        }
        kind if kind == link::PING.id => refused(link::BAD_LENGTH),
        _ => refused(link::UNKNOWN_TYPE),
    };
    Some(FrameResult::Good {
        seq: *seq,
        kind,
        payload,
    })
}

/// Compares the answers with those expected for the good requests. If the line is unsure (`open`),
/// other requests that were sent may be answered, too.
fn compare(
    received: &[FrameResult],
    sent: &[FrameResult],
    answers: Vec<FrameResult>,
    open: bool,
) -> Result<(), String> {
    let mut expected = received.iter().filter_map(answer).peekable();
    let mut possible = sent.iter().filter_map(answer);
    for got in answers {
        if expected.next_if_eq(&got).is_none() && !open {
            return Err(format!("{got:x?}, expected {:x?}", expected.next()));
        }
        // In the order of the requests, none twice.
        if open && !possible.any(|one| one == got) {
            return Err(format!("{got:x?} answers nothing that was sent"));
        }
    }
    match expected.next() {
        None => Ok(()),
        Some(missing) => Err(format!("{missing:x?} is missing")),
    }
}

/// The core's statistics; `None` if it does not answer.
fn statistics(pins: &mut Pins) -> Result<Option<Stats>, SimError> {
    let mut wave = Wave::new(true);
    wave.bytes(&wire(0, link::STATS.id, &[]), pins.bit());
    pins.play(&wave)?;
    pins.idle(500)?;
    Ok(match pins.frames().as_slice() {
        [FrameResult::Good { kind, payload, .. }] if *kind == link::STATS_REPLY.id => {
            Stats::decode(payload).ok()
        }
        _ => None,
    })
}

/// The encoded bytes of a frame; none if the payload is too long.
pub(super) fn wire(seq: u16, kind: u8, payload: &[u8]) -> Vec<u8> {
    let frame = Frame { seq, kind, payload };
    frame::encode(&frame).map_or_else(|_| Vec::new(), |wire| wire.as_ref().to_vec())
}

/// The host, and the requests that it has sent.
struct Host {
    sender: Sender,
    bit: Time,
    /// Intervals with noise.
    noisy: Vec<(Time, Time)>,
    sent: Vec<FrameResult>,
}

impl Host {
    /// Draws a request that the core answers at once, with a reply no longer than the request.
    fn ask(&mut self, errors: LineErrors, random: &mut Random) {
        const UNKNOWN: u8 = 0x0f;
        let seq = self.sent.len() as u16;
        let (kind, payload) = match random.chance(50) {
            true => {
                let nonce = random.bits();
                (link::PING.id, Ping { nonce }.encode().as_ref().to_vec())
            }
            false => {
                let length = random.between(8, 40);
                (UNKNOWN, random.bytes(length))
            }
        };
        let mut bytes = wire(seq, kind, &payload);
        self.sent.push(FrameResult::Good { seq, kind, payload });
        let from = self.sender.now();
        let hurt = random.choice(&[0, 0, 1, 4]);
        let place = |random: &mut Random| random.index(bytes.len());
        let hurt: Vec<usize> = (0..hurt).map(|_| place(random)).collect();
        if random.chance(5) {
            // The bytes are received, but the frame is invalid.
            let place = random.below(bytes.len() as u64 - 1) as usize;
            bytes[place] ^= random.between(1, 255) as u8;
        }
        for (number, byte) in bytes.iter().enumerate() {
            match hurt.contains(&number) {
                true if random.chance(50) => self.sender.damaged(*byte, random),
                true => {
                    self.sender.rest(random, CLOCK);
                    self.sender.low(random);
                    self.sender.bytes(&[*byte]);
                }
                false => self.sender.bytes(&[*byte]),
            }
        }
        if errors == LineErrors::Noise && random.chance(40) {
            self.noisy.push((from, self.sender.now()));
            // Usually the line is sure again afterwards.
            self.sender.idle(random.choice(&[0, 12, 12]));
        }
        match random.below(8) {
            0 => self.sender.low(random),
            1 => self.sender.bytes(&[DELIMITER, DELIMITER]),
            2 => self.sender.idle(random.between(1, 40)),
            3 => self.sender.damaged(DELIMITER, random),
            _ => {}
        }
    }

    /// The line with its noise, and the requests sent.
    fn finish(self, random: &mut Random) -> (Wave, Vec<FrameResult>) {
        let mut wave = self.sender.finish();
        for (from, to) in self.noisy {
            for _ in 0..random.between(1, 6) {
                let most = random.choice(&[CLOCK, self.bit / 2, 2 * self.bit]);
                let (at, time) = (random.between(from, to), random.between(1, most));
                wave.flip(at, time);
            }
        }
        (wave, self.sent)
    }
}
