//! What a core refuses, drops or gives up, behind its UART.

use lockstep_games::Codec as _;
use lockstep_games::tetris::{Controller, Piece, Tetris};
use protocol::layout::tetris::{self, GAME, NO_PIECE, PLAY_PIECES};
use protocol::layout::{MAX_PAYLOAD, Message, REPLY, WINDOW, link};
use protocol::payload::link::{Ping, SetRate, Stats};
use protocol::payload::tetris::{Decide, Play, SelfPlay};
use sim::{Depth, Variant};

use super::super::space::is_stream;
use super::super::watch::Seen;
use super::StimulusError;
use super::talk::{Talk, unexpected};
use crate::train::random::Random;

/// Clock cycles in which a core does all that it can without being asked more.
const SETTLED: u64 = 60_000;

/// All of it.
///
/// # Errors
/// What is answered otherwise than it has to be.
pub fn run(core: &'static Variant, seed: u64) -> Result<Seen, StimulusError> {
    let mut talk = Talk::open(core, Depth::Bytes, 4)?;
    unset(&mut talk)?;
    let weights = Tetris::encode_controller(&Controller::load("dt-20")?)?;
    let set = |talk: &mut Talk| {
        let kind = tetris::SET_WEIGHTS.id;
        talk.served(kind, weights.as_ref(), &tetris::SET_WEIGHTS_REPLY)
    };
    set(&mut talk)?;
    served(&mut talk)?;
    lengths(&mut talk)?;
    set(&mut talk)?;
    values(&mut talk)?;
    no_frames(&mut talk)?;
    crowd(&mut talk)?;
    let mut random = Random::new(seed);
    for request in GAME.all_messages().filter(|message| is_stream(message)) {
        for delay in [0, 300, 5_000] {
            cancelled(&mut talk, request, delay + random.below(100) as u64)?;
        }
        reset_in(&mut talk, request)?;
        set(&mut talk)?;
        held_up(&mut talk, request)?;
        talk.reset_button()?;
        set(&mut talk)?;
    }
    more_credit_than_counts(&mut talk)?;
    Ok(talk.end())
}

fn decide(piece: u8, next_piece: Option<u8>) -> Vec<u8> {
    let rows = [0b10_1111_1111, 0b00_0011_0000].into_iter();
    let mut board = [0; tetris::ROWS];
    board
        .iter_mut()
        .zip(rows)
        .for_each(|(row, cells)| *row = cells);
    let decide = Decide {
        rows: board,
        piece,
        next_piece,
    };
    decide.encode().as_ref().to_vec()
}

fn play(pieces: u16, number: u8) -> Vec<u8> {
    let play = Play {
        rows: [0; tetris::ROWS],
        pieces,
        numbers: [number; PLAY_PIECES],
    };
    play.encode().as_ref().to_vec()
}

fn self_play(pieces: u32, spacing: u32) -> Vec<u8> {
    let self_play = SelfPlay {
        rows: [0; tetris::ROWS],
        pieces,
        spacing,
        generator: u64::from(pieces) << 32 | u64::from(spacing),
        signature: u64::MAX,
    };
    self_play.encode().as_ref().to_vec()
}

/// A payload with which the request is served, for as long as there can be.
fn long(request: &Message) -> Vec<u8> {
    match request.id {
        id if id == tetris::PLAY.id => play(PLAY_PIECES as u16, 2),
        id if id == tetris::SELF_PLAY.id => self_play(u32::MAX, 1),
        _ => decide(Piece::T.number(), None),
    }
}

/// A core that was told nothing decides nothing.
fn unset(talk: &mut Talk) -> Result<(), StimulusError> {
    talk.refused(tetris::GET_WEIGHTS.id, &[], tetris::WEIGHTS_UNSET)?;
    let decided = [
        &tetris::DECIDE,
        &tetris::TRACE,
        &tetris::PLAY,
        &tetris::SELF_PLAY,
    ];
    for request in decided {
        talk.refused(request.id, &long(request), tetris::WEIGHTS_UNSET)?;
    }
    Ok(())
}

/// Requests without anything special.
fn served(talk: &mut Talk) -> Result<(), StimulusError> {
    talk.served(tetris::GET_WEIGHTS.id, &[], &tetris::WEIGHTS)?;
    talk.served(link::INFO.id, &[], &link::INFO_REPLY)?;
    talk.served(link::CREDIT.id, &[], &link::CREDIT_REPLY)?;
    talk.served(link::CANCEL.id, &[], &link::CANCEL_REPLY)?;
    for nonce in [0, u64::MAX, 0x0123_4567_89ab_cdef] {
        let ping = Ping { nonce }.encode();
        let pong = talk.served(link::PING.id, ping.as_ref(), &link::PONG)?;
        if pong.payload != ping.as_ref() {
            return Err(unexpected(link::PING.id, &pong, "its own nonce"));
        }
    }
    for increment in [link::MIN_INCREMENT, link::MAX_INCREMENT] {
        let rate = SetRate { increment }.encode();
        talk.served(link::SET_RATE.id, rate.as_ref(), &link::SET_RATE_REPLY)?;
    }
    Ok(())
}

/// Numbers that no request has, and lengths that none of that number has.
fn lengths(talk: &mut Talk) -> Result<(), StimulusError> {
    for kind in 0..=u8::MAX {
        let known = GAME.message(kind).filter(|message| message.is_request());
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
    talk.refused(
        tetris::DECIDE.id | REPLY,
        &decide(0, None),
        link::UNKNOWN_TYPE,
    )
}

/// Values that a core cannot do anything with.
fn values(talk: &mut Talk) -> Result<(), StimulusError> {
    let beyond = [
        0,
        link::MIN_INCREMENT - 1,
        link::MAX_INCREMENT + 1,
        u32::MAX,
    ];
    for increment in beyond {
        let rate = SetRate { increment }.encode();
        talk.refused(link::SET_RATE.id, rate.as_ref(), link::BAD_RATE)?;
    }
    for request in [&tetris::DECIDE, &tetris::TRACE] {
        for piece in [7, 8, 0x80, u8::MAX] {
            talk.refused(request.id, &decide(piece, None), tetris::BAD_PIECE)?;
            if piece != NO_PIECE {
                let next = decide(0, Some(piece));
                talk.refused(request.id, &next, tetris::BAD_NEXT_PIECE)?;
            }
        }
        talk.refused(request.id, &decide(3, Some(6)), link::UNSUPPORTED)?;
    }
    for pieces in [0, PLAY_PIECES as u16 + 1, u16::MAX] {
        talk.refused(tetris::PLAY.id, &play(pieces, 0), tetris::BAD_COUNT)?;
    }
    for number in [7, 15] {
        talk.refused(tetris::PLAY.id, &play(3, number), tetris::BAD_PIECE)?;
    }
    for (pieces, spacing) in [(0, 1), (1, 0), (0, 0)] {
        let payload = self_play(pieces, spacing);
        talk.refused(tetris::SELF_PLAY.id, &payload, tetris::BAD_COUNT)?;
    }
    Ok(())
}

/// Bytes that are no frame: counted, and not answered.
fn no_frames(talk: &mut Talk) -> Result<(), StimulusError> {
    let before = stats(talk)?;
    let ping = protocol::frame::encode(&protocol::Frame {
        seq: 1,
        kind: link::PING.id,
        payload: &[7; 8],
    });
    let mut damaged = ping
        .map_err(|e| StimulusError::Answer(e.to_string()))?
        .as_ref()
        .to_vec();
    // One of the nonce
    damaged[6] ^= 0x10;
    talk.bytes(&damaged);
    // Too short, a group that reaches past the end, too long in one and in many groups
    talk.bytes(&[0x02, 0x11, 0x00]);
    talk.bytes(&[0x09, 0x11, 0x00]);
    talk.bytes(&[&[0xff; 200][..], &[0]].concat());
    talk.bytes(&[&[0x02; 300][..], &[0]].concat());
    talk.bytes(&[0; 20]);
    let after = stats(talk)?;
    let counted = (
        after.bad_crc - before.bad_crc,
        after.malformed - before.malformed,
    );
    match counted {
        (1, 4) => Ok(()),
        _ => Err(StimulusError::Answer(format!(
            "1 bad CRC and 4 malformed frames are counted as {counted:?}"
        ))),
    }
}

fn stats(talk: &mut Talk) -> Result<Stats, StimulusError> {
    let reply = talk.served(link::STATS.id, &[], &link::STATS_REPLY)?;
    Stats::decode(&reply.payload).map_err(|error| StimulusError::Answer(error.to_string()))
}

/// More requests than there are places.
fn crowd(talk: &mut Talk) -> Result<(), StimulusError> {
    let many = 2 * usize::from(WINDOW);
    for _ in 0..many {
        talk.send(tetris::DECIDE.id, &decide(Piece::L.number(), None))?;
    }
    let mut busy = 0;
    for _ in 0..many {
        busy += usize::from(talk.receive()?.is(&link::ERROR));
    }
    match busy > 0 {
        true => Ok(()),
        false => Err(StimulusError::Answer(format!(
            "of {many} requests at once none is refused"
        ))),
    }
}

/// A stream that is cancelled after so many clock cycles.
fn cancelled(talk: &mut Talk, request: &Message, delay: u64) -> Result<(), StimulusError> {
    let seq = talk.send(request.id, &long(request))?;
    talk.port.advance(delay)?;
    let cancel = talk.send(link::CANCEL.id, &[])?;
    let mut replies = vec![talk.receive()?];
    while let Some(reply) = replies.last()
        && !reply.is(&link::CANCEL_REPLY)
    {
        replies.push(talk.receive()?);
    }
    let [.., end, last] = replies.as_slice() else {
        return Err(StimulusError::Answer(format!(
            "{} has no end",
            request.name
        )));
    };
    if end.kind != request.id | REPLY || end.seq != seq {
        return Err(unexpected(request.id, end, "its end"));
    }
    match last.seq == cancel {
        true => Ok(()),
        false => Err(unexpected(link::CANCEL.id, last, "its own sequence number")),
    }
}

/// A stream that a reset ends, with requests behind it.
fn reset_in(talk: &mut Talk, request: &Message) -> Result<(), StimulusError> {
    talk.send(request.id, &long(request))?;
    talk.send(tetris::DECIDE.id, &decide(1, None))?;
    talk.port.advance(700)?;
    let seq = talk.send(link::RESET.id, &[])?;
    loop {
        let reply = talk.receive()?;
        if reply.is(&link::RESET_REPLY) && reply.seq == seq {
            return Ok(());
        }
    }
}

/// A stream without credit: it waits; other requests are answered. Then with it, to its end.
fn held_up(talk: &mut Talk, request: &Message) -> Result<(), StimulusError> {
    let payload = match request.id {
        id if id == tetris::SELF_PLAY.id => self_play(40, 1),
        _ => long(request),
    };
    let seq = talk.send(request.id, &payload)?;
    talk.port.advance(SETTLED)?;
    talk.send(link::INFO.id, &[])?;
    loop {
        let reply = talk.receive()?;
        let part = GAME.message(reply.kind).is_some_and(Message::is_part);
        if reply.seq == seq && !part {
            break;
        }
        // Each part may be the last one that there is credit for.
        if part {
            talk.send(link::CREDIT.id, &[])?;
        }
    }
    // What was asked beside it
    talk.port.advance(SETTLED)?;
    while !talk.port.is_idle() {
        talk.receive()?;
    }
    Ok(())
}

/// More credit than a core counts, for a stream that goes on.
fn more_credit_than_counts(talk: &mut Talk) -> Result<(), StimulusError> {
    let most = usize::from(u8::MAX / link::STREAM_CREDIT) + 1;
    let seq = talk.send(tetris::SELF_PLAY.id, &self_play(u32::MAX, 100))?;
    // From its first part on
    while talk.receive()?.seq != seq {}
    let mut waiting = 0;
    for _ in 0..2 * most {
        talk.send(link::CREDIT.id, &[])?;
        waiting += 1;
        while waiting > 0 {
            waiting -= usize::from(talk.receive()?.seq != seq);
        }
    }
    let cancel = talk.send(link::CANCEL.id, &[])?;
    while talk.receive()?.seq != cancel {}
    Ok(())
}
