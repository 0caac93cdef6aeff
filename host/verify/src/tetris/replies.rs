//! `tetris_replies`: the payload of every reply with random contents, byte by byte.

use std::collections::VecDeque;

use sim::Bits;

use crate::random::{Pace, Random};
use crate::{Failure, Trial};

/// Offset of the moves in a part, and their largest number.
const MOVES_AT: usize = 3;
const MOVES: usize = 32;
/// Bytes of all weights.
const WEIGHTS: u64 = 56;
/// Number of bytes by which the end of a game is longer than a checkpoint.
const END: usize = 5;
const SCORE: (u32, usize) = (48, 8);

/// A member of a struct: its value, its width in bits, and its bytes on the wire.
struct Member {
    value: u64,
    width: u32,
    bytes: usize,
}

/// Members with random values.
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

/// The members on the wire; a score is sign-extended.
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

/// The requests, in the order of `kind_t`.
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

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut pace = Pace::default();
    for _ in 0..500 {
        let random = &mut trial.random;
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

        trial.put("kind_i", 1_u64 << (KINDS.len() - 1 - kind as usize));
        trial.put("part_i", part);
        trial.put("cut_i", cut);
        trial.put("parts_i", parts[0].value);
        trial.put("decision_i", packed(&decision));
        // A packed array, its first element in the lowest bits.
        let placement = number.iter().chain(&place).chain(features.iter().rev());
        trial.put("traced_i", packed(placement.chain(&score)));
        trial.put("tally_i", packed(&tally));
        trial.put("signature_i", end[0].value);
        trial.put("unfinished_i", end[1].value);
        trial.put("board_crc_i", end[2].value);
        trial.put("moves_i", waiting);
        trial.put("valid_i", false);
        trial.put("fetch_i", false);
        trial.clock()?;
        trial.put("valid_i", true);
        trial.garbage("moves_i");

        let mut played = wire(parts.iter().chain(&tally).chain(&end));
        let payload = match (kind, part) {
            (Kind::SetWeights, _) => Vec::new(),
            (Kind::GetWeights, _) => trial.random.bytes(WEIGHTS),
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
        trial.settle()?;
        trial.expect("length_o", payload.len() as u64)?;
        for (at, byte) in payload.into_iter().enumerate() {
            let mut fetched = false;
            while !fetched {
                fetched = pace.go(&mut trial.random);
                trial.put("fetch_i", fetched);
                trial.put("index_i", at as u64);
                trial.garbage("weights_byte_i");
                trial.garbage("move_i");
                if kind == Kind::GetWeights {
                    trial.put("weights_byte_i", byte);
                }
                if let Some(next) = moves.front() {
                    trial.put("move_i", *next);
                }
                trial.settle()?;
                trial.expect("byte_o", byte)?;
                let takes = fetched && kind == Kind::GetWeights;
                trial.expect("weights_turn_o", takes)?;
                let is_move = kind == Kind::Play && part && at >= MOVES_AT;
                let takes = fetched && is_move && !moves.is_empty();
                trial.expect("move_ready_o", takes)?;
                if takes {
                    moves.pop_front();
                }
                trial.clock()?;
            }
        }
    }
    Ok(())
}
