//! `tetris_replies`: every payload, byte by byte, made of anything.

use std::collections::VecDeque;

use sim::{Bits, Output};

use crate::random::{Pace, Random};
use crate::stream::garbage;
use crate::{Failure, Trial};

/// Bytes before the moves of a part, and moves that it has room for.
const MOVES_AT: usize = 3;
const MOVES: usize = 32;
/// Bytes of all weights.
const WEIGHTS: u64 = 56;
/// Bytes by which a game's end is longer than a checkpoint.
const END: usize = 5;
const SCORE: (u32, usize) = (48, 8);

/// A member of a struct: its bits, and the bytes that it takes on the wire.
struct Member {
    value: u64,
    width: u32,
    bytes: usize,
}

/// Members of any value, by width and bytes.
fn members(random: &mut Random, widths: &[(u32, usize)]) -> Vec<Member> {
    let any = |&(width, bytes)| Member {
        value: random.bits() >> (64 - width),
        width,
        bytes,
    };
    widths.iter().map(any).collect()
}

fn packed<'a>(members: impl IntoIterator<Item = &'a Member>) -> Bits {
    let members = members.into_iter().map(|m| (m.value, m.width));
    Bits::packed(&members.collect::<Vec<_>>())
}

/// What the wire has of them; a score keeps its sign.
fn wire<'a>(members: impl IntoIterator<Item = &'a Member>) -> Vec<u8> {
    let bytes = |member: &Member| {
        let unused = 64 - member.width;
        let value = match (member.width, member.bytes) == SCORE {
            true => ((member.value << unused) as i64 >> unused) as u64,
            false => member.value,
        };
        value.to_le_bytes()[..member.bytes].to_vec()
    };
    members.into_iter().flat_map(bytes).collect()
}

/// Requests, in the order of `kind_t`.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    SetWeights,
    GetWeights,
    Decide,
    Trace,
    Play,
    SelfPlay,
}

const KINDS: [Kind; 6] = [
    Kind::SetWeights,
    Kind::GetWeights,
    Kind::Decide,
    Kind::Trace,
    Kind::Play,
    Kind::SelfPlay,
];

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let input = |name| trial.bench.input(name);
    let [valid, fetch, index] = [input("valid_i")?, input("fetch_i")?, input("index_i")?];
    let [kind_i, part_i, cut_i] = [input("kind_i")?, input("part_i")?, input("cut_i")?];
    let [moves_i, move_i] = [input("moves_i")?, input("move_i")?];
    let weights_byte = input("weights_byte_i")?;
    let [parts_i, decision_i] = [input("parts_i")?, input("decision_i")?];
    let [traced_i, tally_i] = [input("traced_i")?, input("tally_i")?];
    let [signature_i, unfinished_i] = [input("signature_i")?, input("unfinished_i")?];
    let crc_i = input("board_crc_i")?;
    let [byte_o, length_o] = [
        trial.bench.output("byte_o")?,
        trial.bench.output("length_o")?,
    ];
    let weights_turn = trial.bench.output("weights_turn_o")?;
    let move_ready = trial.bench.output("move_ready_o")?;
    let mut pace = Pace::default();
    for _ in 0..500 {
        let Trial { bench, random } = &mut *trial;
        let kind = random.choice(&KINDS);
        let streams = matches!(kind, Kind::Trace | Kind::Play | Kind::SelfPlay);
        let (part, cut) = (streams && random.chance(50), random.chance(30));
        let parts = members(random, &[(16, 2)]);
        let decision = [(1, 1), (2, 1), (4, 1), (5, 1), (5, 1), SCORE, (32, 4)];
        let decision = members(random, &decision);
        let number = members(random, &[(6, 0)]);
        let place = members(random, &[(2, 1), (4, 1), (1, 1), (5, 1)]);
        let features = members(random, &[(12, 2); 14]);
        let score = members(random, &[SCORE]);
        let tally = members(random, &[(32, 4), (32, 4), (32, 4), (64, 8), (64, 8)]);
        let end = members(random, &[(64, 8), (1, 1), (32, 4)]);
        let waiting = random.between(0, 64);
        let mut moves: VecDeque<u8> = (0..waiting.min(MOVES as u64))
            .map(|_| random.bits() as u8 & 0x3f)
            .collect();

        bench.put(kind_i, 1_u64 << (KINDS.len() - 1 - kind as usize));
        bench.put(part_i, part);
        bench.put(cut_i, cut);
        bench.put(parts_i, parts[0].value);
        bench.put(decision_i, packed(&decision));
        // A packed array: its first element is the lowest.
        let placement = number.iter().chain(&place).chain(features.iter().rev());
        bench.put(traced_i, packed(placement.chain(&score)));
        bench.put(tally_i, packed(&tally));
        bench.put(signature_i, end[0].value);
        bench.put(unfinished_i, end[1].value);
        bench.put(crc_i, end[2].value);
        bench.put(moves_i, waiting);
        bench.put(valid, false);
        bench.put(fetch, false);
        bench.clock()?;
        bench.put(valid, true);
        garbage(bench, moves_i, random);

        let mut played = wire(parts.iter().chain(&tally).chain(&end));
        let payload = match (kind, part) {
            (Kind::SetWeights, _) => Vec::new(),
            (Kind::GetWeights, _) => random.bytes(WEIGHTS),
            (Kind::Decide, _) => wire(&decision),
            (Kind::Trace, true) => wire(parts.iter().chain(&place).chain(&features).chain(&score)),
            (Kind::Trace, false) => {
                let mut decision = wire(&decision);
                if cut {
                    decision.fill(0);
                }
                [wire(&parts), vec![cut.into()], decision].concat()
            }
            (Kind::Play, true) => {
                let mut bytes: Vec<u8> = moves.iter().copied().collect();
                bytes.resize(MOVES, 0);
                [wire(&parts), vec![moves.len() as u8], bytes].concat()
            }
            (Kind::SelfPlay, true) => {
                played.truncate(played.len() - END);
                played
            }
            (Kind::Play | Kind::SelfPlay, false) => played,
        };
        trial.bench.settle()?;
        let length = trial.bench.get(length_o);
        trial.same("length_o", &length, &(payload.len() as u64))?;
        for (at, byte) in payload.into_iter().enumerate() {
            let mut fetched = false;
            while !fetched {
                let Trial { bench, random } = &mut *trial;
                fetched = pace.go(random);
                bench.put(fetch, fetched);
                bench.put(index, at as u64);
                garbage(bench, weights_byte, random);
                garbage(bench, move_i, random);
                if kind == Kind::GetWeights {
                    bench.put(weights_byte, byte);
                }
                if let Some(next) = moves.front() {
                    bench.put(move_i, *next);
                }
                bench.settle()?;
                let high = |port: Output| trial.bench.get(port) == 1;
                trial.same("byte_o", &trial.bench.get(byte_o), &byte.into())?;
                let takes = fetched && kind == Kind::GetWeights;
                trial.same("weights_turn_o", &high(weights_turn), &takes)?;
                let is_move = kind == Kind::Play && part && at >= MOVES_AT;
                let takes = fetched && is_move && !moves.is_empty();
                trial.same("move_ready_o", &high(move_ready), &takes)?;
                if takes {
                    moves.pop_front();
                }
                trial.bench.clock()?;
            }
        }
    }
    Ok(())
}
