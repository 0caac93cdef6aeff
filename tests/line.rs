//! The serial line at a core's pins: errors, random power-up states, different clocks.

use std::collections::BTreeMap;

use lockstep_verify::line::{
    CLOCK, ClockError, Event, LineErrors, RATES, Wave, answered, bit_time, computed, holds, off,
    receive, talk,
};
use serde::Deserialize;
use sim::Variant;

use crate::support::read;

fn core() -> &'static Variant {
    sim::variant("tetris", None).expect("the RTL as designed")
}

/// The seeds; for soaks `LOCKSTEP_CASES` raises their number, and `LOCKSTEP_SEED` is the first one.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first: u64 = number("LOCKSTEP_SEED").unwrap_or(0);
    first..first + number("LOCKSTEP_CASES").map_or(usual, |cases: u64| cases.max(usual))
}

/// Sends requests over a line with these errors; returns the number of frames that were good, had a
/// bad CRC, were malformed or unsure. A run is a rate, a number of requests and a number of seeds.
fn sent_with(errors: LineErrors, runs: [(u32, u32, u64); 3]) -> [u32; 4] {
    let mut sum = [0; 4];
    for (baud, requests, usual) in runs {
        for seed in seeds(usual) {
            let tally = talk(core(), baud, errors, requests, seed)
                .unwrap_or_else(|e| panic!("{errors:?}, {baud} baud, seed {seed}: {e}"));
            sum.iter_mut().zip(tally).for_each(|(sum, n)| *sum += n);
        }
    }
    sum
}

/// Bad stop bits, glitches, runts and breaks, before, inside and after frames: every good request
/// is answered, and the statistics are right.
#[test]
fn line_errors_cost_no_frame_but_their_own() {
    let runs = [(12_000_000, 60, 4), (3_000_000, 40, 1), (1_000_000, 16, 1)];
    let [good, bad_crc, malformed, unsure] = sent_with(LineErrors::Errors, runs);
    assert!(
        good > 100 && bad_crc > 5 && malformed > 100,
        "{good} {bad_crc} {malformed}"
    );
    assert_eq!(unsure, 0);
}

/// Noise may lose frames.
#[test]
fn line_noise_makes_no_answer_wrong() {
    let runs = [(12_000_000, 60, 4), (3_000_000, 20, 1), (1_000_000, 10, 1)];
    let [good, _, _, unsure] = sent_with(LineErrors::Noise, runs);
    assert!(good > 40 && unsure > 20, "{good} {unsure}");
}

/// The table of `docs/results.md`: how many steps of 0.25 % a host may be slow and fast at each
/// rate.
fn table() -> BTreeMap<u32, [i64; 2]> {
    let document = read("docs/results.md");
    let (_, rest) = document
        .split_once("<!-- generated: line -->")
        .expect("its place");
    let (table, _) = rest.split_once("<!-- end -->").expect("its end");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let steps = |cell: &str| {
            let percent: f64 = cell.strip_suffix(" %")?.parse().ok()?;
            Some((percent * 4.0) as i64)
        };
        let baud = cells.get(1)?.parse().ok()?;
        Some((baud, [steps(cells.get(5)?)?, steps(cells.get(6)?)?]))
    };
    table.lines().filter_map(row).collect()
}

/// Every step of the table works, and the first one beyond it does not. The computed margin is at
/// most the measured one.
#[test]
fn line_clocks_may_differ_by_the_documented_margins() {
    let table = table();
    assert!(
        table.keys().rev().eq(&RATES),
        "its rates: {:?}",
        table.keys()
    );
    for (baud, edges) in table {
        let ways = [ClockError::Slow, ClockError::Fast];
        let mut steps = vec![(ClockError::Slow, 0)];
        for (clock_error, edge) in ways.into_iter().zip(edges) {
            let computed = computed(core(), baud, clock_error).expect("it runs");
            assert!(
                edge >= computed,
                "{baud} baud, {clock_error:?}: {computed} computed"
            );
            let holds = |steps| holds(core(), baud, clock_error, steps).expect("it runs");
            assert!(holds(edge), "{baud} baud, {clock_error:?}, step {edge}");
            assert!(
                !holds(edge + 1),
                "{baud} baud, {clock_error:?}: the table has too little"
            );
            steps.extend((1..edge).map(|step| (clock_error, step)));
        }
        let own = steps
            .iter()
            .map(|(clock_error, step)| off(core(), baud, *clock_error, *step));
        let own: Vec<_> = own.collect();
        let got = answered(core(), baud, &own).expect("it runs");
        let lost: Vec<_> = steps.iter().zip(got).filter(|(_, got)| !got).collect();
        assert!(lost.is_empty(), "{baud} baud: {lost:?}");
    }
}

/// A line of `fixtures/counterexamples/uart_rx.jsonl`; its README explains the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Counterexample {
    name: String,
    /// For readers of the file.
    #[serde(rename = "about")]
    _about: String,
    increment: u32,
    line: Vec<(u8, u64)>,
    hears: Vec<String>,
}

fn words(what: &Event) -> String {
    match what {
        Event::Byte(byte, true) => format!("{byte:02x}"),
        Event::Byte(byte, false) => format!("{byte:02x}!"),
        Event::Break => "break".into(),
        Event::Unsure => "unsure".into(),
    }
}

/// The events that the module receives on a line.
fn received(example: &Counterexample) -> Result<Vec<String>, sim::SimError> {
    let mut bench = sim::Bench::new("uart_rx", None, 1)?;
    let port = |name| bench.port(name);
    let (rate, line) = (port("baud_inc_i")?, port("rx_i")?);
    let (valid, data) = (port("valid_o")?, port("data_o")?);
    let (error, is_break) = (port("frame_err_o")?, port("break_o")?);
    bench.put(rate, example.increment);
    bench.put(line, example.line[0].0);
    bench.reset()?;
    let mut heard = Vec::new();
    for (level, clocks) in &example.line {
        bench.put(line, *level);
        for _ in 0..*clocks {
            bench.clock()?;
            if bench.get(valid) == 1 {
                let byte = Event::Byte(bench.get(data) as u8, bench.get(error) == 0);
                heard.push(words(&byte));
            }
            if bench.get(is_break) == 1 {
                heard.push(words(&Event::Break));
            }
        }
    }
    Ok(heard)
}

#[test]
fn receiver_counterexamples_are_received_right() {
    for example in read("fixtures/counterexamples/uart_rx.jsonl").lines() {
        let example: Counterexample = serde_json::from_str(example).expect("a counterexample");
        let mut wave = Wave::new(example.line[0].0 == 1);
        for (level, clocks) in &example.line {
            wave.hold(*level == 1, clocks * CLOCK);
        }
        let heard = receive(&wave, bit_time(example.increment));
        let plain: Vec<String> = heard.iter().map(|heard| words(&heard.event)).collect();
        assert_eq!(plain, example.hears, "{}: the plain receiver", example.name);
        let got = received(&example).unwrap_or_else(|e| panic!("{}: {e}", example.name));
        assert_eq!(got, example.hears, "{}", example.name);
    }
}
