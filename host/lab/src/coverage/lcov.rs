//! A report in the format of lcov, which genhtml, editors and services of CI read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::data::Kind;
use super::report::{Report, Source};

/// The tracefile: hits of lines and branches. What cannot be reached is left out.
pub fn tracefile(report: &Report) -> String {
    let mut text = String::new();
    for source in &report.sources {
        // Text takes all that is written to it.
        let _ = write(&mut text, source);
    }
    text
}

fn write(text: &mut String, source: &Source) -> std::fmt::Result {
    writeln!(text, "SF:rtl/{}", source.name)?;
    let (mut lines, mut branches) = (BTreeMap::<u32, u64>::new(), BTreeMap::<u32, u32>::new());
    let places = || source.places.iter().filter(|place| place.reason.is_none());
    for place in places() {
        for number in place.point.lines.iter().flat_map(|(from, to)| *from..=*to) {
            let line = lines.entry(number).or_default();
            *line = (*line).max(place.count);
        }
    }
    for place in places().filter(|place| place.point.kind == Kind::Branch) {
        let line = place.point.line;
        let number = branches.entry(line).or_default();
        writeln!(text, "BRDA:{line},0,{number},{}", place.count)?;
        *number += 1;
    }
    for (line, count) in lines {
        writeln!(text, "DA:{line},{count}")?;
    }
    writeln!(text, "end_of_record")
}

#[cfg(test)]
mod tests {
    use super::super::data::Data;
    use super::super::report::Seen;
    use super::super::waivers::parse;
    use super::*;

    #[test]
    fn tracefile_has_hits_and_no_waived_place() {
        let data = Data::parse("model", include_str!("data/model.dat")).expect("counts");
        let lines = ["module lamp;", "", "always_comb begin", "if (a) b = 1;"];
        let traced = |list: &str| {
            let sources = vec![("top/lamp.sv".into(), lines.map(String::from).to_vec())];
            let waivers = parse(list).expect("a list");
            tracefile(&Report::of(sources, &waivers, &data, Seen::default()))
        };
        let head = "SF:rtl/top/lamp.sv\nBRDA:4,0,0,5\n";
        let tail = "DA:3,12\nDA:4,5\nDA:5,12\nDA:6,12\nDA:7,12\nend_of_record\n";
        assert_eq!(traced(""), format!("{head}BRDA:4,0,1,0\n{tail}"));
        let waived = traced("why\n  top/lamp.sv: else: if (a)\n");
        assert_eq!(waived, format!("{head}{tail}"));
    }
}
