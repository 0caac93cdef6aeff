//! Support of the tests: sessions, and a listener that keeps events.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lockstep::event::Seat;
use lockstep::record::{Head, Origin, RecordError, Recorder, ResumePlan, Resumed};
use lockstep::report::Totals;
use lockstep::session::Start;
use lockstep::{Backend, Event, Header, Listeners, Session, SessionError, Sink, Stop};
use serde_json::Value;

use crate::game::{Controller, Setup, TicTacToe};
use crate::limit;
use crate::scripted::Scripted;

/// Much longer than any test takes.
#[track_caller]
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    limit::block_on(Duration::from_secs(120), future)
}

/// The cells of a row in a table of cases.
#[track_caller]
pub fn cells<const N: usize>(row: &str) -> [&str; N] {
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    cells.try_into().unwrap_or_else(|_| panic!("{row}"))
}

/// Row by row, which X wins with its fourth stone.
pub fn in_order() -> Controller {
    Controller {
        order: (0..9).collect(),
    }
}

/// Nobody wins.
pub fn drawn() -> Controller {
    Controller {
        order: vec![4, 0, 8, 2, 6, 3, 5, 7, 1],
    }
}

pub const SETUP: Setup = Setup { openings: 0 };

type Backends = Vec<Box<dyn Backend<TicTacToe>>>;

pub fn boxed(backends: Vec<Scripted>) -> Backends {
    backends.into_iter().map(Scripted::boxed).collect()
}

/// A session whose backends have a controller.
pub async fn session(
    backends: Backends,
    controller: &Controller,
    stop: Stop,
) -> Session<TicTacToe> {
    let mut session = Session::new(backends, stop);
    session.configure(controller).await.expect("configured");
    session
}

pub fn header(session: &Session<TicTacToe>, controller: &Controller) -> Header<TicTacToe> {
    Header {
        setup: Some(SETUP),
        ..Header::new(session.identities(), controller.clone())
    }
}

/// A session to be played, with its listeners.
pub struct Play {
    pub backends: Backends,
    pub controller: Controller,
    /// Empty: all backends play all seats.
    pub seats: Vec<Seat<TicTacToe>>,
    pub setup: Setup,
    pub games: u64,
    pub moves: u64,
    pub move_time: Option<Duration>,
    pub stop: Stop,
    /// The totals of an earlier session.
    pub totals: Totals,
    /// The events so far.
    pub heard: Heard,
    /// Listeners on threads of their own.
    pub far: Vec<Box<dyn Sink<TicTacToe> + Send>>,
}

/// The result of a session.
pub struct Played {
    pub totals: Totals,
    pub heard: Heard,
    pub result: Result<(), SessionError>,
}

impl Played {
    /// The totals of a session that came to its end.
    pub fn whole(self) -> Totals {
        self.result.expect("played");
        self.totals
    }
}

impl Play {
    /// Whole games, nobody wins.
    pub fn new(backends: Backends, games: u64) -> Self {
        Self {
            backends,
            controller: drawn(),
            seats: Vec::new(),
            setup: SETUP,
            games,
            moves: 100,
            move_time: None,
            stop: Stop::never(),
            totals: Totals::default(),
            heard: Heard::default(),
            far: Vec::new(),
        }
    }

    pub fn of(backends: Vec<Scripted>, games: u64) -> Self {
        Self::new(boxed(backends), games)
    }

    #[track_caller]
    pub fn run(self) -> Played {
        block_on(self.beside(async {}))
    }

    /// Plays while another future runs.
    pub async fn beside(self, other: impl Future<Output = ()>) -> Played {
        let played = self.play(None, other).await;
        played.expect("nothing is resumed")
    }

    /// Plays into a new record.
    #[track_caller]
    pub fn record(mut self, path: &Path) -> Played {
        let recorder = Recorder::<TicTacToe>::create(path, true).expect("a new file");
        self.far.push(Box::new(recorder));
        self.run()
    }

    /// Resumes a record, which need not exist; returns the totals of all of it.
    #[track_caller]
    pub fn resume(self, path: &Path) -> Result<Played, RecordError> {
        block_on(self.play(Some(path), async {}))
    }

    async fn play(
        self,
        record: Option<&Path>,
        other: impl Future<Output = ()>,
    ) -> Result<Played, RecordError> {
        let mut heard = self.heard;
        let mut session = Session::new(self.backends, self.stop);
        session.move_time = self.move_time;
        let configured = match self.seats.is_empty() {
            true => session.configure(&self.controller).await,
            false => session.take_seats(self.seats.clone()).await,
        };
        configured.expect("configured");
        let mut header = header(&session, &self.controller);
        header.setup = Some(self.setup.clone());
        header.seats = self.seats;
        let (mut totals, mut start, mut far) = (self.totals, Start::default(), self.far);
        if let Some(path) = record {
            let wanted = ResumePlan {
                head: Head::of(&header, Origin::default(), Default::default()),
                games: self.games,
                max_moves: self.moves,
            };
            let started = Event::Started(header.clone());
            totals.take(&started).expect("counted");
            let mut notify = |event| {
                totals.take(&event).expect("counted");
                heard.take(&event).expect("kept");
            };
            let resumed = Resumed::open(path, &wanted, |_| Ok(()), &mut notify, &Stop::never())?;
            let Some(recorder) = resumed.recorder else {
                return Ok(Played {
                    totals,
                    heard,
                    result: Ok(()),
                });
            };
            far.push(Box::new(recorder));
            start = resumed.start;
        }
        let mut kept = heard.clone();
        let mut listeners = Listeners::new(session.stop())
            .with(&mut totals)
            .with(&mut kept);
        for sink in far {
            listeners = listeners.on_thread("far", Far(sink)).expect("a thread");
        }
        let (games, moves) = (self.games, self.moves);
        let playing = session.play(&header, &self.setup, start, games, moves, &mut listeners);
        let (result, ()) = tokio::join!(playing, other);
        drop(listeners);
        Ok(Played {
            totals,
            heard,
            result,
        })
    }
}

/// A listener of any type.
struct Far(Box<dyn Sink<TicTacToe> + Send>);

impl Sink<TicTacToe> for Far {
    fn take(&mut self, event: &Event<TicTacToe>) -> io::Result<()> {
        self.0.take(event)
    }

    fn idle(&mut self) -> io::Result<Option<Duration>> {
        self.0.idle()
    }
}

/// Keeps the events as JSON.
#[derive(Clone, Default)]
pub struct Heard(pub Arc<Mutex<Vec<Value>>>);

impl Heard {
    pub fn events(&self) -> Vec<Value> {
        self.0.lock().expect("not poisoned").clone()
    }

    /// The kinds of the events, in order.
    pub fn kinds(&self) -> Vec<String> {
        let kind = |e: &Value| e["event"].as_str().unwrap_or("?").to_owned();
        self.events().iter().map(kind).collect()
    }

    /// The events of a kind.
    pub fn of(&self, kind: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["event"] == kind);
        events
    }
}

impl Sink<TicTacToe> for Heard {
    fn take(&mut self, event: &Event<TicTacToe>) -> io::Result<()> {
        let json = serde_json::to_value(event)?;
        self.0.lock().expect("not poisoned").push(json);
        Ok(())
    }
}
