//! Writes the result as an lcov file and as the document `docs/coverage.md`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::bins::Counted;
use super::report::{CoverageReport, Figure, Source};

impl CoverageReport {
    /// The hits of lines and branches as an lcov file, without waived places.
    pub fn lcov(&self) -> String {
        let mut text = String::new();
        for source in &self.sources {
            // Writing to a String cannot fail.
            let _ = source.write_lcov(&mut text);
        }
        text
    }

    /// The document `docs/coverage.md`.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let _ = self.write_markdown(&mut text);
        text
    }

    fn write_markdown(&self, text: &mut String) -> fmt::Result {
        let cores = self.cores.iter();
        let cores = cores.map(|core| format!("{} (build {:08x})", core.game, core.build_id));
        write!(
            text,
            "\
# Coverage

Written by `make coverage`, of the RTL of {}:
what {} models of these cores reached together, at the pins and behind the UART; {} of their decisions
were compared with the golden model on the way. `out/coverage/lcov.info` has every line and branch
that Verilator counts; genhtml, editors and CI draw it. [Waived](#waived) places are left out of all
figures.

| source | lines | branches |
|---|---|---|
",
            join(cores),
            self.models,
            self.bin_report.compared,
        )?;
        for source in &self.sources {
            let [lines, branches] = [source.lines(), source.branches()].map(|figure| {
                let Figure {
                    reached, reachable, ..
                } = figure;
                format!("{reached}/{reachable}")
            });
            writeln!(text, "| `{}` | {lines} | {branches} |", source.name)?;
        }
        let (lines, branches) = (self.total(Source::lines), self.total(Source::branches));
        writeln!(text, "| all | {lines} | {branches} |")?;
        let (waived, more) = (lines.unreachable, branches.unreachable);
        writeln!(text, "| waived | {waived} | {more} |")?;
        writeln!(
            text,
            "\nNothing is counted in: {}. Buses and boards have benches of their own \
             ([benches](benches.md)).",
            join(self.outside.iter().map(|name| format!("`{name}`"))),
        )?;
        writeln!(
            text,
            "\n## Bins\n\nRequests and answers, counted on the host's side.\n\n| bins | hit |\n|---|---|"
        )?;
        for Counted { name, hit, empty } in &self.bin_report.bins {
            writeln!(text, "| {name} | {hit} of {} |", hit + empty.len())?;
        }
        writeln!(
            text,
            "\n## Waived\n\nPlaces that cannot be reached, by reason, from `rtl/coverage_waivers.txt`.\n"
        )?;
        for (reason, places) in self.waived() {
            writeln!(text, "- {reason}")?;
            for place in places {
                writeln!(text, "  - {place}")?;
            }
        }
        let holes = self.holes();
        if !holes.is_empty() {
            writeln!(text, "\n## Not reached\n")?;
        }
        holes.iter().try_for_each(|hole| writeln!(text, "- {hole}"))
    }

    /// The waived places by reason.
    fn waived(&self) -> BTreeMap<&str, Vec<String>> {
        let mut by_reason = BTreeMap::<&str, Vec<String>>::new();
        for source in &self.sources {
            for place in source.places.iter().filter(|place| place.count == 0) {
                if let Some(reason) = &place.reason {
                    by_reason
                        .entry(reason)
                        .or_default()
                        .push(source.describe(place));
                }
            }
        }
        by_reason
    }
}

impl Source {
    fn write_lcov(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "SF:rtl/{}", self.name)?;
        let mut branches = BTreeMap::<u32, u32>::new();
        for place in self.branch_places().filter(|place| place.reason.is_none()) {
            let line = place.point.line;
            let number = branches.entry(line).or_default();
            writeln!(text, "BRDA:{line},0,{number},{}", place.count)?;
            *number += 1;
        }
        for (line, (count, waived)) in self.counts() {
            if count > 0 || !waived {
                writeln!(text, "DA:{line},{count}")?;
            }
        }
        writeln!(text, "end_of_record")
    }
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}
