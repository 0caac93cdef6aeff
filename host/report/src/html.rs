//! A self-contained HTML page: no font, picture or script from elsewhere.

mod divergences;
mod numbers;
mod why;

use std::collections::BTreeSet;
use std::path::Path;

use divergences::list;
use lockstep::report::Totals;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{RecordAgreement, Reportable, SessionOutcome, SessionReport, number};

/// The style sheet, with light and dark colours.
pub const STYLE: &str = include_str!("html/page.css");

/// About the page itself.
#[derive(Debug, Clone)]
pub struct About<'a> {
    /// Its file, from which other files are linked.
    pub page: &'a Path,
    /// The command line, which repeats the session.
    pub call: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// Date and time of the session.
    pub at: &'a str,
}

/// Writes the page of a session. All text is escaped (`maud`).
pub fn html<G: Reportable>(report: &SessionReport<'_, G>, page: &About<'_>) -> String {
    let Totals {
        interrupted, error, ..
    } = &report.totals;
    let class = match report.outcome() {
        SessionOutcome::Agreed => "verdict good",
        SessionOutcome::Diverged | SessionOutcome::Unfinished => "verdict bad",
        SessionOutcome::NotCompared => "verdict",
    };
    // The headline has only the difference.
    let differs = report.outcome() == SessionOutcome::Diverged;
    let diverged = report.totals.divergences() > 0;
    let played = report.totals.games > 0;
    let body = html! {
        header {
            p.soft { "lockstep " (report.command) ", " (G::NAME) }
            h1 class=(class) { (report.headline()) }
            @if differs && *interrupted { p.bad { "It was interrupted before its end." } }
            @if let (true, Some(apart)) = (diverged, report.apart) { p.bad { "Also, " (apart) "." } }
            @if let (true, Some(error)) = (differs, error) { p.bad { "It ended early: " (error) } }
            (overview(report))
        }
        nav aria-label="on this page" {
            ul {
                @if report.explained.is_some() { li { a href="#why" { "Why" } } }
                @if diverged { li { a href="#divergences" { "Divergences" } } }
                li { a href="#agreement" { "Agreement" } }
                @if played { li { a href="#games" { "Games" } } }
                li { a href="#backends" { "Backends" } }
                li { a href="#about" { "About" } }
            }
        }
        main {
            @if let Some(explained) = &report.explained {
                section #why { (why::section(report, explained, page.page)) }
            }
            @if diverged { section #divergences { (divergences::section(report)) } }
            section #agreement { (numbers::agreement(report)) }
            @if played { section #games { (numbers::games(report)) } }
            section #backends { (numbers::backends(report)) }
        }
        footer #about { (about(report, page)) }
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "lockstep: " (report.headline()) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// A table that scrolls in its own box if it is wider than the page, also with the keyboard. `name`
/// is its label for screen readers; `#n ` begins the heading of a column of numbers.
fn table(name: &str, header: &[&str], rows: &Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table {
                thead { tr { @for (cell, n) in header.iter().map(|cell| (cell, cell.strip_prefix("#n "))) {
                    th.n[n.is_some()] scope="col" { (n.unwrap_or(cell)) }
                } } }
                tbody { (rows) }
            }
        }
    }
}

/// The totals: decisions, backends, and the first difference.
fn overview<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let (totals, tally) = (&report.totals, report.tally);
    let differ = |record: &&RecordAgreement| record.compared > record.agreed;
    let differ = report.records.iter().filter(differ).count();
    let fields = tally.causes.iter().flat_map(|cause| &cause.fields);
    let fields: BTreeSet<_> = fields.copied().collect();
    html! {
        dl {
            @if !report.records.is_empty() {
                dt { "Records" }
                dd { (report.records.len()) @if differ > 0 { ", of which " strong.bad { (differ) " differ" } } }
            }
            dt { "Backends" }
            dd {
                @for (index, backend) in totals.backends.iter().enumerate() {
                    @if index > 0 { ", " } (backend.label())
                    @if let Some(wrong @ 1..) = backend.diverged {
                        " (" strong.bad { (number(wrong)) " differ" } ")"
                    }
                }
            }
            @if !fields.is_empty() { dt { "Fields" } dd { (list(&Vec::from_iter(fields))) } }
            @if let Some(explained) = &report.explained {
                dt { a href="#why" { "First cause" } }
                dd { (explained.found.summary().sentence) "." }
            }
        }
    }
}

/// The command line, the version and the date.
fn about<G: Reportable>(report: &SessionReport<'_, G>, page: &About<'_>) -> Markup {
    html! {
        h2 { "About" }
        p { code { (page.call) } }
        p.soft {
            (page.version)
            @if !report.controllers.is_empty() {
                ". Controllers: " (report.controllers.join(", "))
            }
            ". " (page.at) "."
        }
    }
}

/// The address of a file: relative to the page, so that both can be moved together, or absolute if the
/// file is not in or below the page's folder.
fn address(file: &Path, page: &Path) -> Option<String> {
    let folder = page.parent();
    if let Some(file) = folder.and_then(|folder| file.strip_prefix(folder).ok()) {
        return Some(format!("./{}", encoded(file)));
    }
    let file = std::path::absolute(file).ok()?;
    Some(format!("file://{}", encoded(&file)))
}

/// Percent-encodes a path.
fn encoded(path: &Path) -> String {
    let each = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(*byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(each)
        .collect()
}
