//! The section that explains the first divergence.

use std::path::Path;

use lockstep::compare::Column;
use lockstep_explain::{Explained, Explanation, Shrunk};
use maud::{Markup, html};

use super::divergences::compared;
use super::{address, table};
use crate::board::svg;
use crate::{Reportable, SessionReport, Side, Sides, number};

/// Maximum number of candidates shown; the others are counted.
const MAX_SHOWN: usize = 20;

/// The explanation, then the smaller case.
pub(super) fn section<G: Reportable>(
    report: &SessionReport<'_, G>,
    explained: &Explained<G>,
    page: &Path,
) -> Markup {
    html! {
        h2 { "Why the first divergence happened" }
        @if let Some(first) = report.tally.divergences.first() { p.soft { (first.place()) } }
        (explanation(&explained.found))
        @if let Some(smaller) = &explained.smaller { (case(smaller, explained)) }
        @if !explained.files.is_empty() {
            h3 { "Files" }
            ul {
                @for file in &explained.files {
                    li { a href=[address(file, page)] { code { (file.display()) } } }
                }
            }
            @if !explained.open.is_empty() {
                p { "To open them:" }
                pre { code { (explained.open.join("\n")) } }
            }
        }
    }
}

/// The definition of what differs, the board, and the candidates that differ.
fn explanation<G: Reportable>(explanation: &Explanation<G>) -> Markup {
    let [expected, got] = [&explanation.expected, &explanation.got];
    let fields = explanation.mismatches.iter();
    let fields: Vec<_> = fields.map(|m| &m.difference).collect();
    let sides = expected.outcome.answer().map(|answer| Sides {
        expected: (expected.backend.name.to_string(), &answer.decision),
        others: Vec::from_iter(got.outcome.answer().map(|answer| Side {
            names: vec![got.backend.name.to_string()],
            decision: &answer.decision,
            fields,
        })),
    });
    html! {
        @if let Some((field, definition)) = explanation.summary().definition {
            p.soft { code { (field) } " is: " (definition) "." }
        }
        @if let Some(sides) = sides { (compared::<G>(&explanation.position, &sides)) }
        @if !explanation.columns.is_empty() { (candidates(explanation)) }
    }
}

/// The candidates that differ: a row for each candidate, a column for each field.
fn candidates<G: Reportable>(explanation: &Explanation<G>) -> Markup {
    let columns = &explanation.columns;
    let numbers = explanation.differing();
    let shown = &numbers[..numbers.len().min(MAX_SHOWN)];
    let header: Vec<&str> = [G::CANDIDATE.one]
        .into_iter()
        .chain(columns.iter().map(|column| column.field))
        .collect();
    let rows = html! {
        @for number in shown {
            tr {
                th.place scope="row" {
                    (explanation.place(*number))
                    @match &choosers(explanation, *number)[..] {
                        [] => {}
                        [name] => { ", " strong { "chosen by " (name) } }
                        _ => { ", " strong { "chosen by both" } }
                    }
                }
                @for column in columns { (value(column, *number)) }
            }
        }
    };
    html! {
        p { "The " (G::CANDIDATE.many) " that differ (expected → got):" }
        (table("candidates that differ", &header, &rows))
        @if numbers.len() > shown.len() {
            p.soft {
                "And " (numbers.len() - shown.len()) " more " (G::CANDIDATE.many) "."
            }
        }
    }
}

/// The backends that chose a candidate.
fn choosers<G: Reportable>(explanation: &Explanation<G>, number: usize) -> Vec<String> {
    let sides = [&explanation.expected, &explanation.got].into_iter();
    let chose = sides.filter(|side| {
        let trace = side.trace.as_ref();
        trace.and_then(|trace| G::chosen(&trace.candidates, &trace.decision)) == Some(number)
    });
    chose.map(|side| side.backend.name.to_string()).collect()
}

fn value(column: &Column, number: usize) -> Markup {
    let found = column
        .differs
        .iter()
        .find(|(differs, ..)| *differs == number);
    html! {
        @match found {
            Some((_, expected, got)) => td { (expected) " → " strong.bad { (got) } }
            None => td {}
        }
    }
}

fn case<G: Reportable>(smaller: &Shrunk<G>, explained: &Explained<G>) -> Markup {
    let Shrunk {
        case,
        explanation: found,
        tried,
        ..
    } = smaller;
    let before = explained.positions;
    let same =
        (&found.position, &found.columns) == (&explained.found.position, &explained.found.columns);
    let earlier = &case.positions[..case.positions.len().saturating_sub(1)];
    html! {
        h3 { "The smallest case found" }
        p {
            @match (case.positions.len(), before) {
                (1, 1) => { "One position" }
                (positions, before) => { (positions) " of " (before) " positions" }
            }
            ", found in " (number(*tried)) " tries; " (smaller.extent()) "."
        }
        @if let Ok(controller) = serde_json::to_string(&case.controller) {
            p { "Controller: " code { (controller) } }
        }
        @if !earlier.is_empty() {
            p { "First:" }
            div.boards {
                @for position in earlier {
                    figure {
                        figcaption { (G::class(position)) }
                        (svg(&G::picture(position, None), &[], "an earlier position"))
                    }
                }
            }
            p { @if case.together { "And then, at once:" } @else { "And then:" } }
        }
        @if same { p { "The same position as above." } } @else {
            p { (found.summary().sentence) "." }
            (explanation(found))
        }
    }
}
