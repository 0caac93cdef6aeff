//! Annotations of lines of files and a summary, for GitHub Actions.
//!
//! The format of the commands:
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

use std::fmt::Write as _;

use lockstep::report::tally::Divergent;
use lockstep::text::printable;

use crate::{Reportable, SessionOutcome, SessionReport, Side, Sides, differences, number};

/// Maximum number of annotations that GitHub shows for one step.
const MAX_ANNOTATIONS: usize = 10;

/// The commands that annotate the lines of records that differ; the last one has the headline. Each
/// is one line.
pub fn annotations<G: Reportable>(report: &SessionReport<'_, G>) -> String {
    // One is left for the headline.
    let divergences = report.tally.divergences.iter();
    let mut text: String = divergences
        .flat_map(annotation)
        .take(MAX_ANNOTATIONS - 1)
        .collect();
    let level = match report.outcome() {
        SessionOutcome::Agreed => "notice",
        SessionOutcome::NotCompared => "warning",
        SessionOutcome::Diverged | SessionOutcome::Unfinished => "error",
    };
    let mut message = report.headline();
    if let Some(explained) = &report.explained {
        let _ = write!(message, ". Why: {}", explained.found.summary().sentence);
    }
    let title = format!("lockstep {}", report.command);
    let title = property(&title);
    let _ = writeln!(text, "::{level} title={title}::{}", data(&message));
    text
}

/// The commands for a divergence, one for each wrong decision.
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
        let message = format!("{}: {}", divergent.place(), differences(&side.fields));
        format!(
            "::error {at}title={}::{}\n",
            property(&title),
            data(&message)
        )
    };
    sides.others.iter().map(each).collect()
}

/// The command that annotates a run with an error.
pub fn error(title: &str, message: &str) -> String {
    format!("::error title={}::{}\n", property(title), data(message))
}

/// The summary of a step, in Markdown.
pub fn summary<G: Reportable>(report: &SessionReport<'_, G>) -> String {
    let mut text = format!(
        "### lockstep {}: {}\n\n",
        report.command,
        cell(&report.headline())
    );
    if let Some(explained) = &report.explained {
        let sentence = cell(&explained.found.summary().sentence);
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

/// The message of a command, in one line without control characters.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25")
}

/// A file name as the value of a property; control characters are kept.
fn file_name(name: &str) -> String {
    let name = name.replace('%', "%25");
    let name = name.replace('\r', "%0D").replace('\n', "%0A");
    name.replace(':', "%3A").replace(',', "%2C")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

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
