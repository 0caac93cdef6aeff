//! What a session came to, for whoever was not there: a page, a build server, a pull request.
//!
//! - [`Report`]: all of it. A session's [`Totals`] and [`Tally`], and why the first divergence
//!   happened.
//! - [`html`]: one page that needs nothing else. [`page`]: its frame, for other pages;
//!   [`board`]: a position as a picture; [`bars`]: a histogram.
//! - [`junit`]: test results, for build servers. [`actions`]: annotations and a summary, for
//!   GitHub Actions.
//!
//! Nothing here knows a particular game, and nothing is written to a file.

pub mod actions;
pub mod bars;
pub mod board;
pub mod html;
pub mod junit;
pub mod page;

use std::path::Path;

use indicatif::HumanCount;
use lockstep::report::tally::{Divergent, RECORD};
use lockstep::report::{Tally, Totals};
use lockstep_explain::{Explanation, Shrunk};
use lockstep_games::{Draw, Explain, Field, Game};

/// What there is to report of a session.
#[derive(Debug, Clone)]
pub struct Report<'a, G: Game> {
    /// What was done: `replay`, say.
    pub command: &'a str,
    /// How it was called, to do it again.
    pub call: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// When it was done.
    pub at: &'a str,
    /// Names of the controllers that decided.
    pub controllers: Vec<String>,
    /// In numbers.
    pub totals: &'a Totals,
    /// Who agreed with whom.
    pub tally: &'a Tally<G>,
    /// What each record came to; empty where games were played.
    pub records: &'a [OfRecord],
    /// In what the records are not of the same games; `None` where all positions are in all
    /// of them, or there is nothing to compare so.
    pub apart: Option<&'a str>,
    /// Why the first divergence happened; `None` where nobody looked.
    pub explained: Option<Explained<'a, G>>,
}

/// What one of several records came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfRecord {
    /// Name of its file.
    pub file: String,
    /// Positions with something to compare.
    pub compared: u64,
    /// Those on which all agreed.
    pub agreed: u64,
}

/// What became of the first divergence.
#[derive(Debug, Clone)]
pub struct Explained<'a, G: Game> {
    /// The case as it was found.
    pub found: &'a Explanation<G>,
    /// Positions that were asked in it.
    pub positions: usize,
    /// A smaller one.
    pub smaller: Option<&'a Shrunk<G>>,
    /// Files that were written, with their links where there are some.
    pub files: &'a [File],
    /// What opens them, in a shell.
    pub open: &'a [String],
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What the page links to; `None` where the file does not lie below the page.
    pub link: Option<String>,
}

impl File {
    /// A file beside a page, which is linked to so that both can be moved together.
    pub fn of(path: &Path, page: Option<&Path>) -> Self {
        let folder = page.and_then(Path::parent);
        let below = folder.and_then(|folder| path.strip_prefix(folder).ok());
        Self {
            name: path.display().to_string(),
            link: below.map(|path| encoded(path.as_os_str().as_encoded_bytes())),
        }
    }
}

/// As an address has it: no sign that means something there.
fn encoded(path: &[u8]) -> String {
    let each = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(*byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    path.iter().map(each).collect()
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All agreed, wherever something was compared.
    Agreed,
    /// There was nothing to compare.
    Alone,
    /// Some decisions differ.
    Diverged,
    /// It ended before its end, without a difference up to there.
    Unfinished,
}

/// A game whose sessions can be reported.
pub trait Reportable: Explain + Draw {}

impl<G: Explain + Draw> Reportable for G {}

impl<G: Game> Report<'_, G> {
    /// How it ended. A difference counts more than anything else.
    pub fn outcome(&self) -> Outcome {
        match self.totals {
            totals if totals.divergences() > 0 || self.apart.is_some() => Outcome::Diverged,
            totals if totals.interrupted || totals.error.is_some() => Outcome::Unfinished,
            totals if totals.compared == 0 => Outcome::Alone,
            _ => Outcome::Agreed,
        }
    }

    /// How it ended, in a sentence without a full stop.
    pub fn headline(&self) -> String {
        let Totals {
            compared,
            decisions,
            ..
        } = self.totals;
        let all_agree = match compared {
            1 => "The only decision that was compared agrees".to_owned(),
            _ => format!("All {} decisions agree", number(*compared)),
        };
        let compared = number(*compared);
        match self.outcome() {
            Outcome::Agreed => all_agree,
            Outcome::Alone => format!("{} decisions, none compared", number(*decisions)),
            Outcome::Diverged if self.totals.divergences() == 0 => {
                let apart = self.apart.unwrap_or_default();
                format!("{all_agree}, and {apart}")
            }
            Outcome::Diverged => {
                let diverged = number(self.totals.divergences());
                format!("{diverged} of {compared} decisions differ")
            }
            Outcome::Unfinished => {
                let why = match &self.totals.error {
                    Some(why) => why.as_str(),
                    None => "it was interrupted",
                };
                format!("Not finished after {compared} decisions, which agree: {why}")
            }
        }
    }
}

/// Who said what of a position on which not all agreed: what was expected first.
struct Sides<'a, G: Game> {
    /// The record, or the reference.
    expected: (String, &'a G::Decision),
    /// The others that differ from it, those that say the same together.
    others: Vec<Side<'a, G>>,
}

/// Who said the same.
struct Side<'a, G: Game> {
    names: Vec<String>,
    decision: &'a G::Decision,
    /// The fields that are not what was expected: the name, what was, what is.
    fields: Vec<(&'static str, String, String)>,
}

impl<'a, G: Game> Sides<'a, G> {
    /// `None` of a round without answers, which there is not.
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
            let fields: Vec<_> = wrong
                .map(|m| (m.field, m.expected.to_string(), m.got.to_string()))
                .collect();
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

/// Where a divergence is, for people.
fn place<G: Game>(divergent: &Divergent<G>) -> String {
    let round = &divergent.round;
    let place = format!("game {}, move {}", round.game, round.step);
    match &divergent.file {
        Some(file) => format!("{file}: {place}"),
        None => place,
    }
}

/// `score is 2, not 1; column is 3, not 0`
fn differences(fields: &[(&'static str, String, String)]) -> String {
    let each =
        |(name, expected, got): &(&str, String, String)| format!("{name} is {got}, not {expected}");
    fields.iter().map(each).collect::<Vec<_>>().join("; ")
}

/// A decision in one line, its fields one after the other.
fn decision<G: Game>(decision: &G::Decision) -> String {
    let each = |Field { name, value }: Field| format!("{name} {value}");
    let fields = G::fields(decision).into_iter().map(each);
    fields.collect::<Vec<_>>().join(", ")
}

/// With a comma every three digits.
fn number(n: u64) -> String {
    HumanCount(n).to_string()
}
