//! A backend that decides in a task of its own, so that it delays nothing else.

use std::convert::Infallible;
use std::time::Duration;

use lockstep::session::check;
use lockstep::{Answer, Backend, BackendError, Identity, Spec};
use protocol::layout::link::BUTTON_COUNT;
use protocol::payload::link::Buttons;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::games::CliGame;
use crate::run::wait::Run;
use crate::session::backends::{open_one, opening};

/// Time between two requests for the presses of buttons.
const POLL: Duration = Duration::from_millis(50);

/// The work of a backend; newer work replaces it.
pub enum Work<G: CliGame> {
    None,
    Decide(G::Position),
    /// To report the presses of its board's buttons, if it has any.
    Buttons,
}

pub enum Reply<G: CliGame> {
    /// A position, and the answers to it.
    Decided(G::Position, Vec<Answer<G>>),
    /// New presses of each button.
    Pressed([u8; BUTTON_COUNT]),
}

/// Presses of each button of a board so far; `None` if they are not known, or there are no buttons.
type Presses = Option<[u8; BUTTON_COUNT]>;

/// A backend that does one work at a time.
pub struct Player<G: CliGame> {
    pub name: String,
    pub identity: Identity,
    wanted: UnboundedSender<Work<G>>,
    replies: UnboundedReceiver<Result<Reply<G>, BackendError>>,
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
        let what = format!("setting {}", G::name(controller));
        run.wait(&what, backend.configure(controller)).await?;
        check::<G>([backend.identity()], position)?;
        let before = presses(&mut backend).await?;
        let (wanted, positions) = unbounded_channel();
        let (sender, replies) = unbounded_channel();
        Ok(Self {
            name: spec.to_string(),
            identity: backend.identity().clone(),
            wanted,
            replies,
            task: tokio::spawn(work(backend, before, positions, sender)),
        })
    }

    pub fn want(&self, work: Work<G>) {
        // Without its task there is no reply, which is an error.
        let _ = self.wanted.send(work);
    }

    /// The next reply, perhaps of work that is not wanted any more.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn reply(&mut self) -> anyhow::Result<Reply<G>> {
        let reply = self.replies.recv().await.transpose()?;
        reply.ok_or_else(|| anyhow::anyhow!("{} gave no answer", self.name))
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
    mut before: Presses,
    mut wanted: UnboundedReceiver<Work<G>>,
    replies: UnboundedSender<Result<Reply<G>, BackendError>>,
) {
    // At the end nobody receives it.
    let send = |reply| drop(replies.send(reply));
    let mut next = wanted.recv().await;
    while let Some(work) = next {
        next = match work {
            Work::None => {
                before = None;
                wanted.recv().await
            }
            Work::Buttons => tokio::select! {
                biased;
                newer = wanted.recv() => newer,
                Err(why) = poll(&mut backend, &mut before, &send) => {
                    send(Err(why));
                    wanted.recv().await
                }
            },
            Work::Decide(position) => {
                let positions = [position];
                tokio::select! {
                    biased;
                    newer = wanted.recv() => {
                        backend.abandon().await;
                        before = None;
                        newer
                    }
                    decided = decide(&mut backend, &positions) => {
                        let [position] = positions.clone();
                        send(decided.map(|(answers, now)| {
                            before = now;
                            Reply::Decided(position, answers)
                        }));
                        wanted.recv().await
                    }
                }
            }
        };
    }
}

async fn presses<G: CliGame>(backend: &mut Box<dyn Backend<G>>) -> Result<Presses, BackendError> {
    let buttons = backend.buttons().await?;
    Ok(buttons.map(|Buttons { presses }| presses))
}

/// Decides, then reads the presses: only later ones count on the person's turn.
async fn decide<G: CliGame>(
    backend: &mut Box<dyn Backend<G>>,
    positions: &[G::Position],
) -> Result<(Vec<Answer<G>>, Presses), BackendError> {
    let answers = backend.decide(positions).await?;
    Ok((answers, presses(backend).await?))
}

/// Sends the presses of the board's buttons since `before`, without end unless there are none.
async fn poll<G: CliGame>(
    backend: &mut Box<dyn Backend<G>>,
    before: &mut Presses,
    send: &impl Fn(Result<Reply<G>, BackendError>),
) -> Result<Infallible, BackendError> {
    loop {
        let Some(now) = presses(backend).await? else {
            return std::future::pending().await;
        };
        let mut new = now;
        for (new, before) in new.iter_mut().zip(before.replace(now).unwrap_or(now)) {
            *new = new.wrapping_sub(before);
        }
        // A board that was reset begins at 0.
        if new.iter().all(|new| *new < 128) && new.iter().any(|new| *new > 0) {
            send(Ok(Reply::Pressed(new)));
        }
        sleep(POLL).await;
    }
}
