//! The bench of the whole Connect Four core: credit, requests between parts, a cancel, and a reset
//! in a search.

use lockstep_games::connect4::Board;
use protocol::layout::connect4::{self as wire, Found, Progress, Weights};
use protocol::layout::{PART, REPLY, link};
use protocol::payload::link::Info;
use sim::Depth;

use super::{CELLS, any_position, any_weights, model, search_of};
use crate::core::talk::Talk;
use crate::{Failure, Random, core_variant};

/// Clock cycles of the longest search that is completed.
const LONGEST: u64 = 200_000;
/// Clock cycles from a cancel to the end of its stream, without the UART.
const ENDS: u64 = 600;
/// Rates at which parts are sent more slowly than they are computed.
const SLOW: [u32; 3] = [12_500_000, 6_250_000, 3_000_000];

/// Runs the bench once, with a seeded fault or without.
pub fn run(fault: Option<&str>, seed: u64) -> Result<(), Failure> {
    let core = core_variant("connect4", fault)?;
    let mut random = Random::new(seed);
    for _ in 0..6 {
        let weights = any_weights(&mut random);
        let (baud, skew_ppm) = (random.choice(&SLOW), 0);
        let slow = Depth::Pins { baud, skew_ppm };
        let depth = random.choice(&[Depth::Bytes, slow, slow]);
        let mut talk = Talk::open(core, &wire::GAME, depth, random.power_up())?;
        configure(&mut talk, &weights)?;
        decides(&mut talk, &mut random, &weights)?;
        let mut talk = Talk::open(core, &wire::GAME, Depth::Bytes, random.power_up())?;
        configure(&mut talk, &weights)?;
        watches(&mut talk, &mut random, &weights)?;
    }
    Ok(())
}

/// Sets the weights and reads them back.
fn configure(talk: &mut Talk, weights: &[i8; CELLS]) -> Result<(), Failure> {
    // After power-up the line must be high for some time.
    talk.port.advance(1_000)?;
    let info = talk.served(link::INFO.id, &[])?;
    let read = Info::decode(&info.payload).map(|i| (i.game, i.layout_hash));
    let known = (wire::GAME.number, wire::GAME.layout_hash());
    talk.same("game and layout", &read, &Ok(known))?;
    let weights = weights.map(|w| w as u8);
    let (set, get) = (wire::SET_WEIGHTS.id, wire::GET_WEIGHTS.id);
    talk.served(set, &weights)?;
    let got = talk.served(get, &[])?;
    let read = Weights::decode(&got.payload);
    talk.same("the weights", &read, &Ok(Weights { weights }))
}

/// A complete search without any credit.
fn decides(talk: &mut Talk, random: &mut Random, weights: &[i8; CELLS]) -> Result<(), Failure> {
    // More depths than the initial credit, but a short search.
    let (board, depths) = loop {
        let board = any_position(random);
        if !(10..=12).contains(&model::empty_cells(&board)) {
            continue;
        }
        let depths = model::search(&board, weights, 42);
        if depths.last().is_some_and(|d| d.cycles < LONGEST) {
            break (board, depths);
        }
    };
    let seq = talk.send(wire::SEARCH.id, search_of(&board, 42).encode().as_ref());
    let mut parts = 0;
    let found = loop {
        let reply = talk.receive()?;
        talk.same("whose reply it is", &reply.seq, &seq)?;
        if reply.kind != wire::SEARCH.id | REPLY | PART {
            break Found::decode(&reply.payload);
        }
        parts += 1;
    };
    let allowed = parts <= u16::from(link::STREAM_CREDIT);
    talk.same("parts without credit", &allowed, &true)?;
    let last = depths.last().copied().unwrap_or_default();
    let expected = Found {
        parts,
        cancelled: 0,
        column: last.column as u8,
        value: last.value as i16,
        depth: last.depth as u8,
        nodes: last.nodes,
        cycles: last.cycles,
    };
    talk.same("the answer", &found, &Ok(expected))
}

/// A long search with pings between its parts, then a cancel or a reset.
fn watches(talk: &mut Talk, random: &mut Random, weights: &[i8; CELLS]) -> Result<(), Failure> {
    let board = Board::default();
    let seq = talk.send(wire::SEARCH.id, search_of(&board, 42).encode().as_ref());
    let first = talk.receive()?;
    let part = Progress::decode(&first.payload).map(|p| (p.part, p.depth, p.column));
    let expected = (seq, Ok((0, 0, 0xff)));
    talk.same("the first part", &(first.seq, part), &expected)?;
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
        return talk.refused(wire::GET_WEIGHTS.id, &[], wire::WEIGHTS_UNSET);
    }
    let cancel = talk.send(link::CANCEL.id, &[]);
    let begun = talk.port.cycles();
    let end = loop {
        let reply = talk.receive()?;
        talk.same("whose reply it is", &reply.seq, &seq)?;
        if reply.is(&wire::FOUND) {
            break Found::decode(&reply.payload);
        }
    };
    let late = talk.port.cycles() - begun > ENDS;
    talk.same("the search ends late", &late, &false)?;
    let depth = end.as_ref().map_or(0, |found| found.depth);
    let depths = model::search(&board, weights, depth.into());
    let result = depths.last();
    let result = result.map_or((0xff, 0), |d| (d.column as u8, d.value as i16));
    let got = end.map(|found| (found.cancelled, (found.column, found.value)));
    talk.same("the result", &got, &Ok((1, result)))?;
    let reply = talk.receive()?;
    let expected = (cancel, link::CANCEL_REPLY.id);
    talk.same("the cancel's reply", &(reply.seq, reply.kind), &expected)
}
