//! The explanation of a difference as text.

use std::fmt::Write as _;

use indicatif::HumanCount;
use lockstep::report::text::{add, side_by_side};
use lockstep_explain::{Explanation, Shrunk, Summary, Verdict};
use lockstep_games::{Noun, Trace};

use crate::games::CliGame;
#[cfg(feature = "sim")]
use crate::output::failure::quoted;
use crate::output::table::plain;
use crate::output::terminal::fields;
use crate::output::{BAD, GOOD, STRONG, count, width};

/// Largest number of candidates and fields that are shown; the rest is only counted.
const MOST_CANDIDATES: usize = 12;
const MOST_FIELDS: usize = 6;

/// The position with both decisions, the fields that differ, and the reason.
pub fn explanation<G: CliGame>(explanation: &Explanation<G>) -> String {
    answers(explanation) + "\n" + &reasons(explanation)
}

/// The position with both decisions, and the fields that differ.
fn answers<G: CliGame>(explanation: &Explanation<G>) -> String {
    let Explanation {
        position,
        expected,
        got,
        mismatches,
        ..
    } = explanation;
    let mut pictures = Vec::new();
    for side in [expected, got] {
        if let Some(answer) = side.outcome.answer() {
            let picture = G::picture(position, Some(&answer.decision));
            add(&mut pictures, side.backend.name.raw(), picture);
        }
    }
    let mut text = side_by_side(&pictures, width()) + "\n";
    if !mismatches.is_empty() {
        let [expected, got] = [expected, got].map(|side| side.backend.name.to_string());
        text += &fields(&expected, &got, mismatches.iter().map(|m| &m.difference));
    }
    text
}

/// The reason, and the candidates that differ.
pub fn reasons<G: CliGame>(explanation: &Explanation<G>) -> String {
    let mut text = why(explanation);
    if let (false, Some(trace)) = (explanation.columns.is_empty(), &explanation.expected.trace) {
        let many = G::CANDIDATE.many;
        let _ = writeln!(text, "\n{many} that differ (expected → got):");
        text += &differing(explanation, trace);
    }
    text
}

fn why<G: CliGame>(explanation: &Explanation<G>) -> String {
    let Summary {
        sentence,
        definition,
    } = explanation.summary();
    if explanation.verdict == Verdict::Agrees {
        return format!("{GOOD}{sentence}{GOOD:#}\n");
    }
    let defined = definition.map_or(String::new(), |(field, definition)| {
        format!("\n     {STRONG}{field}{STRONG:#}: {definition}")
    });
    format!("{BAD}why:{BAD:#} {sentence}{defined}\n")
}

/// The candidates that differ, side by side.
fn differing<G: CliGame>(explanation: &Explanation<G>, trace: &Trace<G>) -> String {
    let candidates = explanation.differing();
    let labels: Vec<String> = trace.candidates.iter().map(G::label).collect();
    let columns = &explanation.columns;
    let shown = &columns[..columns.len().min(MOST_FIELDS)];
    let header = [G::CANDIDATE.one.to_owned(), String::new()].into_iter();
    let fields = shown.iter().map(|column| column.field.replace('_', "\n"));
    let rows = candidates.iter().take(MOST_CANDIDATES).map(|number| {
        let label = labels.get(*number).cloned().unwrap_or_default();
        let mut row = vec![number.to_string(), label];
        row.extend(shown.iter().map(|column| {
            let mut differs = column.differs.iter();
            let differs = differs.find(|(differs, ..)| differs == number);
            differs.map_or(String::new(), |(_, expected, got)| {
                format!("{expected} → {got}")
            })
        }));
        row
    });
    let mut text = plain(header.chain(fields).collect::<Vec<_>>(), rows, ..);
    let more = |text: &mut String, all: usize, shown: usize, what: &str| {
        if all > shown {
            let _ = writeln!(
                text,
                "  ... and {} more {what}",
                HumanCount((all - shown) as u64)
            );
        }
    };
    more(
        &mut text,
        candidates.len(),
        MOST_CANDIDATES,
        G::CANDIDATE.many,
    );
    more(&mut text, columns.len(), MOST_FIELDS, "fields");
    text
}

/// The smaller case and its explanation; `before` is the number of positions before shrinking.
pub fn smaller<G: CliGame>(smaller: &Shrunk<G>, before: usize) -> String {
    let Shrunk {
        case,
        explanation: found,
        tried,
        ..
    } = smaller;
    let extent = smaller.extent();
    let positions = count(case.positions.len() as u64, POSITIONS);
    let of = match before {
        1 => String::new(),
        before => format!(" of {before}"),
    };
    let tries = count(*tried, TRIES);
    let mut text =
        format!("\n{STRONG}smaller case{STRONG:#}: {positions}{of}, found in {tries}; {extent}\n");
    if let Some(weights) = G::weights(&case.controller) {
        let _ = writeln!(text, "weights: {weights}");
    }
    let together = if case.together { ", at once" } else { "" };
    let earlier = &case.positions[..case.positions.len().saturating_sub(1)];
    if !earlier.is_empty() {
        let labels: Vec<_> = earlier
            .iter()
            .map(|position| format!("first {}", G::class(position)))
            .collect();
        let pictures: Vec<_> = labels
            .iter()
            .zip(earlier)
            .map(|(label, position)| (label.as_str(), G::picture(position, None)))
            .collect();
        text += &side_by_side(&pictures, width());
        let _ = writeln!(text, "\nand then{together}");
    }
    text + &explanation(found)
}

/// The file of a waveform, and how to view it.
#[cfg(feature = "sim")]
pub fn waveform(waves: &lockstep_explain::waves::Waveform) -> String {
    let file = crate::output::failure::shown(waves.file.display());
    let at = waves.marker.map_or(String::new(), |ns| {
        format!("; the marker is at {} ns", HumanCount(ns))
    });
    let [first, second] = viewers(waves);
    format!("{STRONG}waveform{STRONG:#}  {file}{at}\n          {first}\n          {second}\n")
}

/// The commands that open a waveform.
#[cfg(feature = "sim")]
pub fn viewers(waves: &lockstep_explain::waves::Waveform) -> [String; 2] {
    let [file, gtkwave, surfer] =
        [&waves.file, &waves.gtkwave, &waves.surfer].map(|path| quoted(path.display()));
    [
        format!("gtkwave {file} {gtkwave}"),
        format!("surfer --command-file {surfer} {file}"),
    ]
}

const TRIES: Noun = Noun {
    one: "try",
    many: "tries",
};

const POSITIONS: Noun = Noun {
    one: "position",
    many: "positions",
};
