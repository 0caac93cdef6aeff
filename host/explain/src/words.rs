//! An explanation in words, for a terminal, a page and an annotation alike.

use lockstep_games::{Explain, Game};

use crate::explain::{Explanation, Verdict};

/// What an explanation comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// A sentence or two, without a full stop.
    pub sentence: String,
    /// The field that it is about, and what that is by the definitions.
    pub definition: Option<(&'static str, &'static str)>,
}

impl<G: Game + Explain> Explanation<G> {
    /// In what the second backend differs from the first one, and where first.
    pub fn words(&self) -> Words {
        let backend = &self.got.backend.name;
        let many = G::CANDIDATE.many;
        let defined = |field: &'static str| Some((field, G::definition(field)?));
        let (sentence, definition) = match &self.verdict {
            Verdict::Agrees => ("they agree, here and now".into(), None),
            Verdict::Weighs {
                field,
                weighed,
                expected,
                got,
                places,
                ..
            } => {
                let of = self.expected.trace.as_ref();
                let of = of.map_or(0, |trace| trace.candidates.len());
                let place = self.place(*weighed);
                let text = format!(
                    "{backend} weighs {field} otherwise, first at {place}: {got}, not \
                     {expected}; at {places} of {of} {many}"
                );
                (text, defined(field))
            }
            Verdict::Counts {
                expected,
                got,
                first,
            } => {
                let place = self.place(*first);
                let text = format!(
                    "{backend} weighs {got} {many}, not {expected}; they are the same up to {place}"
                );
                (text, None)
            }
            Verdict::Chooses { expected, got } => {
                let chosen = |number: &Option<usize>| {
                    number.map_or_else(|| "none".into(), |number| self.place(number))
                };
                let (expected, got) = (chosen(expected), chosen(got));
                let text = format!(
                    "all {many}, features and scores agree; {backend} chooses {got}, and the \
                     first of the highest scores is at {expected}"
                );
                (text, None)
            }
            Verdict::Tells {
                field,
                expected,
                got,
            } => {
                let text = format!(
                    "all {many}, features and scores agree, and so does the choice; what \
                     {backend} tells of it is wrong: {field} is {got}, not {expected}"
                );
                (text, defined(field))
            }
            Verdict::Answers {
                field,
                expected,
                got,
            } => {
                let text = format!(
                    "{backend} weighs and chooses the same when it tells what it weighs; only \
                     its answer is another: {field} is {got}, not {expected}"
                );
                (text, defined(field))
            }
            Verdict::Takes { expected, got } => {
                let text =
                    format!("{backend} decides the same, in {got} clock cycles, not {expected}");
                (text, defined("cycles"))
            }
            Verdict::Untold {
                field,
                expected,
                got,
            } => {
                let text = format!(
                    "{field} is {got}, not {expected}; {backend} does not tell what it weighs"
                );
                (text, defined(field))
            }
            Verdict::Stops { why } => (format!("{backend} ended: {why}"), None),
        };
        Words {
            sentence,
            definition,
        }
    }

    /// Which of all that is weighed it is.
    pub fn place(&self, number: usize) -> String {
        let trace = self.expected.trace.as_ref();
        let one = G::CANDIDATE.one;
        match trace.and_then(|trace| trace.candidates.get(number)) {
            Some(weighed) => format!("{one} {number} ({})", G::label(weighed)),
            None => format!("{one} {number}"),
        }
    }
}
