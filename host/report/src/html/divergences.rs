//! The section of divergences: by cause, by record, and each with its board.

use std::collections::BTreeSet;

use lockstep::report::tally::Divergent;
use lockstep::report::text::add;
use lockstep_explain::Verdict;
use maud::{Markup, html};

use super::table;
use crate::board::{svg, swatch};
use crate::{RecordAgreement, Reportable, SessionReport, Sides, decision, number};

/// The causes, the records, and all divergences of the tally.
pub(super) fn section<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let tally = report.tally;
    let all: Vec<_> = tally.divergences.iter().enumerate().collect();
    html! {
        h2 { "Divergences" }
        h3 { "By cause" }
        (causes(report))
        @if report.records.len() > 1 { h3 { "By record" } (records(report)) }
        @for of_record in all.chunk_by(|one, next| one.1.record == next.1.record) {
            @if let Some((_, Divergent { record, file: Some(file), .. })) = of_record.first() {
                h3.path id=(format!("r{record}")) { (file) }
            }
            @for of_game in of_record.chunk_by(|one, next| one.1.round.game == next.1.round.game) {
                @for (at, (index, divergent)) in of_game.iter().enumerate() {
                    (one(report, *index, divergent, at == 0))
                }
            }
        }
        @if tally.left_out > 0 {
            p.soft { "And " (number(tally.left_out)) " more, which are only counted." }
        }
    }
}

/// Draws a divergence, or a hyperlink for the one that has its own section; `first`: it is the first
/// of its game.
fn one<G: Reportable>(
    report: &SessionReport<'_, G>,
    index: usize,
    divergent: &Divergent<G>,
    first: bool,
) -> Markup {
    let round = &divergent.round;
    let Some(sides) = Sides::of(divergent) else {
        return html! {};
    };
    let explained = report.explained.as_ref().filter(|_| index == 0);
    let is_explained = explained.is_some_and(|e| e.found.position == round.position);
    let title = html! {
        @if first { "game " (round.game) ", " }
        "move " (round.step) ": " (G::class(&round.position))
        @for side in &sides.others {
            "; " @if report.totals.backends.len() > 2 { (side.names.join(", ")) ": " }
            (side.fields.iter().map(|difference| difference.field).collect::<Vec<_>>().join(", "))
        }
    };
    html! {
        @if is_explained {
            p.entry #d1 { a href="#why" { (title) } ", explained above" }
        } @else {
            // Only the first one is open.
            details id=(format!("d{}", index + 1)) open[index == 0] {
                summary { (title) }
                div { (compared::<G>(&round.position, &sides)) }
            }
        }
    }
}

/// A row for each cause, the most frequent first.
fn causes<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let tally = report.tally;
    let mut causes: Vec<_> = tally.causes.iter().collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.count));
    let explained = report.explained.as_ref();
    let feature = explained.map(|explained| &explained.found.verdict);
    let rows = html! {
        @for cause in causes {
            @let place = cause.first.place();
            @let index = tally.divergences.iter().position(|d| d.place() == place);
            tr {
                td.n { (number(cause.count)) }
                td.name {
                    @if report.totals.backends.len() > 2 { (list(&cause.backends)) ": " }
                    (list(&cause.fields))
                    @if let (Some(Verdict::Candidate { difference, .. }), Some(0)) = (feature, index) {
                        " (first because of " strong { (difference.field) } ")"
                    }
                }
                td.name { a href=[index.map(|index| format!("#d{}", index + 1))] { (place) } }
            }
        }
    };
    table("causes", &["#n differ", "in the fields", "first"], &rows)
}

/// Items, separated by commas.
pub(super) fn list<T: ToString>(items: &[T]) -> String {
    let items: Vec<_> = items.iter().map(T::to_string).collect();
    items.join(", ")
}

/// A row for each record, first those that differ.
fn records<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let mut sorted: Vec<_> = report.records.iter().zip(1..).collect();
    sorted.sort_by_key(|(record, _)| record.compared == record.agreed);
    let kept = |number: usize| report.tally.divergences.iter().any(|d| d.record == number);
    let rows = html! {
        @for (RecordAgreement { file, compared, agreed }, index) in sorted {
            tr class=[(compared > agreed).then_some("bad")] {
                td.n { a href=[kept(index).then(|| format!("#r{index}"))] { (number(compared - agreed)) } }
                td.n { (number(*compared)) }
                td.name { (file) }
            }
        }
    };
    table("records", &["#n differ", "#n of", "record"], &rows)
}

/// A position with all decisions on one board, their legend, and the fields that differ: a column
/// for each decision.
pub(super) fn compared<G: Reportable>(position: &G::Position, sides: &Sides<'_, G>) -> Markup {
    let expected = (sides.expected.0.clone(), sides.expected.1);
    let others = sides.others.iter();
    let others = others.map(|side| (side.names.join(", "), side.decision));
    let all: Vec<_> = [expected].into_iter().chain(others).zip('A'..).collect();
    let mut choices = Vec::new();
    for ((_, decision), letter) in &all {
        let picture = G::picture(position, Some(decision));
        add(&mut choices, &letter.to_string(), picture);
    }
    let mut seen = BTreeSet::new();
    let fields = sides.others.iter().flat_map(|side| &side.fields);
    let fields = fields.filter(|difference| seen.insert(difference.field));
    html! {
        div.boards {
            figure {
                @let label = all.iter().map(|((name, d), letter)| format!("{letter}, {name}: {}", decision::<G>(d)));
                (svg(&G::picture(position, None), &choices, &label.collect::<Vec<_>>().join("; ")))
                @for note in G::picture(position, None).notes { p.soft { (note) } }
            }
            div.beside {
                ul.legend {
                    @for ((name, _), letter) in &all {
                        @let index = choices.iter().position(|choice| choice.0.contains(*letter));
                        li { (swatch(index.unwrap_or(0))) strong { (letter) } " " span { (name) } }
                    }
                    @if choices.len() == 1 && all.len() > 1 { li.soft { "They make the same move." } }
                }
                div.scroll tabindex="0" role="region" aria-label="fields that differ" { table {
                    thead { tr {
                        th scope="col" { "field" } th.n scope="col" { "A: expected" }
                        @for (_, letter) in &all[1..] { th.n scope="col" { (letter) ": got" } }
                    } }
                    @for field in fields { tr {
                        td { (field.field) } td.n { (field.expected) }
                        @for side in &sides.others {
                            @match side.fields.iter().find(|own| own.field == field.field) {
                                Some(own) => td.n { (own.got) },
                                None => td.n.soft { "=" },
                            }
                        }
                    } }
                } }
            }
        }
    }
}
