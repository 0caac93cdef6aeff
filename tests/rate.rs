//! The rate of the serial line: both ends go to another one, and the core comes
//! back from it by itself.

mod line;

use protocol::layout::link;
use protocol::payload::link::{Ping, SetRate, Stats};
use sim::Depth;

use self::line::Line;
use crate::frames::simulated::{Core, wire};

/// Base rate of the model: a fast one saves clock cycles.
const BASE: u32 = 1_000_000;
const FAST: u32 = 12_000_000;
/// A rate so near the base rate that nothing sent at the one is a break at the
/// other.
const NEAR: u32 = 1_500_000;

fn set_rate(increment: u32) -> Vec<u8> {
    SetRate { increment }.encode().as_ref().to_vec()
}

/// Whether both ends have the same rate, for bytes of every kind.
fn alive(line: &mut Line) -> bool {
    [0x0055_aaff_0180_7ffe, u64::MAX].into_iter().all(|nonce| {
        let ping = Ping { nonce }.encode();
        let pong = line.ask(&link::PING, ping.as_ref());
        pong.is_some_and(|pong| pong.kind == link::PONG.id && pong.payload == ping.as_ref())
    })
}

/// Leads both ends to another rate.
fn go(line: &mut Line, baud: u32) {
    let payload = set_rate(line.increment(baud));
    let reply = line.ask(&link::SET_RATE, &payload).expect("a reply");
    assert_eq!(reply.kind, link::SET_RATE_REPLY.id, "{baud} baud");
    line.baud = baud;
}

fn stats(line: &mut Line) -> Stats {
    let reply = line.ask(&link::STATS, &[]).expect("a reply");
    Stats::decode(&reply.payload).expect("statistics")
}

/// From rate to rate, up and down, the base rate among them: no byte is lost or
/// damaged on the way.
#[test]
fn both_ends_go_from_rate_to_rate() {
    for base in [115_200, BASE, FAST] {
        let mut line = Line::open(base);
        let rates = [
            BASE, 3_000_000, 921_600, 115_200, FAST, BASE, BASE, 12_500_000, 2_000_000,
        ];
        for baud in rates {
            go(&mut line, baud);
            assert!(alive(&mut line), "{base} to {baud} baud");
        }
        let frames_good = 3 * rates.len() as u32 + 1;
        let clean = Stats {
            frames_good,
            ..Stats::default()
        };
        assert_eq!(stats(&mut line), clean, "base rate {base}");
    }
}

/// A core takes the limits themselves; that it refuses what is beyond them is in
/// the golden conversation.
#[test]
fn the_limits_are_rates() {
    let mut core = Core::open(Depth::Bytes);
    for increment in [link::MIN_INCREMENT, link::MAX_INCREMENT] {
        let reply = core.ask(1, &link::SET_RATE, &set_rate(increment));
        assert_eq!(reply.kind, link::SET_RATE_REPLY.id, "{increment}");
        assert!(reply.payload.is_empty(), "{reply:?}");
    }
}

#[test]
fn a_refused_rate_changes_nothing() {
    let mut line = Line::open(BASE);
    go(&mut line, FAST);
    for payload in [set_rate(link::MAX_INCREMENT + 1), vec![0; 3]] {
        let reply = line.ask(&link::SET_RATE, &payload).expect("a reply");
        assert_eq!(reply.kind, link::ERROR.id);
        assert!(alive(&mut line));
    }
}

/// The reply leaves whole at the old rate, and the next one begins behind it at
/// the new rate, also when it was asked for before.
#[test]
fn what_is_still_to_be_answered_is_answered_at_the_new_rate() {
    for (first, second) in [(FAST, NEAR), (300_000, FAST)] {
        let mut line = Line::open(BASE);
        // While its long answer leaves the others come.
        line.request(&link::INFO, &[]);
        for baud in [first, second] {
            let payload = set_rate(line.increment(baud));
            line.request(&link::SET_RATE, &payload);
        }
        line.request(&link::RESET, &[0]);
        let kind = |line: &mut Line| line.frame().map(|f| f.kind);
        assert_eq!(kind(&mut line), Some(link::INFO_REPLY.id));
        for baud in [first, second] {
            assert_eq!(kind(&mut line), Some(link::SET_RATE_REPLY.id));
            // Header, payload and CRC are worked out behind the switch.
            let (gap, byte) = line.gap();
            let idle = gap.saturating_sub(byte);
            assert!(gap >= byte && idle < 40, "{gap} cycles, a byte is {byte}");
            line.baud = baud;
        }
        assert_eq!(kind(&mut line), Some(link::ERROR.id));
        assert!(alive(&mut line));
    }
}

#[test]
fn a_reset_leaves_the_rate() {
    let mut line = Line::open(BASE);
    go(&mut line, FAST);
    let reply = line.ask(&link::RESET, &[]).expect("a reply");
    assert_eq!(reply.kind, link::RESET_REPLY.id);
    assert!(alive(&mut line));
}

/// A reset that comes in any clock cycle around a set_rate's reply: either the
/// reply comes and the new rate holds, or neither.
#[test]
fn a_reset_drops_the_reply_with_the_rate_or_neither() {
    const OLD: u32 = 12_500_000;
    const NEW: u32 = 3_000_000;
    let mut kept = Vec::new();
    for delay in 150..250 {
        let mut line = Line::open(OLD);
        // Its answer takes longer than set_rate and reset take to come.
        line.request(&link::STATS, &[]);
        let payload = set_rate(line.increment(NEW));
        line.request(&link::SET_RATE, &payload);
        line.idle(delay);
        line.request(&link::RESET, &[]);
        let mut next = || line.frame().map(|f| f.kind);
        assert_eq!(next(), Some(link::STATS_REPLY.id), "{delay}");
        let second = next();
        kept.push(second == Some(link::SET_RATE_REPLY.id));
        if second == Some(link::SET_RATE_REPLY.id) {
            line.baud = NEW;
            assert_eq!(line.frame().map(|f| f.kind), Some(link::RESET_REPLY.id));
        } else {
            assert_eq!(second, Some(link::RESET_REPLY.id), "{delay}");
        }
        assert!(alive(&mut line), "{delay}");
    }
    // Early resets drop it, late ones do not, and there is one turn.
    assert!(!kept[0] && kept[kept.len() - 1], "{kept:?}");
    assert!(kept.is_sorted(), "{kept:?}");
}

#[test]
fn the_reset_pin_brings_the_base_rate_back() {
    let mut line = Line::open(BASE);
    go(&mut line, NEAR);
    assert!(alive(&mut line));
    line.reset();
    line.baud = BASE;
    assert!(alive(&mut line));
}

/// A zero at the base rate is a break at twice that rate, also when the host's
/// clock is fast, and at every faster one. What comes behind it is received.
#[test]
fn a_zero_at_the_base_rate_brings_it_back_at_once() {
    for baud in [2 * BASE, 3_000_000, FAST] {
        let mut line = Line::open(BASE);
        go(&mut line, baud);
        let before = stats(&mut line).frames_good;
        line.baud = BASE + BASE / 50;
        line.send(&[0]);
        line.baud = BASE;
        let seen = stats(&mut line);
        // Nothing but the rate is as at the beginning.
        assert_eq!(seen.frames_good, before + 1, "{baud} baud");
        assert_eq!((seen.malformed, seen.bad_crc), (0, 0), "{baud} baud");
        assert!(alive(&mut line), "{baud} baud");
    }
}

/// A line low for 17 bit times of the rate is a break, at slow rates too; one
/// low for 15.5 is none, nor are bytes.
#[test]
fn a_break_is_longer_than_sixteen_bits() {
    for baud in [400_000, FAST] {
        let mut line = Line::open(BASE);
        go(&mut line, baud);
        line.send(&[0; 40]);
        for tenths in [105, 155] {
            line.low(tenths);
            assert!(alive(&mut line), "{baud} baud, {tenths} tenths of a bit");
        }
        line.low(172);
        line.baud = BASE;
        assert!(alive(&mut line), "{baud} baud");
    }
}

/// A break that comes before the reply has left takes the set_rate back.
#[test]
fn a_break_forgets_a_rate_that_was_asked_for() {
    let mut line = Line::open(BASE);
    let payload = set_rate(line.increment(FAST));
    line.request(&link::SET_RATE, &payload);
    line.low(200);
    assert_eq!(line.frame().map(|f| f.kind), Some(link::SET_RATE_REPLY.id));
    assert!(alive(&mut line));
}

/// The host has not seen the reply, so it goes on at the old rate, gets no
/// answer, and begins again.
#[test]
fn a_lost_reply_is_mended_from_the_base_rate() {
    let mut line = Line::open(BASE);
    let payload = set_rate(line.increment(FAST));
    line.request(&link::SET_RATE, &payload);
    assert!(line.frame().is_some(), "it is lost behind the pins only");
    assert!(!alive(&mut line), "the core has another rate");
    line.send(&[0, 0]);
    let reply = line.ask(&link::RESET, &[]).expect("a reply");
    assert_eq!(reply.kind, link::RESET_REPLY.id);
    go(&mut line, FAST);
    assert!(alive(&mut line));
}

/// The last good frame holds the rate for as long as the variant says; damaged
/// ones do not.
#[test]
fn silence_brings_the_base_rate_back() {
    let hold = u64::from(sim::variants()[0].rate_hold);
    let mut line = Line::open(BASE);
    go(&mut line, NEAR);
    for _ in 0..2 {
        // A good frame each time, refused or not.
        line.idle(hold - 16_000);
        let reply = line.ask(&link::SET_RATE, &[]).expect("still there");
        assert_eq!(reply.kind, link::ERROR.id);
    }
    let mut damaged = wire(7, link::INFO.id, &[]);
    damaged[3] ^= 0x10;
    for _ in 0..8 {
        line.idle(hold / 8);
        line.send(&damaged);
    }
    assert!(line.is_silent());
    line.baud = BASE;
    // The last one came at the wrong rate and left something of a frame.
    line.send(&[0]);
    assert!(alive(&mut line));
    // Asked again, the core goes again.
    go(&mut line, NEAR);
    assert!(alive(&mut line));
}
