//! The game in a browser: it gets the board by server-sent events and posts the moves.
//!
//! Everybody who can connect may watch. Only a page that was opened with the token may move: the
//! token is in the fragment of the printed URL, which browsers send to no server, so neither
//! another viewer nor another site has it.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::stream::unfold;
use lockstep_report::html::STYLE;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Semaphore, broadcast, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::Command;
use super::shown::Shown;
use crate::session::web::{CSS, IDLE, VIEWERS, announce_game, serve_until, text, too_many};

/// The header with the token.
const TOKEN: &str = "x-lockstep-token";

/// Maximum number of presses that wait for a page.
const PRESSES: usize = 64;

const PAGE: &str = include_str!("page/page.html");
const OWN_CSS: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// A game that is served to browsers.
pub struct Page {
    shown: watch::Sender<Arc<str>>,
    /// Names of keys that a board's buttons stand for.
    pressed: broadcast::Sender<&'static str>,
    commands: UnboundedReceiver<Command>,
    task: JoinHandle<()>,
}

struct Server {
    /// The game as JSON.
    shown: watch::Receiver<Arc<str>>,
    pressed: broadcast::Sender<&'static str>,
    commands: UnboundedSender<Command>,
    token: String,
    viewers: Arc<Semaphore>,
}

impl Page {
    /// Serves the game and prints where.
    ///
    /// # Errors
    /// When the server cannot be started.
    pub fn start(listener: TcpListener) -> anyhow::Result<Self> {
        let mut token = [0; 16];
        getrandom::fill(&mut token).map_err(|why| anyhow!("no random numbers: {why}"))?;
        let token = format!("{:032x}", u128::from_ne_bytes(token));
        announce_game(&listener, Some(&token)).context("--view")?;
        let (shown, latest) = watch::channel::<Arc<str>>("".into());
        let (commands, commanded) = unbounded_channel();
        let pressed = broadcast::Sender::new(PRESSES);
        let mut ended = latest.clone();
        let server = Arc::new(Server {
            shown: latest,
            pressed: pressed.clone(),
            commands,
            token,
            viewers: Arc::new(Semaphore::new(VIEWERS)),
        });
        let app = Router::new()
            .route("/", get(page))
            .route("/page.css", text("text/css", &[STYLE, CSS, OWN_CSS]))
            .route("/page.js", text("text/javascript", &[SCRIPT]))
            .route("/events", get(events))
            .route("/command", post(command))
            .with_state(server);
        let listener = tokio::net::TcpListener::from_std(listener).context("--view")?;
        let task = tokio::spawn(serve_until(listener, app, async move {
            while ended.changed().await.is_ok() {}
        }));
        Ok(Self {
            shown,
            pressed,
            commands: commanded,
            task,
        })
    }

    pub fn show(&self, shown: &Shown) {
        let json = serde_json::to_string(shown).unwrap_or_default();
        self.shown.send_replace(json.into());
    }

    /// Presses a key `count` times on all pages.
    pub fn press(&self, key: &'static str, count: usize) {
        // Without pages nobody receives it.
        (0..count).for_each(|_| drop(self.pressed.send(key)));
    }

    /// The next command of the person.
    pub async fn next(&mut self) -> Command {
        match self.commands.recv().await {
            Some(command) => command,
            None => std::future::pending().await,
        }
    }

    /// Sends viewers the end, and ends the server.
    pub async fn end(self, shown: &Shown) {
        self.show(shown);
        drop(self.shown);
        // A server that has failed has ended, too.
        let _ = self.task.await;
    }
}

/// The page, with what is shown first.
async fn page(State(server): State<Arc<Server>>) -> Response {
    // Nothing in it ends the element.
    let json = server.shown.borrow().replace('<', "\\u003c");
    let kind = [(header::CONTENT_TYPE, "text/html")];
    (kind, PAGE.replace("SHOWN", &json)).into_response()
}

/// Sends what is shown, each time it changes, and presses of keys, as server-sent events.
async fn events(State(server): State<Arc<Server>>) -> Response {
    let Ok(permit) = Arc::clone(&server.viewers).try_acquire_owned() else {
        return too_many();
    };
    let mut shown = server.shown.clone();
    shown.mark_changed();
    let begun = (shown, server.pressed.subscribe(), permit);
    let stream = unfold(begun, |(mut shown, mut pressed, permit)| async {
        let event = tokio::select! {
            biased;
            changed = timeout(IDLE, shown.changed()) => match changed {
                Ok(Ok(())) => format!("data: {}\n\n", &**shown.borrow_and_update()),
                Ok(Err(_)) => return None,
                Err(_) => ": idle\n\n".to_owned(),
            },
            Ok(key) = pressed.recv() => format!("event: press\ndata: {key}\n\n"),
        };
        Some((Ok::<_, Infallible>(event), (shown, pressed, permit)))
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    (kind, Body::from_stream(stream)).into_response()
}

/// Takes a command from the page of the person who plays.
async fn command(State(server): State<Arc<Server>>, headers: HeaderMap, body: String) -> Response {
    let named = |name| headers.get(name).map(|value| value.as_bytes());
    let host = named(header::HOST.as_str()).unwrap_or_default();
    let is_own = named(header::ORIGIN.as_str()).is_none_or(|o| o == [b"http://", host].concat());
    if !is_own || named(TOKEN) != Some(server.token.as_bytes()) {
        let why = "only the page at the URL that `lockstep challenge` printed can move\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    match serde_json::from_str(&body) {
        Ok(command) => {
            // At the end nobody receives it.
            let _ = server.commands.send(command);
            StatusCode::NO_CONTENT.into_response()
        }
        Err(_) => {
            let why = "expected the command play, take_back, advice or new as JSON\n";
            (StatusCode::BAD_REQUEST, why).into_response()
        }
    }
}
