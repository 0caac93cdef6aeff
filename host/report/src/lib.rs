//! Reports of a session: an HTML page, JUnit XML, annotations of GitHub Actions.
//!
//! Modules in reading order. This one has [`SessionReport`], the input of all reports: a session's
//! [`Totals`] and [`Tally`], and the explanation of its first divergence.
//!
//! - [`html`]: a self-contained page, with `board` (a position as SVG) and [`bars`] (a histogram).
//! - [`junit`]: test results for build servers.
//! - [`actions`]: annotations and a summary for GitHub Actions.
//!
//! Nothing here knows a particular game, and nothing is written to a file: the command does that, in
//! `session/reports.rs`.

pub mod actions;
pub mod bars;
mod board;
pub mod html;
pub mod junit;

use indicatif::HumanCount;
use lockstep::compare::FieldDifference;
use lockstep::report::tally::{Divergent, RECORD};
use lockstep::report::{Tally, Totals};
use lockstep_explain::Explained;
use lockstep_games::{Draw, Explain, Field, Game};

/// The input of every report of a session.
#[derive(Debug, Clone)]
pub struct SessionReport<'a, G: Game> {
    /// Name of the command, such as `replay`.
    pub command: &'static str,
    /// Names of the controllers that decided.
    pub controllers: Vec<String>,
    /// The sums of the session.
    pub totals: Totals,
    /// How often each pair of backends agreed.
    pub tally: &'a Tally<G>,
    /// The sums of each record of a replay; empty if games were played.
    pub records: &'a [RecordAgreement],
    /// How compared records differ in their positions, as a clause; `None` if they do not.
    pub apart: Option<&'a str>,
    /// The explanation of the first divergence; `None` if there is none.
    pub explained: Option<Explained<G>>,
}

/// How many decisions of a record agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordAgreement {
    /// Name of its file.
    pub file: String,
    /// Number of positions that were compared.
    pub compared: u64,
    /// Number of them on which all agreed.
    pub agreed: u64,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionOutcome {
    /// All compared decisions agree.
    Agreed,
    /// No decision was compared.
    NotCompared,
    /// Some decisions differ, or the positions of compared records do.
    Diverged,
    /// It was interrupted or failed before any decision differed.
    Unfinished,
}

/// A game whose sessions can be reported.
pub trait Reportable: Explain + Draw {}

impl<G: Explain + Draw> Reportable for G {}

impl<G: Game> SessionReport<'_, G> {
    /// How the session ended. A difference takes precedence.
    pub fn outcome(&self) -> SessionOutcome {
        match &self.totals {
            totals if totals.divergences() > 0 || self.apart.is_some() => SessionOutcome::Diverged,
            totals if totals.interrupted || totals.error.is_some() => SessionOutcome::Unfinished,
            totals if totals.compared == 0 => SessionOutcome::NotCompared,
            _ => SessionOutcome::Agreed,
        }
    }

    /// How the session ended, as a sentence without a full stop.
    pub fn headline(&self) -> String {
        let Totals {
            compared,
            decisions,
            ..
        } = &self.totals;
        let agree = match compared {
            0 => "No decision was compared".to_owned(),
            1 => "The only decision that was compared agrees".to_owned(),
            _ => format!("All {} decisions agree", number(*compared)),
        };
        match self.outcome() {
            SessionOutcome::Agreed => agree,
            SessionOutcome::NotCompared => match decisions {
                0 => "No decision was made".to_owned(),
                1 => "1 decision, not compared".to_owned(),
                _ => format!("{} decisions, none compared", number(*decisions)),
            },
            SessionOutcome::Diverged => match (self.totals.divergences(), self.apart) {
                (0, Some(apart)) => format!("{agree}, and {apart}"),
                (diverged, _) => differ(diverged, *compared),
            },
            SessionOutcome::Unfinished => {
                let error = self.totals.error.as_deref();
                let why = error.unwrap_or("it was interrupted");
                match compared {
                    0 => format!("Not finished, nothing was compared: {why}"),
                    1 => format!("Not finished after 1 decision, which agrees: {why}"),
                    _ => format!(
                        "Not finished after {} decisions, which agree: {why}",
                        number(*compared)
                    ),
                }
            }
        }
    }
}

/// `1 of 30 decisions differs`
fn differ(diverged: u64, compared: u64) -> String {
    let verb = if diverged == 1 { "differs" } else { "differ" };
    format!(
        "{} of {} decisions {verb}",
        number(diverged),
        number(compared)
    )
}

/// The different decisions on one position.
struct Sides<'a, G: Game> {
    /// The expected decision, with the name of the record or the reference that made it.
    expected: (String, &'a G::Decision),
    /// The decisions that differ from it.
    others: Vec<Side<'a, G>>,
}

/// A decision, and the backends that made it.
struct Side<'a, G: Game> {
    names: Vec<String>,
    decision: &'a G::Decision,
    fields: Vec<&'a FieldDifference>,
}

impl<'a, G: Game> Sides<'a, G> {
    /// Groups the answers of a divergence; `None` without an expected decision.
    fn of(divergent: &'a Divergent<G>) -> Option<Self> {
        let round = &divergent.round;
        let expected = round.expected()?;
        let first = match (&round.recorded, divergent.backends.first()) {
            (None, Some(name)) => name.to_string(),
            _ => RECORD.to_owned(),
        };
        let mut others: Vec<Side<'a, G>> = Vec::new();
        for (index, answer) in round.by_backend() {
            let Some(name) = divergent.backends.get(index) else {
                continue;
            };
            let wrong = round.mismatches.iter().filter(|m| m.backend == index);
            let fields: Vec<_> = wrong.map(|m| &m.difference).collect();
            if fields.is_empty() {
                continue;
            }
            let same = |side: &&mut Side<'a, G>| {
                *side.decision == answer.decision && side.fields == fields
            };
            match others.iter_mut().find(same) {
                Some(side) => side.names.push(name.to_string()),
                None => others.push(Side {
                    names: vec![name.to_string()],
                    decision: &answer.decision,
                    fields,
                }),
            }
        }
        Some(Self {
            expected: (first, expected),
            others,
        })
    }
}

/// `score: expected 1, got 2; column: expected 0, got 3`
fn differences(fields: &[&FieldDifference]) -> String {
    let fields: Vec<_> = fields.iter().map(ToString::to_string).collect();
    fields.join("; ")
}

/// The fields of a decision in one line.
fn decision<G: Game>(decision: &G::Decision) -> String {
    let each = |Field { name, value }: Field| format!("{name} {value}");
    let fields = G::fields(decision).into_iter().map(each);
    fields.collect::<Vec<_>>().join(", ")
}

/// A number with thousands separators.
fn number(n: u64) -> String {
    HumanCount(n).to_string()
}
