//! `tetris_axil_example`: the memory's other port, bytes and words.

use crate::{Failure, Trial};

/// Words that are used, from the lowest address on.
const USED: usize = 16;

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &mut trial.bench;
    let clock = bench.input("s_axi_aclk")?;
    let reset = bench.input("s_axi_aresetn")?;
    let enable = bench.input("bram_en")?;
    let strobes = bench.input("bram_we")?;
    let address = bench.input("bram_addr")?;
    let write = bench.input("bram_wrdata")?;
    let read = bench.output("bram_rddata")?;
    let mut words: [Option<u32>; USED] = [None; USED];
    for cycle in 0..2_000 {
        let Trial { bench, random } = &mut *trial;
        let at = random.below(USED as u64) as usize;
        let word = random.bits() as u32;
        let (enabled, bytes) = (random.chance(80), random.below(16) as u32);
        // Each word is written as a whole first.
        let bytes = if words[at].is_none() { 0xf } else { bytes };
        bench.put(reset, cycle > 3);
        bench.put(enable, enabled);
        bench.put(strobes, bytes);
        bench.put(address, 4 * at as u64 + random.below(4));
        bench.put(write, word);
        for level in [true, false] {
            bench.put(clock, level);
            bench.settle()?;
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
            let got = trial.bench.get(read);
            trial.same("bram_rddata", &got, &before.into())?;
        }
    }
    Ok(())
}
