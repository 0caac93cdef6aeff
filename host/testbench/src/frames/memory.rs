//! `request_mem`: bytes written on one port and read on the other, never the same byte at once.

use crate::random::Pace;
use crate::{Failure, Trial};

/// Bytes of the memory.
const BYTES: u64 = 512;

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let input = |name: &str| trial.bench.input(name);
    let (write, write_at, write_data) =
        (input("wr_en_i")?, input("wr_addr_i")?, input("wr_data_i")?);
    let (read, read_at) = (input("rd_en_i")?, input("rd_addr_i")?);
    let read_data = trial.bench.output("rd_data_o")?;
    let (mut writes, mut reads) = (Pace::default(), Pace::default());
    // What was written; bytes that were not hold anything.
    let mut memory = [None; BYTES as usize];
    // The bytes read in the last two cycles, the latest last.
    let mut expected: [Option<u8>; 2] = [None; 2];
    for _ in 0..6_000 {
        if let Some(byte) = expected[0] {
            trial.same("rd_data_o", &(trial.bench.get(read_data) as u8), &byte)?;
        }
        let (to, from) = (trial.random.below(BYTES), trial.random.below(BYTES));
        let byte = trial.random.bits() as u8;
        let is_write = writes.go(&mut trial.random);
        let is_read = reads.go(&mut trial.random) && !(is_write && to == from);
        trial.bench.put(write, is_write);
        trial.bench.put(write_at, to);
        trial.bench.put(write_data, byte);
        trial.bench.put(read, is_read);
        trial.bench.put(read_at, from);
        expected[0] = expected[1];
        if is_read {
            expected[1] = memory[from as usize];
        }
        if is_write {
            memory[to as usize] = Some(byte);
        }
        trial.bench.clock()?;
    }
    Ok(())
}
