//! Passes the events of a session to its listeners.
//!
//! A listener that only counts is called directly. One that writes, to a terminal or a disk, has a
//! thread of its own behind a channel, so that it delays neither a comparison nor an interrupt. When
//! it is more than [`BEHIND`] events behind, the session waits for it, or for a stop.

use std::io;
use std::mem;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lockstep_games::Game;
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::time::timeout;

use crate::backend::wire::LinkReport;
use crate::event::{Event, Sink};
use crate::session::SessionError;
use crate::stop::Stop;

/// Maximum number of events that wait for a listener.
pub const BEHIND: usize = 4096;
/// Time for which a listener lets events gather before it waits for the next: to wake it costs the
/// session more than a decision of a fast engine.
const GATHER: Duration = Duration::from_micros(500);

/// Listeners, in the order they are called.
pub struct Listeners<'a, G: Game> {
    direct: Vec<&'a mut dyn Sink<G>>,
    background: Vec<Background<G>>,
    stop: Stop,
}

struct Background<G: Game> {
    /// `None` after the last event.
    events: Option<mpsc::Sender<Arc<Event<G>>>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl<'a, G: Game> Listeners<'a, G> {
    /// No listeners. Once `stop` is requested, the session no longer waits for a listener that is too
    /// far behind: it misses events.
    pub fn new(stop: &Stop) -> Self {
        Self {
            direct: Vec::new(),
            background: Vec::new(),
            stop: stop.clone(),
        }
    }

    /// The stop that ends the session early.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Adds a listener that is called directly; it must not wait for anything.
    #[must_use]
    pub fn with(mut self, sink: &'a mut dyn Sink<G>) -> Self {
        self.direct.push(sink);
        self
    }

    /// Adds a listener with a thread of its own.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn on_thread(
        mut self,
        name: &str,
        mut sink: impl Sink<G> + Send + 'static,
    ) -> io::Result<Self> {
        let (events, mut queue) = mpsc::channel::<Arc<Event<G>>>(BEHIND);
        let clock = Builder::new_current_thread().enable_time().build()?;
        let thread = thread::Builder::new().name(name.into()).spawn(move || {
            let mut gather = false;
            loop {
                let event = match queue.try_recv() {
                    Ok(event) => Some(event),
                    Err(TryRecvError::Disconnected) => None,
                    Err(TryRecvError::Empty) => {
                        let wait = sink.idle()?;
                        if mem::take(&mut gather) {
                            thread::sleep(GATHER);
                            continue;
                        }
                        let next = async {
                            match wait {
                                None => Ok(queue.recv().await),
                                Some(wait) => timeout(wait, queue.recv()).await,
                            }
                        };
                        let Ok(event) = clock.block_on(next) else {
                            continue;
                        };
                        event
                    }
                };
                let Some(event) = event else { return Ok(()) };
                sink.take(&event)?;
                gather = true;
            }
        })?;
        self.background.push(Background {
            events: Some(events),
            thread: Some(thread),
        });
        Ok(self)
    }

    /// Sends an event to all listeners.
    ///
    /// # Errors
    /// When a listener could not write.
    pub async fn notify(&mut self, event: Event<G>) -> io::Result<()> {
        for sink in &mut self.direct {
            sink.take(&event)?;
        }
        if self.background.is_empty() {
            return Ok(());
        }
        let event = Arc::new(event);
        for listener in &mut self.background {
            listener.notify(&event, &self.stop).await?;
        }
        Ok(())
    }

    /// Sends the last event of a session and waits for all listeners; `None` after an interrupt.
    pub(crate) async fn end<T>(
        &mut self,
        result: Result<T, SessionError>,
        links: Vec<Option<LinkReport>>,
    ) -> Result<Option<T>, SessionError> {
        let result = match result {
            Err(SessionError::Interrupted) => Ok(None),
            result => result.map(Some),
        };
        let notified = self.notify(Event::Ended {
            interrupted: matches!(result, Ok(None)),
            error: result.as_ref().err().map(ToString::to_string),
            links,
        });
        let notified = notified.await;
        let finished = self.finish().await;
        let result = result?;
        notified?;
        finished?;
        Ok(result)
    }

    /// Waits until all listeners have written their events; to be called after the last event.
    ///
    /// # Errors
    /// When a listener could not write.
    pub async fn finish(&mut self) -> io::Result<()> {
        let mut result = Ok(());
        for listener in &mut self.background {
            let ended = listener.finish().await;
            result = result.and(ended);
        }
        result
    }
}

impl<G: Game> Background<G> {
    async fn notify(&mut self, event: &Arc<Event<G>>, stop: &Stop) -> io::Result<()> {
        let Some(events) = &self.events else {
            return Ok(());
        };
        let sent = match events.try_send(Arc::clone(event)) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(event)) => tokio::select! {
                sent = events.send(event) => sent.is_ok(),
                () = stop.wait() => true,
            },
        };
        // Its thread has ended: the error says why.
        if sent { Ok(()) } else { self.finish().await }
    }

    async fn finish(&mut self) -> io::Result<()> {
        self.events = None;
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        let ended = tokio::task::spawn_blocking(move || thread.join()).await;
        match ended {
            Ok(Ok(result)) => result,
            _ => Err(io::Error::other("a listener's thread has died")),
        }
    }
}
