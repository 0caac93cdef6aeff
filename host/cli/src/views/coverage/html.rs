//! What was reached of the RTL, as a page.

use std::collections::BTreeMap;

use lockstep_lab::coverage::document::{text_of, told};
use lockstep_lab::coverage::report::{Counted, Figure, Line, Place, Report, Source};
use maud::{Markup, html};

use super::parts::{Card, bar, cards, page, table};

/// The whole page.
pub fn whole(report: &Report) -> String {
    let failures = report.failures();
    let body = html! {
        h1 { "Coverage of the RTL" }
        p class="soft" {
            "RTL build " (format!("{:08x}", report.build_id)) ". What " (report.models)
            " models of the core reached together, at the pins and behind the UART; "
            (report.compared) " of its decisions were compared with the golden model."
        }
        (cards(&totals(report)))
        @if !failures.is_empty() {
            h2 { "Not enough" }
            ul { @for failure in &failures { li class="bad" { (failure) } } }
        }
        h2 id="sources" { "Sources" }
        (sources(report))
        h2 id="never" { "Never reached" }
        (never(report))
        h2 id="bins" { "Functional bins" }
        p class="soft" {
            "What was asked and answered, counted on the host's side by the golden model. "
            "T2 is piece T in rotation 2."
        }
        @for counted in &report.bins { (bins(counted)) }
        h2 id="lines" { "Line by line" }
        p class="soft" {
            "How often each line was reached; without a number there is nothing to reach in it."
        }
        @for source in &report.sources { (annotated(source)) }
        @if !report.outside.is_empty() {
            h2 { "Not counted" }
            p {
                "Not in the simulated core, or nothing but constants and types: "
                @for (index, name) in report.outside.iter().enumerate() {
                    @if index > 0 { ", " }
                    code { (name) }
                }
                "."
            }
        }
    };
    page("Coverage of the RTL", &body)
}

fn percent(figure: Figure) -> String {
    format!("{:.1} %", figure.percent())
}

fn totals(report: &Report) -> Vec<Card> {
    let card = |name, figure: Figure| Card {
        name,
        value: percent(figure),
        note: format!("{} of {}", figure.reached, figure.reachable),
    };
    let bins = report.bins.iter().map(Counted::figure);
    vec![
        card("lines", report.total(Source::lines_reached)),
        card("branches", report.total(Source::branches)),
        card(
            "bits that changed both ways",
            report.total(|source| source.bits),
        ),
        card("bins", bins.fold(Figure::default(), Figure::and)),
    ]
}

/// The address of a line in the page.
fn anchor(source: &Source, line: u32) -> String {
    format!("{}:{line}", source.name)
}

fn sources(report: &Report) -> Markup {
    let of = |figure: Figure| {
        html! { (figure.reached) "/" (figure.reachable) " " (bar(figure.percent())) }
    };
    let row = |source: &Source| {
        vec![
            html! { a href=(format!("#{}", anchor(source, 1))) { code { (source.name) } } },
            of(source.lines_reached()),
            of(source.branches()),
            of(source.bits),
        ]
    };
    let rows: Vec<_> = report.sources.iter().map(row).collect();
    table(&["source", "lines", "branches", "bits"], &[1, 2, 3], &rows)
}

/// By reason; what has none comes first.
fn never(report: &Report) -> Markup {
    let mut by_reason = BTreeMap::<Option<&str>, Vec<(&Source, &Place)>>::new();
    for source in &report.sources {
        for place in source.places.iter().filter(|place| place.count == 0) {
            let places = by_reason.entry(place.reason.as_deref()).or_default();
            places.push((source, place));
        }
    }
    html! {
        @if by_reason.is_empty() {
            p { "Every line and branch was reached." }
        }
        @for (reason, places) in &by_reason {
            @match reason {
                Some(reason) => p { (reason) },
                None => p class="bad" { "No reason is known:" },
            }
            ul {
                @for (source, place) in places {
                    @let address = anchor(source, place.point.line);
                    li {
                        a href=(format!("#{address}")) { code { (address) } }
                        ", " (place.point.what) ": " code { (text_of(source, place)) }
                    }
                }
            }
        }
    }
}

fn bins(counted: &Counted) -> Markup {
    let (impossible, open) = counted.empty();
    let filled = counted.group.bins.iter().zip(&counted.counts);
    html! {
        details open[!open.is_empty()] {
            summary { (counted.group.name) ": " (told(counted.figure())) }
            div {
                div class="chips" {
                    @for bin in &open { span class="chip none" { (bin) ": never" } }
                    @for (possible, count) in filled.filter(|(_, count)| **count > 0) {
                        span class="chip" { (possible.bin) ": " (count) }
                    }
                }
                @for (reason, bins) in &impossible {
                    p class="soft" { "Impossible: " (reason) }
                    div class="chips" {
                        @for bin in bins { span class="chip never" { (bin) } }
                    }
                }
            }
        }
    }
}

fn annotated(source: &Source) -> Markup {
    let lines = source.lines();
    let missed = source.places.iter().filter(|place| place.is_hole()).count();
    html! {
        details {
            summary {
                code { (source.name) } " "
                (told(source.lines_reached()))
                @if missed > 0 { " " span class="bad" { (missed) " not reached" } }
            }
            div class="wide" {
                table class="source" {
                    @for (text, number) in source.text.iter().zip(1..) {
                        (line(source, number, text, lines.get(&number)))
                    }
                }
            }
            @if !source.still.is_empty() {
                p class="soft" { "Bits that never changed both ways:" }
                div class="chips" {
                    @for still in &source.still {
                        span class="chip never" { (still.name) " " (still.bits) }
                    }
                }
            }
        }
    }
}

fn line(source: &Source, number: u32, text: &str, known: Option<&Line>) -> Markup {
    let unreached = known.map_or(&[][..], |line| &line.unreached);
    let hole = unreached.iter().any(|(_, reason)| reason.is_none());
    let class = match known {
        None => "",
        Some(_) if hole => "miss",
        Some(line) if line.count == 0 => "never",
        Some(_) if !unreached.is_empty() => "never",
        Some(_) => "hit",
    };
    html! {
        tr id=(anchor(source, number)) class=(class) {
            td class="number" { (number) }
            td class="number" { @if let Some(line) = known { (line.count) } }
            td { (text) }
        }
        @for (what, reason) in unreached {
            tr class=(match reason { None => "miss note", Some(_) => "never note" }) {
                td {}
                td {}
                td {
                    (what) " never: "
                    @match reason {
                        Some(reason) => (reason),
                        None => "no reason is known",
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lockstep_lab::coverage::data::Data;
    use lockstep_lab::coverage::waivers::parse;
    use lockstep_lab::coverage::watch::Seen;

    use super::*;

    const POINT: &str = "C '\u{1}f\u{2}/x/rtl/top/lamp.sv\u{1}l\u{2}LINE\u{1}n\u{2}3\u{1}t\u{2}branch\
                         \u{1}o\u{2}if\u{1}S\u{2}LINE' ";

    fn report() -> Report {
        let counts = [(1, 8), (2, 0), (3, 0)]
            .map(|(line, count)| POINT.replace("LINE", &line.to_string()) + &format!("{count}\n"));
        let text = format!("# SystemC::Coverage-3\n{}", counts.concat());
        let data = Data::parse("model", &text).expect("counts");
        let lines = [
            "if (a < b && c) d;",
            "if (two) \"</td>\";",
            "if (three) e;",
            "",
        ];
        let lamp = lines.map(String::from).to_vec();
        let list = parse("<never> it is so\n  top/lamp.sv: if: three\n").expect("a list");
        Report::of(
            vec![("top/lamp.sv".into(), lamp)],
            &list,
            &data,
            &Seen::default(),
        )
    }

    #[test]
    fn every_line_has_its_count_and_what_was_not_reached_its_reason() {
        let page = whole(&report());
        let row = |number: usize, class: &str, count: &str, text: &str| {
            format!(
                "<tr id=\"top/lamp.sv:{number}\" class=\"{class}\"><td class=\"number\">{number}</td>\
                 <td class=\"number\">{count}</td><td>{text}</td></tr>"
            )
        };
        for part in [
            row(1, "hit", "8", "if (a &lt; b &amp;&amp; c) d;"),
            row(2, "miss", "0", "if (two) &quot;&lt;/td&gt;&quot;;"),
            row(3, "never", "0", "if (three) e;"),
            row(4, "", "", ""),
            "if never: no reason is known".into(),
            "if never: &lt;never&gt; it is so".into(),
            "<a href=\"#top/lamp.sv:2\">".into(),
        ] {
            assert!(page.contains(&part), "no {part} in {page}");
        }
    }

    #[test]
    fn what_is_not_enough_is_told_first() {
        let page = whole(&report());
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
        assert!(at("Not enough") < at("Sources"));
        assert!(page.contains("1 of 2 reachable lines were reached, 50.0 %"));
        assert!(page.contains("nothing is in the bin T has no place"));
    }
}
