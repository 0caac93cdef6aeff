//! Why the first of them differs.

use lockstep::compare::Column;
use lockstep_explain::{Explanation, Shrunk};
use maud::{Markup, html};

use super::divergences::figure;
use crate::board::svg;
use crate::page::table;
use crate::{Explained, File, Report, Reportable, number, place};

/// What is weighed otherwise that is shown; the rest is counted.
const MOST: usize = 20;

/// The sentence, the boards, what is weighed otherwise; then the smaller case.
pub(super) fn section<G: Reportable>(
    report: &Report<'_, G>,
    explained: &Explained<'_, G>,
) -> Markup {
    html! {
        h2 { "Why the first of them differs" }
        @if let Some(first) = report.tally.divergences.first() { p.soft { (place(first)) } }
        (explanation(explained.found))
        @if let Some(smaller) = explained.smaller { (case(smaller, explained.positions)) }
        @if !explained.files.is_empty() {
            h3 { "Files" }
            ul { @for file in explained.files { li { (link(file)) } } }
            @if !explained.open.is_empty() {
                p { "To open them:" }
                pre { code { (explained.open.join("\n")) } }
            }
        }
    }
}

fn link(file: &File) -> Markup {
    html! {
        @match &file.link {
            Some(link) => a href=(format!("./{link}")) { code { (file.name) } },
            None => code { (file.name) },
        }
    }
}

fn explanation<G: Reportable>(explanation: &Explanation<G>) -> Markup {
    let words = explanation.words();
    html! {
        p { (words.sentence) "." }
        @if let Some((field, definition)) = words.definition {
            p.soft { code { (field) } " is: " (definition) "." }
        }
        div.boards {
            @for told in [&explanation.expected, &explanation.got] {
                @if let Some(answer) = told.said.answer() {
                    (figure::<G>(&told.backend.name.to_string(), &explanation.position, &answer.decision))
                }
            }
        }
        @if !explanation.mismatches.is_empty() {
            (table("fields that differ", &["field", &explanation.expected.backend.name.to_string(),
                &explanation.got.backend.name.to_string()], &html! {
                @for mismatch in &explanation.mismatches {
                    tr {
                        td { (mismatch.field) }
                        td.n { (mismatch.expected) } td.n { (mismatch.got) }
                    }
                }
            }))
        }
        @if !explanation.columns.is_empty() { (weighed(explanation)) }
    }
}

/// What is weighed otherwise, side by side: a row a placement, a column a field.
fn weighed<G: Reportable>(explanation: &Explanation<G>) -> Markup {
    let columns = &explanation.columns;
    let numbers = explanation.differing();
    let shown = &numbers[..numbers.len().min(MOST)];
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
        (table("what is weighed otherwise", &header, &rows))
        @if numbers.len() > shown.len() {
            p.soft {
                "And " (numbers.len() - shown.len()) " more " (G::CANDIDATE.many) "."
            }
        }
    }
}

/// Who chose it.
fn choosers<G: Reportable>(explanation: &Explanation<G>, number: usize) -> Vec<String> {
    let told = [&explanation.expected, &explanation.got].into_iter();
    let chose = told.filter(|told| {
        let trace = told.trace.as_ref();
        trace.and_then(|trace| G::chosen(&trace.candidates, &trace.decision)) == Some(number)
    });
    chose.map(|told| told.backend.name.to_string()).collect()
}

fn value(column: &Column, number: usize) -> Markup {
    let found = column
        .differs
        .iter()
        .find(|(differs, ..)| *differs == number);
    html! {
        @match found {
            Some((_, expected, got)) => td { strong.bad { (got) } ", not " (expected) }
            None => td {}
        }
    }
}

fn case<G: Reportable>(smaller: &Shrunk<G>, before: usize) -> Markup {
    let Shrunk {
        case,
        explanation: told,
        tried,
        smallest,
    } = smaller;
    let earlier = &case.positions[..case.positions.len().saturating_sub(1)];
    html! {
        h3 { "The smallest case found" }
        p {
            @match (case.positions.len(), before) {
                (1, 1) => { "One position" }
                (positions, before) => { (positions) " of " (before) " positions" }
            }
            ", found in " (number(*tried)) " tries; "
            @if *smallest { "of what is a step simpler nothing shows the same." }
            @else { "not all that is simpler was tried." }
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
                        (svg(&G::picture(position, None), "a position that is asked first"))
                    }
                }
            }
            p { @if case.together { "And then, at once:" } @else { "And then:" } }
        }
        (explanation(told))
    }
}
