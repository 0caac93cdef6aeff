//! What is written of a session: nothing in it can break the page, the test results or the
//! annotations, and all of it can be read back.

use std::path::Path;
use std::time::Duration;

use lockstep::backend::wire::{MeasureLatency, Traffic};
use lockstep::backend::{Identity, Kind};
use lockstep::compare::compare;
use lockstep::link::LinkStatistics;
use lockstep::report::{Tally, Totals};
use lockstep::{Answer, Event, Header, Round, Sink};
use lockstep_games::Golden as _;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Placement, Position, Score, Tetris};
use lockstep_report::{File, OfRecord, Outcome, Report, actions, bars, html, junit};
use quick_junit::{NonSuccessKind, TestCaseStatus};

/// Names that do harm wherever they are not escaped.
const FILE: &str = "a,b:c%<script>alert(1)</script>\"'&\n::error::no.jsonl";
const BACKEND: &str = "sim:fault=<b>|*_`]&amp;\u{1}";

fn identity(name: &str, kind: Kind) -> Identity {
    Identity {
        name: name.into(),
        kind,
        description: "a <stand-in> & more".into(),
        capabilities: Tetris::capabilities(None),
        core: None,
    }
}

fn placement(column: usize) -> Option<Placement> {
    Some(Placement {
        rotation: 0,
        column,
        row: 0,
        rows_cleared: 0,
        score: Score::default(),
    })
}

/// One decision of a piece, the second backend's at this column.
fn round(line: u64, piece: Piece, column: usize) -> Round<Tetris> {
    let answer = |column, cycles| Answer {
        cycles,
        ..Answer::plain(placement(column))
    };
    let answers = vec![answer(0, None), answer(column, Some(100 + line))];
    let recorded = placement(0);
    Round {
        game: 2,
        step: line,
        line: Some(line),
        position: Position {
            board: Board::new(10, 20),
            piece,
            next: None,
        },
        mismatches: compare(&recorded, &[0, 1], &answers),
        recorded: Some(recorded),
        asked: vec![0, 1],
        answers,
        score: None,
        outcome: None,
    }
}

/// What these rounds come to.
fn summed(rounds: impl IntoIterator<Item = Round<Tetris>>) -> (Totals, Tally<Tetris>) {
    summed_of(1, FILE, rounds)
}

/// What these rounds of a record come to.
fn summed_of(
    number: usize,
    file: &str,
    rounds: impl IntoIterator<Item = Round<Tetris>>,
) -> (Totals, Tally<Tetris>) {
    let controller = Controller::load("dt-20").expect("built in");
    let backends = vec![
        identity("software", Kind::Golden),
        identity(BACKEND, Kind::Simulated),
        identity("third", Kind::Simulated),
        identity("fourth", Kind::Simulated),
    ];
    let mut rounds = rounds.into_iter().peekable();
    let asked = rounds.peek().map_or(0, |round| round.answers.len());
    let backends = backends.into_iter().take(asked).collect();
    let started = Event::Started(Header {
        backends,
        controller,
        seats: Vec::new(),
        setup: None,
        planned: None,
        move_time: None,
    });
    let ended = Event::Ended {
        interrupted: false,
        error: None,
        links: vec![None, None],
    };
    let rounds = rounds.map(Event::Decided);
    let (mut totals, mut tally) = (Totals::default(), Tally::of_record(number, file));
    for event in [started].into_iter().chain(rounds).chain([ended]) {
        totals.take(&event).expect("counted");
        tally.take(&event).expect("counted");
    }
    (totals, tally)
}

fn report<'a>(totals: &'a Totals, tally: &'a Tally<Tetris>) -> Report<'a, Tetris> {
    Report {
        command: "replay",
        call: "lockstep replay '<x>'",
        version: "lockstep 0",
        at: "2026-01-01 00:00 UTC",
        controllers: vec!["dt-<20>".into()],
        totals,
        tally,
        records: &[],
        apart: None,
        explained: None,
    }
}

/// Thirty decisions, of which those of T differ.
fn diverged() -> (Totals, Tally<Tetris>) {
    let piece = |line| if line % 3 == 0 { Piece::T } else { Piece::O };
    let column = |line| if line % 3 == 0 { 5 } else { 0 };
    summed((2..32).map(|line| round(line, piece(line), column(line))))
}

#[test]
fn a_page_holds_what_differs_and_nothing_that_runs_or_is_fetched() {
    let (totals, tally) = diverged();
    let page = html::html(&report(&totals, &tally));
    for part in [
        "<!DOCTYPE html>",
        "10 of 30 decisions differ",
        "column is 5, not 0",
        "game 2, move 3",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "sim:fault=&lt;b&gt;",
        "dt-&lt;20&gt;",
        "histogram of the clock cycles",
        "prefers-color-scheme: dark",
        "10 differ",
    ] {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
    for part in [
        "<script", "<b>", "http:", "https:", "src=", "@import", "<link", "url(",
    ] {
        assert!(!page.contains(part), "{part:?} in\n{page}");
    }
    // The record's board and the other one.
    assert_eq!(page.matches("<svg class=\"board\"").count(), 20);
    assert_eq!(page.matches("<details").count(), 10);
    assert_eq!(page.matches("<details open").count(), 1);
    for tag in ["details", "table", "svg", "section", "figure", "div"] {
        let (open, shut) = (format!("<{tag}"), format!("</{tag}>"));
        let counts = [open, shut].map(|tag| page.matches(&tag).count());
        assert_eq!(counts[0], counts[1], "{tag}");
    }
}

#[test]
fn boards_are_drawn_for_the_first_and_the_others_are_told() {
    let (totals, tally) = summed((2..152).map(|line| round(line, Piece::T, 5)));
    let page = html::html(&report(&totals, &tally));
    assert_eq!(page.matches("<svg class=\"board\"").count(), 2 * 20);
    assert!(page.contains("80 more, without their boards"));
    assert!(page.contains("And 50 more, which are counted alone."));
}

#[test]
fn test_results_are_read_back_with_a_case_a_piece() {
    let (totals, tally) = diverged();
    let text = junit::junit(&report(&totals, &tally)).expect("written");
    let read = quick_junit::Report::deserialize_from_str(&text).expect("read");
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
    let told = description.as_ref().expect("what differs").as_str();
    assert_eq!(told.matches("column is 5, not 0").count(), 10, "{told}");
}

/// The error, whether it was interrupted, and whether games part, of a session that agrees or one that
/// diverges (`all`); failures and errors of the test results, and parts of results, page and
/// annotations.
const ENDS: &str = "
    agrees   | board lost | no  | no  | 0 1 | board lost    | Not finished after 1 decisions | Not finished
    agrees   | -          | yes | no  | 0 1 | \"interrupted\" | it was interrupted | Not finished
    diverges | board lost | yes | no  | 1 1 | board lost    | It was interrupted before its end. | differ
    diverges | board lost | no  | no  | 1 1 | board lost    | It ended early: board lost | differ
    agrees   | -          | no  | yes | 1 0 | 2 games part  | verdict bad | agrees, and 2 games part
    agrees   | line 5     | no  | yes | 1 1 | 2 games part  | It ended early: line 5 | 2 games part
";

#[test]
fn end_of_a_session_is_in_every_report() {
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
        ] = row.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("{row}")
        };
        let (mut totals, tally) = match decisions {
            "agrees" => summed([round(2, Piece::O, 0)]),
            _ => diverged(),
        };
        totals.error = (error != "-").then(|| error.into());
        totals.interrupted = stopped == "yes";
        let report = Report {
            apart: (apart == "yes").then_some("2 games part"),
            ..report(&totals, &tally)
        };
        let outcome = match decisions == "diverges" || apart == "yes" {
            true => Outcome::Diverged,
            false => Outcome::Unfinished,
        };
        assert_eq!(report.outcome(), outcome, "{row}");
        let text = junit::junit(&report).expect("written");
        let read = quick_junit::Report::deserialize_from_str(&text).expect("read");
        let found = format!("{} {}", read.failures, read.errors);
        assert_eq!(found, counts, "{row}: {text}");
        assert!(text.contains(result), "{row}: {text}");
        assert!(html::html(&report).contains(page), "{row}");
        let annotations = actions::annotations(&report);
        let last = annotations.lines().last().unwrap_or_default();
        let is_error = last.starts_with("::error title=lockstep replay::");
        assert!(is_error && last.contains(annotation), "{row}: {last}");
    }
}

/// Half of those of T differ, and all of those of S.
#[test]
fn every_class_tells_its_own() {
    let t = (2..12).map(|line| round(line, Piece::T, if line < 7 { 5 } else { 0 }));
    let s = (20..23).map(|line| round(line, Piece::S, 8));
    let (totals, tally) = summed(t.chain(s));
    let report = report(&totals, &tally);
    let page = html::html(&report);
    assert!(page.contains("5 differ</strong> of 10"), "{page}");
    assert!(page.contains("3 differ</strong> of 3"), "{page}");
    let text = junit::junit(&report).expect("written");
    let read = quick_junit::Report::deserialize_from_str(&text).expect("read");
    let cases = read.test_suites[1].test_cases.iter();
    let mut told = cases.filter_map(|case| match &case.status {
        TestCaseStatus::NonSuccess { description, .. } => {
            let description = description.as_ref().map(|d| d.as_str().to_owned());
            Some((case.name.as_str(), description.expect("what differs")))
        }
        _ => None,
    });
    let (name, of_s) = told.next().expect("two fail");
    assert_eq!(
        (name, of_s.matches("move ").count()),
        ("piece S", 3),
        "{of_s}"
    );
    assert_eq!(of_s.matches("column is 8, not 0").count(), 3);
    let (name, of_t) = told.next().expect("two fail");
    assert_eq!(
        (name, of_t.matches("move ").count()),
        ("piece T", 5),
        "{of_t}"
    );
    assert_eq!(of_t.matches("column is 5, not 0").count(), 5);
}

/// Of two backends that differ each in its own way no more lines are told than GitHub shows.
#[test]
fn annotations_are_as_many_as_are_shown() {
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
    let told = actions::annotations(&report(&totals, &tally));
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines.len(), 10, "{told}");
    assert!(lines[9].ends_with("::20 of 20 decisions differ"), "{told}");
    assert!(lines[0].contains("column is 5") && lines[1].contains("column is 7"));
}

#[test]
fn latencies_are_told_by_their_names() {
    let (mut totals, tally) = diverged();
    let mut traffic = Traffic::default();
    for (micros, times) in [(11, 60), (222, 39), (1_500, 1)] {
        for _ in 0..times {
            traffic.answered(Duration::from_micros(micros), MeasureLatency::Yes);
        }
    }
    totals.backends[1].link = Some(traffic.report(LinkStatistics::default(), None));
    let page = html::html(&report(&totals, &tally));
    let sentence = "Half within 11 µs, 99 % within 222 µs, the longest 1,500 µs.";
    assert!(page.contains(sentence), "{page}");
}

#[test]
fn annotations_are_one_command_a_line_whatever_is_in_them() {
    let (totals, tally) = diverged();
    let told = actions::annotations(&report(&totals, &tally));
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines.len(), 10, "{told}");
    for (line, at) in lines[..9].iter().zip((3..).step_by(3)) {
        let name = "a%2Cb%3Ac%25<script>alert(1)</script>\"'&%0A%3A%3Aerror%3A%3Ano.jsonl";
        assert!(
            line.starts_with(&format!("::error file={name},line={at},title=")),
            "{line}"
        );
        assert!(line.ends_with("column is 5, not 0"), "{line}");
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
    let told = actions::annotations(&report(&totals, &tally));
    assert_eq!(
        told,
        "::notice title=lockstep replay::The only decision that was compared agrees\n"
    );
}

#[test]
fn a_step_s_summary_is_a_table_that_names_do_not_break() {
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

#[test]
fn records_that_differ_come_first_and_fail() {
    let (totals, tally) = diverged();
    let of = |file: &str, agreed| OfRecord {
        file: file.into(),
        compared: 15,
        agreed,
    };
    let records = [of("a.jsonl", 15), of("b.jsonl", 5)];
    let report = Report {
        records: &records,
        ..report(&totals, &tally)
    };
    let page = html::html(&report);
    let at = |name| page.find(&format!("<td>{name}</td>")).expect("a row");
    assert!(at("b.jsonl") < at("a.jsonl"));
    let text = junit::junit(&report).expect("written");
    let read = quick_junit::Report::deserialize_from_str(&text).expect("read");
    let suite = read
        .test_suites
        .iter()
        .find(|s| s.name.as_str() == "records");
    let suite = suite.expect("a suite");
    assert_eq!((suite.tests, suite.failures), (2, 1));
    assert!(text.contains("10 of 15 decisions differ"), "{text}");
}

/// Of four the second and the fourth decide the same.
#[test]
fn those_that_say_the_same_share_a_board() {
    let mut round = round(2, Piece::T, 5);
    let [first, wrong] = [0, 1].map(|index: usize| round.answers[index].clone());
    let other = Answer {
        decision: placement(7),
        ..wrong.clone()
    };
    round.answers = vec![first, wrong.clone(), other, wrong];
    let recorded = round.recorded.expect("it is compared with a record");
    round.asked = vec![0, 1, 2, 3];
    round.mismatches = compare(&recorded, &round.asked, &round.answers);
    let (totals, tally) = summed([round]);
    let page = html::html(&report(&totals, &tally));
    // The record's, that of two, that of one.
    assert_eq!(page.matches("<svg class=\"board\"").count(), 3, "{page}");
    assert!(page.contains(", fourth</figcaption>"), "{page}");
    assert!(page.contains("<figcaption>third</figcaption>"), "{page}");
}

/// Of three records the first has more divergences than are drawn.
#[test]
fn each_record_has_a_board_whatever_the_first_one_has() {
    let (totals, mut tally) = summed((2..62).map(|line| round(line, Piece::T, 5)));
    for (number, name) in [(2, "second"), (3, "third")] {
        let rounds = (2..5).map(|line| round(line, Piece::T, 5));
        tally.merge(summed_of(number, name, rounds).1);
    }
    let page = html::html(&report(&totals, &tally));
    assert_eq!(page.matches("<svg class=\"board\"").count(), 2 * 20);
    let drawn = |file: &str| page.matches(&format!("<summary>{file}: game")).count();
    assert_eq!((drawn("second"), drawn("third")), (3, 3));
    assert!(page.contains("46 more, without their boards"));
    let at = |part: &str| page.find(part).expect("it is there");
    assert!(at("move 15:") < at("<summary>second: "), "in order");
}

/// One below the page, with signs that mean something in an address, and one elsewhere.
#[test]
fn files_below_the_page_are_linked_to_and_others_are_named() {
    let page = Path::new("out/page.html");
    let below = File::of(Path::new("out/why #1/case.json"), Some(page));
    assert_eq!(below.name, "out/why #1/case.json");
    assert_eq!(below.link.as_deref(), Some("why%20%231/case.json"));
    for (path, page) in [("elsewhere/case.json", Some(page)), ("out/case.json", None)] {
        assert_eq!(File::of(Path::new(path), page).link, None, "{path}");
    }
    let here = File::of(Path::new("why/a.fst"), Some(Path::new("page.html")));
    assert_eq!(here.link.as_deref(), Some("why/a.fst"));
}

#[test]
fn each_value_is_in_the_bar_that_holds_it() {
    for (values, most) in [
        (vec![(5, 2), (6, 1), (9, 4)], 48),
        (vec![(0, 1), (99, 3), (100, 1), (199, 7)], 10),
        (vec![(7, 3)], 1),
    ] {
        let bars = bars::gather(&values, most);
        for bar in &bars {
            let within = values
                .iter()
                .filter(|(v, _)| (bar.low..=bar.high).contains(v));
            assert_eq!(
                bar.count,
                within.map(|(_, n)| n).sum::<u64>(),
                "{values:?} {bar:?}"
            );
        }
        let all: u64 = bars.iter().map(|bar| bar.count).sum();
        assert_eq!(
            all,
            values.iter().map(|(_, n)| n).sum::<u64>(),
            "{values:?}"
        );
        assert!(bars.len() as u64 <= most, "{values:?}");
    }
}

#[test]
fn the_highest_bar_s_count_is_beside_a_histogram() {
    let bars = bars::gather(&[(100, 7), (101, 1_234), (140, 2)], 48);
    let text = bars::svg(&bars, "cycles", "x").into_string();
    assert!(text.contains("y=\"10\">1,234</text>"), "{text}");
    assert!(text.contains(">100</text>") && text.contains(">140 cycles</text>"));
}
