//! A whole core that searches: credit, requests between parts, a cancel, and a reset in a search.

use lockstep_games::Codec;
use protocol::layout::{PART, REPLY, link};
use protocol::payload::link::Info;
use sim::Depth;

use crate::core::talk::Talk;
use crate::{Failure, Random, core_variant};

/// Clock cycles from a cancel to the end of its stream, without the UART.
const ENDS: u64 = 600;
/// Rates at which parts are sent more slowly than they are computed.
const SLOW: [u32; 3] = [12_500_000, 6_250_000, 3_000_000];

/// A game's searches for the bench of its whole core, and their expected answers.
pub trait Whole: Codec {
    /// A random controller.
    fn any_weights(random: &mut Random) -> Vec<u8>;

    /// A short search: its request, and its end by the number of parts before it.
    fn short(random: &mut Random, weights: &[u8]) -> (Vec<u8>, impl Fn(u16) -> Vec<u8>);

    /// A search that does not end by itself: its request, and its first part.
    fn long() -> (Vec<u8>, Vec<u8>);

    /// Checks the end of that search, which was cancelled.
    fn check_cut(talk: &Talk, weights: &[u8], end: &[u8]) -> Result<(), Failure>;
}

pub fn run<G: Whole>(fault: Option<&str>, seed: u64) -> Result<(), Failure> {
    let core = core_variant(G::NAME, fault)?;
    let mut random = Random::new(seed);
    for _ in 0..6 {
        let weights = G::any_weights(&mut random);
        let (baud, skew_ppm) = (random.choice(&SLOW), 0);
        let slow = Depth::Pins { baud, skew_ppm };
        let depth = random.choice(&[Depth::Bytes, slow, slow]);
        let mut talk = Talk::open(core, G::WIRE, depth, random.power_up())?;
        configure::<G>(&mut talk, &weights)?;
        decides::<G>(&mut talk, &mut random, &weights)?;
        let mut talk = Talk::open(core, G::WIRE, Depth::Bytes, random.power_up())?;
        configure::<G>(&mut talk, &weights)?;
        watches::<G>(&mut talk, &mut random, &weights)?;
    }
    Ok(())
}

/// Sets the weights and reads them back.
fn configure<G: Whole>(talk: &mut Talk, weights: &[u8]) -> Result<(), Failure> {
    // After power-up the line must be high for some time.
    talk.port.advance(1_000)?;
    let info = talk.served(link::INFO.id, &[])?;
    let read = Info::decode(&info.payload).map(|i| (i.game, i.layout_hash));
    let known = (G::WIRE.number, G::WIRE.layout_hash());
    talk.same("game and layout", &read, &Ok(known))?;
    talk.served(G::CONFIGURE.id, weights)?;
    let got = talk.served(G::READ_BACK.id, &[])?;
    talk.same("the weights", &&*got.payload, &weights)
}

/// A complete search without any credit.
fn decides<G: Whole>(talk: &mut Talk, random: &mut Random, weights: &[u8]) -> Result<(), Failure> {
    let (request, end) = G::short(random, weights);
    let seq = talk.send(G::DECIDE.id, &request);
    let mut parts = 0;
    let found = loop {
        let reply = talk.receive()?;
        talk.same("whose reply it is", &reply.seq, &seq)?;
        if reply.kind != G::DECIDE.id | REPLY | PART {
            break reply;
        }
        parts += 1;
    };
    let allowed = parts <= u16::from(link::STREAM_CREDIT);
    talk.same("parts without credit", &allowed, &true)?;
    let expected = (G::DECIDE.id | REPLY, end(parts));
    talk.same("the answer", &(found.kind, found.payload), &expected)
}

/// A long search with pings between its parts, then a cancel or a reset.
fn watches<G: Whole>(talk: &mut Talk, random: &mut Random, weights: &[u8]) -> Result<(), Failure> {
    let (request, expected) = G::long();
    let seq = talk.send(G::DECIDE.id, &request);
    let first = talk.receive()?;
    talk.same(
        "the first part",
        &(first.seq, first.payload),
        &(seq, expected),
    )?;
    for _ in 0..3 {
        let nonce = random.bytes(8);
        let ping = talk.send(link::PING.id, &nonce);
        let pong = loop {
            let reply = talk.receive()?;
            if reply.is(&link::PONG) {
                break reply;
            }
            talk.same("a part", &reply.seq, &seq)?;
        };
        talk.same("the pong", &(pong.seq, pong.payload), &(ping, nonce))?;
    }
    talk.port.advance(random.below(3_000))?;
    if random.chance(30) {
        talk.send(link::RESET.id, &[]);
        while !talk.receive()?.is(&link::RESET_REPLY) {}
        return talk.refused(G::READ_BACK.id, &[], G::UNSET);
    }
    let cancel = talk.send(link::CANCEL.id, &[]);
    let begun = talk.port.cycles();
    let end = loop {
        let reply = talk.receive()?;
        talk.same("whose reply it is", &reply.seq, &seq)?;
        if reply.kind == G::DECIDE.id | REPLY {
            break reply.payload;
        }
    };
    let late = talk.port.cycles() - begun > ENDS;
    talk.same("the search ends late", &late, &false)?;
    G::check_cut(talk, weights, &end)?;
    let reply = talk.receive()?;
    let expected = (cancel, link::CANCEL_REPLY.id);
    talk.same("the cancel's reply", &(reply.seq, reply.kind), &expected)
}
