//! Measures how far the clocks of host and core may differ, and writes the table in
//! `docs/results.md`.

use std::path::Path;

use lockstep_verify::line::{ClockError, RATES, measured};
use sim::{SimError, Variant};

const BEGIN: &str = "<!-- generated: line -->\n";
const END: &str = "<!-- end -->";

const HEAD: &str = "\
| baud | clock cycles a bit | computed: slow | fast | to the core: slow | fast | from the core: slow | fast |
|---|---|---|---|---|---|---|---|
";

fn row(variant: &'static Variant, baud: u32) -> Result<String, SimError> {
    let slow = measured(variant, baud, ClockError::Slow)?;
    let fast = measured(variant, baud, ClockError::Fast)?;
    let columns = slow.into_iter().zip(fast).map(|(slow, fast)| {
        let [slow, fast] = [slow, fast].map(|steps| steps as f64 / 4.0);
        format!("{slow:.2} % | {fast:.2} %")
    });
    let cycles = f64::from(variant.clock_hz) / f64::from(baud);
    let columns = columns.collect::<Vec<_>>().join(" | ");
    Ok(format!("| {baud} | {cycles:.2} | {columns} |\n"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variant = sim::variant("tetris", None).ok_or("there is no model of the core")?;
    let mut table = HEAD.to_owned();
    for baud in RATES {
        let row = row(variant, baud)?;
        print!("{row}");
        table += &row;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results.md");
    let document = std::fs::read_to_string(&path)?;
    let place = document.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = place.ok_or("docs/results.md has no place for the table")?;
    std::fs::write(&path, format!("{before}{BEGIN}\n{table}\n{END}{after}"))?;
    Ok(())
}
