//! Runs a case on a backend from its beginning.

use std::future::Future;

use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::link::LinkError;
use lockstep::{Answer, Backend, BackendError, BackendRegistry, Identity, Spec, Stop};
use lockstep_games::{Game, Golden, Trace};
use serde::Serialize;

use crate::ExplainError;
use crate::case::Case;

/// How a backend ends a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "", rename_all = "snake_case")]
pub enum Said<G: Game> {
    /// With an answer.
    Answer(Answer<G>),
    /// The simulated core stopped itself or fell silent.
    Stopped(String),
}

impl<G: Game> Said<G> {
    /// The answer, if it is one.
    pub fn answer(&self) -> Option<&Answer<G>> {
        match self {
            Self::Answer(answer) => Some(answer),
            Self::Stopped(_) => None,
        }
    }
}

/// A backend's answer to the last position of a case.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Told<G: Game> {
    /// The backend.
    pub backend: Identity,
    /// Its answer, after the positions of the case.
    pub said: Said<G>,
    /// Its trace, requested after that; `None` where it reports none.
    pub trace: Option<Trace<G>>,
}

/// Runs cases on backends. A simulated core is opened anew for every case, so that it begins at
/// power-up; software and boards are opened once.
pub struct Asker<'a, G: Game> {
    openers: &'a BackendRegistry<G>,
    stop: &'a Stop,
    kept: Vec<(Spec, Box<dyn Backend<G>>)>,
    opened: u64,
}

impl<'a, G: Golden> Asker<'a, G> {
    /// Without a backend yet. It ends early once `stop` is requested.
    pub fn new(openers: &'a BackendRegistry<G>, stop: &'a Stop) -> Self {
        Self {
            openers,
            stop,
            kept: Vec::new(),
            opened: 0,
        }
    }

    /// Uses a backend that is open already, instead of opening one.
    #[must_use]
    pub fn with(mut self, spec: Spec, backend: Box<dyn Backend<G>>) -> Self {
        self.kept.push((spec, backend));
        self
    }

    pub(crate) fn stop(&self) -> &'a Stop {
        self.stop
    }

    /// A number for a backend, never used twice.
    fn nonce(&mut self) -> u64 {
        self.opened += 1;
        u64::from(std::process::id()) << 32 | self.opened
    }

    /// Runs a case on a backend; on software only its last position, since software keeps no state.
    ///
    /// # Errors
    /// When the backend cannot be opened or fails, other than by a simulated core's stopping
    /// itself; [`ExplainError::Interrupted`].
    pub async fn tell(&mut self, spec: &Spec, case: &Case<G>) -> Result<Told<G>, ExplainError> {
        let kept = self.kept.iter().position(|(kept, _)| kept == spec);
        if self.openers.kind(spec) == Some(Kind::Simulated) && kept.is_none() {
            let nonce = self.nonce();
            let opened = until(self.stop, self.openers.open(spec, nonce)).await?;
            return tell(&mut *opened?, case, self.stop).await;
        }
        let index = match kept {
            Some(index) => index,
            None => {
                let nonce = self.nonce();
                let opened = until(self.stop, self.openers.open(spec, nonce)).await?;
                self.kept.push((spec.clone(), opened?));
                self.kept.len() - 1
            }
        };
        tell(&mut *self.kept[index].1, case, self.stop).await
    }
}

/// Waits for a future, but no longer than until a stop is requested.
pub(crate) async fn until<T>(
    stop: &Stop,
    future: impl Future<Output = T>,
) -> Result<T, ExplainError> {
    tokio::select! {
        biased;
        done = future => Ok(done),
        () = stop.wait() => Err(ExplainError::Interrupted),
    }
}

async fn tell<G: Golden>(
    backend: &mut dyn Backend<G>,
    case: &Case<G>,
    stop: &Stop,
) -> Result<Told<G>, ExplainError> {
    let said = match until(stop, answer(backend, case)).await? {
        Ok(answer) => Said::Answer(answer),
        Err(error) => Said::Stopped(stopped(backend, error)?),
    };
    let last = case.positions.last().ok_or(ExplainError::Empty)?;
    let mut trace = None;
    if said.answer().is_some() && backend.identity().capabilities.trace {
        let traced = backend.trace(std::slice::from_ref(last));
        trace = match until(stop, traced).await? {
            Ok(mut traces) => traces.pop(),
            // A trace that fails is no reason to lose the answer.
            Err(error) => {
                stopped(backend, error)?;
                None
            }
        };
    }
    Ok(Told {
        backend: backend.identity().clone(),
        said,
        trace,
    })
}

/// The answer to a case's last position.
pub(crate) async fn answer<G: Game>(
    backend: &mut dyn Backend<G>,
    case: &Case<G>,
) -> Result<Answer<G>, BackendError> {
    backend.configure(&case.controller).await?;
    let last = case.positions.len().saturating_sub(1);
    let from = match backend.identity().kind.is_software() {
        true => last,
        false => 0,
    };
    let asked = &case.positions[from..];
    let size = if case.together { asked.len() } else { 1 };
    let mut answers = Vec::new();
    for positions in asked.chunks(size.max(1)) {
        answers = backend.decide(positions).await?;
    }
    let died = || BackendErrorKind::Died.of(&backend.identity().name);
    answers.pop().ok_or_else(died)
}

/// The last words of a simulated core.
fn stopped<G: Game>(backend: &dyn Backend<G>, error: BackendError) -> Result<String, BackendError> {
    match last_words(backend.identity().kind, &error) {
        Some(words) => Ok(words.into()),
        None => Err(error),
    }
}

/// The message of a simulated core that stopped itself or fell silent; `None` for other errors and
/// other kinds: a real line may always be cut.
pub fn last_words(kind: Kind, error: &BackendError) -> Option<&str> {
    match &error.kind {
        BackendErrorKind::Link(LinkError::Closed(why) | LinkError::Silent(why))
            if kind == Kind::Simulated =>
        {
            Some(why)
        }
        _ => None,
    }
}
