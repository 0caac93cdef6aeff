//! `request_mem`: writes on one port and reads on the other, never the same byte at the same time.

use crate::random::Pace;
use crate::{Failure, Trial};

const BYTES: u64 = 512;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let (mut writes, mut reads) = (Pace::default(), Pace::default());
    // The written bytes; the others have unknown contents.
    let mut memory = [None; BYTES as usize];
    // The bytes read in the last two cycles, the later one last.
    let mut expected: [Option<u8>; 2] = [None; 2];
    for _ in 0..6_000 {
        if let Some(byte) = expected[0] {
            trial.expect("rd_data_o", byte)?;
        }
        let (to, from) = (trial.random.below(BYTES), trial.random.below(BYTES));
        let byte = trial.random.bits() as u8;
        let is_write = writes.go(&mut trial.random);
        let is_read = reads.go(&mut trial.random) && !(is_write && to == from);
        trial.put("wr_en_i", is_write);
        trial.put("wr_addr_i", to);
        trial.put("wr_data_i", byte);
        trial.put("rd_en_i", is_read);
        trial.put("rd_addr_i", from);
        expected[0] = expected[1];
        if is_read {
            expected[1] = memory[from as usize];
        }
        if is_write {
            memory[to as usize] = Some(byte);
        }
        trial.clock()?;
    }
    Ok(())
}
