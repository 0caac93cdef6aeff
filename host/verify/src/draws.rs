//! `draw_sign`: random draws and signatures, requested at any time.

use crate::core::played::{draw, signed};
use crate::{Failure, Trial};

/// Cycles from the first draw to its result. One that comes 3 cycles or more after the one before
/// takes 1; those that come 2 apart take 2 at most.
const FIRST_DRAW: u64 = 12;
/// Cycles from a value to the signature, and to the next value.
const SIGN: u64 = 4;
const NEXT_SIGN: u64 = 3;

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
    let mut inside: Vec<Option<u8>> = Vec::new();
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
        for (place, new) in given.iter().copied().enumerate() {
            trial.put("shift_i", true);
            trial.put("byte_i", new);
            trial.settle()?;
            if let Some(Some(known)) = inside.get(place) {
                trial.expect("byte_o", *known)?;
            }
            trial.clock()?;
            trial.put("shift_i", false);
            if trial.random.chance(20) {
                let other = trial.random.byte();
                trial.put("byte_i", other);
                trial.clock()?;
            }
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        let (mut generator, mut expected) = (number(&given[..8]), number(&given[8..]));
        if trial.random.chance(30) {
            trial.pulse("clear_i")?;
            expected = 0;
        }
        let (mut last, mut drawn) = (None, 0);
        let [mut drew, mut signed_at]: [Option<u64>; 2] = [None; 2];
        let (mut draws, apart) = (false, trial.random.choice(&[1, 2, 3]));
        let pace = trial.random.choice(&[5, 30, 100]);
        for _ in 0..300 {
            let cycle = trial.cycles();
            trial.settle()?;
            let since = signed_at.map_or(u64::MAX, |at| cycle - at);
            trial.expect("sign_ready_o", since >= NEXT_SIGN)?;
            trial.expect("signing_o", since < SIGN)?;
            if since >= SIGN {
                trial.expect("signature_o", expected)?;
            }
            let valid = trial.is("drawn_valid_o");
            if let (true, Some(at)) = (draws, drew) {
                let (least, most) = match (drawn, apart) {
                    (1, _) => (FIRST_DRAW, FIRST_DRAW),
                    (_, 1) => (1, FIRST_DRAW),
                    (_, 2) => (1, 2),
                    _ => (1, 1),
                };
                let takes = cycle - at;
                let right = if valid { takes >= least } else { takes < most };
                trial.holds("a draw is in time", right)?;
            } else {
                trial.expect("drawn_valid_o", true)?;
            }
            draws &= !valid;
            if let Some(last) = last.filter(|_| !draws) {
                trial.expect("drawn_o", last)?;
            }
            let near = drew.is_some_and(|at| cycle - at < apart);
            let now_draw = trial.random.chance(pace) && !draws && !near;
            let now_sign = trial.random.chance(pace) && since >= NEXT_SIGN;
            let byte = trial.random.byte();
            trial.put("value_i", byte);
            trial.put("draw_i", now_draw);
            trial.put("sign_i", now_sign);
            if now_draw {
                let (number, state) = draw(generator);
                (generator, last, draws, drew) = (state, Some(number), true, Some(cycle));
                drawn += 1;
            }
            if now_sign {
                (expected, signed_at) = (signed(expected, byte), Some(cycle));
            }
            trial.clock()?;
        }
        trial.put("draw_i", false);
        trial.put("sign_i", false);
        inside.clear();
        if trial.random.chance(30) {
            trial.reset()?;
        } else {
            for _ in 0..2 * FIRST_DRAW {
                trial.clock()?;
            }
            // Numbers are drawn ahead.
            let generator = generator
                .to_le_bytes()
                .map(|byte| Some(byte).filter(|_| drawn == 0));
            inside.extend(generator);
            inside.extend(expected.to_le_bytes().map(Some));
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
