use std::time::Instant;
fn main() {
    let n: u64 = 3_000_000;
    for variant in lockstep_sim::variants() {
        if variant.fault.is_some()
            || std::env::args().nth(1).is_some_and(|a| {
                a != format!(
                    "{}{}",
                    variant.top,
                    variant.parameters.first().map_or(0, |p| p.1)
                )
            })
        {
            continue;
        }
        let mut model = lockstep_sim::Model::new(variant).expect("made");
        let inputs = lockstep_sim::Inputs {
            baud_inc: 0x1000_0000,
            ..Default::default()
        };
        let begun = Instant::now();
        let mut done = 0;
        while done < n {
            let before = model.cycles();
            model.run(&inputs, n - done).expect("runs");
            done += model.cycles() - before;
        }
        println!(
            "{} {:?} {:.2} M cycles/s",
            variant.top,
            variant.parameters,
            n as f64 / begun.elapsed().as_secs_f64() / 1e6
        );
    }
}
