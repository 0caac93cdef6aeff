//! The sections of numbers: agreement, games, backends.

use lockstep::event::GameEnd;
use lockstep::record::{outcome_name, outcome_phrase};
use lockstep::report::tally::Pair;
use lockstep::report::{BackendTotals, MOST_GAMES, Totals};
use maud::{Markup, html};

use super::table;
use crate::bars::{gather, svg};
use crate::{RecordAgreement, Reportable, SessionReport, number};

/// Bars of a histogram of clock cycles.
const BARS: u64 = 48;

/// The agreement of each pair, by class of position and by record.
pub(super) fn agreement<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let tally = report.tally;
    let pairs = html! {
        @for Pair { first, second, all, .. } in &tally.pairs {
            tr class=[(all.diverged() > 0).then_some("bad")] {
                td { (first) } td { (second) }
                td.n { (number(all.compared)) } td.n { (number(all.agreed)) }
                td.n { (number(all.diverged())) }
                td {
                    @for (index, (field, count)) in all.fields.iter().enumerate() {
                        @if index > 0 { ", " } (field) " (" (number(*count)) ")"
                    }
                }
            }
        }
    };
    html! {
        h2 { "Agreement" }
        @if tally.pairs.is_empty() {
            p { "No decision was compared." }
        } @else {
            (table("agreement of each pair",
                &["backend", "and", "compared", "agree", "differ", "in the fields"], &pairs))
            h3 { "By " (tally.class) }
            (classes(&tally.pairs, tally.class))
            @if report.records.len() > 1 {
                h3 { "By record" }
                (records(report.records))
            }
        }
    }
}

/// A row for each record, first those that differ.
fn records(records: &[RecordAgreement]) -> Markup {
    let mut sorted: Vec<&RecordAgreement> = records.iter().collect();
    sorted.sort_by_key(|record| record.compared == record.agreed);
    let rows = html! {
        @for RecordAgreement { file, compared, agreed } in sorted {
            tr class=[(compared > agreed).then_some("bad")] {
                td { (file) } td.n { (number(*compared)) } td.n { (number(compared - agreed)) }
            }
        }
    };
    table("records", &["record", "compared", "differ"], &rows)
}

/// A row for each class of positions, a column for each pair.
fn classes(pairs: &[Pair], class: &str) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for name in pairs.iter().flat_map(|pair| pair.classes.keys()) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let header: Vec<String> = pairs
        .iter()
        .map(|pair| format!("{} and {}", pair.first, pair.second))
        .collect();
    let header: Vec<&str> = [class]
        .into_iter()
        .chain(header.iter().map(String::as_str))
        .collect();
    let rows = html! {
        @for name in names {
            tr {
                th scope="row" { (name) }
                @for pair in pairs {
                    @match pair.classes.get(name) {
                        Some(agreement) if agreement.diverged() > 0 => td {
                            strong.bad { (number(agreement.diverged())) " differ" }
                            " of " (number(agreement.compared))
                        }
                        Some(agreement) => td { (number(agreement.compared)) " agree" }
                        None => td {}
                    }
                }
            }
        }
    };
    table("agreement by class of position", &header, &rows)
}

/// The number of games by result, then a row for each game.
pub(super) fn games<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let Totals {
        games,
        score,
        outcomes,
        ended,
        ..
    } = report.totals;
    let word = G::WORDS.score.many;
    let score = score.get(word).copied().flatten();
    let rows = html! {
        @for GameEnd { game, moves, score, outcome, .. } in ended {
            tr {
                td.n { (number(*game)) } td.n { (number(*moves)) }
                td {
                    @if let Some(score) = score { (number(*score)) " " (word) }
                    @if let Some(outcome) = outcome { (outcome_phrase(outcome_name::<G>(*outcome))) }
                }
            }
        }
    };
    html! {
        h2 { "Games" }
        p {
            (number(*games)) " games"
            @if let Some(score) = score { ", " (number(score)) " " (word) }
            @for (outcome, count) in outcomes { ", " (outcome_phrase(outcome)) " " (number(*count)) }
            "."
        }
        @if !ended.is_empty() {
            (table("games", &["game", G::WORDS.step.many, "result"], &rows))
            @if ended.len() == MOST_GAMES { p.soft { "The first " (MOST_GAMES) " games." } }
        }
    }
}

/// A row for each backend, then histograms of clock cycles and latency.
pub(super) fn backends<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let backends = &report.totals.backends;
    let rows = html! {
        @for backend @ BackendTotals { description, build_id, decisions, diverged, cycles, .. } in backends {
            tr class=[diverged.is_some_and(|n| n > 0).then_some("bad")] {
                td { (backend.label()) } td.wide { (description) }
                td.mono { (build_id.as_deref().unwrap_or("-")) }
                td.n { (number(*decisions)) }
                td.n { (diverged.map_or("-".into(), number)) }
                td.n { (cycles.mean.map_or("-".into(), |mean| format!("{mean:.1}"))) }
                td.n { (cycles.max.map_or("-".into(), number)) }
            }
        }
    };
    html! {
        h2 { "Backends" }
        (table("backends", &["name", "what it is", "RTL build", "decisions", "differ",
            "clock cycles: mean", "most"], &rows))
        div.pair {
            @for party in report.tally.parties.iter().filter(|party| !party.cycles.is_empty()) {
                div {
                    h3 { "Clock cycles a decision, " (party.name) }
                    @let cycles = party.cycles.iter().map(|(cycles, n)| (*cycles, *n));
                    (svg(&gather(&cycles.collect::<Vec<_>>(), BARS), "cycles",
                        &format!("histogram of the clock cycles that {} took", party.name)))
                }
            }
            @for backend in backends { (latency(backend)) }
        }
    }
}

/// The latency of answers, in real time.
fn latency(backend: &BackendTotals) -> Markup {
    let link = backend.link.as_ref();
    let Some(latency) = link.and_then(|link| link.latency.as_ref()) else {
        return html! {};
    };
    let name = &backend.name;
    html! {
        div {
            h3 { "Latency of a decision, " (name) }
            (svg(&latency.histogram, "µs", &format!("histogram of the latencies of {name}")))
            p.soft {
                "Half within " (number(latency.p50)) " µs, 99 % within " (number(latency.p99))
                " µs, the longest " (number(latency.max)) " µs. A bar is a doubling."
            }
        }
    }
}
