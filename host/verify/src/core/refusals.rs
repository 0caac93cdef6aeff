//! The bench of what a core refuses, drops or cancels, behind its UART.

use protocol::layout::{MAX_PAYLOAD, Message, REPLY, WINDOW, link};
use protocol::payload::link::Stats;
use sim::{Depth, Variant};

use super::talk::Talk;
use crate::coverage::{Cover, Watch, streams};
use crate::random::Random;
use crate::{Failure, cobs, frames};

/// Clock cycles without a request after which a core is idle.
const SETTLED: u64 = 60_000;

pub fn run<G: Cover>(core: &'static Variant, seed: u64) -> Result<Vec<Watch>, Failure> {
    let mut talk = Talk::open(core, G::WIRE, Depth::Bytes, 4)?;
    unset::<G>(&mut talk)?;
    let Some(Ok(controller)) = G::load(G::DEFAULT).ok().map(|c| G::encode_controller(&c)) else {
        return talk.differs(format!("controller {} cannot be encoded", G::DEFAULT));
    };
    let set = |talk: &mut Talk| {
        let configure = G::CONFIGURE.id;
        talk.served(configure, controller.as_ref())
    };
    set(&mut talk)?;
    served::<G>(&mut talk)?;
    lengths::<G>(&mut talk)?;
    values::<G>(&mut talk)?;
    no_frames(&mut talk)?;
    crowd::<G>(&mut talk)?;
    let mut random = Random::new(seed);
    for request in streams(G::WIRE) {
        for delay in [0, 300, 5_000] {
            cancelled::<G>(&mut talk, request, delay + random.below(100))?;
        }
        more_credit_than_counts::<G>(&mut talk, request)?;
        reset_in::<G>(&mut talk, request)?;
        set(&mut talk)?;
        held_up::<G>(&mut talk, request)?;
        talk.reset_button()?;
        set(&mut talk)?;
    }
    Ok(vec![talk.end()])
}

/// A payload with which the core serves a request of the game.
fn payload<G: Cover>(request: &Message, long: bool) -> Vec<u8> {
    G::payload(request, long).unwrap_or_default()
}

/// A core without a controller refuses the game's requests.
fn unset<G: Cover>(talk: &mut Talk) -> Result<(), Failure> {
    let requests = G::WIRE.messages.iter().filter(|m| m.is_request());
    for request in requests.filter(|request| request.id != G::CONFIGURE.id) {
        talk.refused(request.id, &payload::<G>(request, true), G::UNSET)?;
    }
    Ok(())
}

/// Requests that are served.
fn served<G: Cover>(talk: &mut Talk) -> Result<(), Failure> {
    talk.ask(G::READ_BACK.id, &[])?;
    talk.served(link::INFO.id, &[])?;
    talk.served(link::CREDIT.id, &[])?;
    talk.served(link::CANCEL.id, &[])?;
    for nonce in [0, u64::MAX, 0x0123_4567_89ab_cdef] {
        let ping = u64::to_le_bytes(nonce);
        let pong = talk.served(link::PING.id, &ping)?;
        if pong.payload != ping {
            return talk.differs(format!("{pong:02x?}, expected its own nonce"));
        }
    }
    for increment in [link::MIN_INCREMENT, link::MAX_INCREMENT] {
        talk.served(link::SET_RATE.id, &increment.to_le_bytes())?;
    }
    Ok(())
}

/// Unknown requests, and known ones with wrong lengths.
fn lengths<G: Cover>(talk: &mut Talk) -> Result<(), Failure> {
    for kind in 0..=u8::MAX {
        let known = G::WIRE.message(kind).filter(|message| message.is_request());
        let Some(request) = known else {
            talk.refused(kind, &[], link::UNKNOWN_TYPE)?;
            continue;
        };
        let right = request.bytes();
        let wrong = [0, right.wrapping_sub(1), right + 1, MAX_PAYLOAD];
        for length in wrong
            .into_iter()
            .filter(|n| *n <= MAX_PAYLOAD && *n != right)
        {
            talk.refused(kind, &vec![0xa5; length], link::BAD_LENGTH)?;
        }
    }
    let decide = payload::<G>(G::DECIDE, false);
    talk.refused(G::DECIDE.id | REPLY, &decide, link::UNKNOWN_TYPE)
}

fn values<G: Cover>(talk: &mut Talk) -> Result<(), Failure> {
    let beyond = [
        0,
        link::MIN_INCREMENT - 1,
        link::MAX_INCREMENT + 1,
        u32::MAX,
    ];
    for increment in beyond {
        let rate = u32::to_le_bytes(increment);
        talk.refused(link::SET_RATE.id, &rate, link::BAD_RATE)?;
    }
    for (request, payload, code) in G::refused() {
        talk.refused(request.id, &payload, code)?;
    }
    Ok(())
}

/// Malformed frames, which are counted and not answered.
fn no_frames(talk: &mut Talk) -> Result<(), Failure> {
    let before = stats(talk)?;
    let mut damaged = cobs::encoded(&frames::request(1, link::PING.id, &[7; 8]));
    // A bit of the nonce.
    damaged[6] ^= 0x10;
    talk.bytes(&damaged);
    // Too short; a group that reaches past the end; too long in one and in many groups.
    talk.bytes(&[0x02, 0x11, 0x00]);
    talk.bytes(&[0x09, 0x11, 0x00]);
    talk.bytes(&[&[0xff; 200][..], &[0]].concat());
    talk.bytes(&[&[0x02; 300][..], &[0]].concat());
    talk.bytes(&[0; 20]);
    let after = stats(talk)?;
    let bad_crc = after.bad_crc - before.bad_crc;
    let malformed = after.malformed - before.malformed;
    talk.same("bad CRC, malformed", &(bad_crc, malformed), &(1, 4))
}

fn stats(talk: &mut Talk) -> Result<Stats, Failure> {
    let reply = talk.served(link::STATS.id, &[])?;
    Stats::decode(&reply.payload).or_else(|e| talk.differs(e.to_string()))
}

fn crowd<G: Cover>(talk: &mut Talk) -> Result<(), Failure> {
    let many = 2 * usize::from(WINDOW);
    for _ in 0..many {
        talk.send(G::DECIDE.id, &payload::<G>(G::DECIDE, false));
    }
    let mut busy = false;
    for _ in 0..many {
        busy |= talk.receive_end()?.is(&link::ERROR);
    }
    talk.same("whether one of many is refused as busy", &busy, &true)
}

/// A stream that is cancelled after `delay` clock cycles.
fn cancelled<G: Cover>(talk: &mut Talk, request: &Message, delay: u64) -> Result<(), Failure> {
    let seq = talk.send(request.id, &payload::<G>(request, true));
    talk.port.advance(delay)?;
    let cancel = talk.send(link::CANCEL.id, &[]);
    let mut replies = vec![talk.receive()?];
    while let Some(reply) = replies.last()
        && !reply.is(&link::CANCEL_REPLY)
    {
        replies.push(talk.receive()?);
    }
    let [.., end, last] = replies.as_slice() else {
        return talk.differs(format!("{} has no end", request.name));
    };
    let expected = (request.id | REPLY, seq);
    talk.same("the end of a stream", &(end.kind, end.seq), &expected)?;
    talk.same("the reply to the cancel", &last.seq, &cancel)
}

/// A stream that a reset ends, with another request waiting.
fn reset_in<G: Cover>(talk: &mut Talk, request: &Message) -> Result<(), Failure> {
    talk.send(request.id, &payload::<G>(request, true));
    talk.send(G::DECIDE.id, &payload::<G>(G::DECIDE, true));
    talk.port.advance(700)?;
    let seq = talk.send(link::RESET.id, &[]);
    loop {
        let reply = talk.receive()?;
        if reply.is(&link::RESET_REPLY) && reply.seq == seq {
            return Ok(());
        }
    }
}

/// A stream that waits without credit while another request is answered, and then ends with credit.
fn held_up<G: Cover>(talk: &mut Talk, request: &Message) -> Result<(), Failure> {
    let seq = talk.send(request.id, &payload::<G>(request, false));
    talk.port.advance(SETTLED)?;
    talk.send(link::INFO.id, &[]);
    loop {
        let reply = talk.receive()?;
        let part = G::WIRE.message(reply.kind).is_some_and(Message::is_part);
        if reply.seq == seq && !part {
            break;
        }
        // Each part may be the last one with credit.
        if part {
            talk.send(link::CREDIT.id, &[]);
        }
    }
    // The replies to the other requests.
    talk.port.advance(SETTLED)?;
    while !talk.port.is_idle() {
        talk.receive()?;
    }
    Ok(())
}

/// More credit than a core can count, during a stream.
fn more_credit_than_counts<G: Cover>(talk: &mut Talk, request: &Message) -> Result<(), Failure> {
    let most = usize::from(u8::MAX / link::STREAM_CREDIT) + 1;
    let seq = talk.send(request.id, &payload::<G>(request, true));
    // Until the stream has begun.
    talk.port.advance(SETTLED)?;
    let mut waiting = 0;
    for _ in 0..2 * most {
        talk.send(link::CREDIT.id, &[]);
        waiting += 1;
        while waiting > 0 {
            waiting -= usize::from(talk.receive()?.seq != seq);
        }
    }
    let cancel = talk.send(link::CANCEL.id, &[]);
    while talk.receive()?.seq != cancel {}
    Ok(())
}
