//! Where they differ.

use std::collections::{BTreeMap, BTreeSet};

use lockstep::report::tally::Divergent;
use maud::{Markup, html};

use crate::board::svg;
use crate::{Report, Reportable, Sides, decision, differences, number, place};

/// Most divergences that are drawn; of the others one line each is told.
const DRAWN: usize = 20;

/// All divergences that were kept, the first ones of each record with their boards.
pub(super) fn section<G: Reportable>(report: &Report<'_, G>) -> Markup {
    let all = &report.tally.divergences;
    let (drawn, told) = parted(all);
    html! {
        h2 { "Divergences" }
        @for (index, divergent) in drawn.iter().enumerate() {
            @if let Some(sides) = Sides::of(divergent) {
                // One is read at once; of several each is opened when it is wanted.
                details open[index == 0] {
                    summary {
                        (place(divergent)) ": "
                        (G::class(&divergent.round.position))
                        @for side in &sides.others {
                            "; " (names(&side.names)) ": " (differences(&side.fields))
                        }
                    }
                    div { (boards(&sides, divergent)) }
                }
            }
        }
        @if !told.is_empty() {
            details {
                summary { (told.len()) " more, without their boards" }
                div {
                    ul {
                        @for divergent in told {
                            @if let Some(sides) = Sides::of(divergent) {
                                @for side in &sides.others {
                                    li {
                                        (place(divergent)) ", " (names(&side.names)) ": "
                                        (differences(&side.fields))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if report.tally.left_out > 0 {
            p.soft { "And " (number(report.tally.left_out)) " more, which are counted alone." }
        }
    }
}

/// Those that are drawn and those that are not, each in their order: first the first of every
/// record, then the second of every record, as many as are drawn.
fn parted<G: Reportable>(all: &[Divergent<G>]) -> (Vec<&Divergent<G>>, Vec<&Divergent<G>>) {
    let mut of_record: BTreeMap<usize, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for (index, divergent) in all.iter().enumerate() {
        let rank = of_record.entry(divergent.record).or_default();
        ranked.push((*rank, index));
        *rank += 1;
    }
    ranked.sort_unstable();
    let chosen: BTreeSet<usize> = ranked.iter().take(DRAWN).map(|(_, index)| *index).collect();
    let (mut drawn, mut told) = (Vec::new(), Vec::new());
    for (index, divergent) in all.iter().enumerate() {
        match chosen.contains(&index) {
            true => drawn.push(divergent),
            false => told.push(divergent),
        }
    }
    (drawn, told)
}

/// What was expected and what was said, side by side.
fn boards<G: Reportable>(sides: &Sides<'_, G>, divergent: &Divergent<G>) -> Markup {
    let position = &divergent.round.position;
    let (first, expected) = &sides.expected;
    html! {
        div.boards {
            (figure::<G>(first, position, expected))
            @for side in &sides.others { (figure::<G>(&names(&side.names), position, side.decision)) }
        }
        @for side in &sides.others {
            p { strong { (names(&side.names)) } ": " (differences(&side.fields)) }
        }
    }
}

/// A position with a decision.
pub(super) fn figure<G: Reportable>(
    name: &str,
    position: &G::Position,
    said: &G::Decision,
) -> Markup {
    html! {
        figure {
            figcaption { (name) }
            (svg(
                &G::picture(position, Some(said)),
                &format!("{name} decides: {}", decision::<G>(said)),
            ))
        }
    }
}

fn names(names: &[String]) -> String {
    names.join(", ")
}
