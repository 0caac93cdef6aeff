//! `request_mem`: two ports on one memory, never both on a byte that is written.

use crate::random::Pace;
use crate::{Failure, Trial};

/// Bytes of the memory.
const BYTES: u64 = 512;

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let port = |name: &str| -> Result<_, Failure> {
        let input = |signal: &str| trial.bench.input(&format!("{name}_{signal}_i"));
        let (enable, write, address) = (input("en")?, input("we")?, input("addr")?);
        let rdata = trial.bench.output(&format!("{name}_rdata_o"))?;
        Ok((enable, write, address, input("wdata")?, rdata))
    };
    let ports = [port("a")?, port("b")?];
    let mut paces = [Pace::default(), Pace::default()];
    // What was written; bytes that were not hold anything.
    let mut memory = [None; BYTES as usize];
    // What a port has read, the latest last; it comes out two cycles later.
    let mut read: [[Option<u8>; 2]; 2] = Default::default();
    for _ in 0..6_000 {
        let mut asked = [None; 2];
        let mut writes = [false; 2];
        for side in 0..2 {
            let (enable, write, address, wdata, rdata) = ports[side];
            if let Some(byte) = read[side][0] {
                trial.same("rdata_o", &(trial.bench.get(rdata) as u8), &byte)?;
            }
            let at = trial.random.below(BYTES);
            let is_write = trial.random.chance(50);
            let other = asked[0].filter(|_| side == 1);
            let clash = other == Some(at) && (is_write || writes[0]);
            let go = paces[side].go(&mut trial.random) && !clash;
            let byte = trial.random.bits() as u8;
            trial.bench.put(enable, go);
            trial.bench.put(write, is_write);
            trial.bench.put(address, at);
            trial.bench.put(wdata, byte);
            read[side][0] = read[side][1];
            if go {
                (asked[side], writes[side]) = (Some(at), is_write);
                read[side][1] = memory[at as usize];
                if is_write {
                    memory[at as usize] = Some(byte);
                }
            }
        }
        trial.bench.clock()?;
    }
    Ok(())
}
