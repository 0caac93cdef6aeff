//! An explanation as a sentence, the same for a terminal, a page and an annotation.

use lockstep::compare::FieldDifference;
use lockstep_games::{Explain, Game};

use crate::explain::{Explanation, Verdict};

/// A verdict as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// One or two clauses, without a full stop.
    pub sentence: String,
    /// The field that differs first and its definition, if it has one.
    pub definition: Option<(&'static str, &'static str)>,
}

impl<G: Game + Explain> Explanation<G> {
    /// How the second backend differs from the first one, and where first.
    pub fn summary(&self) -> Summary {
        let backend = &self.got.backend.name;
        let many = G::CANDIDATE.many;
        let differs = |FieldDifference { expected, got, .. }: &FieldDifference| {
            format!("expected {expected}, got {got}")
        };
        let sentence = match &self.verdict {
            Verdict::Agrees => "they agree on this case".into(),
            Verdict::Candidate {
                candidate,
                difference,
                count,
                ..
            } => {
                let trace = self.expected.trace.as_ref();
                let all = trace.map_or(0, |trace| trace.candidates.len());
                format!(
                    "{backend} evaluates {} differently, first at {}: {}; {count} of {all} {many} \
                     differ",
                    difference.field,
                    self.place(*candidate),
                    differs(difference)
                )
            }
            Verdict::CandidateCount {
                expected,
                got,
                first,
            } => format!(
                "{backend} reports another number of {many}: expected {expected}, got {got}; they \
                 are equal before {}",
                self.place(*first)
            ),
            Verdict::Choice { expected, got } => {
                let [expected, got] = [expected, got]
                    .map(|index| index.map_or("none".into(), |index| self.place(index)));
                format!(
                    "{backend} evaluates all {many} alike, and chooses another one: expected \
                     {expected}, the first with the highest score, got {got}"
                )
            }
            Verdict::TracedDecision(difference) => format!(
                "{backend} evaluates all {many} alike and chooses the same one, but reports a wrong \
                 {}: {}",
                difference.field,
                differs(difference)
            ),
            Verdict::Answer(difference) => format!(
                "{backend} traces the same decision, but its answer has a wrong {}: {}",
                difference.field,
                differs(difference)
            ),
            Verdict::Cycles { expected, got } => format!(
                "{backend} decides the same in another number of clock cycles: expected \
                 {expected}, got {got}"
            ),
            Verdict::Untraced(difference) => format!(
                "{backend} answers with a wrong {}: {}; it reports no {many} to compare",
                difference.field,
                differs(difference)
            ),
            Verdict::Stopped { why } => format!("{backend} stopped: {why}"),
        };
        let field = self.verdict.field();
        Summary {
            sentence,
            definition: field.and_then(|field| Some((field, G::definition(field)?))),
        }
    }

    /// A candidate by its index and its label.
    pub fn place(&self, index: usize) -> String {
        let trace = self.expected.trace.as_ref();
        let one = G::CANDIDATE.one;
        match trace.and_then(|trace| trace.candidates.get(index)) {
            Some(candidate) => format!("{one} {index} ({})", G::label(candidate)),
            None => format!("{one} {index}"),
        }
    }
}
