//! `draw_sign`: numbers and signatures, asked for at any time.

use crate::core::played::{draw, signed};
use crate::{Failure, Trial};

/// Cycles of a draw, and of a value that is signed, when nothing else is under way: from the
/// one in which it is asked for to the first in which it is there.
const DRAW: u64 = 30;
const SIGN: u64 = 15;

/// What becomes of it when it is mixed with itself, this many bits lower (at least 22).
fn unmixed(mixed: u64, bits: u32) -> u64 {
    mixed ^ mixed >> bits ^ mixed.checked_shr(2 * bits).unwrap_or(0)
}

/// The number that gives 1 with an odd one.
fn inverse(odd: u64) -> u64 {
    // Each step doubles the bits that are right, of which there are three at first.
    (0..5).fold(odd, |found, _| {
        found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)))
    })
}

/// The generator's state from which these random bits come: SplitMix64 backwards.
fn drawing(bits: u64) -> u64 {
    let second = unmixed(bits, 31).wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
    let first = unmixed(second, 27).wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
    unmixed(first, 30)
}

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &trial.bench;
    let reset = bench.input("rst_ni")?;
    let clear = bench.input("clear_i")?;
    let shift = bench.input("shift_i")?;
    let byte = bench.input("byte_i")?;
    let left = bench.output("byte_o")?;
    let ask = bench.input("draw_i")?;
    let drawn_valid = bench.output("drawn_valid_o")?;
    let drawn = bench.output("drawn_o")?;
    let sign = bench.input("sign_i")?;
    let value = bench.input("value_i")?;
    let signing = bench.output("signing_o")?;
    let signature = bench.output("signature_o")?;
    let (mut inside, mut known) = (Vec::new(), 0);
    for _ in 0..36 {
        // A product with as large digits as there can be, at times, or a draw at the limit between
        // two pieces
        let mut given = trial.random.bytes(16);
        let state = match trial.random.below(6) {
            0 => Some(unmixed(trial.random.bits() | u64::from(u32::MAX), 30)),
            1..4 => {
                let piece = trial.random.between(1, 6);
                let limit = (piece << 32).div_ceil(7) - trial.random.below(2);
                Some(drawing(limit << 32 | trial.random.bits() >> 32))
            }
            _ => None,
        };
        if let Some(state) = state {
            let before = state.wrapping_sub(draw(0).1);
            given[..8].copy_from_slice(&before.to_le_bytes());
        }
        // Bytes in, and what was there out
        for (place, new) in given.into_iter().enumerate() {
            trial.bench.put(shift, true);
            trial.bench.put(byte, new);
            trial.bench.settle()?;
            if known > place {
                let out = inside[place];
                trial.same("byte_o", &trial.bench.get(left), &u64::from(out))?;
            }
            inside.push(new);
            trial.bench.clock()?;
            trial.bench.put(shift, false);
            if trial.random.chance(20) {
                trial.bench.put(byte, trial.random.byte());
                trial.bench.clock()?;
            }
        }
        inside.drain(..inside.len() - 16);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        let (mut generator, mut expected) = (number(&inside[..8]), number(&inside[8..]));
        if trial.random.chance(30) {
            trial.bench.put(clear, true);
            trial.bench.clock()?;
            trial.bench.put(clear, false);
            expected = 0;
        }
        let (mut last, mut due) = (None, None);
        let mut asked: [Option<u64>; 2] = [None, None];
        let apart = trial.random.chance(50);
        for _ in 0..300 {
            let cycle = trial.bench.cycles();
            trial.bench.settle()?;
            let draws = trial.bench.get(drawn_valid) == 0;
            let signs = trial.bench.get(signing) == 1;
            trial.same("a draw under way", &draws, &asked[0].is_some_and(|_| draws))?;
            trial.same(
                "a value under way",
                &signs,
                &asked[1].is_some_and(|_| signs),
            )?;
            if let (false, Some(since)) = (draws, asked[0]) {
                if apart {
                    trial.same("cycles of a draw", &(cycle - since), &DRAW)?;
                }
                (asked[0], last) = (None, due.take());
            }
            if let (false, Some(since)) = (signs, asked[1]) {
                if apart {
                    trial.same("cycles of a value", &(cycle - since), &SIGN)?;
                }
                asked[1] = None;
            }
            if let Some(last) = last.filter(|_| !draws) {
                trial.same("drawn_o", &trial.bench.get(drawn), &u64::from(last))?;
            }
            if !signs {
                trial.same("signature_o", &trial.bench.get(signature), &expected)?;
            }
            let longest = 2 * (DRAW + SIGN);
            if asked.iter().flatten().any(|since| cycle - since > longest) {
                return trial.differs("a draw or a value takes for ever".into());
            }
            let idle = !draws && !signs;
            let now_draw = trial.random.chance(10) && if apart { idle } else { !draws };
            let now_sign =
                trial.random.chance(10) && if apart { idle && !now_draw } else { !signs };
            let byte = trial.random.byte();
            trial.bench.put(value, byte);
            trial.bench.put(ask, now_draw);
            trial.bench.put(sign, now_sign);
            if now_draw {
                let (number, state) = draw(generator);
                (generator, due, asked[0]) = (state, Some(number), Some(cycle));
            }
            if now_sign {
                (expected, asked[1]) = (signed(expected, byte), Some(cycle));
            }
            trial.bench.clock()?;
        }
        trial.bench.put(ask, false);
        trial.bench.put(sign, false);
        if trial.random.chance(30) {
            trial.bench.put(reset, false);
            trial.bench.clock()?;
            trial.bench.put(reset, true);
            known = 0;
        } else {
            for _ in 0..2 * (DRAW + SIGN) {
                trial.bench.clock()?;
            }
            inside = [generator.to_le_bytes(), expected.to_le_bytes()].concat();
            known = 16;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_drawn_at_their_limits() {
        let step = draw(0).1;
        for piece in 1..7u64 {
            let limit = (piece << 32).div_ceil(7);
            let drawn = |bits: u64| draw(drawing(bits << 32).wrapping_sub(step)).0;
            assert_eq!(u64::from(drawn(limit)), piece);
            assert_eq!(u64::from(drawn(limit - 1)), piece - 1);
        }
    }
}
