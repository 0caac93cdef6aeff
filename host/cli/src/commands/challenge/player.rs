//! A backend that decides in a task of its own, so that it delays nothing else.

use lockstep::session::check;
use lockstep::{Answer, Backend, BackendError, Identity, Spec};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::games::CliGame;
use crate::run::wait::Run;
use crate::session::backends::{open_one, opening};

/// A position with the answers to it.
type Answered<G> = (
    <G as lockstep_games::Game>::Position,
    Result<Vec<Answer<G>>, BackendError>,
);

/// A backend that decides one position at a time; a newer one replaces it.
pub struct Player<G: CliGame> {
    pub name: String,
    pub identity: Identity,
    wanted: UnboundedSender<Option<G::Position>>,
    answers: UnboundedReceiver<Answered<G>>,
    task: JoinHandle<()>,
}

impl<G: CliGame> Player<G> {
    /// Opens a backend that can decide such positions; `index` must be unique in this process.
    ///
    /// # Errors
    /// When it cannot be opened, or does not support controller or position.
    pub async fn open(
        spec: &Spec,
        index: usize,
        controller: &G::Controller,
        position: &G::Position,
        run: &Run,
    ) -> anyhow::Result<Self> {
        let mut backend = run.wait(&opening(spec), open_one::<G>(spec, index)).await?;
        let what = format!("handing over {}", G::name(controller));
        run.wait(&what, backend.configure(controller)).await?;
        check::<G>([backend.identity()], position)?;
        let (wanted, positions) = unbounded_channel();
        let (sender, answers) = unbounded_channel();
        Ok(Self {
            name: spec.to_string(),
            identity: backend.identity().clone(),
            wanted,
            answers,
            task: tokio::spawn(work(backend, positions, sender)),
        })
    }

    /// Has this position decided and no other; `None`: nothing.
    pub fn want(&self, position: Option<G::Position>) {
        // Without its task there is no answer, which is an error.
        let _ = self.wanted.send(position);
    }

    /// The next answer, perhaps to a position that is not wanted any more.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn answer(&mut self) -> anyhow::Result<(G::Position, G::Decision)> {
        let answered = self.answers.recv().await;
        let answer = match answered {
            Some((position, answers)) => answers?.pop().map(|answer| (position, answer.decision)),
            None => None,
        };
        answer.ok_or_else(|| anyhow::anyhow!("{} gave no answer", self.name))
    }

    /// Ends its work, within a second.
    pub async fn end(self) {
        drop(self.wanted);
        // It has nothing to report.
        let _ = self.task.await;
    }
}

async fn work<G: CliGame>(
    mut backend: Box<dyn Backend<G>>,
    mut wanted: UnboundedReceiver<Option<G::Position>>,
    answers: UnboundedSender<Answered<G>>,
) {
    let mut next = wanted.recv().await;
    while let Some(position) = next {
        next = match position {
            None => wanted.recv().await,
            Some(position) => {
                let positions = [position];
                let newer = tokio::select! {
                    biased;
                    newer = wanted.recv() => Some(newer),
                    decided = backend.decide(&positions) => {
                        let [position] = positions.clone();
                        // At the end nobody receives it.
                        let _ = answers.send((position, decided));
                        None
                    }
                };
                match newer {
                    Some(newer) => {
                        backend.abandon().await;
                        newer
                    }
                    None => wanted.recv().await,
                }
            }
        }
    }
}
