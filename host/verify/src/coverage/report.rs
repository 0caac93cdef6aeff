//! The coverage of the RTL in a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::bins::Counted;
use super::data::{Data, Kind, Point};
use super::waivers::{self, LIST, ListError};

/// Required coverage of the reachable lines, in percent.
pub const LEAST: f64 = 95.0;

/// The number of lines or branches reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figure {
    /// Number reached.
    pub reached: usize,
    /// Number that can be reached.
    pub reachable: usize,
    /// Number that is waived and was not reached.
    pub unreachable: usize,
}

impl Figure {
    fn of(places: impl Iterator<Item = (u64, bool)>) -> Self {
        let mut figure = Self::default();
        for (count, waived) in places {
            figure.reached += usize::from(count > 0);
            figure.reachable += usize::from(count > 0 || !waived);
            figure.unreachable += usize::from(count == 0 && waived);
        }
        figure
    }

    fn and(self, other: Self) -> Self {
        Self {
            reached: self.reached + other.reached,
            reachable: self.reachable + other.reachable,
            unreachable: self.unreachable + other.unreachable,
        }
    }

    /// The share of reachable ones in percent; 100 if there are none.
    pub fn percent(self) -> f64 {
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

/// A block of lines or a branch.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its point in the source.
    pub point: Point,
    /// Number of times it was reached.
    pub count: u64,
    /// The reason of its waiver.
    pub reason: Option<String>,
}

impl Place {
    /// Whether it was neither reached nor is waived.
    pub fn is_hole(&self) -> bool {
        self.count == 0 && self.reason.is_none()
    }
}

/// A source file of the RTL.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path below `rtl/`.
    pub name: String,
    /// Its lines.
    pub text: Vec<String>,
    /// Its lines and branches.
    pub places: Vec<Place>,
}

impl Source {
    /// For each line with a counter: the number of times it was reached, and whether all its places
    /// are waived.
    pub(super) fn counts(&self) -> BTreeMap<u32, (u64, bool)> {
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

    /// The coverage of its lines.
    pub fn lines(&self) -> Figure {
        Figure::of(self.counts().into_values())
    }

    pub(super) fn branch_places(&self) -> impl Iterator<Item = &Place> {
        let places = self.places.iter();
        places.filter(|place| place.point.kind == Kind::Branch)
    }

    /// The coverage of its branches.
    pub fn branches(&self) -> Figure {
        let places = self.branch_places();
        Figure::of(places.map(|place| (place.count, place.reason.is_some())))
    }

    /// Describes a place: file, line, statement and the line's text.
    pub(super) fn describe(&self, place: &Place) -> String {
        let line = place.point.line;
        let text = self.text.get((line as usize).saturating_sub(1));
        let text = text.map_or("", |text| text.trim());
        format!("{}:{line}, {}: `{text}`", self.name, place.point.what)
    }
}

/// The bins that the requests and answers of a run have hit.
#[derive(Debug, Clone, Default)]
pub struct BinReport {
    /// The results of the bins.
    pub bins: Vec<Counted>,
    /// Number of decisions compared with the golden model's.
    pub compared: u64,
    /// Errors: hits of impossible bins.
    pub wrong: Vec<String>,
}

impl BinReport {
    /// Adds the run of another core.
    pub fn merge(&mut self, other: Self) {
        self.bins.extend(other.bins);
        self.compared += other.compared;
        self.wrong.extend(other.wrong);
    }
}

/// A core that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoveredCore {
    /// The game.
    pub game: &'static str,
    /// Build id of its RTL.
    pub build_id: u32,
    /// Its sources, below `rtl/`.
    pub sources: &'static [&'static str],
}

/// The result of a measurement.
#[derive(Debug, Clone)]
pub struct CoverageReport {
    /// The cores that were measured.
    pub cores: Vec<CoveredCore>,
    /// Number of models simulated.
    pub models: usize,
    /// The sources, in the order of the cores' lists.
    pub sources: Vec<Source>,
    /// Sources of the cores that have no counter.
    pub outside: Vec<String>,
    /// The results of the bins.
    pub bin_report: BinReport,
    /// Errors: waivers of places that were reached, and hits of impossible bins.
    pub wrong: Vec<String>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file below `rtl/` cannot be read.
    #[error("{}: {why}: it is read from the repository, `--rtl` names its folder rtl", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        why: std::io::Error,
    },
    /// The list of waivers is malformed.
    #[error(transparent)]
    List(#[from] ListError),
}

impl CoverageReport {
    /// The coverage of cores whose sources are in the folder `rtl`.
    ///
    /// # Errors
    /// When a source or the list of waivers cannot be read.
    pub fn new(
        rtl: &Path,
        cores: Vec<CoveredCore>,
        models: usize,
        data: &Data,
        bin_report: BinReport,
    ) -> Result<Self, ReportError> {
        let read = |name: &str| {
            let file = rtl.join(name);
            fs::read_to_string(&file).map_err(|why| ReportError::Read { file, why })
        };
        let mut listed = waivers::parse(&read(LIST)?)?;
        let mut sources = Vec::<(String, Vec<String>)>::new();
        for name in cores.iter().flat_map(|core| core.sources) {
            if sources.iter().all(|(known, _)| known != name) {
                let text = read(name)?.lines().map(String::from).collect();
                sources.push(((*name).to_owned(), text));
            }
        }
        // Drops waivers for the sources of other cores.
        listed.retain(|waiver| sources.iter().any(|(name, _)| *name == waiver.file));
        Ok(Self {
            cores,
            models,
            ..Self::of(sources, &listed, data, bin_report)
        })
    }

    /// The coverage of sources given by name and lines.
    pub fn of(
        sources: Vec<(String, Vec<String>)>,
        listed: &[waivers::Waiver],
        data: &Data,
        bin_report: BinReport,
    ) -> Self {
        let texts: BTreeMap<&str, &Vec<String>> = sources
            .iter()
            .map(|(name, text)| (name.as_str(), text))
            .collect();
        let line_of = |file: &str, line: u32| {
            let text = texts.get(file)?;
            text.get((line as usize).checked_sub(1)?)
                .map(String::as_str)
        };
        let (waived, untrue) = waivers::resolve(listed, data, line_of);
        let reasons: BTreeMap<&Point, &str> = waived
            .iter()
            .map(|(point, waiver)| (*point, waiver.reason.as_str()))
            .collect();
        let mut wrong: Vec<String> = untrue.iter().map(ToString::to_string).collect();
        wrong.extend(bin_report.wrong.iter().cloned());
        let counted: BTreeSet<&str> = data.iter().map(|(point, _)| point.file.as_str()).collect();
        for file in counted.iter().filter(|file| !texts.contains_key(*file)) {
            wrong.push(format!("{file} is simulated, but is in no file list"));
        }
        let (mut covered, mut outside) = (Vec::new(), Vec::new());
        for (name, text) in &sources {
            let own = data.iter().filter(|(point, _)| point.file == *name);
            let places = own.map(|(point, count)| Place {
                point: point.clone(),
                count,
                reason: reasons.get(point).map(|reason| (*reason).to_owned()),
            });
            let places: Vec<Place> = places.collect();
            match places.is_empty() {
                true => outside.push(name.clone()),
                false => covered.push(Source {
                    name: name.clone(),
                    text: text.clone(),
                    places,
                }),
            }
        }
        Self {
            cores: Vec::new(),
            models: 0,
            sources: covered,
            outside,
            bin_report,
            wrong,
        }
    }

    /// The sum of a figure over all sources.
    pub fn total(&self, of: impl Fn(&Source) -> Figure) -> Figure {
        let figures = self.sources.iter().map(of);
        figures.fold(Figure::default(), Figure::and)
    }

    /// The reasons why the coverage is insufficient; empty if it is sufficient.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = self.wrong.clone();
        let lines = self.total(Source::lines);
        if lines.percent() < LEAST {
            failures.push(format!(
                "lines reached: expected at least {LEAST} %, got {lines}"
            ));
        }
        for Counted { name, empty, .. } in &self.bin_report.bins {
            let empty = empty.iter();
            failures.extend(empty.map(|bin| format!("the bin {bin} is empty ({name})")));
        }
        failures
    }

    /// Descriptions of the places that were not reached and are not waived.
    pub fn holes(&self) -> Vec<String> {
        let of = |source: &Source| {
            let holes = source.places.iter().filter(|place| place.is_hole());
            holes.map(|hole| source.describe(hole)).collect::<Vec<_>>()
        };
        self.sources.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::waivers::parse;
    use super::*;

    const DATA: &str = include_str!("data/model.dat");

    fn report(list: &str, bin_report: BinReport) -> CoverageReport {
        let data = Data::parse("model", DATA).expect("counts");
        let lines = ["module lamp;", "", "always_comb begin", "if (a) b = 1;"];
        let lamp = lines.map(String::from).to_vec();
        let sources = vec![("top/lamp.sv".into(), lamp), ("a_pkg.sv".into(), vec![])];
        CoverageReport::of(sources, &parse(list).expect("a list"), &data, bin_report)
    }

    fn figure(reached: usize, reachable: usize, unreachable: usize) -> Figure {
        Figure {
            reached,
            reachable,
            unreachable,
        }
    }

    const WAIVED: &str = "why\n  top/lamp.sv: else: if (a)\n";

    #[test]
    fn report_waived_place_is_no_hole() {
        let bare = report("", BinReport::default());
        let lamp = bare.sources.first().expect("a source");
        // Lines 3 and 5 to 7 by their block, 4 by its branch.
        assert_eq!(
            (lamp.lines(), lamp.branches()),
            (figure(5, 5, 0), figure(1, 2, 0))
        );
        assert_eq!(bare.holes(), ["top/lamp.sv:4, else: `if (a) b = 1;`"]);
        assert_eq!(bare.outside, ["a_pkg.sv"]);
        let waived = report(WAIVED, BinReport::default());
        assert_eq!(waived.total(Source::branches), figure(1, 1, 1));
        assert_eq!(waived.holes(), [""; 0]);
    }

    #[test]
    fn line_with_two_places_is_waived_if_both_are() {
        let place = |(count, waived): (u64, bool)| Place {
            point: Point {
                file: "top/lamp.sv".into(),
                line: 1,
                column: 1,
                kind: Kind::Line,
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
                name: "top/lamp.sv".into(),
                text: Vec::new(),
                places: places.map(place).into(),
            };
            assert_eq!(source.lines(), expected, "{places:?}");
        }
    }

    #[test]
    fn lcov_has_hits_and_no_waived_place() {
        let head = "SF:rtl/top/lamp.sv\nBRDA:4,0,0,5\n";
        let tail = "DA:3,12\nDA:4,5\nDA:5,12\nDA:6,12\nDA:7,12\nend_of_record\n";
        let lcov = |list| report(list, BinReport::default()).lcov();
        assert_eq!(lcov(""), format!("{head}BRDA:4,0,1,0\n{tail}"));
        assert_eq!(lcov(WAIVED), format!("{head}{tail}"));
    }

    #[test]
    fn failures_are_few_lines_empty_bins_and_false_waivers() {
        let bin_report = BinReport {
            bins: vec![Counted {
                name: "toy: group".into(),
                hit: 1,
                empty: vec!["none".into()],
            }],
            ..BinReport::default()
        };
        let empty = "the bin none is empty (toy: group)";
        assert_eq!(report("", bin_report.clone()).failures(), [empty]);
        let untrue = report("why\n  top/lamp.sv: if: if (a)\n", bin_report.clone()).failures();
        assert!(untrue[0].contains("was reached 5 times"), "{untrue:#?}");
        // One of five lines: a block that was not reached.
        let data = Data::parse("model", &DATA.replace("' 12", "' 0")).expect("counts");
        let lamp = vec![("top/lamp.sv".to_owned(), vec![])];
        let few = CoverageReport::of(lamp, &[], &data, bin_report).failures();
        assert!(few[0].contains("1 of 5, 20.0 %"), "{few:#?}");
    }
}
