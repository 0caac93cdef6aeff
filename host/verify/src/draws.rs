//! `draw_sign`: random draws and signatures, requested at any time.

use crate::core::played::{draw, signed};
use crate::{Failure, Trial};

/// Cycles from the request of a draw, or of signing a value, to its result, if nothing else is
/// under way.
const DRAW: u64 = 30;
const SIGN: u64 = 15;

/// Inverts `x ^ x >> bits`, for `bits` of at least 22.
fn unmixed(mixed: u64, bits: u32) -> u64 {
    mixed ^ mixed >> bits ^ mixed.checked_shr(2 * bits).unwrap_or(0)
}

/// The multiplicative inverse of an odd number, modulo 2^64.
fn inverse(odd: u64) -> u64 {
    // Newton's method: each step doubles the correct bits, initially three.
    (0..5).fold(odd, |found, _| {
        found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)))
    })
}

/// The generator's state that gives these random bits: SplitMix64 inverted.
fn drawing(bits: u64) -> u64 {
    let second = unmixed(bits, 31).wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
    let first = unmixed(second, 27).wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
    unmixed(first, 30)
}

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let (mut inside, mut known) = (Vec::new(), 0);
    for _ in 0..36 {
        // Sometimes a product with the largest digits, or a draw at the limit between two pieces.
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
        // Shifts new bytes in and the old contents out.
        for (place, new) in given.into_iter().enumerate() {
            trial.put("shift_i", true);
            trial.put("byte_i", new);
            trial.settle()?;
            if known > place {
                trial.expect("byte_o", inside[place])?;
            }
            inside.push(new);
            trial.clock()?;
            trial.put("shift_i", false);
            if trial.random.chance(20) {
                let other = trial.random.byte();
                trial.put("byte_i", other);
                trial.clock()?;
            }
        }
        inside.drain(..inside.len() - 16);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        let (mut generator, mut expected) = (number(&inside[..8]), number(&inside[8..]));
        if trial.random.chance(30) {
            trial.pulse("clear_i")?;
            expected = 0;
        }
        let (mut last, mut due) = (None, None);
        let mut begun: [Option<u64>; 2] = [None, None];
        let apart = trial.random.chance(50);
        for _ in 0..300 {
            let cycle = trial.cycles();
            trial.settle()?;
            let draws = !trial.is("drawn_valid_o");
            let signs = trial.is("signing_o");
            trial.same("a draw under way", &draws, &begun[0].is_some_and(|_| draws))?;
            trial.same(
                "a value under way",
                &signs,
                &begun[1].is_some_and(|_| signs),
            )?;
            if let (false, Some(since)) = (draws, begun[0]) {
                if apart {
                    trial.same("cycles of a draw", &(cycle - since), &DRAW)?;
                }
                (begun[0], last) = (None, due.take());
            }
            if let (false, Some(since)) = (signs, begun[1]) {
                if apart {
                    trial.same("cycles of a value", &(cycle - since), &SIGN)?;
                }
                begun[1] = None;
            }
            if let Some(last) = last.filter(|_| !draws) {
                trial.expect("drawn_o", last)?;
            }
            if !signs {
                trial.expect("signature_o", expected)?;
            }
            let longest = 2 * (DRAW + SIGN);
            if begun.iter().flatten().any(|since| cycle - since > longest) {
                return trial.differs("a draw or a value takes too long".into());
            }
            let idle = !draws && !signs;
            let now_draw = trial.random.chance(10) && if apart { idle } else { !draws };
            let now_sign =
                trial.random.chance(10) && if apart { idle && !now_draw } else { !signs };
            let byte = trial.random.byte();
            trial.put("value_i", byte);
            trial.put("draw_i", now_draw);
            trial.put("sign_i", now_sign);
            if now_draw {
                let (number, state) = draw(generator);
                (generator, due, begun[0]) = (state, Some(number), Some(cycle));
            }
            if now_sign {
                (expected, begun[1]) = (signed(expected, byte), Some(cycle));
            }
            trial.clock()?;
        }
        trial.put("draw_i", false);
        trial.put("sign_i", false);
        if trial.random.chance(30) {
            trial.reset()?;
            known = 0;
        } else {
            for _ in 0..2 * (DRAW + SIGN) {
                trial.clock()?;
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
    fn drawing_gives_pieces_at_their_limits() {
        let step = draw(0).1;
        for piece in 1..7u64 {
            let limit = (piece << 32).div_ceil(7);
            let drawn = |bits: u64| draw(drawing(bits << 32).wrapping_sub(step)).0;
            assert_eq!(u64::from(drawn(limit)), piece);
            assert_eq!(u64::from(drawn(limit - 1)), piece - 1);
        }
    }
}
