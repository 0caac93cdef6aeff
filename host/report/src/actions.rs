//! What a run of GitHub Actions shows: annotations on lines of files, and a summary.
//!
//! The commands are those of
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

use std::fmt::Write as _;

use lockstep::report::tally::Divergent;
use lockstep::text::printable;

use crate::{Outcome, Report, Reportable, Side, Sides, differences, number, place};

/// Annotations that GitHub shows of one step, at the most.
const MOST: usize = 10;

/// Commands that annotate the records where something differs, a line each; one that says how it
/// ended comes last.
pub fn annotations<G: Reportable>(report: &Report<'_, G>) -> String {
    // The last one is that of the end.
    let divergences = report.tally.divergences.iter();
    let told = divergences.flat_map(annotation).take(MOST - 1);
    let mut text: String = told.collect();
    let level = match report.outcome() {
        Outcome::Agreed => "notice",
        Outcome::Alone => "warning",
        Outcome::Diverged | Outcome::Unfinished => "error",
    };
    let mut message = report.headline();
    if let Some(explained) = &report.explained {
        let _ = write!(message, ". Why: {}", explained.found.words().sentence);
    }
    let title = format!("lockstep {}", report.command);
    let title = property(&title);
    let _ = writeln!(text, "::{level} title={title}::{}", data(&message));
    text
}

/// The commands of a divergence, one for each answer that differs.
fn annotation<G: Reportable>(divergent: &Divergent<G>) -> Vec<String> {
    let Some(sides) = Sides::of(divergent) else {
        return Vec::new();
    };
    let at = match (&divergent.file, divergent.round.line) {
        (Some(file), Some(line)) => format!("file={},line={line},", file_name(file)),
        (Some(file), None) => format!("file={},", file_name(file)),
        (None, _) => String::new(),
    };
    let each = |side: &Side<'_, G>| {
        let title = format!(
            "{} differs from {}",
            side.names.join(", "),
            sides.expected.0
        );
        let message = format!("{}: {}", place(divergent), differences(&side.fields));
        format!(
            "::error {at}title={}::{}\n",
            property(&title),
            data(&message)
        )
    };
    sides.others.iter().map(each).collect()
}

/// The command that annotates a run with what kept it from its end.
pub fn error(title: &str, message: &str) -> String {
    format!("::error title={}::{}\n", property(title), data(message))
}

/// The summary of a step, in Markdown.
pub fn summary<G: Reportable>(report: &Report<'_, G>) -> String {
    let mut text = format!(
        "### lockstep {}: {}\n\n",
        report.command,
        cell(&report.headline())
    );
    if let Some(explained) = &report.explained {
        let sentence = cell(&explained.found.words().sentence);
        let _ = writeln!(text, "**Why:** {sentence}\n");
    }
    if !report.tally.pairs.is_empty() {
        text += "| | | compared | agree | differ in |\n|---|---|--:|--:|---|\n";
    }
    for pair in &report.tally.pairs {
        let fields = pair.all.fields.iter();
        let fields: Vec<_> = fields
            .map(|(field, count)| format!("{field} ({})", number(*count)))
            .collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            cell(pair.first.raw()),
            cell(pair.second.raw()),
            number(pair.all.compared),
            number(pair.all.agreed),
            fields.join(", ")
        );
    }
    text
}

/// A command's message in one line, without control characters.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25")
}

/// A file's name as a property's value, with every character that it has.
fn file_name(name: &str) -> String {
    let name = name.replace('%', "%25");
    let name = name.replace('\r', "%0D").replace('\n', "%0A");
    name.replace(':', "%3A").replace(',', "%2C")
}

/// A property's value.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Text in a table's cell.
fn cell(text: &str) -> String {
    let mut plain = String::new();
    for c in printable(text).chars() {
        if "|<>*_`[]\\#&!~".contains(c) {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}
