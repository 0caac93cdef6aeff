//! `tetris_request`: payloads of every kind from any slot, some of them refused.

use protocol::layout::{ErrorCode, Message, link, tetris};
use sim::Bits;

use crate::core::requests::Request;
use crate::kit::loader::Load;
use crate::random::{Pace, Random};
use crate::{Failure, Trial};

/// Offset of the piece numbers in a `play` request.
const NUMBERS: usize = 27;
const BOARD: usize = 25;
/// Offset of what a `self_play` request draws from.
const DRAWS: usize = BOARD + 1;

/// Kinds of requests; `play` and `self_play` twice, because they can be refused for the most
/// reasons.
const KINDS: [Message; 8] = [
    tetris::SET_WEIGHTS,
    tetris::GET_WEIGHTS,
    tetris::DECIDE,
    tetris::TRACE,
    tetris::PLAY,
    tetris::PLAY,
    tetris::SELF_PLAY,
    tetris::SELF_PLAY,
];

impl Load {
    fn is(&self, message: Message) -> bool {
        self.message == message.id
    }

    /// Whether it overwrites data that another request may use.
    fn replaces(&self) -> bool {
        self.is(tetris::SET_WEIGHTS) || self.is(tetris::SELF_PLAY)
    }

    /// The reason for a refusal, the first one in the order of `docs/wire.md`.
    fn refusal(&self, state: ReaderState) -> Option<ErrorCode> {
        let payload = &self.payload;
        let unset = (!state.weights_set).then_some(tetris::WEIGHTS_UNSET);
        let number = |at: usize| payload[NUMBERS + at / 2] >> (4 * (at % 2)) & 15;
        if self.is(tetris::SET_WEIGHTS) {
            None
        } else if self.is(tetris::GET_WEIGHTS) {
            unset
        } else if self.is(tetris::PLAY) {
            let pieces = usize::from(u16::from_le_bytes([payload[BOARD], payload[BOARD + 1]]));
            match pieces {
                1..=tetris::PLAY_PIECES if (0..pieces).all(|at| number(at) < 7) => unset,
                1..=tetris::PLAY_PIECES => Some(tetris::BAD_PIECE),
                _ => Some(tetris::BAD_COUNT),
            }
        } else if self.is(tetris::SELF_PLAY) {
            match (payload[BOARD], state.draws) {
                (1, [pieces, spacing]) if pieces > 0 && spacing > 0 => unset,
                _ => Some(tetris::BAD_COUNT),
            }
        } else {
            match [payload[BOARD], payload[BOARD + 1]] {
                [7..=u8::MAX, _] => Some(tetris::BAD_PIECE),
                [_, tetris::NO_PIECE] => unset,
                [_, 7..=0xfd] => Some(tetris::BAD_NEXT_PIECE),
                _ => Some(link::UNSUPPORTED),
            }
        }
    }
}

/// The reader's state, on which a refusal depends beside the payload.
#[derive(Clone, Copy)]
struct ReaderState {
    weights_set: bool,
    draws: [u32; 2],
}

impl ReaderState {
    fn any(random: &mut Random) -> Self {
        let count = |random: &mut Random| random.choice(&[0, 1, 1 << 16, 1 << 31, 5]);
        Self {
            weights_set: random.chance(70),
            draws: [count(random), count(random)],
        }
    }
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let (mut offers, mut releases, mut rests) = (Pace::default(), Pace::default(), Pace::default());
    let mut offered: Option<(Request, u64)> = None;
    let mut load: Option<Load> = None;
    let mut idle = false;
    for _ in 0..24_000 {
        // A request that overwrites data keeps the core idle once it has begun.
        let begun = load.as_ref().is_some_and(|l| l.replaces() && idle);
        idle = rests.go(&mut trial.random) || begun;
        if offered.is_none() && offers.go(&mut trial.random) {
            offered = Some((any_request(&mut trial.random), trial.random.below(16)));
        }
        let release = load.as_ref().is_some_and(|l| l.whole) && releases.go(&mut trial.random);
        let running = trial.random.below(400) != 0;
        let state = ReaderState::any(&mut trial.random);
        drive(trial, offered.as_ref());
        trial.put("weights_set_i", state.weights_set);
        trial.put("draws_pieces_i", state.draws[0]);
        trial.put("draws_spacing_i", state.draws[1]);
        trial.put("idle_i", idle);
        trial.put("release_i", release);
        trial.put("rst_ni", running);
        Load::drive(load.as_ref(), trial);
        trial.settle()?;
        let held = load.as_ref().is_some_and(|l| l.replaces() && !idle);
        let reads = Load::compare(load.as_ref(), trial, held)?;
        compare(trial, load.as_ref(), state)?;
        trial.clock()?;

        if let Some(load) = &mut load {
            load.clock(reads);
        }
        if !running {
            (load, offered) = (None, None);
        } else if release {
            load = None;
        } else if load.is_none() {
            let taken = offered.take();
            load = taken.map(|(request, slot)| Load::new(request.kind, slot, request.payload));
        }
    }
    Ok(())
}

fn drive(trial: &mut Trial, offered: Option<&(Request, u64)>) {
    let offered = offered.map(|(request, slot)| [request.kind.into(), *slot]);
    trial.offer("req_i.valid", &["req_i.msg", "req_i.slot"], offered);
}

/// Compares the other outputs of a cycle.
fn compare(trial: &Trial, load: Option<&Load>, state: ReaderState) -> Result<(), Failure> {
    let writes = |kind: Message, from: usize| {
        load.is_some_and(|l| l.arrives() && l.is(kind) && l.received >= from)
    };
    let writes = [
        ("weights_we_o", writes(tetris::SET_WEIGHTS, 0)),
        ("pieces_we_o", writes(tetris::PLAY, NUMBERS)),
        ("draws_shift_o", writes(tetris::SELF_PLAY, DRAWS)),
    ];
    for (port, expected) in writes {
        trial.expect(port, expected)?;
    }
    let Some(load) = load else {
        return Ok(());
    };
    if writes[1].1 {
        trial.expect("pieces_addr_o", (load.received - NUMBERS) as u64)?;
    }
    if load.whole {
        trial.expect("msg_o", load.message)?;
        let refusal = load.refusal(state);
        trial.expect("refused_o", refusal.is_some())?;
        if let Some(refusal) = refusal {
            trial.expect("code_o", refusal.number)?;
        }
        if load.payload.len() >= NUMBERS && !load.is(tetris::SET_WEIGHTS) {
            let mut head = Bits::default();
            for byte in &load.payload[..NUMBERS] {
                head.push(u64::from(*byte), 8);
            }
            let board = trial.bits("board_o");
            for at in (0..8 * BOARD as u32).step_by(40) {
                trial.same("board_o", &board.slice(at, 40), &head.slice(at, 40))?;
            }
            trial.expect("piece_o", head.slice(8 * BOARD as u32, 3))?;
            trial.expect("games_o", head.slice(8 * BOARD as u32, 5))?;
            trial.expect("pieces_o", head.slice(8 * BOARD as u32, 16))?;
        }
    }
    Ok(())
}

/// A random request. A `play` may have an invalid piece; a `decide` often has valid ones, and a
/// `self_play` a valid number of games.
fn any_request(random: &mut Random) -> Request {
    let kind = random.choice(&KINDS);
    if kind.id != tetris::PLAY.id {
        let mut payload = random.bytes(kind.bytes() as u64);
        if kind.id == tetris::DECIDE.id || kind.id == tetris::TRACE.id {
            payload[BOARD..BOARD + 2].copy_from_slice(&match random.chance(50) {
                true => [random.choice(&[0, 3, 6]), tetris::NO_PIECE],
                false => [
                    random.choice(&[0, 3, 6, 7, 0x15, 0xff]),
                    random.choice(&[0, 6, 7, 0x7f, 0xff]),
                ],
            });
        }
        if kind.id == tetris::SELF_PLAY.id {
            payload[BOARD] = random.choice(&[1, 1, 1, 0, 2, 0x81]);
        }
        return Request::new(kind, payload);
    }
    let most = tetris::PLAY_PIECES as u64;
    let some = random.below(most);
    let few = random.between(2, 6);
    let pieces = random.choice(&[0, 1, most, most + 1, 0x200, some, few, few]) as u16;
    let mut request = Request::play(random, pieces);
    if random.chance(50) {
        let near = u64::from(pieces).saturating_sub(2);
        let at = (near + random.below(4)).min(most - 1);
        let none = random.between(7, 15) as u8;
        let (byte, shift) = (NUMBERS + at as usize / 2, 4 * (at % 2));
        let others = request.payload[byte] & !(15 << shift);
        request.payload[byte] = others | none << shift;
    }
    request
}
