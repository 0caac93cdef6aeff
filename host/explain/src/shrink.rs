//! Shrinks a case to a smaller one that shows the same difference.
//!
//! A smaller case must have the same symptom, and a different answer if the original has one. The
//! search first drops earlier positions, then replaces each position and the controller by simpler
//! ones, as long as anything simpler still shows the symptom. "Simpler" is a well-founded order, so
//! shrinking terminates.

use std::path::PathBuf;

use lockstep::Spec;
use lockstep_games::{Explain, Game, Golden, Shrink};
use serde::Serialize;

use crate::ExplainError;
use crate::case::Case;
use crate::explain::{Explanation, Symptom, Verdict, explain};
use crate::runner::CaseRunner;

/// The result of shrinking a case.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Shrunk<G: Game> {
    /// The smallest case found.
    #[serde(flatten)]
    pub case: Case<G>,
    /// Its explanation.
    pub explanation: Explanation<G>,
    /// Number of cases that were run.
    pub tried: u64,
    /// Whether every simpler case was tried; `false` if the search ended early.
    pub smallest: bool,
}

impl<G: Game> Shrunk<G> {
    /// Whether the case is minimal, as a clause.
    pub fn extent(&self) -> &'static str {
        match self.smallest {
            true => "no smaller case shows it",
            false => "the search ended early, a smaller case may exist",
        }
    }
}

/// An explained divergence.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Explained<G: Game> {
    /// The explanation of the case before shrinking.
    pub found: Explanation<G>,
    /// Its number of positions.
    pub positions: usize,
    /// A smaller case, if one was searched for.
    pub smaller: Option<Shrunk<G>>,
    /// The files that were written.
    #[serde(serialize_with = "lockstep::text::names")]
    pub files: Vec<PathBuf>,
    /// Shell commands that open them.
    pub open: Vec<String>,
}

impl<G: Game> Explained<G> {
    /// Whether the backends still differ on the repeated case.
    pub fn differs(&self) -> bool {
        self.found.verdict != Verdict::Agrees
    }
}

/// Shrinks a case in which two backends differ, with at most `limit` tries.
///
/// # Errors
/// As [`explain`]; an interrupt is not an error, but ends the search with the smallest case so far.
pub async fn shrink<G: Golden + Explain + Shrink>(
    runner: &mut CaseRunner<'_, G>,
    specs: [&Spec; 2],
    case: Case<G>,
    explanation: Explanation<G>,
    limit: u64,
) -> Result<Shrunk<G>, ExplainError> {
    let symptom = explanation.verdict.symptom();
    let mut search = Search {
        runner,
        specs,
        symptom,
        best: Shrunk {
            case,
            explanation,
            tried: 0,
            smallest: false,
        },
        limit,
    };
    if search.symptom.is_none() {
        return Ok(search.best);
    }
    match search.run().await {
        Ok(()) => search.best.smallest = true,
        Err(Ended::Limit | Ended::Failed(ExplainError::Interrupted)) => {}
        Err(Ended::Failed(error)) => return Err(error),
    }
    Ok(search.best)
}

/// Why a search ends early.
enum Ended {
    Limit,
    Failed(ExplainError),
}

struct Search<'a, 'b, G: Game> {
    runner: &'a mut CaseRunner<'b, G>,
    specs: [&'a Spec; 2],
    symptom: Option<Symptom>,
    best: Shrunk<G>,
    limit: u64,
}

impl<G: Golden + Explain + Shrink> Search<'_, '_, G> {
    async fn run(&mut self) -> Result<(), Ended> {
        self.keep_last().await?;
        loop {
            let mut smaller = self.leave_out().await?;
            if self.best.case.together {
                let apart = Case {
                    together: false,
                    ..self.best.case.clone()
                };
                smaller |= self.try_case(apart).await?;
            }
            for index in (0..self.best.case.positions.len()).rev() {
                let simpler = |case: &Case<G>| {
                    let positions = G::simpler(&case.positions[index]).into_iter();
                    let with = |position| {
                        let mut case = case.clone();
                        case.positions[index] = position;
                        case
                    };
                    positions.map(with).collect()
                };
                smaller |= self.simplify(simpler).await?;
            }
            let simpler = |case: &Case<G>| {
                let controllers = G::simpler_controllers(&case.controller).into_iter();
                let with = |controller| Case {
                    controller,
                    ..case.clone()
                };
                controllers.map(with).collect()
            };
            smaller |= self.simplify(simpler).await?;
            if !smaller {
                return Ok(());
            }
        }
    }

    /// Runs a case, which becomes the best one if it shows the same difference.
    async fn try_case(&mut self, case: Case<G>) -> Result<bool, Ended> {
        if self.best.tried == self.limit {
            return Err(Ended::Limit);
        }
        if self.runner.stop().requested() {
            return Err(Ended::Failed(ExplainError::Interrupted));
        }
        self.best.tried += 1;
        let [reference, backend] = self.specs;
        let explanation = match explain(self.runner, reference, backend, &case).await {
            Ok(explanation) => explanation,
            // The golden model refuses the case.
            Err(ExplainError::Golden(_)) => return Ok(false),
            Err(error) => return Err(Ended::Failed(error)),
        };
        // Candidates may differ without a wrong answer; a wrong answer must stay wrong.
        let is_wrong = |e: &Explanation<G>| !e.mismatches.is_empty();
        if explanation.verdict.symptom() != self.symptom
            || (is_wrong(&self.best.explanation) && !is_wrong(&explanation))
        {
            return Ok(false);
        }
        self.best.case = case;
        self.best.explanation = explanation;
        Ok(true)
    }

    /// Keeps only the last position, else the last two, four, eight, ...
    async fn keep_last(&mut self) -> Result<(), Ended> {
        let all = self.best.case.positions.clone();
        let mut kept = 1;
        while kept < all.len() {
            let case = Case {
                positions: all[all.len() - kept..].to_vec(),
                ..self.best.case.clone()
            };
            if self.try_case(case).await? {
                return Ok(());
            }
            kept *= 2;
        }
        Ok(())
    }

    /// Leaves out earlier positions, first in large groups, last one by one.
    async fn leave_out(&mut self) -> Result<bool, Ended> {
        let mut smaller = false;
        let earlier = |search: &Self| search.best.case.positions.len() - 1;
        let mut size = earlier(self);
        while size > 0 {
            let mut from = 0;
            while from < earlier(self) {
                let mut case = self.best.case.clone();
                case.positions.drain(from..(from + size).min(earlier(self)));
                match self.try_case(case).await? {
                    true => smaller = true,
                    false => from += size,
                }
            }
            size /= 2;
        }
        Ok(smaller)
    }

    /// Tries the simpler cases of the best one until none of them shows the same.
    async fn simplify(
        &mut self,
        simpler: impl Fn(&Case<G>) -> Vec<Case<G>>,
    ) -> Result<bool, Ended> {
        let (mut smaller, mut next) = (false, 0);
        // After a success the list is of another case, and its earlier items were tried before.
        while let Some(case) = simpler(&self.best.case).into_iter().nth(next) {
            match self.try_case(case).await? {
                true => smaller = true,
                false => next += 1,
            }
        }
        Ok(smaller)
    }
}
