//! A session or a record in browsers (`--view`, `lockstep view`).
//!
//! A listener keeps the last decisions ([`Heard`]); a server on a thread of its own looks at them
//! twenty times a second, and sends what is new to all viewers through a bounded queue. A viewer that
//! misses something gets the whole state again.

mod address;

use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use axum::serve::ListenerExt as _;
use axum::{Router, serve};
use futures::stream::unfold;
use lockstep_report::html::STYLE;
use serde::Serialize;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, broadcast, oneshot};
use tokio::time::{interval, sleep, timeout};

use super::heard::{Heard, Listener, lock};
use crate::games::CliGame;
pub use address::{Address, announce, announce_game};

/// Maximum number of viewers at a time.
pub const VIEWERS: usize = 32;
/// Interval at which the session is polled.
const TICK: Duration = Duration::from_millis(50);
/// Maximum number of decisions that are sent after each look; viewers request others by number.
const SENT: u64 = 5;
/// Decisions that a new viewer gets.
const RECENT: u64 = 100;
/// Maximum number of events that wait for a viewer.
const BEHIND: usize = 16;
/// Time after which an idle stream sends a comment, so that a viewer that is gone is noticed.
pub const IDLE: Duration = Duration::from_secs(15);
/// Time after which a connection ends whose other end takes nothing.
#[cfg(target_os = "linux")]
const STALL_TIMEOUT: Duration = Duration::from_secs(10);
/// Time that viewers have for the last event.
const LAST: Duration = Duration::from_secs(2);

const PAGE: &str = include_str!("web/page.html");
pub const CSS: &str = include_str!("web/page.css");
const SCRIPT: &str = include_str!("web/page.js");

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

/// A session that is served to browsers.
pub struct Web<G: CliGame> {
    heard: Arc<Mutex<Heard<G>>>,
    thread: JoinHandle<()>,
}

impl<G: CliGame> Web<G> {
    /// Serves the session that is `heard`, with this title; a record is served even when it is over.
    ///
    /// # Errors
    /// When the server cannot be started.
    pub fn start(
        listener: TcpListener,
        title: String,
        is_recorded: bool,
        heard: Arc<Mutex<Heard<G>>>,
    ) -> io::Result<Self> {
        let server = Arc::new(Server {
            heard: heard.clone(),
            title,
            is_recorded,
            events: broadcast::Sender::new(BEHIND),
            viewers: Arc::new(Semaphore::new(VIEWERS)),
        });
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let named = thread::Builder::new().name("view".into());
        let thread = named.spawn(move || runtime.block_on(server.run(listener)))?;
        Ok(Self { heard, thread })
    }

    /// A listener for the session; several sessions are shown one after the other.
    pub fn listener(&self) -> Listener<G> {
        Listener(Arc::clone(&self.heard))
    }

    /// Ends the server, after viewers have got the last event.
    pub async fn finish(self) {
        lock(&self.heard).end();
        // A session is as good without its viewers.
        let _ = tokio::task::spawn_blocking(|| self.thread.join()).await;
    }
}

/// The decisions of a session of any game.
trait Source: Send + Sync {
    /// The progress, and the numbers of the divergences after the first `known`.
    fn progress(&self, known: usize) -> (Progress, Vec<u64>);

    /// The decision of that number as JSON.
    fn decision(&self, number: u64) -> Option<String>;
}

#[derive(Default, Clone, PartialEq, Serialize)]
struct Progress {
    /// Number of the first decision that is kept.
    first: u64,
    decisions: u64,
    divergences: u64,
    searching: Option<String>,
    is_over: bool,
}

impl<G: CliGame> Source for Mutex<Heard<G>> {
    fn progress(&self, known: usize) -> (Progress, Vec<u64>) {
        let heard = lock(self);
        let progress = Progress {
            first: heard.first(),
            decisions: heard.decisions,
            divergences: heard.divergences,
            searching: heard.searching().map(str::to_owned),
            is_over: heard.is_over,
        };
        (progress, heard.divergent().skip(known).collect())
    }

    fn decision(&self, number: u64) -> Option<String> {
        let shown = lock(self).numbered(number)?;
        serde_json::to_string(&shown).ok()
    }
}

/// Serves a text.
pub fn text<S: Clone + Send + Sync + 'static>(
    kind: &'static str,
    parts: &[&str],
) -> MethodRouter<S> {
    let text = ([(header::CONTENT_TYPE, kind)], parts.concat());
    get(move || ready(text))
}

/// Serves pages until `end`, and gives viewers time for the last event.
///
/// Refuses pages of other sites whose names lead to this machine.
pub async fn serve_until(
    listener: tokio::net::TcpListener,
    app: Router,
    end: impl Future<Output = ()>,
) {
    let address = listener.local_addr();
    let is_local = address.map_or(true, |address| address.ip().is_loopback());
    let app = app.layer(from_fn_with_state(is_local, guard));
    let listener = listener.tap_io(|stream| {
        #[cfg(target_os = "linux")]
        let _ = socket2::SockRef::from(&*stream).set_tcp_user_timeout(Some(STALL_TIMEOUT));
    });
    let (over, is_over) = oneshot::channel::<()>();
    let server = serve(listener, app).with_graceful_shutdown(async {
        let _ = is_over.await;
    });
    let end = async {
        end.await;
        drop(over);
        sleep(LAST).await;
    };
    tokio::select! {
        _ = server => {}
        () = end => {}
    }
}

struct Server {
    heard: Arc<dyn Source>,
    title: String,
    is_recorded: bool,
    /// New events as JSON, and whether they are the last.
    events: broadcast::Sender<(Arc<str>, bool)>,
    viewers: Arc<Semaphore>,
}

impl Server {
    /// Serves until the session is over; a record without end.
    async fn run(self: Arc<Self>, listener: tokio::net::TcpListener) {
        let app = Router::new()
            .route("/", get(page))
            .route("/page.css", text("text/css", &[STYLE, CSS]))
            .route("/page.js", text("text/javascript", &[SCRIPT]))
            .route("/events", get(events))
            .route("/decision/{number}", get(decision))
            .with_state(Arc::clone(&self));
        serve_until(listener, app, self.look()).await;
    }

    /// Sends what is new to all viewers, until the session is over.
    async fn look(&self) {
        let mut ticks = interval(TICK);
        let (mut last, mut known) = (Progress::default(), 0);
        while self.is_recorded || !last.is_over {
            ticks.tick().await;
            let (progress, divergent) = self.heard.progress(known);
            if progress != last {
                known += divergent.len();
                let event = self.event(&progress, &divergent, last.decisions, SENT);
                // Without viewers it is not sent.
                let _ = self.events.send((event.into(), progress.is_over));
                last = progress;
            }
        }
    }

    /// An event with the last decisions after number `sent`, at most `most`.
    fn event(&self, progress: &Progress, divergent: &[u64], sent: u64, most: u64) -> String {
        let first = sent.max(progress.decisions.saturating_sub(most)) + 1;
        let decisions = (first..=progress.decisions).filter_map(|n| self.heard.decision(n));
        let decisions = decisions.collect::<Vec<_>>().join(",");
        let about = serde_json::json!({
            "title": self.title,
            "is_recorded": self.is_recorded,
            "progress": progress,
            "divergent": divergent,
        });
        format!("data: {{\"about\":{about},\"decisions\":[{decisions}]}}\n\n")
    }

    /// The whole state as an event, and whether it is the last.
    fn whole(&self) -> (Arc<str>, bool) {
        let (progress, divergent) = self.heard.progress(0);
        let event = self.event(&progress, &divergent, 0, RECENT);
        (event.into(), progress.is_over)
    }
}

/// Refuses pages of other sites whose names lead to this machine, if only it can connect.
async fn guard(State(is_local): State<bool>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST);
    let mut response = if is_local && !host.is_some_and(address::is_local) {
        let why = "this page is served only under the names localhost, 127.0.0.1 and [::1]\n";
        (StatusCode::FORBIDDEN, why).into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

pub fn too_many() -> Response {
    let why = format!("{VIEWERS} viewers are watching already; close one, or try again later\n");
    (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
}

async fn page(State(server): State<Arc<Server>>) -> Response {
    match server.viewers.available_permits() {
        0 => too_many(),
        _ => ([(header::CONTENT_TYPE, "text/html")], PAGE).into_response(),
    }
}

async fn decision(State(server): State<Arc<Server>>, Path(number): Path<u64>) -> Response {
    match server.heard.decision(number) {
        Some(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        None => (StatusCode::NOT_FOUND, "this decision is not kept\n").into_response(),
    }
}

/// Sends the whole state, then what is new, as server-sent events.
async fn events(State(server): State<Arc<Server>>) -> Response {
    let Ok(permit) = Arc::clone(&server.viewers).try_acquire_owned() else {
        return too_many();
    };
    let begun = (server.events.subscribe(), true, false);
    let stream = unfold(begun, move |(mut events, is_new, was_last)| {
        let (server, _watching) = (Arc::clone(&server), &permit);
        async move {
            if was_last {
                return None;
            }
            let (event, is_last) = match is_new {
                true => server.whole(),
                false => match timeout(IDLE, events.recv()).await {
                    Ok(Ok(event)) => event,
                    // It is too far behind.
                    Ok(Err(_)) => server.whole(),
                    Err(_) => (": idle\n\n".into(), false),
                },
            };
            Some((
                Ok::<_, Infallible>(event.to_string()),
                (events, false, is_last),
            ))
        }
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    (kind, Body::from_stream(stream)).into_response()
}
