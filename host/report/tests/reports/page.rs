//! The HTML page.

use std::time::Duration;

use lockstep::backend::wire::Traffic;
use lockstep::link::LinkStatistics;
use lockstep_report::{RecordAgreement, bars};

use super::*;

#[test]
fn page_has_the_divergences_and_no_script_or_address() {
    let (totals, tally) = diverged();
    let page = html_of(&report(&totals, &tally));
    for part in [
        "<!DOCTYPE html>",
        "10 of 30 decisions differ",
        "A: expected</th><th class=\"n\" scope=\"col\">B: got</th>",
        "<td>column</td><td class=\"n\">0</td><td class=\"n\">5</td>",
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
    let links: Vec<_> = page.split("href=\"#").skip(1).collect();
    for link in &links {
        let id = format!(" id=\"{}\"", link.split('"').next().unwrap_or_default());
        assert_eq!(page.matches(&id).count(), 1, "{id}: {page}");
    }
    assert!(links.len() > 4 && links.iter().any(|link| link.starts_with("d1\"")));
    for part in [
        "<script", "<b>", "http:", "https:", "src=", "@import", "<link", "url(",
    ] {
        assert!(!page.contains(part), "{part:?} in\n{page}");
    }
    // The record's choice and the other one on one board, with outlines of their own.
    assert_eq!(page.matches("<svg class=\"board\"").count(), 10);
    let outlines = ["m0", "m1"].map(|m| page.matches(&format!("class=\"mark {m}\"")).count());
    assert_eq!(outlines, [20, 20]);
    // The file and the game stand above all moves, not at each.
    assert_eq!(page.matches("id=\"r1\">a,b:c%&lt;script&gt;").count(), 1);
    let summaries =
        ["<summary>game 2, move", "<summary>move"].map(|part| page.matches(part).count());
    assert_eq!(summaries, [1, 9]);
    assert_eq!(page.matches("<details").count(), 10);
    assert_eq!(page.matches(" open>").count(), 1);
    assert!(page.contains("<details id=\"d1\" open>"), "{page}");
    for tag in ["details", "table", "svg", "section", "figure", "div"] {
        let (open, shut) = (format!("<{tag}"), format!("</{tag}>"));
        let counts = [open, shut].map(|tag| page.matches(&tag).count());
        assert_eq!(counts[0], counts[1], "{tag}");
    }
}

#[test]
fn page_draws_all_kept_divergences_and_counts_the_others() {
    let (totals, tally) = summed((2..152).map(|line| round(line, Piece::T, 5)));
    let page = html_of(&report(&totals, &tally));
    assert_eq!(page.matches("<svg class=\"board\"").count(), 100);
    assert!(page.contains("And 50 more, which are only counted."));
    assert!(page.contains("<td class=\"n\">150</td><td class=\"name\">column</td>"));
}

/// The piece is two rows high, with one empty row above it; equal choices are drawn as one.
#[test]
fn page_board_has_no_empty_rows_and_no_equal_choices() {
    for (column, letters) in [(5, vec![">A</text>", ">B</text>"]), (0, vec![">AB</text>"])] {
        let mut round = round(2, Piece::T, column);
        round.answers[1].expected_cycles = Some(1);
        round.mismatches = compare(&placement(0), &round.asked, &round.answers);
        let (totals, tally) = summed([round]);
        let page = html_of(&report(&totals, &tally));
        let count = |part: &str| page.matches(part).count();
        assert_eq!(count("<text class=\"axis row\""), 3, "{page}");
        assert_eq!(count("<text class=\"letter\""), 4 * letters.len(), "{page}");
        assert!(letters.iter().all(|letter| count(letter) == 4), "{page}");
        assert_eq!(count("the same move"), 2 - letters.len(), "{page}");
    }
}

/// Half of the decisions on a T differ, and all on an S.
#[test]
fn page_counts_per_piece() {
    let t = (2..12).map(|line| round(line, Piece::T, if line < 7 { 5 } else { 0 }));
    let s = (20..23).map(|line| round(line, Piece::S, 8));
    let (totals, tally) = summed(t.chain(s));
    let page = html_of(&report(&totals, &tally));
    assert!(page.contains("5 differ</strong> of 10"), "{page}");
    assert!(page.contains("3 differ</strong> of 3"), "{page}");
}

#[test]
fn page_latency_has_percentiles() {
    let (mut totals, tally) = diverged();
    let mut traffic = Traffic::default();
    for (micros, times) in [(11, 60), (222, 39), (1_500, 1)] {
        for _ in 0..times {
            traffic.answered(Duration::from_micros(micros), true);
        }
    }
    totals.backends[1].link = Some(traffic.report(LinkStatistics::default(), None));
    let page = html_of(&report(&totals, &tally));
    let sentence = "Half within 11 µs, 99 % within 222 µs, the longest 1,500 µs.";
    assert!(page.contains(sentence), "{page}");
}

#[test]
fn page_differing_records_come_first() {
    let (totals, tally) = diverged();
    let of = |file: &str, agreed| RecordAgreement {
        file: file.into(),
        compared: 15,
        agreed,
    };
    let records = [of("a.jsonl", 15), of("b.jsonl", 5)];
    let report = SessionReport {
        records: &records,
        ..report(&totals, &tally)
    };
    let page = html_of(&report);
    let at = |name| {
        page.find(&format!("<td class=\"name\">{name}</td>"))
            .expect("a row")
    };
    assert!(at("b.jsonl") < at("a.jsonl"));
    let (text, read) = written(&report);
    let suite = read
        .test_suites
        .iter()
        .find(|s| s.name.as_str() == "records");
    let suite = suite.expect("a suite");
    assert_eq!((suite.tests, suite.failures), (2, 1));
    assert!(text.contains("10 of 15 decisions differ"), "{text}");
    // If all agree, neither pieces nor records are listed.
    let (totals, tally) = summed([round(2, Piece::T, 0)]);
    let page = html_of(&SessionReport {
        totals,
        tally: &tally,
        ..report
    });
    for part in ["By piece", "By record", "By cause", "a.jsonl", "cause"] {
        assert!(!page.contains(part), "{part} in\n{page}");
    }
}

/// The second and the fourth backend decide the same.
#[test]
fn page_draws_equal_decisions_once() {
    let mut round = round(2, Piece::T, 5);
    let [first, wrong] = [0, 1].map(|index: usize| round.answers[index].clone());
    let other = Answer {
        decision: placement(7),
        expected_cycles: Some(1),
        ..wrong.clone()
    };
    round.answers = vec![first, wrong.clone(), other, wrong];
    let recorded = round.recorded.expect("it is compared with a record");
    round.asked = vec![0, 1, 2, 3];
    round.mismatches = compare(&recorded, &round.asked, &round.answers);
    let (totals, tally) = summed([round]);
    let page = html_of(&report(&totals, &tally));
    // The record, two backends, and the third.
    assert_eq!(page.matches("<svg class=\"board\"").count(), 1, "{page}");
    assert_eq!(page.matches("<span>record</span>").count(), 1, "{page}");
    assert!(page.contains(", fourth</span>"), "{page}");
    assert!(page.contains("<strong>C</strong> <span>third</span>"));
    for row in [
        "<td>column</td><td class=\"n\">0</td><td class=\"n\">5</td><td class=\"n\">7</td>",
        "<td>cycles</td><td class=\"n\">1</td><td class=\"n soft\">=</td><td class=\"n\">102</td>",
    ] {
        assert!(page.contains(row), "{page}");
    }
}

#[test]
fn page_draws_divergences_of_every_record() {
    let (totals, mut tally) = summed((2..62).map(|line| round(line, Piece::T, 5)));
    for name in ["second", "third"] {
        tally.next_record(name);
        for line in 2..5 {
            let decided = Event::Decided(round(line, Piece::T, 5));
            tally.take(&decided).expect("counted");
        }
    }
    let page = html_of(&report(&totals, &tally));
    assert_eq!(page.matches("<svg class=\"board\"").count(), 66);
    let at = |part: &str| page.find(part).expect("it is there");
    let (second, third) = (at(" id=\"r2\">second</h3>"), at(" id=\"r3\">third</h3>"));
    let drawn = |page: &str| page.matches("<details").count();
    assert_eq!((drawn(&page[second..third]), drawn(&page[third..])), (3, 3));
    assert!(at("move 61:") < second, "in order");
    assert!(page.contains("<td class=\"n\">66</td><td class=\"name\">column</td>"));
}

#[test]
fn bars_count_each_value_once() {
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
fn histogram_shows_the_highest_count() {
    let bars = bars::gather(&[(100, 7), (101, 1_234), (140, 2)], 48);
    let text = bars::svg(&bars, "cycles", "the axis", "x").into_string();
    assert!(text.contains("y=\"10\">1,234</text>"), "{text}");
    assert!(text.contains(">100</text>") && text.contains(">140 cycles</text>"));
    assert!(text.contains(">the axis</text>") && text.contains(">decisions</text>"));
}
