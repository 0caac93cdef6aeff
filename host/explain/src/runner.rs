//! Runs a case on a backend from its beginning.

use std::future::Future;

use lockstep::backend::{BackendErrorKind, Kind};
use lockstep::link::LinkError;
use lockstep::{Answer, Backend, BackendError, BackendRegistry, Identity, Spec, Stop};
use lockstep_games::{Game, Golden, Trace};
use serde::Serialize;

use crate::ExplainError;
use crate::case::Case;

/// How a case ends on a backend.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "", rename_all = "snake_case")]
pub enum CaseOutcome<G: Game> {
    /// The answer to the last position.
    Answer(Answer<G>),
    /// The last message of a simulated core that stopped itself or fell silent.
    Stopped(String),
}

impl<G: Game> CaseOutcome<G> {
    /// The answer, if there is one.
    pub fn answer(&self) -> Option<&Answer<G>> {
        match self {
            Self::Answer(answer) => Some(answer),
            Self::Stopped(_) => None,
        }
    }
}

/// The result of a case on a backend.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct CaseResult<G: Game> {
    /// The backend.
    pub backend: Identity,
    /// Its answer to the last position, or its last message.
    #[serde(rename = "said")]
    pub outcome: CaseOutcome<G>,
    /// Its trace, requested after the answer; `None` if it reports none.
    pub trace: Option<Trace<G>>,
}

/// Runs cases on backends. A simulated core is opened anew for every case, so that it begins at
/// power-up; software and boards are opened once.
pub struct CaseRunner<'a, G: Game> {
    backends: &'a BackendRegistry<G>,
    stop: &'a Stop,
    open: Vec<(Spec, Box<dyn Backend<G>>)>,
    opened: u64,
}

impl<'a, G: Golden> CaseRunner<'a, G> {
    /// Creates a runner without an open backend. Its runs end early once `stop` is requested.
    pub fn new(backends: &'a BackendRegistry<G>, stop: &'a Stop) -> Self {
        Self {
            backends,
            stop,
            open: Vec::new(),
            opened: 0,
        }
    }

    /// Uses a backend that is open already, instead of opening one.
    #[must_use]
    pub fn with(mut self, spec: Spec, backend: Box<dyn Backend<G>>) -> Self {
        self.open.push((spec, backend));
        self
    }

    pub(crate) fn stop(&self) -> &'a Stop {
        self.stop
    }

    /// Opens a backend, with a nonce that is never used twice.
    async fn opened(&mut self, spec: &Spec) -> Result<Box<dyn Backend<G>>, ExplainError> {
        self.opened += 1;
        let nonce = u64::from(std::process::id()) << 32 | self.opened;
        Ok(until(self.stop, self.backends.open(spec, nonce)).await??)
    }

    /// Runs a case on a backend; on software only its last position, since software keeps no state.
    ///
    /// # Errors
    /// When the backend cannot be opened or fails, unless a simulated core stopped itself;
    /// [`ExplainError::Interrupted`].
    pub async fn run(
        &mut self,
        spec: &Spec,
        case: &Case<G>,
    ) -> Result<CaseResult<G>, ExplainError> {
        let index = match self.open.iter().position(|(open, _)| open == spec) {
            Some(index) => index,
            None => {
                let mut backend = self.opened(spec).await?;
                if self.backends.kind(spec) == Some(Kind::Simulated) {
                    return run(&mut *backend, case, self.stop).await;
                }
                self.open.push((spec.clone(), backend));
                self.open.len() - 1
            }
        };
        run(&mut *self.open[index].1, case, self.stop).await
    }
}

/// Waits for a future until a stop is requested.
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

async fn run<G: Golden>(
    backend: &mut dyn Backend<G>,
    case: &Case<G>,
    stop: &Stop,
) -> Result<CaseResult<G>, ExplainError> {
    let outcome = match until(stop, answer(backend, case)).await? {
        Ok(answer) => CaseOutcome::Answer(answer),
        Err(error) => CaseOutcome::Stopped(stopped(backend, error)?),
    };
    let last = case.positions.last().ok_or(ExplainError::Empty)?;
    let mut trace = None;
    if outcome.answer().is_some() && backend.identity().capabilities.trace {
        let traced = backend.trace(std::slice::from_ref(last));
        trace = match until(stop, traced).await? {
            Ok(mut traces) => traces.pop(),
            // The answer is kept although the core stopped in the trace.
            Err(error) => {
                stopped(backend, error)?;
                None
            }
        };
    }
    Ok(CaseResult {
        backend: backend.identity().clone(),
        outcome,
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
    let requested = &case.positions[from..];
    let size = if case.together { requested.len() } else { 1 };
    let mut answers = Vec::new();
    for positions in requested.chunks(size.max(1)) {
        answers = backend.decide(positions).await?;
    }
    let died = || BackendErrorKind::died().of(&backend.identity().name);
    answers.pop().ok_or_else(died)
}

/// The last message of a simulated core that stopped; other errors are returned.
fn stopped<G: Game>(backend: &dyn Backend<G>, error: BackendError) -> Result<String, BackendError> {
    match stop_message(backend.identity().kind, &error) {
        Some(message) => Ok(message.into()),
        None => Err(error),
    }
}

/// The last message of a simulated core that stopped itself or fell silent; `None` for other errors
/// and other kinds of backends: a real line may always be cut.
pub fn stop_message(kind: Kind, error: &BackendError) -> Option<&str> {
    match &error.kind {
        BackendErrorKind::Link(LinkError::Closed(why) | LinkError::Silent(why))
            if kind == Kind::Simulated =>
        {
            Some(why)
        }
        _ => None,
    }
}
