//! `tetris_axil_example`: bytes and words through the other port of the memory.

use crate::{Failure, Trial};

/// Number of words used, from address 0 on.
const USED: usize = 16;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut words: [Option<u32>; USED] = [None; USED];
    for cycle in 0..2_000 {
        let random = &mut trial.random;
        let at = random.index(USED);
        let word = random.bits() as u32;
        let (enabled, bytes) = (random.chance(80), random.below(16) as u32);
        let address = 4 * at as u64 + random.below(4);
        // The first write to a word writes all its bytes.
        let bytes = if words[at].is_none() { 0xf } else { bytes };
        trial.put("s_axi_aresetn", cycle > 3);
        trial.put("bram_en", enabled);
        trial.put("bram_we", bytes);
        trial.put("bram_addr", address);
        trial.put("bram_wrdata", word);
        for level in [true, false] {
            trial.put("s_axi_aclk", level);
            trial.settle()?;
        }
        if !enabled {
            continue;
        }
        let before = words[at];
        let mask = (0..4)
            .filter(|b| bytes >> b & 1 == 1)
            .fold(0, |mask, b| mask | 0xff << (8 * b));
        words[at] = Some(before.unwrap_or(0) & !mask | word & mask);
        if let Some(before) = before {
            trial.expect("bram_rddata", before)?;
        }
    }
    Ok(())
}
