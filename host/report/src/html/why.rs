//! Why the first of them differs.

use lockstep::compare::Column;
use lockstep_explain::{Explanation, Shrunk};
use maud::{Markup, html};

use super::divergences::figure;
use crate::board::svg;
use crate::page::table;
use crate::{Explained, Reportable, number};

/// What is weighed otherwise that is shown; the rest is counted.
const MOST: usize = 20;

/// The sentence, the boards, what is weighed otherwise; then the smaller case.
pub(super) fn section<G: Reportable>(explained: &Explained<'_, G>) -> Markup {
    html! {
        h2 { "Why the first of them differs" }
        (explanation(explained.found))
        @if let Some(smaller) = explained.smaller { (case(smaller, explained.positions)) }
        @if !explained.files.is_empty() {
            h3 { "Files" }
            ul { @for file in explained.files { li { code { (file.display()) } } } }
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
                    (figure::<G>(&told.backend.name, &explanation.position, &answer.decision))
                }
            }
        }
        @if !explanation.mismatches.is_empty() {
            (table("fields that differ", &["field", &explanation.expected.backend.name,
                &explanation.got.backend.name], &html! {
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
    let header: Vec<&str> = [G::WEIGHED.one]
        .into_iter()
        .chain(columns.iter().map(|column| column.field))
        .collect();
    let rows = html! {
        @for number in shown {
            tr {
                th scope="row" { (explanation.place(*number)) }
                @for column in columns { (value(column, *number)) }
            }
        }
    };
    html! {
        (table("what is weighed otherwise", &header, &rows))
        @if numbers.len() > shown.len() {
            p.soft {
                "And " (numbers.len() - shown.len()) " more " (G::WEIGHED.many) "."
            }
        }
    }
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
            @if *smallest { "nothing simpler shows the same." }
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
