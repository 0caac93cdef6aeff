//! The section of divergences, with boards.

use std::collections::{BTreeMap, BTreeSet};

use lockstep::report::tally::Divergent;
use maud::{Markup, html};

use crate::board::svg;
use crate::{Reportable, SessionReport, Sides, decision, differences, number, place};

/// Maximum number of divergences with boards; the others get a line each.
const DRAWN: usize = 20;

/// All divergences of the tally, the first ones of each record with boards.
pub(super) fn section<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let all = &report.tally.divergences;
    let (drawn, listed) = split(all);
    html! {
        h2 { "Divergences" }
        @for (index, divergent) in drawn.iter().enumerate() {
            @if let Some(sides) = Sides::of(divergent) {
                // Only the first one is open.
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
        @if !listed.is_empty() {
            details {
                summary { (listed.len()) " more, without their boards" }
                div {
                    ul {
                        @for divergent in listed {
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
            p.soft { "And " (number(report.tally.left_out)) " more, which are only counted." }
        }
    }
}

/// The divergences with boards and the others, each in order. The first divergence of every record
/// gets boards, then the second of every record, up to the maximum.
fn split<G: Reportable>(all: &[Divergent<G>]) -> (Vec<&Divergent<G>>, Vec<&Divergent<G>>) {
    let mut of_record: BTreeMap<usize, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for (index, divergent) in all.iter().enumerate() {
        let rank = of_record.entry(divergent.record).or_default();
        ranked.push((*rank, index));
        *rank += 1;
    }
    ranked.sort_unstable();
    let chosen: BTreeSet<usize> = ranked.iter().take(DRAWN).map(|(_, index)| *index).collect();
    let (mut drawn, mut listed) = (Vec::new(), Vec::new());
    for (index, divergent) in all.iter().enumerate() {
        match chosen.contains(&index) {
            true => drawn.push(divergent),
            false => listed.push(divergent),
        }
    }
    (drawn, listed)
}

/// The expected and the wrong decisions side by side.
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
    decided: &G::Decision,
) -> Markup {
    html! {
        figure {
            figcaption { (name) }
            (svg(
                &G::picture(position, Some(decided)),
                &format!("{name} decides: {}", decision::<G>(decided)),
            ))
        }
    }
}

fn names(names: &[String]) -> String {
    names.join(", ")
}
