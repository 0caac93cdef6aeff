//! The coverage of the RTL in a run, as an lcov file and as the document `docs/coverage.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;

use sim::Variant;

use super::bins::Counted;
use super::data::{Data, Point};
use super::waivers::{self, LIST, Waiver};

/// Required coverage of the reachable lines, in percent.
const MIN_PERCENT: f64 = 95.0;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Figure {
    reached: usize,
    /// Number that can be reached.
    reachable: usize,
    /// Number that is waived and was not reached.
    unreachable: usize,
}

impl Figure {
    /// The figure of lines or branches: how often each was reached, and whether it is waived.
    fn of(counts: impl IntoIterator<Item = (u64, bool)>) -> Self {
        let mut figure = Self::default();
        for (count, waived) in counts {
            figure.reached += usize::from(count > 0);
            figure.reachable += usize::from(count > 0 || !waived);
            figure.unreachable += usize::from(count == 0 && waived);
        }
        figure
    }

    /// The share of reachable ones in percent; 100 if there are none.
    fn percent(self) -> f64 {
        match self.reachable {
            0 => 100.0,
            reachable => 100.0 * self.reached as f64 / reachable as f64,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.percent();
        write!(f, "{} of {}, {percent:.1} %", self.reached, self.reachable)
    }
}

#[derive(Debug)]
struct Place {
    point: Point,
    /// Number of times it was reached.
    count: u64,
    /// The reason of its waiver.
    reason: Option<String>,
}

/// A source file of the RTL.
#[derive(Debug, Default)]
struct Source {
    /// Its path below `rtl/`.
    name: String,
    /// Its lines.
    text: Vec<String>,
    /// Its lines and branches with a counter.
    places: Vec<Place>,
}

impl Source {
    /// For each line with a counter: the number of times it was reached, and whether all its places
    /// are waived.
    fn lines(&self) -> BTreeMap<u32, (u64, bool)> {
        let mut lines = BTreeMap::new();
        for place in &self.places {
            for number in place.point.lines.iter().flat_map(|(from, to)| *from..=*to) {
                let (count, waived) = lines.entry(number).or_insert((0, true));
                *count = place.count.max(*count);
                *waived &= place.reason.is_some();
            }
        }
        lines
    }

    /// For each branch: its line, the number of times it was taken, and whether it is waived.
    fn branches(&self) -> impl Iterator<Item = (u32, (u64, bool))> {
        let branches = self.places.iter().filter(|place| place.point.is_branch);
        branches.map(|place| (place.point.line, (place.count, place.reason.is_some())))
    }

    fn line(&self, number: u32) -> Option<&str> {
        let line = self.text.get((number as usize).checked_sub(1)?);
        line.map(String::as_str)
    }

    /// Describes a place: file, line, statement and the line's text.
    fn describe(&self, place: &Place) -> String {
        let line = place.point.line;
        let text = self.line(line).unwrap_or_default().trim();
        format!("{}:{line}, {}: `{text}`", self.name, place.point.what)
    }

    fn write_lcov(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "SF:rtl/{}", self.name)?;
        let mut numbers = BTreeMap::<u32, u32>::new();
        for (line, (count, waived)) in self.branches() {
            if !waived {
                let number = numbers.entry(line).or_default();
                writeln!(text, "BRDA:{line},0,{number},{count}")?;
                *number += 1;
            }
        }
        for (line, (count, waived)) in self.lines() {
            if count > 0 || !waived {
                writeln!(text, "DA:{line},{count}")?;
            }
        }
        writeln!(text, "end_of_record")
    }
}

/// The bins that the requests and answers of a run have hit.
#[derive(Debug, Default)]
pub struct BinReport {
    /// The results of the bins.
    pub bins: Vec<Counted>,
    /// Number of decisions compared with the golden model's.
    pub compared: u64,
    /// Errors: hits of impossible bins.
    pub wrong: Vec<String>,
}

/// The sources of cores, and the waivers that apply to them.
pub struct Rtl {
    sources: Vec<Source>,
    waivers: Vec<Waiver>,
}

impl Rtl {
    /// Reads the sources and the list of waivers in the folder `rtl`.
    pub fn read(rtl: &Path, cores: &[&Variant]) -> Result<Self, String> {
        let read = |name: &str| {
            let file = rtl.join(name);
            fs::read_to_string(&file).map_err(|why| {
                let file = file.display();
                format!(
                    "{file}: {why}: it is read from the repository, `--rtl` names its folder rtl"
                )
            })
        };
        let mut waivers = waivers::parse(&read(LIST)?)?;
        let mut sources = Vec::<Source>::new();
        for name in cores.iter().flat_map(|core| core.sources) {
            if sources.iter().all(|known| known.name != *name) {
                sources.push(Source {
                    name: (*name).into(),
                    text: read(name)?.lines().map(String::from).collect(),
                    places: Vec::new(),
                });
            }
        }
        // Drops waivers for the sources of other cores.
        waivers.retain(|waiver| sources.iter().any(|source| source.name == waiver.file));
        Ok(Self { sources, waivers })
    }
}

/// The result of a measurement.
pub struct CoverageReport {
    pub(super) cores: Vec<&'static Variant>,
    /// Number of models simulated.
    pub(super) models: usize,
    /// The sources with a counter, in the order of the cores' lists.
    sources: Vec<Source>,
    /// Sources of the cores that have no counter.
    outside: Vec<String>,
    bin_report: BinReport,
    /// Errors: waivers of places that were reached, and hits of impossible bins.
    wrong: Vec<String>,
}

impl CoverageReport {
    /// The coverage of sources.
    pub(super) fn of(rtl: Rtl, data: &Data, bin_report: BinReport) -> Self {
        let Rtl {
            mut sources,
            waivers,
        } = rtl;
        let source_of = |file: &str| sources.iter().find(|source| source.name == file);
        let line_of = |file: &str, line| source_of(file)?.line(line);
        let (reasons, mut wrong) = waivers::resolve(&waivers, data, line_of);
        wrong.extend(bin_report.wrong.iter().cloned());
        let counted: BTreeSet<&str> = data.keys().map(|point| &*point.file).collect();
        for file in counted.iter().filter(|file| source_of(file).is_none()) {
            wrong.push(format!("{file} is simulated, but is in no file list"));
        }
        let place = |(point, count): (&Point, &u64)| Place {
            point: point.clone(),
            count: *count,
            reason: reasons.get(point).map(|reason| (*reason).into()),
        };
        let places: Vec<Place> = data.iter().map(place).collect();
        for place in places {
            let mut sources = sources.iter_mut();
            if let Some(source) = sources.find(|source| source.name == place.point.file) {
                source.places.push(place);
            }
        }
        let (outside, sources): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| source.places.is_empty());
        Self {
            cores: Vec::new(),
            models: 0,
            sources,
            outside: outside.into_iter().map(|source| source.name).collect(),
            bin_report,
            wrong,
        }
    }

    fn lines(&self) -> Figure {
        let sources = self.sources.iter();
        Figure::of(sources.flat_map(|source| source.lines().into_values()))
    }

    fn branches(&self) -> Figure {
        let branches = self.sources.iter().flat_map(Source::branches);
        Figure::of(branches.map(|(_, count)| count))
    }

    /// The reasons why the coverage is insufficient; empty if it is sufficient.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = self.wrong.clone();
        let lines = self.lines();
        if lines.percent() < MIN_PERCENT {
            failures.push(format!(
                "lines reached: expected at least {MIN_PERCENT} %, got {lines}"
            ));
        }
        for Counted { name, empty, .. } in &self.bin_report.bins {
            let empty = empty.iter();
            failures.extend(empty.map(|bin| format!("the bin {bin} is empty ({name})")));
        }
        failures
    }

    /// Descriptions of the places that were not reached, by the reason of their waiver.
    fn unreached(&self) -> BTreeMap<Option<&str>, Vec<String>> {
        let mut by_reason = BTreeMap::<_, Vec<String>>::new();
        for source in &self.sources {
            for place in source.places.iter().filter(|place| place.count == 0) {
                let reason = place.reason.as_deref();
                let places = by_reason.entry(reason).or_default();
                places.push(source.describe(place));
            }
        }
        by_reason
    }

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
what {} models of these cores reached together, with and without the UART; {} of their decisions
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
            let lines = Figure::of(source.lines().into_values());
            let branches = Figure::of(source.branches().map(|(_, count)| count));
            let [lines, branches] =
                [lines, branches].map(|figure| format!("{}/{}", figure.reached, figure.reachable));
            writeln!(text, "| `{}` | {lines} | {branches} |", source.name)?;
        }
        let (lines, branches) = (self.lines(), self.branches());
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
        let mut unreached = self.unreached();
        let holes = unreached.remove(&None).unwrap_or_default();
        for (reason, places) in unreached {
            writeln!(text, "- {}", reason.unwrap_or_default())?;
            for place in places {
                writeln!(text, "  - {place}")?;
            }
        }
        if !holes.is_empty() {
            writeln!(text, "\n## Not reached\n")?;
        }
        holes.iter().try_for_each(|hole| writeln!(text, "- {hole}"))
    }
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::data;

    const DATA: &str = include_str!("data/model.dat");
    const WAIVED: &str = "why\n  top/lamp.sv: else: if (a)\n";

    fn report_of(counts: &str, list: &str, bin_report: BinReport) -> CoverageReport {
        let mut data = Data::new();
        data::add(&mut data, counts).expect("counts");
        let lines = [
            "module lamp;",
            "",
            "always_comb begin",
            "if (a) b = 1;",
            "if (a) c = 1;",
        ];
        let sources = [("top/lamp.sv", &lines[..]), ("a_pkg.sv", &[])];
        let source = |(name, lines): (&str, &[&str])| Source {
            name: name.into(),
            text: lines.iter().copied().map(String::from).collect(),
            ..Source::default()
        };
        let rtl = Rtl {
            sources: sources.map(source).into(),
            waivers: waivers::parse(list).expect("a list"),
        };
        CoverageReport::of(rtl, &data, bin_report)
    }

    fn report(list: &str) -> CoverageReport {
        report_of(DATA, list, BinReport::default())
    }

    fn figure(reached: usize, reachable: usize, unreachable: usize) -> Figure {
        Figure {
            reached,
            reachable,
            unreachable,
        }
    }

    #[test]
    fn report_waived_place_is_no_hole() {
        let bare = report("");
        // Lines 3 and 5 to 7 by their block, 4 by its branch.
        let figures = (bare.lines(), bare.branches());
        assert_eq!(figures, (figure(5, 5, 0), figure(1, 2, 0)));
        let hole = vec!["top/lamp.sv:4, else: `if (a) b = 1;`".to_owned()];
        assert_eq!(bare.unreached(), [(None, hole.clone())].into());
        assert_eq!(bare.outside, ["a_pkg.sv"]);
        let waived = report(WAIVED);
        assert_eq!(waived.branches(), figure(1, 1, 1));
        assert_eq!(waived.unreached(), [(Some("why"), hole)].into());
    }

    #[test]
    fn report_waiver_matches_one_unreached_point() {
        let nothing = "coverage_waivers.txt:2: 0 places in top/";
        for (places, good, wrong) in [
            ("top/lamp.sv: else: if (a) b", 1, ""),
            ("top/lamp.sv: else: if (a) ~> c = 1", 1, ""),
            (
                "top/lamp.sv: if: if (a) b",
                0,
                "coverage_waivers.txt:2: top/lamp.sv:4 (if) was reached 5 times, though it is waived: why",
            ),
            ("top/lamp.sv: else: if (z)", 0, nothing),
            ("top/lamp.sv: case: if (a) b", 0, nothing),
            ("a_pkg.sv: else: if (a) b", 0, "coverage_waivers.txt:2: 0"),
            ("top/lamp.sv: else: if (a) b ~> d = 1", 0, nothing),
            (
                "top/lamp.sv: else: if (a) b\n  top/lamp.sv: else: b = 1",
                1,
                "coverage_waivers.txt:3: top/lamp.sv:4 is named twice",
            ),
        ] {
            let report = report(&format!("why\n  {places}\n"));
            assert_eq!(report.branches().unreachable, good, "{places}");
            let why = report.failures().concat();
            assert!(why.starts_with(wrong), "{places}: {why}");
            assert_eq!(why.is_empty(), wrong.is_empty(), "{places}: {why}");
        }
    }

    #[test]
    fn line_with_two_places_is_waived_if_both_are() {
        let place = |(count, waived): (u64, bool)| Place {
            point: Point {
                file: "top/lamp.sv".into(),
                line: 1,
                column: 1,
                is_branch: false,
                what: "if".into(),
                lines: vec![(1, 2)],
            },
            count,
            reason: waived.then(|| "why".into()),
        };
        for (places, expected) in [
            ([(0, false), (0, true)], figure(0, 2, 0)),
            ([(0, true), (0, false)], figure(0, 2, 0)),
            ([(0, true), (0, true)], figure(0, 0, 2)),
            ([(0, true), (3, false)], figure(2, 2, 0)),
        ] {
            let source = Source {
                places: places.map(place).into(),
                ..Source::default()
            };
            let got = Figure::of(source.lines().into_values());
            assert_eq!(got, expected, "{places:?}");
        }
    }

    #[test]
    fn lcov_has_hits_and_no_waived_place() {
        let head = "SF:rtl/top/lamp.sv\nBRDA:4,0,0,5\n";
        let tail = "DA:3,12\nDA:4,5\nDA:5,12\nDA:6,12\nDA:7,12\nend_of_record\n";
        assert_eq!(report("").lcov(), format!("{head}BRDA:4,0,1,0\n{tail}"));
        assert_eq!(report(WAIVED).lcov(), format!("{head}{tail}"));
    }

    #[test]
    fn failures_are_few_lines_and_empty_bins() {
        let bin_report = BinReport {
            bins: vec![Counted {
                name: "toy: group".into(),
                hit: 1,
                empty: vec!["none".into()],
            }],
            ..BinReport::default()
        };
        // One of five lines: a block that was not reached.
        let failures = report_of(&DATA.replace("' 12", "' 0"), "", bin_report).failures();
        assert!(failures[0].contains("1 of 5, 20.0 %"), "{failures:#?}");
        assert_eq!(failures[1], "the bin none is empty (toy: group)");
    }
}
