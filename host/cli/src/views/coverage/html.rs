//! What was reached of the RTL, as a page.

use lockstep_lab::coverage::document::told;
use lockstep_lab::coverage::report::{Counted, Figure, Line, Place, Report, Source};
use maud::{Markup, html};

use crate::views::page::{Card, bar, cards, page, table};

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
        card("bits that changed both ways", report.total(|source| source.bits)),
        card("bins", bins.fold(Figure::default(), Figure::and)),
    ]
}

/// The address of a line in the page.
fn anchor(source: &Source, line: u32) -> String {
    format!("{}:{line}", source.name)
}

fn sources(report: &Report) -> Markup {
    let of = |figure: Figure| html! { (figure.reached) "/" (figure.reachable) };
    let row = |source: &Source| {
        let (lines, bits) = (source.lines_reached(), source.bits);
        vec![
            html! { a href=(format!("#{}", anchor(source, 1))) { code { (source.name) } } },
            bar(lines.percent()),
            of(lines),
            of(source.branches()),
            bar(bits.percent()),
            of(bits),
        ]
    };
    let rows: Vec<_> = report.sources.iter().map(row).collect();
    let header = ["source", "lines", "", "branches", "bits", ""];
    table(&header, &[2, 3, 5], &rows)
}

fn never(report: &Report) -> Markup {
    let row = |source: &Source, place: &Place| {
        let point = &place.point;
        let text = (point.line as usize)
            .checked_sub(1)
            .and_then(|line| source.text.get(line));
        let reason = match &place.reason {
            Some(reason) => html! { (reason) },
            None => html! { span class="bad" { "no reason is known" } },
        };
        let address = anchor(source, point.line);
        vec![
            html! { a href=(format!("#{address}")) { code { (address) } } },
            html! { (point.what) },
            html! { code { (text.map_or("", |text| text.trim())) } },
            reason,
        ]
    };
    let rows: Vec<_> = report
        .sources
        .iter()
        .flat_map(|source| {
            let places = source.places.iter().filter(|place| place.count == 0);
            places.map(move |place| row(source, place))
        })
        .collect();
    html! {
        @if rows.is_empty() {
            p { "Every line and branch was reached." }
        } @else {
            (table(&["where", "what", "line", "why it cannot be"], &[], &rows))
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
