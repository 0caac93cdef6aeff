//! The smallest case that still shows the same.
//!
//! A case shows the same when it has the same symptom, and the answer is another where it was
//! another. First what was asked before is left away: all of it, all but the last few, then by halves
//! and quarters whatever is not needed. Then each position, and the controller, is replaced by
//! what the game calls simpler, as long as anything simpler still shows the same symptom.

use lockstep::Spec;
use lockstep_games::{Explain, Game, Golden, Shrink};
use serde::Serialize;

use crate::ExplainError;
use crate::ask::Asker;
use crate::case::Case;
use crate::explain::{Explanation, Symptom, explain};

/// A case that was made smaller.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Shrunk<G: Game> {
    /// The smaller case.
    #[serde(flatten)]
    pub case: Case<G>,
    /// What it shows.
    pub explanation: Explanation<G>,
    /// Cases that were tried.
    pub tried: u64,
    /// Nothing simpler shows the same; `false` when it was not tried to the end.
    pub smallest: bool,
}

/// Makes a case smaller that two backends differ in, with no more than so many tries.
///
/// # Errors
/// As [`explain`]; an interrupt ends it with what it has by then.
pub async fn shrink<G: Golden + Explain + Shrink>(
    asker: &mut Asker<'_, G>,
    [reference, backend]: [&Spec; 2],
    case: Case<G>,
    explanation: Explanation<G>,
    most: u64,
) -> Result<Shrunk<G>, ExplainError> {
    let symptom = explanation.verdict.symptom();
    let mut search = Search {
        asker,
        specs: [reference, backend],
        symptom,
        best: Shrunk {
            case,
            explanation,
            tried: 0,
            smallest: false,
        },
        most,
    };
    if search.symptom.is_none() {
        return Ok(search.best);
    }
    match search.run().await {
        Ok(()) => search.best.smallest = true,
        Err(Ended::Enough | Ended::Failed(ExplainError::Interrupted)) => {}
        Err(Ended::Failed(error)) => return Err(error),
    }
    Ok(search.best)
}

/// Why a search ends before it is done.
enum Ended {
    Enough,
    Failed(ExplainError),
}

struct Search<'a, 'b, G: Game> {
    asker: &'a mut Asker<'b, G>,
    specs: [&'a Spec; 2],
    symptom: Option<Symptom>,
    best: Shrunk<G>,
    most: u64,
}

impl<G: Golden + Explain + Shrink> Search<'_, '_, G> {
    async fn run(&mut self) -> Result<(), Ended> {
        self.forget().await?;
        loop {
            let mut less = self.leave_out().await?;
            if self.best.case.together {
                let apart = Case {
                    together: false,
                    ..self.best.case.clone()
                };
                less |= self.take(apart).await?;
            }
            for index in (0..self.best.case.positions.len()).rev() {
                less |= self.simplify(index).await?;
            }
            less |= self.simplify_controller().await?;
            if !less {
                return Ok(());
            }
        }
    }

    /// Whether a case shows the same; it is the best one then.
    async fn take(&mut self, case: Case<G>) -> Result<bool, Ended> {
        if self.best.tried == self.most {
            return Err(Ended::Enough);
        }
        if self.asker.stop().requested() {
            return Err(Ended::Failed(ExplainError::Interrupted));
        }
        self.best.tried += 1;
        let [reference, backend] = self.specs;
        let explained = explain(self.asker, reference, backend, &case).await;
        let explanation = match explained {
            Ok(explanation) => explanation,
            // A simpler one that is not to be asked is none.
            Err(ExplainError::Golden(_)) => return Ok(false),
            Err(error) => return Err(Ended::Failed(error)),
        };
        // What is weighed otherwise need not change the answer; where it did it has to.
        let answers = |e: &Explanation<G>| !e.mismatches.is_empty();
        if explanation.verdict.symptom() != self.symptom
            || (answers(&self.best.explanation) && !answers(&explanation))
        {
            return Ok(false);
        }
        self.best.case = case;
        self.best.explanation = explanation;
        Ok(true)
    }

    /// Only the last position, else the last two, four, eight, ...
    async fn forget(&mut self) -> Result<(), Ended> {
        let all = self.best.case.positions.clone();
        let mut kept = 1;
        while kept < all.len() {
            let case = Case {
                positions: all[all.len() - kept..].to_vec(),
                ..self.best.case.clone()
            };
            if self.take(case).await? {
                return Ok(());
            }
            kept *= 2;
        }
        Ok(())
    }

    /// Leaves out what was asked before, by parts that get smaller.
    async fn leave_out(&mut self) -> Result<bool, Ended> {
        let mut less = false;
        let before = |search: &Self| search.best.case.positions.len() - 1;
        let mut size = before(self);
        while size > 0 {
            let mut from = 0;
            while from < before(self) {
                let mut positions = self.best.case.positions.clone();
                positions.drain(from..(from + size).min(before(self)));
                let case = Case {
                    positions,
                    ..self.best.case.clone()
                };
                match self.take(case).await? {
                    true => less = true,
                    false => from += size,
                }
            }
            size /= 2;
        }
        Ok(less)
    }

    async fn simplify(&mut self, index: usize) -> Result<bool, Ended> {
        let (mut less, mut next) = (false, 0);
        loop {
            let simpler = G::simpler(&self.best.case.positions[index]);
            let Some(position) = simpler.into_iter().nth(next) else {
                return Ok(less);
            };
            let mut case = self.best.case.clone();
            case.positions[index] = position;
            // What came before it in the list was no use; what takes its place may be.
            match self.take(case).await? {
                true => less = true,
                false => next += 1,
            }
        }
    }

    async fn simplify_controller(&mut self) -> Result<bool, Ended> {
        let (mut less, mut next) = (false, 0);
        loop {
            let simpler = G::simpler_controllers(&self.best.case.controller);
            let Some(controller) = simpler.into_iter().nth(next) else {
                return Ok(less);
            };
            let case = Case {
                controller,
                ..self.best.case.clone()
            };
            match self.take(case).await? {
                true => less = true,
                false => next += 1,
            }
        }
    }
}
