//! Headline, test results and annotations.

use lockstep_report::{SessionOutcome, actions};
use quick_junit::{NonSuccessKind, TestCaseStatus};

use super::*;

#[test]
fn junit_has_a_case_for_each_piece() {
    let (totals, tally) = diverged();
    let (text, read) = written(&report(&totals, &tally));
    assert_eq!((read.tests, read.failures, read.errors), (4, 1, 0));
    let suites: Vec<_> = read.test_suites.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(suites[0], "software as record");
    let faulty = &read.test_suites[1];
    let cases: Vec<_> = faulty.test_cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(cases, ["piece O", "piece T"]);
    let counts: Vec<_> = faulty.test_cases.iter().map(|c| c.assertions).collect();
    assert_eq!(counts, [Some(20), Some(10)]);
    let TestCaseStatus::NonSuccess {
        kind: NonSuccessKind::Failure,
        message,
        description,
        ..
    } = &faulty.test_cases[1].status
    else {
        panic!("{text}");
    };
    let message = message.as_ref().expect("a message").as_str();
    assert_eq!(message, "10 of 10 decisions differ: column in 10");
    let text = description.as_ref().expect("a description").as_str();
    assert_eq!(
        text.matches("column: expected 0, got 5").count(),
        10,
        "{text}"
    );
}

fn cells<const N: usize>(row: &str) -> [&str; N] {
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    cells.try_into().expect(row)
}

/// Sessions that agree or diverge: the error, whether it was interrupted, and whether positions
/// differ; then failures and errors of the test results, and parts of results, page and
/// annotations.
const ENDS: &str = "
    agrees   | board lost | no  | no  | 0 1 | board lost    | Not finished after 1 decision, which agrees | Not finished
    agrees   | -          | yes | no  | 0 1 | \"interrupted\" | it was interrupted | Not finished
    diverges | board lost | yes | no  | 1 1 | board lost    | It was interrupted before its end. | differ
    diverges | board lost | no  | no  | 1 1 | board lost    | It ended early: board lost | differ
    agrees   | -          | no  | yes | 1 0 | 2 games part  | verdict bad | agrees, and 2 games part
    agrees   | line 5     | no  | yes | 1 1 | 2 games part  | It ended early: line 5 | 2 games part
";

#[test]
fn reports_unfinished_session_say_so() {
    for row in ENDS.trim().lines() {
        let [
            decisions,
            error,
            stopped,
            apart,
            counts,
            result,
            page,
            annotation,
        ] = cells(row);
        let (mut totals, tally) = match decisions {
            "agrees" => summed([round(2, Piece::O, 0)]),
            _ => diverged(),
        };
        totals.error = (error != "-").then(|| error.into());
        totals.interrupted = stopped == "yes";
        let report = SessionReport {
            apart: (apart == "yes").then_some("2 games part"),
            ..report(&totals, &tally)
        };
        let outcome = match decisions == "diverges" || apart == "yes" {
            true => SessionOutcome::Diverged,
            false => SessionOutcome::Unfinished,
        };
        assert_eq!(report.outcome(), outcome, "{row}");
        let (text, read) = written(&report);
        let found = format!("{} {}", read.failures, read.errors);
        assert_eq!(found, counts, "{row}: {text}");
        assert!(text.contains(result), "{row}: {text}");
        assert!(html_of(&report).contains(page), "{row}");
        let annotations = actions::annotations(&report);
        let last = annotations.lines().last().unwrap_or_default();
        let is_error = last.starts_with("::error title=lockstep replay::");
        assert!(is_error && last.contains(annotation), "{row}: {last}");
    }
}

/// Decisions that agree and that diverge, whether positions differ, the error, and the headline.
const HEADLINES: &str = "
    0    | 0 | no  | -    | No decision was made
    1    | 0 | no  | -    | The only decision that was compared agrees
    1000 | 0 | no  | -    | All 1,000 decisions agree
    0    | 1 | no  | -    | 1 of 1 decisions differs
    1    | 2 | yes | -    | 2 of 3 decisions differ
    0    | 0 | yes | -    | No decision was compared, and 2 games part
    2    | 0 | yes | -    | All 2 decisions agree, and 2 games part
    0    | 0 | no  | lost | Not finished, nothing was compared: lost
    1    | 0 | no  | lost | Not finished after 1 decision, which agrees: lost
    2    | 0 | no  | lost | Not finished after 2 decisions, which agree: lost
";

#[test]
fn headline_fits_the_counts() {
    let rounds = |count: &str, column| {
        let count: u64 = count.parse().expect("a number");
        (2..2 + count).map(move |line| round(line, Piece::T, column))
    };
    for row in HEADLINES.trim().lines() {
        let [agree, diverge, apart, error, expected] = cells(row);
        let (mut totals, tally) = summed(rounds(agree, 0).chain(rounds(diverge, 5)));
        totals.error = (error != "-").then(|| error.into());
        let report = SessionReport {
            apart: (apart == "yes").then_some("2 games part"),
            ..report(&totals, &tally)
        };
        assert_eq!(report.headline(), expected);
    }
    for (decisions, expected) in [
        (1, "1 decision, not compared"),
        (2, "2 decisions, none compared"),
    ] {
        let totals = Totals {
            decisions,
            ..Totals::default()
        };
        assert_eq!(report(&totals, &Tally::default()).headline(), expected);
    }
}

/// Two backends differ in different ways.
#[test]
fn annotations_are_at_most_ten() {
    let rounds = (2..22).map(|line| {
        let mut round = round(line, Piece::T, 5);
        let other = Answer {
            decision: placement(7),
            ..round.answers[1].clone()
        };
        round.answers.push(other);
        round.asked = vec![0, 1, 2];
        round.mismatches = compare(&placement(0), &round.asked, &round.answers);
        round
    });
    let (totals, tally) = summed(rounds);
    let text = actions::annotations(&report(&totals, &tally));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 10, "{text}");
    assert!(lines[9].ends_with("::20 of 20 decisions differ"), "{text}");
    assert!(lines[0].contains("got 5") && lines[1].contains("got 7"));
}

#[test]
fn annotations_escape_names_and_messages() {
    let (totals, tally) = diverged();
    let text = actions::annotations(&report(&totals, &tally));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 10, "{text}");
    for (line, at) in lines[..9].iter().zip((3..).step_by(3)) {
        let name = "a%2Cb%3Ac%25<script>alert(1)</script>\"'&%0A%3A%3Aerror%3A%3Ano.jsonl";
        assert!(
            line.starts_with(&format!("::error file={name},line={at},title=")),
            "{line}"
        );
        assert!(line.ends_with("column: expected 0, got 5"), "{line}");
    }
    assert_eq!(
        lines[9],
        "::error title=lockstep replay::10 of 30 decisions differ"
    );
    let error = actions::error("play\n::error::1", "50 % of \u{1b}[2J\u{202e}\n::error::2");
    let expected = "::error title=play\\n%3A%3Aerror%3A%3A1::\
                    50 %25 of \\u{1b}[2J\\u{202e}\\n::error::2\n";
    assert_eq!(error, expected);
    let (totals, tally) = summed([round(2, Piece::O, 0)]);
    let text = actions::annotations(&report(&totals, &tally));
    assert_eq!(
        text,
        "::notice title=lockstep replay::The only decision that was compared agrees\n"
    );
}

#[test]
fn step_summary_escapes_names_in_its_table() {
    let (totals, tally) = diverged();
    let text = actions::summary(&report(&totals, &tally));
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with('|')).collect();
    // Header, rule, and three pairs of record, software and the other one.
    assert_eq!(rows.len(), 5, "{text}");
    for row in &rows {
        let bars = row.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 6, "{row}");
    }
    assert!(!text.contains('<') || text.contains("\\<"), "{text}");
}
