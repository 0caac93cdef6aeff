//! All of it on one page that can be sent, kept and opened without a network.

mod divergences;
mod numbers;
mod why;

use lockstep::report::Totals;
use maud::{Markup, html};

use crate::page::Page;
use crate::{Outcome, Report, Reportable};

/// The page.
pub fn html<G: Reportable>(report: &Report<'_, G>) -> String {
    let Totals {
        interrupted, error, ..
    } = report.totals;
    let class = match report.outcome() {
        Outcome::Agreed => "verdict good",
        Outcome::Diverged | Outcome::Unfinished => "verdict bad",
        Outcome::Alone => "verdict",
    };
    // The headline has room for one thing.
    let differs = report.outcome() == Outcome::Diverged;
    let diverged = report.totals.divergences() > 0;
    let played = report.totals.games > 0;
    let body = html! {
        header {
            p.soft { "lockstep " (report.command) ", " (G::NAME) }
            h1 class=(class) { (report.headline()) }
            @if differs && *interrupted { p.bad { "It was interrupted before its end." } }
            @if let (true, Some(apart)) = (diverged, report.apart) { p.bad { "Besides, " (apart) "." } }
            @if let (true, Some(error)) = (differs, error) { p.bad { "It ended early: " (error) } }
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
                section #why { (why::section(report, explained)) }
            }
            @if diverged { section #divergences { (divergences::section(report)) } }
            section #agreement { (numbers::agreement(report)) }
            @if played { section #games { (numbers::games(report)) } }
            section #backends { (numbers::backends(report)) }
        }
        footer #about { (about(report)) }
    };
    let page = Page {
        title: &format!("lockstep: {}", report.headline()),
        body: &body,
    };
    page.text()
}

/// How to do it again.
fn about<G: Reportable>(report: &Report<'_, G>) -> Markup {
    html! {
        h2 { "About" }
        p { code { (report.call) } }
        p.soft {
            (report.version)
            @if !report.controllers.is_empty() {
                ". Controllers: " (report.controllers.join(", "))
            }
            ". " (report.at) "."
        }
    }
}
