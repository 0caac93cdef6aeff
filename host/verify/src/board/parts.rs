//! The modules around the core that boards share.

use crate::{Failure, Trial};

/// `bcd_counter` with three digits: many small amounts beyond its end, then more than it can queue.
pub fn bcd_counter(trial: &mut Trial) -> Result<(), Failure> {
    /// Largest queued amount.
    const KEPT: u64 = 255;
    let (mut shown, mut pending) = (0_u64, 0_u64);
    for cycle in 0..6_000 {
        let decimal = (0..3).fold(0, |all, digit| {
            all | (shown / 10_u64.pow(digit) % 10) << (4 * digit)
        });
        trial.expect("digits_o", decimal)?;
        // Less per cycle than it counts, then more.
        let is_valid = trial.random.chance(if cycle < 5_000 { 5 } else { 60 });
        let more = trial.random.below(32);
        trial.put("valid_i", is_valid);
        trial.put("amount_i", more);
        trial.clock()?;
        let counts = u64::from(pending > 0);
        shown = (shown + counts) % 1_000;
        pending = (pending - counts + if is_valid { more } else { 0 }).min(KEPT);
    }
    Ok(())
}

/// `pulse_stretch` of five cycles.
pub fn pulse_stretch(trial: &mut Trial) -> Result<(), Failure> {
    let mut left = 0;
    for _ in 0..1_000 {
        trial.expect("active_o", left > 0)?;
        let is_valid = trial.random.chance(20);
        trial.put("event_i", is_valid);
        trial.clock()?;
        left = if is_valid { 5 } else { left.max(1) - 1 };
    }
    Ok(())
}

/// `debounce` of six cycles: presses and bounces of all lengths.
pub fn debounce(trial: &mut Trial) -> Result<(), Failure> {
    const STEADY: u64 = 6;
    // The levels of the last two cycles, which the synchroniser holds.
    let mut held = [false; 2];
    let (mut pressed, mut steady) = (false, 0);
    for _ in 0..300 {
        let level = trial.random.chance(50);
        let cycles = trial.random.between(1, STEADY + 2);
        for _ in 0..cycles {
            steady = if held[0] == pressed { 0 } else { steady + 1 };
            let turns = steady == STEADY;
            trial.put("button_i", level);
            trial.expect("press_o", turns && !pressed)?;
            trial.clock()?;
            if turns {
                (pressed, steady) = (!pressed, 0);
            }
            held = [held[1], level];
        }
        if trial.random.chance(2) {
            trial.reset()?;
            (held, pressed, steady) = ([false; 2], false, 0);
        }
    }
    Ok(())
}

/// The lit segments of each digit.
const DIGITS: [&str; 10] = [
    "ABCDEF", "BC", "ABDEG", "ABCDG", "BCFG", "ACDFG", "ACDEFG", "ABC", "ABCDEFG", "ABCDFG",
];

/// The digit that active-low cathodes show, segment A in the lowest bit.
pub fn shown(cathodes: u64) -> Option<u64> {
    let lit: String = ('A'..='G')
        .enumerate()
        .filter(|(bit, _)| cathodes >> bit & 1 == 0)
        .map(|(_, segment)| segment)
        .collect();
    let digit = DIGITS.iter().position(|segments| *segments == lit);
    digit.map(|digit| digit as u64)
}

/// `seven_segment` with five digits, three cycles each, and numbers of any length.
pub fn seven_segment(trial: &mut Trial) -> Result<(), Failure> {
    let mut lit_now = 0;
    for _ in 0..200 {
        let length = trial.random.below(6) as u32;
        let number: Vec<u64> = (0..length).map(|_| trial.random.below(10)).collect();
        let packed = (number.iter().zip(0..)).fold(0, |all, (digit, at)| all | digit << (4 * at));
        trial.put("digits_i", packed);
        // Digits above this one are dark; the lowest one never is.
        let highest = number.iter().rposition(|digit| *digit > 0).unwrap_or(0);
        for cycle in 0..15 {
            trial.clock()?;
            let lit = !trial.get("anodes_no") & 0x1f;
            let place = lit_now / 3 % 5;
            let dark = place > highest;
            let expected = if dark { 0 } else { 1 << place };
            trial.same(&format!("the anodes, cycle {cycle}"), &lit, &expected)?;
            if !dark {
                let digit = number.get(place).copied().unwrap_or(0);
                let got = shown(trial.get("segments_no"));
                trial.same("the digit", &got, &Some(digit))?;
            }
            lit_now += 1;
        }
    }
    Ok(())
}
