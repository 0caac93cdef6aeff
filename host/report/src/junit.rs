//! Test results as JUnit XML, for build servers.
//!
//! A suite a backend, with a case for each class of positions (in Tetris a piece): it fails when
//! the backend differs from what was expected there; a suite with a case a record. That records are
//! not of the same games fails, and what kept the session from going on is an error, in a suite of
//! the session's own.

use lockstep::report::tally::Divergent;
use lockstep_games::Game;
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use crate::{OfRecord, Report, Sides, differences, number, place};

/// Divergences that are told of one case; the others are counted.
const MOST: usize = 10;

/// The results of a session as XML.
///
/// # Errors
/// When it cannot be written; that is a bug.
pub fn junit<G: Game>(report: &Report<'_, G>) -> Result<String, quick_junit::SerializeError> {
    let mut junit = Junit::new(format!("lockstep {}", report.command));
    let tally = report.tally;
    let pairs = tally.parties.first().map(|first| &first.name);
    let pairs = tally.pairs.iter().filter(|pair| Some(&pair.first) == pairs);
    for pair in pairs {
        let mut suite = TestSuite::new(format!("{} as {}", pair.second, pair.first));
        for (class, agreement) in &pair.classes {
            let compared = number(agreement.compared);
            let mut status = TestCaseStatus::success();
            if agreement.diverged() > 0 {
                let fields: Vec<_> = agreement
                    .fields
                    .iter()
                    .map(|(field, count)| format!("{field} in {}", number(*count)))
                    .collect();
                let diverged = number(agreement.diverged());
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type("divergence");
                status.set_message(format!(
                    "{diverged} of {compared} decisions differ: {}",
                    fields.join(", ")
                ));
                let of = |d: &&Divergent<G>| G::class(&d.round.position) == *class;
                let told = tally.divergences.iter().filter(of);
                status.set_description(told_of(told, &pair.second.to_string()));
            }
            let mut case = TestCase::new(format!("{} {class}", tally.class), status);
            case.set_assertions(usize::try_from(agreement.compared).unwrap_or(usize::MAX));
            case.set_classname(format!("lockstep.{}.{}", G::NAME, pair.second));
            suite.add_test_case(case);
        }
        junit.add_test_suite(suite);
    }
    if !report.records.is_empty() {
        junit.add_test_suite(records(report));
    }
    let apart = report.apart.map(str::to_owned);
    let apart = apart.map(|why| ("the same games", NonSuccessKind::Failure, "parted", why));
    let ending = ending(report);
    let ending = ending.map(|why| ("to its end", NonSuccessKind::Error, "unfinished", why));
    let wrong: Vec<_> = apart.into_iter().chain(ending).collect();
    if !wrong.is_empty() {
        let mut suite = TestSuite::new("session");
        for (name, kind, of, why) in wrong {
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(of);
            status.set_message(why);
            let mut case = TestCase::new(name, status);
            case.set_classname(format!("lockstep.{}", G::NAME));
            suite.add_test_case(case);
        }
        junit.add_test_suite(suite);
    }
    junit.to_string()
}

/// A case a record.
fn records<G: Game>(report: &Report<'_, G>) -> TestSuite {
    let mut suite = TestSuite::new("records");
    for OfRecord {
        file,
        compared,
        agreed,
    } in report.records
    {
        let mut status = TestCaseStatus::success();
        if agreed < compared {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("divergence");
            let (diverged, compared) = (number(compared - agreed), number(*compared));
            status.set_message(format!("{diverged} of {compared} decisions differ"));
        }
        let mut case = TestCase::new(file, status);
        case.set_classname(format!("lockstep.{}.records", G::NAME));
        case.set_assertions(usize::try_from(*compared).unwrap_or(usize::MAX));
        suite.add_test_case(case);
    }
    suite
}

/// What kept it from going on.
fn ending<G: Game>(report: &Report<'_, G>) -> Option<String> {
    let error = report.totals.error.clone();
    error.or_else(|| report.totals.interrupted.then(|| "interrupted".into()))
}

/// The first divergences of a backend, a line each.
fn told_of<'a, G: Game>(
    divergences: impl Iterator<Item = &'a Divergent<G>>,
    backend: &str,
) -> String {
    let mut lines = Vec::new();
    let mut more = 0;
    for divergent in divergences {
        let Some(sides) = Sides::of(divergent) else {
            continue;
        };
        let mut others = sides.others.iter();
        let Some(side) = others.find(|side| side.names.iter().any(|name| name == backend)) else {
            continue;
        };
        if lines.len() < MOST {
            lines.push(format!(
                "{}: {}",
                place(divergent),
                differences(&side.fields)
            ));
        } else {
            more += 1;
        }
    }
    if more > 0 {
        lines.push(format!("... and {more} more"));
    }
    lines.join("\n")
}
