//! `tetris_loader`: payloads of every kind, one after the other, from any slots.

use protocol::layout::{Message, tetris};
use sim::{Bits, Input, Output};

use crate::core::requests::Request;
use crate::random::{Pace, Random};
use crate::stream::garbage;
use crate::{Failure, Trial};

/// Bytes from which on there are a play's numbers, behind what is as long as a decide.
const NUMBERS: usize = 27;
/// Bytes of a board.
const BOARD: usize = 25;

const KINDS: [Message; 6] = [
    tetris::SET_WEIGHTS,
    tetris::GET_WEIGHTS,
    tetris::DECIDE,
    tetris::TRACE,
    tetris::PLAY,
    tetris::SELF_PLAY,
];

struct Ports {
    reset: Input,
    req_valid: Input,
    req_msg: Input,
    req_slot: Input,
    rdata: Input,
    idle: Input,
    release: Input,
    ready: Output,
    told: Output,
    mem_en: Output,
    mem_addr: Output,
    loaded: Output,
    kind: [Output; 3],
    request: Output,
    pieces: Output,
    bad_numbers: Output,
    writes: [Output; 3],
    piece_addr: Output,
}

/// The request under way.
struct Load {
    request: Request,
    slot: u64,
    /// Bytes that were asked for.
    asked: usize,
    /// Bytes that came.
    came: usize,
    /// All of it is there.
    whole: bool,
}

impl Load {
    fn is(&self, message: Message) -> bool {
        self.request.kind == message.id
    }

    /// Whether it takes the place of what another request may need.
    fn replaces(&self) -> bool {
        self.is(tetris::SET_WEIGHTS) || self.is(tetris::SELF_PLAY)
    }

    /// Whether a piece that counts is none.
    fn has_bad_number(&self) -> bool {
        let payload = &self.request.payload;
        let number = |at: usize| payload[NUMBERS + at / 2] >> (4 * (at % 2)) & 15;
        self.is(tetris::PLAY) && {
            let pieces = usize::from(u16::from_le_bytes([payload[BOARD], payload[BOARD + 1]]));
            (0..pieces.min(tetris::PLAY_PIECES)).any(|at| number(at) > 6)
        }
    }
}

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &trial.bench;
    let ports = Ports {
        reset: bench.input("rst_ni")?,
        req_valid: bench.input("req_valid_i")?,
        req_msg: bench.input("req_msg_i")?,
        req_slot: bench.input("req_slot_i")?,
        rdata: bench.input("mem_rdata_i")?,
        idle: bench.input("idle_i")?,
        release: bench.input("release_i")?,
        ready: bench.output("req_ready_o")?,
        told: bench.output("req_loaded_o")?,
        mem_en: bench.output("mem_en_o")?,
        mem_addr: bench.output("mem_addr_o")?,
        loaded: bench.output("loaded_o")?,
        kind: [
            bench.output("msg_o")?,
            bench.output("gives_o")?,
            bench.output("draws_o")?,
        ],
        request: bench.output("request_o")?,
        pieces: bench.output("pieces_o")?,
        bad_numbers: bench.output("bad_numbers_o")?,
        writes: [
            bench.output("weights_we_o")?,
            bench.output("piece_we_o")?,
            bench.output("draws_shift_o")?,
        ],
        piece_addr: bench.output("piece_addr_o")?,
    };
    let (mut offers, mut releases, mut rests) = (Pace::default(), Pace::default(), Pace::default());
    let mut offered: Option<(Request, u64)> = None;
    let mut load: Option<Load> = None;
    // Whether a byte is on its way: in the next cycle, in this one
    let mut way = [false; 2];
    let mut idle = false;
    for _ in 0..12_000 {
        // What replaces something is waited for once it has begun.
        let begun = load.as_ref().is_some_and(|l| l.replaces() && idle);
        idle = rests.go(&mut trial.random) || begun;
        if offered.is_none() && offers.go(&mut trial.random) {
            offered = Some((any_request(&mut trial.random), trial.random.below(16)));
        }
        let release = load.as_ref().is_some_and(|l| l.whole) && releases.go(&mut trial.random);
        let running = trial.random.below(400) != 0;
        drive(trial, &ports, offered.as_ref());
        trial.bench.put(ports.idle, idle);
        trial.bench.put(ports.release, release);
        trial.bench.put(ports.reset, running);
        match &load {
            Some(l) if way[1] => trial
                .bench
                .put(ports.rdata, u64::from(l.request.payload[l.came])),
            _ => garbage(&mut trial.bench, ports.rdata, &mut trial.random),
        }
        trial.bench.settle()?;
        let (asks, told) = compare(trial, &ports, load.as_ref(), way, idle)?;
        trial.bench.clock()?;

        if let Some(load) = &mut load {
            load.came += usize::from(way[1]);
            load.asked += usize::from(asks);
            load.whole |= told;
        }
        way = [asks, way[0]];
        if !running {
            (load, offered, way) = (None, None, [false; 2]);
        } else if release {
            load = None;
        } else if load.is_none() {
            load = offered.take().map(|(request, slot)| Load {
                request,
                slot,
                asked: 0,
                came: 0,
                whole: false,
            });
        }
    }
    Ok(())
}

fn drive(trial: &mut Trial, ports: &Ports, offered: Option<&(Request, u64)>) {
    trial.bench.put(ports.req_valid, offered.is_some());
    match offered {
        Some((request, slot)) => {
            trial.bench.put(ports.req_msg, u64::from(request.kind));
            trial.bench.put(ports.req_slot, *slot);
        }
        None => {
            garbage(&mut trial.bench, ports.req_msg, &mut trial.random);
            garbage(&mut trial.bench, ports.req_slot, &mut trial.random);
        }
    }
}

/// All outputs of a cycle; whether a byte is asked for, and whether all have come.
fn compare(
    trial: &Trial,
    ports: &Ports,
    load: Option<&Load>,
    way: [bool; 2],
    idle: bool,
) -> Result<(bool, bool), Failure> {
    let is = |what: &str, port: Output, expected: u64| {
        trial.same(what, &trial.bench.get(port), &expected)
    };
    let flag = |what: &str, port: Output, expected: bool| is(what, port, expected.into());
    flag("req_ready_o", ports.ready, load.is_none())?;
    let reads = load.filter(|l| !l.whole && (!l.replaces() || idle));
    let asks = reads.is_some_and(|l| l.asked < l.request.payload.len());
    let told = reads.is_some() && !asks && !way[0];
    flag("mem_en_o", ports.mem_en, asks)?;
    flag("req_loaded_o", ports.told, told)?;
    flag("loaded_o", ports.loaded, load.is_some_and(|l| l.whole))?;
    let comes =
        |kind: Message, from: usize| load.is_some_and(|l| way[1] && l.is(kind) && l.came >= from);
    let writes = [
        ("weights_we_o", comes(tetris::SET_WEIGHTS, 0)),
        ("piece_we_o", comes(tetris::PLAY, NUMBERS)),
        ("draws_shift_o", comes(tetris::SELF_PLAY, BOARD)),
    ];
    for (port, (what, expected)) in ports.writes.into_iter().zip(writes) {
        flag(what, port, expected)?;
    }
    let Some(load) = load else {
        return Ok((asks, told));
    };
    if asks {
        let address = load.slot << 7 | load.asked as u64;
        is("mem_addr_o", ports.mem_addr, address)?;
    }
    if writes[1].1 {
        is(
            "piece_addr_o",
            ports.piece_addr,
            (load.came - NUMBERS) as u64,
        )?;
    }
    if load.whole {
        is("msg_o", ports.kind[0], load.request.kind.into())?;
        flag("gives_o", ports.kind[1], load.is(tetris::PLAY))?;
        flag("draws_o", ports.kind[2], load.is(tetris::SELF_PLAY))?;
        flag("bad_numbers_o", ports.bad_numbers, load.has_bad_number())?;
        if load.request.payload.len() >= NUMBERS && !load.is(tetris::SET_WEIGHTS) {
            let mut head = Bits::default();
            for byte in &load.request.payload[..NUMBERS] {
                head.push(u64::from(*byte), 8);
            }
            trial.same("request_o", &trial.bench.bits(ports.request), &head)?;
            is("pieces_o", ports.pieces, head.slice(8 * BOARD as u32, 16))?;
        }
    }
    Ok((asks, told))
}

/// Any payload of a request's length. A play has pieces, one of which may be none.
fn any_request(random: &mut Random) -> Request {
    let kind = random.choice(&KINDS);
    if kind.id != tetris::PLAY.id {
        return Request {
            kind: kind.id,
            payload: random.bytes(kind.bytes() as u64),
        };
    }
    let pieces = random.below(tetris::PLAY_PIECES as u64 + 2) as u16;
    let mut request = Request::play(random, pieces);
    if random.chance(50) {
        let near = u64::from(pieces).saturating_sub(2);
        let at = (near + random.below(4)).min(tetris::PLAY_PIECES as u64 - 1);
        let none = random.between(7, 15) as u8;
        let (byte, shift) = (NUMBERS + at as usize / 2, 4 * (at % 2));
        let others = request.payload[byte] & !(15 << shift);
        request.payload[byte] = others | none << shift;
    }
    request
}
