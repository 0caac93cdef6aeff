//! The sections of numbers: agreement, games, backends.

use lockstep::event::GameEnd;
use lockstep::record::{outcome_name, outcome_phrase};
use lockstep::report::tally::Pair;
use lockstep::report::{BackendTotals, MOST_GAMES, Totals};
use maud::{Markup, html};

use super::divergences::list;
use super::table;
use crate::bars::{gather, svg};
use crate::{Reportable, SessionReport, number};

const BARS: u64 = 48;

/// The agreement of each pair; of those that differ, by class of position.
pub(super) fn agreement<G: Reportable>(report: &SessionReport<'_, G>) -> Markup {
    let tally = report.tally;
    let differ = tally.pairs.iter().filter(|pair| pair.all.diverged() > 0);
    let differ: Vec<_> = differ.collect();
    let pairs = html! {
        @for Pair { first, second, all, .. } in &tally.pairs {
            tr class=[(all.diverged() > 0).then_some("bad")] {
                td.n { (number(all.diverged())) } td.n { (number(all.compared)) }
                td.name { (first) } td.name { (second) }
                @let fields = all.fields.iter().map(|(field, count)| format!("{field} ({})", number(*count)));
                @if !differ.is_empty() { td.name { (list(&fields.collect::<Vec<_>>())) } }
            }
        }
    };
    html! {
        h2 { "Agreement" }
        @if tally.pairs.is_empty() {
            p { "No decision was compared." }
        } @else {
            (table("agreement of each pair",
                &["#n differ", "#n of", "backend", "and", "in the fields"][..4 + differ.len().min(1)], &pairs))
            @if !differ.is_empty() {
                h3 { "By " (tally.class) }
                (classes(&differ, tally.class))
            }
        }
    }
}

/// A row for each class of positions, a column for each pair that differs.
fn classes(pairs: &[&Pair], class: &str) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for name in pairs.iter().flat_map(|pair| pair.classes.keys()) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let header = pairs
        .iter()
        .map(|pair| format!("{} and {}", pair.first, pair.second));
    let header: Vec<String> = header.collect();
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
    } = &report.totals;
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
            (table("games", &["#n game", &format!("#n {}", G::WORDS.step.many), "result"], &rows))
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
                td.name { (backend.label()) }
                td.n { (diverged.map_or("-".into(), number)) }
                td.n { (number(*decisions)) }
                td.n { (cycles.mean.map_or("-".into(), |mean| format!("{mean:.1}"))) }
                td.n { (cycles.max.map_or("-".into(), number)) }
                td.mono { (build_id.as_deref().unwrap_or("-")) } td.wide { (description) }
            }
        }
    };
    html! {
        h2 { "Backends" }
        (table("backends", &["name", "#n differ", "#n decisions", "#n clock cycles: mean", "#n most", "RTL build",
            "what it is"], &rows))
        div.pair {
            @for party in report.tally.parties.iter().filter(|party| !party.cycles.is_empty()) {
                div {
                    h3 { "Clock cycles a decision, " (party.name) }
                    @let cycles = party.cycles.iter().map(|(cycles, n)| (*cycles, *n));
                    (svg(&gather(&cycles.collect::<Vec<_>>(), BARS), "cycles", "clock cycles a decision",
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
            (svg(&latency.histogram, "µs", "latency, a doubling a bar", &format!("histogram of the latencies of {name}")))
            p.soft {
                "Half within " (number(latency.p50)) " µs, 99 % within " (number(latency.p99))
                " µs, the longest " (number(latency.max)) " µs."
            }
        }
    }
}
