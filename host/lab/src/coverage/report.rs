//! What a run has reached, put together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::bins::Counted;
use super::bits::{Still, toggles};
use super::data::{Data, Kind, Point};
use super::waivers::{self, LIST, ListError};

/// Of the lines that can be reached, in percent.
pub const LEAST: f64 = 95.0;

/// What was reached of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figure {
    /// Reached.
    pub reached: usize,
    /// All that can be.
    pub reachable: usize,
    /// Beside those: with a reason why they cannot.
    pub unreachable: usize,
}

impl Figure {
    pub(super) fn count(&mut self, reached: bool, reason: bool) {
        self.reached += usize::from(reached);
        self.reachable += usize::from(reached || !reason);
        self.unreachable += usize::from(!reached && reason);
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            reached: self.reached + other.reached,
            reachable: self.reachable + other.reachable,
            unreachable: self.unreachable + other.unreachable,
        }
    }

    /// In percent; all of nothing is everything.
    pub fn percent(self) -> f64 {
        match self.reachable {
            0 => 100.0,
            reachable => 100.0 * self.reached as f64 / reachable as f64,
        }
    }
}

/// A line or branch.
#[derive(Debug, Clone)]
pub struct Place {
    /// Where and what it is.
    pub point: Point,
    /// How often it was reached.
    pub count: u64,
    /// Why it cannot be.
    pub reason: Option<String>,
}

impl Place {
    /// Neither reached nor is there a reason.
    pub fn is_hole(&self) -> bool {
        self.count == 0 && self.reason.is_none()
    }
}

/// A source of the RTL.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its file, below `rtl/`.
    pub name: String,
    /// Its lines.
    pub text: Vec<String>,
    /// Its lines and branches.
    pub places: Vec<Place>,
    /// Bits that changed both ways.
    pub bits: Figure,
    /// Signals with others.
    pub still: Vec<Still>,
}

/// What is known of a line.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// How often it was reached.
    pub count: u64,
    /// What in it was not, and why.
    pub unreached: Vec<(String, Option<String>)>,
}

impl Source {
    /// The lines that are counted.
    pub fn lines(&self) -> BTreeMap<u32, Line> {
        let mut lines = BTreeMap::<u32, Line>::new();
        for place in &self.places {
            let point = &place.point;
            for number in point.lines.iter().flat_map(|(from, to)| *from..=*to) {
                let line = lines.entry(number).or_default();
                line.count = line.count.max(place.count);
            }
            if place.count == 0 {
                let line = lines.entry(point.line).or_default();
                let what = (point.what.clone(), place.reason.clone());
                line.unreached.push(what);
            }
        }
        lines
    }

    /// Lines of code that were reached. One that was not is unreachable when all that it belongs
    /// to is.
    pub fn lines_reached(&self) -> Figure {
        let mut lines = BTreeMap::<u32, (bool, bool)>::new();
        for place in &self.places {
            for (from, to) in &place.point.lines {
                for number in *from..=*to {
                    let (reached, reason) = lines.entry(number).or_insert((false, true));
                    *reached |= place.count > 0;
                    *reason &= place.reason.is_some();
                }
            }
        }
        let mut figure = Figure::default();
        for (reached, reason) in lines.into_values() {
            figure.count(reached, reason);
        }
        figure
    }

    /// Branches that were taken.
    pub fn branches(&self) -> Figure {
        let mut figure = Figure::default();
        let branches = self.places.iter();
        for place in branches.filter(|place| place.point.kind == Kind::Branch) {
            figure.count(place.count > 0, place.reason.is_some());
        }
        figure
    }
}

impl Counted {
    /// Bins that were hit.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::default();
        for (_, count, impossible) in &self.bins {
            figure.count(*count > 0, impossible.is_some());
        }
        figure
    }

    /// Bins that are empty without a reason.
    pub fn open(&self) -> impl Iterator<Item = &str> {
        let open = self
            .bins
            .iter()
            .filter(|(_, count, why)| *count == 0 && why.is_none());
        open.map(|(name, ..)| name.as_str())
    }
}

/// What was asked of the cores, and answered.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The bins.
    pub bins: Vec<Counted>,
    /// Decisions compared with the golden model's.
    pub compared: u64,
    /// Contradictions between bins and their hits.
    pub wrong: Vec<String>,
}

impl Seen {
    /// Adds what was seen of another core.
    pub fn merge(&mut self, other: Self) {
        self.bins.extend(other.bins);
        self.compared += other.compared;
        self.wrong.extend(other.wrong);
    }
}

/// A game's core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Core {
    /// The game.
    pub game: &'static str,
    /// Build of its RTL.
    pub build_id: u32,
    /// Its sources, below `rtl/`.
    pub sources: &'static [&'static str],
}

/// All of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// The cores.
    pub cores: Vec<Core>,
    /// Models that were simulated.
    pub models: usize,
    /// The sources, in the order of the cores' lists.
    pub sources: Vec<Source>,
    /// Sources of the cores without anything to reach in them here.
    pub outside: Vec<String>,
    /// What was asked and answered.
    pub seen: Seen,
    /// What must not be: waivers that are not true, impossible bins that were hit.
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
        /// Why.
        why: std::io::Error,
    },
    /// The list of what cannot be reached.
    #[error(transparent)]
    List(#[from] ListError),
}

impl Report {
    /// What was reached of the cores whose sources lie in the folder `rtl`.
    ///
    /// # Errors
    /// When a source or the list of waivers cannot be read.
    pub fn new(
        rtl: &Path,
        cores: Vec<Core>,
        models: usize,
        data: &Data,
        seen: Seen,
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
        // The others are those of cores that were not asked.
        listed.retain(|waiver| sources.iter().any(|(name, _)| *name == waiver.file));
        Ok(Self {
            cores,
            models,
            ..Self::of(sources, &listed, data, seen)
        })
    }

    /// The same of sources that were read.
    pub fn of(
        sources: Vec<(String, Vec<String>)>,
        listed: &[waivers::Waiver],
        data: &Data,
        seen: Seen,
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
        let (waived, rotten) = waivers::resolve(listed, data, line_of);
        let reasons: BTreeMap<&Point, &str> = waived
            .iter()
            .map(|(point, waiver)| (*point, waiver.reason.as_str()))
            .collect();
        let mut wrong: Vec<String> = rotten.iter().map(ToString::to_string).collect();
        wrong.extend(seen.wrong.iter().cloned());
        let counted: BTreeSet<&str> = data.iter().map(|(point, _)| point.file.as_str()).collect();
        for file in counted.iter().filter(|file| !texts.contains_key(*file)) {
            wrong.push(format!("{file} is simulated and stands in no list"));
        }
        let (mut covered, mut outside) = (Vec::new(), Vec::new());
        for (name, text) in &sources {
            let own = || data.iter().filter(|(point, _)| point.file == *name);
            if own().next().is_none() {
                outside.push(name.clone());
                continue;
            }
            let places = own().filter(|(point, _)| point.kind != Kind::Toggle);
            let places = places.map(|(point, count)| Place {
                point: point.clone(),
                count,
                reason: reasons.get(point).map(|reason| (*reason).to_owned()),
            });
            let (bits, still) = toggles(own());
            covered.push(Source {
                name: name.clone(),
                text: text.clone(),
                places: places.collect(),
                bits,
                still,
            });
        }
        Self {
            cores: Vec::new(),
            models: 0,
            sources: covered,
            outside,
            seen,
            wrong,
        }
    }

    /// A figure of all sources.
    pub fn total(&self, of: impl Fn(&Source) -> Figure) -> Figure {
        let figures = self.sources.iter().map(of);
        figures.fold(Figure::default(), Figure::and)
    }

    /// Why this is not enough; nothing if it is.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = self.wrong.clone();
        let lines = self.total(Source::lines_reached);
        if lines.percent() < LEAST {
            failures.push(format!(
                "{} of {} reachable lines were reached, {:.1} %; {LEAST} % is the least",
                lines.reached,
                lines.reachable,
                lines.percent()
            ));
        }
        for counted in &self.seen.bins {
            let name = &counted.name;
            let open = counted.open();
            failures.extend(open.map(|bin| format!("nothing is in the bin {bin} ({name})")));
        }
        failures
    }

    /// Lines and branches that were not reached without a reason, each with its source.
    pub fn holes(&self) -> impl Iterator<Item = (&Source, &Place)> {
        let of = |source| move |place| (source, place);
        let sources = self.sources.iter();
        sources.flat_map(move |source: &Source| {
            let holes = source.places.iter().filter(|place| place.is_hole());
            holes.map(of(source))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::waivers::parse;
    use super::*;

    const DATA: &str = include_str!("data/model.dat");

    fn report(list: &str, seen: Seen) -> Report {
        let data = Data::parse("model", DATA).expect("counts");
        let lines = ["module lamp;", "", "always_comb begin", "if (a) b = 1;"];
        let lamp = lines.map(String::from).to_vec();
        let sources = vec![("top/lamp.sv".into(), lamp), ("a_pkg.sv".into(), vec![])];
        Report::of(sources, &parse(list).expect("a list"), &data, seen)
    }

    fn figure(reached: usize, reachable: usize, unreachable: usize) -> Figure {
        Figure {
            reached,
            reachable,
            unreachable,
        }
    }

    #[test]
    fn lines_branches_and_bits_are_counted_and_what_has_a_reason_is_not_missed() {
        let bare = report("", Seen::default());
        let lamp = bare.sources.first().expect("a source");
        // 3 and 5 to 7 by their block, 4 by its branch
        assert_eq!(lamp.lines_reached(), figure(5, 5, 0));
        assert_eq!(lamp.branches(), figure(1, 2, 0));
        assert_eq!(lamp.bits, figure(0, 1, 0));
        let still = Still {
            name: "data_q".into(),
            bits: String::new(),
        };
        assert_eq!(lamp.still, [still]);
        assert_eq!(bare.holes().count(), 1);
        assert_eq!(bare.outside, ["a_pkg.sv"]);
        let reason = report("why\n  top/lamp.sv: else: if (a)\n", Seen::default());
        let lamp = reason.sources.first().expect("a source");
        assert_eq!(lamp.branches(), figure(1, 1, 1));
        assert_eq!(reason.holes().count(), 0);
        let line = lamp.lines().remove(&4).expect("a line");
        assert_eq!(line.unreached, [("else".into(), Some("why".into()))]);
    }

    /// A line with two blocks that were not reached, of which one has a reason.
    #[test]
    fn a_line_is_unreachable_when_all_that_it_belongs_to_is() {
        let place = |what: &str, count, reason: Option<&str>| Place {
            point: Point {
                file: "top/lamp.sv".into(),
                line: 1,
                column: 1,
                kind: Kind::Line,
                what: what.into(),
                lines: vec![(1, 2)],
            },
            count,
            reason: reason.map(str::to_owned),
        };
        let source = |places| Source {
            name: "top/lamp.sv".into(),
            text: Vec::new(),
            places,
            bits: Figure::default(),
            still: Vec::new(),
        };
        let (open, waived) = (place("if", 0, None), place("else", 0, Some("why")));
        for both in [[open.clone(), waived.clone()], [waived.clone(), open]] {
            assert_eq!(source(both.to_vec()).lines_reached(), figure(0, 2, 0));
        }
        let all = vec![waived.clone(), place("if", 0, Some("why"))];
        assert_eq!(source(all).lines_reached(), figure(0, 0, 2));
        let reached = vec![waived, place("if", 3, None)];
        assert_eq!(source(reached).lines_reached(), figure(2, 2, 0));
    }

    #[test]
    fn too_few_lines_empty_bins_and_what_is_not_true_are_failures() {
        let bins = [("hit", 3, None), ("empty", 0, None), ("no", 0, Some("why"))];
        let bins = bins.map(|(name, count, why)| (name.into(), count, why.map(str::to_owned)));
        let seen = Seen {
            bins: vec![Counted {
                name: "toy: group".into(),
                bins: bins.into(),
            }],
            ..Seen::default()
        };
        let failures = report("", seen.clone()).failures();
        let empty = failures.iter().filter(|f| f.contains("in the bin"));
        let empty: Vec<_> = empty.collect();
        assert_eq!(empty, ["nothing is in the bin empty (toy: group)"]);
        let untrue = report("why\n  top/lamp.sv: if: if (a)\n", seen.clone()).failures();
        assert!(
            untrue.iter().any(|f| f.contains("was reached 5 times")),
            "{untrue:#?}"
        );
        // One of six lines: a block that was not reached.
        let data = DATA.replace("' 12", "' 0");
        let data = Data::parse("model", &data).expect("counts");
        let lamp = vec![("top/lamp.sv".to_owned(), vec![])];
        let few = Report::of(lamp, &[], &data, seen).failures();
        assert!(
            few.iter().any(|f| f.contains("1 of 5 reachable lines")),
            "{few:#?}"
        );
    }
}
