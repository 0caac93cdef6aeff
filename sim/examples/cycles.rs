//! Measures how many clock cycles a second the models of the cores simulate while nothing is asked.
//!
//! An argument names a top module; the other cores are left out.

use std::time::Instant;

use lockstep_sim::{Inputs, Model, SimError, variants};

const CYCLES: u64 = 3_000_000;

fn main() -> Result<(), SimError> {
    let chosen = std::env::args().nth(1);
    let is_chosen = |top: &str| chosen.as_ref().is_none_or(|name| name == top);
    let designed = variants().iter().filter(|variant| variant.fault.is_none());
    for variant in designed.filter(|variant| is_chosen(variant.top)) {
        let mut model = Model::new(variant)?;
        let inputs = Inputs {
            // A bit of 16 clock cycles
            baud_inc: 1 << 28,
            ..Inputs::default()
        };
        let (begun, first) = (Instant::now(), model.cycles());
        while model.cycles() < first + CYCLES {
            let rest = first + CYCLES - model.cycles();
            model.run(&inputs, rest)?;
        }
        let rate = CYCLES as f64 / begun.elapsed().as_secs_f64() / 1e6;
        let (top, parameters) = (variant.top, variant.parameters);
        println!("{top} {parameters:?}: {rate:.2} million clock cycles a second");
    }
    Ok(())
}
