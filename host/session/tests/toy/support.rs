//! What the tests share.

use std::io;
use std::sync::{Arc, Mutex};

use lockstep::{Backend, Event, Header, Session, Sink, Stop};

use crate::game::{Controller, Setup, TicTacToe};

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
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

/// A session whose backends have a controller.
pub async fn session(
    backends: Vec<Box<dyn Backend<TicTacToe>>>,
    controller: &Controller,
    stop: Stop,
) -> Session<TicTacToe> {
    let mut session = Session::new(backends, stop);
    session.configure(controller).await.expect("configured");
    session
}

pub fn header(session: &Session<TicTacToe>, controller: &Controller) -> Header<TicTacToe> {
    Header {
        backends: session.identities(),
        controller: controller.clone(),
        setup: Some(SETUP),
        planned: None,
        move_time: None,
        seats: Vec::new(),
    }
}

/// Keeps what it is told, as JSON.
#[derive(Clone, Default)]
pub struct Heard(pub Arc<Mutex<Vec<serde_json::Value>>>);

impl Heard {
    pub fn events(&self) -> Vec<serde_json::Value> {
        self.0.lock().expect("not poisoned").clone()
    }

    pub fn count(&self) -> usize {
        self.0.lock().expect("not poisoned").len()
    }

    /// The kinds of the events, in order.
    pub fn kinds(&self) -> Vec<String> {
        let kind = |e: &serde_json::Value| e["event"].as_str().unwrap_or("?").to_owned();
        self.events().iter().map(kind).collect()
    }
}

impl Sink<TicTacToe> for Heard {
    fn take(&mut self, event: &Event<TicTacToe>) -> io::Result<()> {
        let json = serde_json::to_value(event)?;
        self.0.lock().expect("not poisoned").push(json);
        Ok(())
    }
}
