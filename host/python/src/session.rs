//! A session in a thread of its own, as an iterator of events.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use lockstep::event::Seat;
use lockstep::record::Recorder;
use lockstep::report::Totals;
use lockstep::session::Start;
use lockstep::stop::Stopper;
use lockstep::{Event, Header, Listeners, Sink, Stop};
use lockstep_games::Match as _;
use pyo3::prelude::*;
use pythonize::pythonize;
use serde_json::{Value, json};

use crate::backend::Given;
use crate::games::{PyGame, by_game, load};
use crate::{POLL_INTERVAL, failed, runtime};

/// Maximum number of events that wait for the iterator; then the session waits.
const BEHIND: usize = 1024;

/// An event, or the error that ended the session.
type EventResult = Result<Value, String>;

/// A session that plays while its events are iterated; `lockstep.play` and `lockstep.match` begin one.
///
/// The events are dicts; `event` is `started`, `game_started`, `searching`, `decided`, `game_ended`
/// or `ended`. `decided` has the answers and their differences (`mismatches`), `asked` (indices of the
/// backends) and `took_us` (microseconds for each answer); `ended` has the `totals`. The session is some
/// 5,000 events ahead at most. A backend that cannot be opened raises `Error` at the first event.
#[pyclass]
pub struct Session {
    events: Mutex<Receiver<EventResult>>,
    stopper: Stopper,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What a session plays.
struct Plan<G: PyGame> {
    /// The controller and the backends of each seat; a single one if all play all seats.
    seats: Vec<(G::Controller, Vec<Given>)>,
    setup: G::Setup,
    games: u64,
    max_moves: u64,
    record: Option<(PathBuf, bool)>,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (game, seats, games, max_moves, seed, setup=None, swap=false, record=None, overwrite=false))]
    #[expect(clippy::too_many_arguments, reason = "Python calls it with names")]
    fn new(
        game: &str,
        seats: Vec<(Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>)>,
        games: u64,
        max_moves: u64,
        seed: u64,
        setup: Option<&Bound<'_, PyAny>>,
        swap: bool,
        record: Option<PathBuf>,
        overwrite: bool,
    ) -> PyResult<Self> {
        let (sender, events) = sync_channel(BEHIND);
        let (stopper, stop) = Stop::new();
        let thread = by_game!(game, G => {
            let seat = |(controller, backends): &(Bound<'_, _>, Vec<Bound<'_, _>>)| {
                let backends = backends.iter().map(Given::new::<G>).collect::<PyResult<_>>()?;
                Ok((load::<G>(Some(controller))?, backends))
            };
            let plan = Plan::<G> {
                seats: seats.iter().map(seat).collect::<PyResult<_>>()?,
                setup: crate::games::setup::<G>(seed, setup, swap)?,
                games,
                max_moves,
                record: record.map(|path| (path, overwrite)),
            };
            let run = move || {
                if let Err(why) = play(plan, &sender, &stop) {
                    // The iterator may be gone.
                    let _ = sender.send(Err(why));
                }
            };
            thread::Builder::new().name("session".into()).spawn(run).map_err(failed)
        })?;
        Ok(Self {
            events: Mutex::new(events),
            stopper,
            thread: Mutex::new(Some(thread)),
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next event. Ctrl-C stops the session; the events up to its end can still be iterated.
    /// Raises `Error` if the session fails.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            let event = py.detach(|| match self.events.lock() {
                Ok(events) => events.recv_timeout(POLL_INTERVAL),
                Err(_) => Err(RecvTimeoutError::Disconnected),
            });
            match event {
                Ok(Ok(event)) => return Ok(Some(pythonize(py, &event)?)),
                Ok(Err(why)) => return Err(failed(why)),
                Err(RecvTimeoutError::Disconnected) => return self.join(py).map(|()| None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(interrupt) = py.check_signals() {
                self.stop();
                return Err(interrupt);
            }
        }
    }

    /// Ends the session after the decisions that are under way; its events can still be iterated.
    fn stop(&self) {
        self.stopper.stop();
    }

    /// Stops the session and waits for its end, without the events that were not iterated.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.stop();
        // The session may wait for the iterator.
        if let Ok(mut events) = self.events.lock() {
            *events = sync_channel(0).1;
        }
        self.join(py)
    }
}

impl Session {
    /// Waits for the thread, without the GIL: a backend in Python may need it.
    fn join(&self, py: Python<'_>) -> PyResult<()> {
        let joined = py.detach(|| {
            let thread = self.thread.lock().ok()?.take()?;
            Some(thread.join())
        });
        match joined {
            Some(Err(_)) => Err(failed("the session's thread has died")),
            _ => Ok(()),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = Python::try_attach(|py| self.close(py));
    }
}

/// Passes events on as JSON.
struct Passing<G: PyGame> {
    events: SyncSender<EventResult>,
    totals: Totals,
    game: std::marker::PhantomData<G>,
}

impl<G: PyGame> Sink<G> for Passing<G> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        self.totals.take(event)?;
        let mut json = serde_json::to_value(event)?;
        match event {
            Event::Decided(round) => {
                let took = round.took.iter().map(|took| took.as_secs_f64() * 1e6);
                json["took_us"] = took.collect();
                json["asked"] = json!(round.asked);
            }
            Event::Ended { .. } => json["totals"] = json!(self.totals),
            _ => {}
        }
        self.events.send(Ok(json)).map_err(io::Error::other)
    }
}

/// Plays; returns the text of the error.
fn play<G: PyGame>(
    plan: Plan<G>,
    events: &SyncSender<EventResult>,
    stop: &Stop,
) -> Result<(), String> {
    fn text(why: impl ToString) -> String {
        why.to_string()
    }
    let runtime = runtime().map_err(text)?;
    runtime.block_on(async {
        let (mut seats, mut backends) = (Vec::new(), Vec::new());
        for (controller, given) in plan.seats {
            let first = backends.len();
            for given in given {
                backends.push(given.open::<G>(backends.len() as u64).await.map_err(text)?);
            }
            seats.push(Seat::<G> {
                controller,
                backends: (first..backends.len()).collect(),
            });
        }
        let mut session = lockstep::Session::new(backends, stop.clone());
        session.take_seats(seats.clone()).await.map_err(text)?;
        session
            .check(&G::deal(&plan.setup, 0).position())
            .map_err(text)?;
        let controller = seats.first().ok_or("no seats")?.controller.clone();
        let header = Header {
            setup: Some(plan.setup.clone()),
            planned: Some(plan.games.saturating_mul(plan.max_moves)),
            seats: if seats.len() > 1 { seats } else { Vec::new() },
            ..Header::new(session.identities(), controller)
        };
        let passing = Passing {
            events: events.clone(),
            totals: Totals::default(),
            game: std::marker::PhantomData,
        };
        let mut listeners = Listeners::new(session.stop())
            .on_thread("events", passing)
            .map_err(text)?;
        if let Some((path, overwrite)) = &plan.record {
            let recorder = Recorder::create(path, *overwrite).map_err(text)?;
            listeners = listeners.on_thread("record", recorder).map_err(text)?;
        }
        let played = session.play(
            &header,
            &plan.setup,
            Start::default(),
            plan.games,
            plan.max_moves,
            &mut listeners,
        );
        played.await.map_err(text)
    })
}
