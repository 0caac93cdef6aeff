//! A report as a document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::report::{Figure, Place, Report, Source};

/// The document `docs/coverage.md`.
pub fn markdown(report: &Report) -> String {
    let mut text = String::new();
    // Text takes all that is written to it.
    let _ = write(&mut text, report);
    text
}

/// As `98 of 100, 98.0 %`.
pub fn told(figure: Figure) -> String {
    let Figure {
        reached, reachable, ..
    } = figure;
    format!("{reached} of {reachable}, {:.1} %", figure.percent())
}

/// The text of the line that a place is in.
pub fn text_of<'a>(source: &'a Source, place: &Place) -> &'a str {
    let line = (place.point.line as usize).checked_sub(1);
    let text = line.and_then(|line| source.text.get(line));
    text.map_or("", |text| text.trim())
}

/// The line that a place is in, and what it is there.
pub fn place(source: &Source, place: &Place) -> String {
    let (line, text) = (place.point.line, text_of(source, place));
    format!("{}:{line}, {}: `{text}`", source.name, place.point.what)
}

fn write(text: &mut String, report: &Report) -> std::fmt::Result {
    let cores = report.cores.iter();
    let cores = cores.map(|core| format!("{} (build {:08x})", core.game, core.build_id));
    let lines = report.total(Source::lines_reached);
    let branches = report.total(Source::branches);
    let bits = report.total(|source| source.bits);
    write!(
        text,
        "\
# Coverage

Written by `make coverage`, of the RTL of {}:
what {} models of these cores reached together, at the pins and behind the UART; {} of their decisions
were compared with the golden model on the way.
Lines and branches are those that Verilator counts in the modules of the simulated cores; a bit
counts when it changed both ways. What is unreachable stands [below](#never-reached), each with its
reason, and is left out of what could be reached. `out/coverage/lcov.info` has every line.

| | reached | unreachable |
|---|---|---|
| lines | {} | {} |
| branches | {} | {} |
| bits | {} | |

## Modules

| source | lines | unreachable | branches | unreachable | bits |
|---|---|---|---|---|---|
",
        join(cores),
        report.models,
        report.seen.compared,
        told(lines),
        lines.unreachable,
        told(branches),
        branches.unreachable,
        told(bits),
    )?;
    for source in &report.sources {
        let [lines, branches] = [source.lines_reached(), source.branches()];
        let of = |figure: Figure| match figure.reachable {
            0 => "-".to_owned(),
            all => format!("{}/{all}", figure.reached),
        };
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            source.name,
            of(lines),
            lines.unreachable,
            of(branches),
            branches.unreachable,
            of(source.bits),
        )?;
    }
    writeln!(
        text,
        "\nA `-`: nothing of the kind is counted there, for there are but instances and wires. Not in \
         the table, because the\nsimulated cores have it not or it is constants and types alone: {}. \
         What is for buses and boards has\nbenches of its own ([benches](benches.md)).",
        join(report.outside.iter().map(|name| format!("`{name}`"))),
    )?;
    bins(text, report)?;
    unreached(text, report)?;
    still(text, report)
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

fn bins(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        text,
        "
## Functional bins

What was asked and answered, counted on the host's side by the golden model: `T2 clears 1` is piece T of
Tetris in rotation 2.

| bins | filled | impossible |
|---|---|---|"
    )?;
    for counted in &report.seen.bins {
        let figure = counted.figure();
        let Figure { unreachable, .. } = figure;
        let name = &counted.name;
        writeln!(text, "| {name} | {} | {unreachable} |", told(figure))?;
    }
    writeln!(
        text,
        "\nImpossible, each worked out from the definitions of the game:\n"
    )?;
    // Of all placements and of the chosen one it is mostly the same.
    let mut by_reason = BTreeMap::<&str, BTreeSet<&str>>::new();
    let all = report.seen.bins.iter();
    for (name, count, reason) in all.flat_map(|counted| &counted.bins) {
        if let (0, Some(reason)) = (count, reason) {
            by_reason.entry(reason).or_default().insert(name);
        }
    }
    for (reason, names) in by_reason {
        let names = names.into_iter().map(str::to_owned);
        writeln!(text, "- {reason}: {}", join(names))?;
    }
    let bins = report.seen.bins.iter();
    let open = bins.flat_map(|counted| counted.open().map(|bin| (&counted.name, bin)));
    let open: Vec<_> = open.collect();
    if !open.is_empty() {
        writeln!(text, "\nEmpty, and they should not be:\n")?;
    }
    for (group, bin) in open {
        writeln!(text, "- {group}: {bin}")?;
    }
    Ok(())
}

fn unreached(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(text, "\n## Never reached\n")?;
    let mut by_reason = BTreeMap::<&str, Vec<String>>::new();
    for source in &report.sources {
        for unreached in source.places.iter().filter(|place| place.count == 0) {
            if let Some(reason) = &unreached.reason {
                let places = by_reason.entry(reason).or_default();
                places.push(place(source, unreached));
            }
        }
    }
    writeln!(
        text,
        "With the reason why it cannot be, from `rtl/coverage_waivers.txt`:\n"
    )?;
    for (reason, places) in by_reason {
        writeln!(text, "- {reason}")?;
        for place in places {
            writeln!(text, "  - {place}")?;
        }
    }
    let holes: Vec<String> = report.holes().map(|(s, hole)| place(s, hole)).collect();
    match holes.is_empty() {
        true => writeln!(text, "\nNothing else was left out."),
        false => {
            writeln!(text, "\nWithout a reason:\n")?;
            holes.iter().try_for_each(|hole| writeln!(text, "- {hole}"))
        }
    }
}

fn still(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        text,
        "
## Bits that never changed both ways

By source; without numbers it is every bit of the signal.
"
    )?;
    for source in report
        .sources
        .iter()
        .filter(|source| !source.still.is_empty())
    {
        let signals = source.still.iter().map(|still| match still.bits.as_str() {
            "" => format!("`{}`", still.name),
            bits => format!("`{}` {bits}", still.name),
        });
        writeln!(text, "- `{}`: {}", source.name, join(signals))?;
    }
    Ok(())
}
