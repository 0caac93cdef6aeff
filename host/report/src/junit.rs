//! Test results as JUnit XML, for build servers.
//!
//! Each backend has a suite with a case for each class of positions (in Tetris a piece), which
//! fails if a decision differs there. The records have a suite with a case each. A suite of the
//! session has a failure if the records' positions differ, and an error if the session did not end.

use lockstep::report::tally::Divergent;
use lockstep_games::Game;
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use crate::{RecordAgreement, SessionReport, Sides, differ, differences, number};

/// Maximum number of divergences that a case describes; the others are counted.
const MAX_DESCRIBED: usize = 10;

/// Writes the results of a session as XML.
///
/// # Errors
/// If it cannot be serialised, which is a bug.
pub fn junit<G: Game>(
    report: &SessionReport<'_, G>,
) -> Result<String, quick_junit::SerializeError> {
    let mut junit = Junit::new(format!("lockstep {}", report.command));
    let tally = report.tally;
    let pairs = tally.parties.first().map(|first| &first.name);
    let pairs = tally.pairs.iter().filter(|pair| Some(&pair.first) == pairs);
    for pair in pairs {
        let mut suite = TestSuite::new(format!("{} as {}", pair.second, pair.first));
        for (class, agreement) in &pair.classes {
            let mut status = TestCaseStatus::success();
            if agreement.diverged() > 0 {
                let fields: Vec<_> = agreement
                    .fields
                    .iter()
                    .map(|(field, count)| format!("{field} in {}", number(*count)))
                    .collect();
                let diverged = differ(agreement.diverged(), agreement.compared);
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type("divergence");
                status.set_message(format!("{diverged}: {}", fields.join(", ")));
                let of = |d: &&Divergent<G>| G::class(&d.round.position) == *class;
                let divergences = tally.divergences.iter().filter(of);
                status.set_description(description(divergences, &pair.second.to_string()));
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

fn records<G: Game>(report: &SessionReport<'_, G>) -> TestSuite {
    let mut suite = TestSuite::new("records");
    for RecordAgreement {
        file,
        compared,
        agreed,
    } in report.records
    {
        let mut status = TestCaseStatus::success();
        if agreed < compared {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("divergence");
            status.set_message(differ(compared - agreed, *compared));
        }
        let mut case = TestCase::new(file, status);
        case.set_classname(format!("lockstep.{}.records", G::NAME));
        case.set_assertions(usize::try_from(*compared).unwrap_or(usize::MAX));
        suite.add_test_case(case);
    }
    suite
}

/// Why the session did not end.
fn ending<G: Game>(report: &SessionReport<'_, G>) -> Option<String> {
    let error = report.totals.error.clone();
    error.or_else(|| report.totals.interrupted.then(|| "interrupted".into()))
}

/// The first divergences of a backend, one per line.
fn description<'a, G: Game>(
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
        if lines.len() < MAX_DESCRIBED {
            lines.push(format!(
                "{}: {}",
                divergent.place(),
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
