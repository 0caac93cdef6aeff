//! A backend that answers by a script.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use lockstep::backend::wire::{LinkReport, Traffic};
use lockstep::backend::{BackendErrorKind, Kind, Observer};
use lockstep::link::LinkStatistics;
use lockstep::{Answer, Backend, BackendError, Identity};
use lockstep_games::{Capabilities, Golden as _, Note, Trace, Value};
use tokio::sync::watch;

use crate::game::{Controller, Position, TicTacToe};

type Answers = dyn Fn(u64, &Position, Option<usize>) -> Reply + Send + Sync;

/// The answer of a script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reply {
    Decision(Option<usize>),
    /// The decision, a clock cycle early.
    Early(Option<usize>),
    /// The decision with that number of nodes, promised or not.
    Noted(Option<usize>, u64, bool),
    Failure,
    /// It never answers.
    Silence,
}

/// Answers as the golden model does, unless its script says otherwise.
pub struct Scripted {
    identity: Identity,
    controller: Option<Controller>,
    /// Gives the answer, by the number of the request from 0 on, the position and the right decision.
    script: Arc<Answers>,
    asked: Arc<AtomicU64>,
    /// How often it was configured.
    configured: Arc<AtomicU64>,
    /// How often it was abandoned.
    abandoned: Arc<AtomicU64>,
    /// Traffic on its link, if it has one.
    traffic: Option<Traffic>,
    /// It waits for this to become true before it answers.
    may: Option<watch::Receiver<bool>>,
}

/// A number of nodes.
pub fn nodes(number: u64, promised: bool) -> Note {
    Note {
        name: "nodes",
        value: Value::Number(number),
        promised,
    }
}

impl Scripted {
    pub fn new(
        name: &str,
        script: impl Fn(u64, &Position, Option<usize>) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self {
            identity: Identity {
                name: name.into(),
                kind: Kind::Link,
                description: "scripted".into(),
                capabilities: TicTacToe::capabilities(None),
                core: None,
            },
            controller: None,
            script: Arc::new(script),
            asked: Arc::default(),
            configured: Arc::default(),
            abandoned: Arc::default(),
            traffic: None,
            may: None,
        }
    }

    /// Gives it a link that counts requests.
    pub fn with_link(mut self) -> Self {
        self.traffic = Some(Traffic::default());
        self
    }

    /// Makes it wait for `may` to become true before it answers.
    pub fn waiting_for(mut self, may: watch::Receiver<bool>) -> Self {
        self.may = Some(may);
        self
    }

    /// Always right.
    pub fn right(name: &str) -> Self {
        Self::new(name, |_, _, right| Reply::Decision(right))
    }

    pub fn with(mut self, capabilities: Capabilities) -> Self {
        self.identity.capabilities = capabilities;
        self
    }

    /// Counts the positions that it decided, also after it was boxed.
    pub fn asked(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.asked)
    }

    /// Counts how often it was configured, also after it was boxed.
    pub fn configured(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.configured)
    }

    /// Counts how often it was abandoned.
    pub fn abandoned(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.abandoned)
    }

    pub fn boxed(self) -> Box<dyn Backend<TicTacToe>> {
        Box::new(self)
    }
}

#[async_trait]
impl Backend<TicTacToe> for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    async fn configure(&mut self, controller: &Controller) -> Result<(), BackendError> {
        self.controller = Some(controller.clone());
        self.configured.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    async fn search(
        &mut self,
        positions: &[Position],
        _: Observer<TicTacToe>,
    ) -> Result<Vec<Answer<TicTacToe>>, BackendError> {
        if let Some(may) = &mut self.may {
            may.wait_for(|may| *may).await.expect("the sender is there");
        }
        let name = &self.identity.name;
        let controller = self.controller.as_ref();
        let controller = controller.ok_or_else(|| BackendErrorKind::NotConfigured.of(name))?;
        let mut answers = Vec::new();
        for position in positions {
            let right = TicTacToe::decide(controller, position);
            let right = right.map_err(|why| BackendErrorKind::Position(why.into()).of(name))?;
            let number = self.asked.fetch_add(1, Ordering::SeqCst);
            if let Some(traffic) = &mut self.traffic {
                traffic.counts.requests += 1;
            }
            let cycles = 19 - position.free().len() as u64;
            let answer = |decision| Answer {
                cycles: Some(cycles),
                ..Answer::plain(decision)
            };
            answers.push(match (self.script)(number, position, right) {
                Reply::Decision(decision) => answer(decision),
                Reply::Early(decision) => Answer {
                    expected_cycles: Some(cycles + 1),
                    ..answer(decision)
                },
                Reply::Noted(decision, number, promised) => Answer {
                    notes: vec![nodes(number, promised)],
                    ..answer(decision)
                },
                Reply::Failure => {
                    let why = "its script says so".to_owned();
                    return Err(BackendErrorKind::Unavailable(why).of(name));
                }
                Reply::Silence => std::future::pending().await,
            });
        }
        Ok(answers)
    }

    async fn abandon(&mut self) {
        self.abandoned.fetch_add(1, Ordering::SeqCst);
    }

    async fn trace(
        &mut self,
        positions: &[Position],
    ) -> Result<Vec<Trace<TicTacToe>>, BackendError> {
        let answers = self.decide(positions).await?;
        let trace = |(position, answer): (&Position, Answer<TicTacToe>)| Trace {
            candidates: position.free(),
            decision: answer.decision,
        };
        Ok(positions.iter().zip(answers).map(trace).collect())
    }

    fn link(&self) -> Option<LinkReport> {
        let traffic = self.traffic.as_ref()?;
        Some(traffic.report(LinkStatistics::default(), None))
    }
}
