//! A session and a record in browsers: a plain TCP client speaks HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Instant;

use super::chromium::dom;
use super::*;
use crate::running::{HANGS, Running};

/// A session that lasts longer than any test.
const LONG: &str = "play --backend software --games 1000000 --controller lowest --view 127.0.0.1:0";

/// A command that serves viewers, and its address.
pub struct Served {
    pub running: Running,
    pub address: String,
}

impl Served {
    fn start(place: &Place, line: &str) -> Self {
        Self::of(place.start(line))
    }

    /// A command that prints the address next.
    pub fn of(mut running: Running) -> Self {
        let line = running.error_line();
        let address = line.strip_prefix("view: http://").map(str::trim_end);
        let address = address.and_then(|url| url.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("no URL: {line}")).into();
        Self { running, address }
    }

    /// Sends a request, and returns the response when it is read from.
    fn send(&self, request: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.address).expect("connected");
        stream.set_read_timeout(Some(HANGS)).expect("set");
        stream.write_all(request.as_bytes()).expect("sent");
        BufReader::new(stream)
    }

    /// The status, headers and body of a response; HTTP/1.0 has no chunks.
    pub fn ask(&self, request: &str) -> (u16, String) {
        let mut text = String::new();
        let mut response = self.send(request);
        response.read_to_string(&mut text).expect("a response");
        let status = text.get(9..12).and_then(|status| status.parse().ok());
        (status.expect("a status"), text)
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n"))
    }

    /// The decision of that number.
    fn decision(&self, number: u64) -> Value {
        let (status, text) = self.get(&format!("/decision/{number}"));
        assert_eq!(status, 200, "{text}");
        json(text.split("\r\n\r\n").last().expect("a body"))
    }

    pub fn events(&self) -> Events {
        Events(self.send("GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n"))
    }
}

/// The events of a viewer.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// The next event; `None` at the end.
    pub fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("read in time") == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("data: ") {
                return Some(json(event));
            }
        }
    }
}

fn first(event: &Value) -> u64 {
    let first = event["decisions"][0]["number"].as_u64();
    first.unwrap_or_else(|| panic!("no decision: {event}"))
}

fn decisions(event: &Value) -> u64 {
    let decisions = event["about"]["progress"]["decisions"].as_u64();
    decisions.expect("a number")
}

#[test]
fn view_sends_state_then_what_is_new() {
    let place = Place::new();
    let served = Served::start(&place, LONG);
    let mut viewer = served.events();
    viewer.next().expect("the state");
    // It may repeat what is in the state.
    let mut last = viewer.next().expect("what is new");
    while decisions(&last) < 500 {
        let next = viewer.next().expect("what is new");
        if !next["decisions"].as_array().expect("decisions").is_empty() {
            assert!(first(&next) > decisions(&last), "{next}");
        }
        last = next;
    }
    members(
        &last,
        "/about/title play, tetris | /about/is_recorded false | /about/progress/is_over false | \
         /decisions/0/boards/0/name software | /decisions/0/boards/0/picture/columns 10",
    );
    let late = served.events().next().expect("the state");
    assert_eq!(late["decisions"].as_array().map(Vec::len), Some(100));
    // Those that are not in it are fetched.
    let number = decisions(&late) - 200;
    members(&served.decision(number), &format!("/number {number}"));
    let (status, text) = served.get("/decision/100000000");
    assert_eq!(status, 404, "{text}");
    served.running.interrupt();
    while let Some(next) = viewer.next() {
        last = next;
    }
    assert_eq!(last["about"]["progress"]["is_over"], true, "{last}");
    assert_eq!(served.running.end().0, Some(130));
}

/// One viewer reads no event; the other has more responses to read than fit on the way.
#[test]
fn view_goes_on_and_ends_although_viewers_read_nothing() {
    let place = Place::new();
    let served = Served::start(&place, LONG);
    let _events = served.events();
    let ask = "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let _flood = served.send(&ask.repeat(2000));
    let mut viewer = served.events();
    while decisions(&viewer.next().expect("what is new")) < 1000 {}
    let begun = Instant::now();
    served.running.interrupted();
    // Less than the time after which a stuck connection ends.
    assert!(begun.elapsed() < HANGS / 10, "{:?}", begun.elapsed());
}

#[test]
fn view_refuses_33rd_viewer_until_one_leaves() {
    let place = Place::new();
    let served = Served::start(&place, LONG);
    let mut viewers: Vec<_> = (0..32).map(|_| served.events()).collect();
    for viewer in &mut viewers {
        viewer.next().expect("the state");
    }
    for path in ["/", "/events"] {
        let (status, text) = served.get(path);
        assert_eq!(status, 503, "{text}");
        has(&text, "32 viewers are watching already; close one");
    }
    viewers.pop();
    let begun = Instant::now();
    while served.get("/").0 != 200 {
        assert!(begun.elapsed() < HANGS, "a viewer that left counts");
    }
    served.running.kill();
}

#[test]
fn view_answers_only_get_under_its_own_name() {
    let place = Place::new();
    let served = Served::start(&place, "view fixtures/records/lowest.jsonl --listen 0");
    let mut wrong = Vec::new();
    for (status, method, host) in [
        (200, "GET", "localhost"),
        (200, "GET", "LOCALHOST:1"),
        (200, "GET", "127.0.0.1:8080"),
        (200, "GET", "[::1]:8080"),
        (403, "GET", "evil.example"),
        (403, "GET", "localhost.evil.example:8080"),
        (403, "GET", "192.0.2.1"),
        (403, "GET", ""),
        (405, "POST", "localhost"),
        (405, "DELETE", "localhost"),
    ] {
        let (found, text) = served.ask(&format!("{method} / HTTP/1.0\r\nHost: {host}\r\n\r\n"));
        let safe = "content-security-policy: default-src 'none';";
        if found != status || !text.contains(safe) || !text.contains("nosniff") {
            wrong.push(format!("{method} {host}: {text}"));
        }
    }
    let (status, text) = served.ask("GET / HTTP/1.0\r\n\r\n");
    assert_eq!(status, 403, "{text}");
    none(&wrong);
    served.running.interrupt();
    assert_eq!(
        served.running.end(),
        (Some(0), String::new(), String::new())
    );
}

#[test]
fn view_serves_records_of_every_game() {
    let place = Place::new();
    place.ok("record convert fixtures/records/lowest.jsonl {}/short.jsonl.zst");
    place.ok("play --game connect4 --depth 2 --backend software --record {}/four");
    place.ok("play --game gomoku --controller lines:1 --backend software --record {}/five");
    place.exits(
        1,
        &format!("play --backend software --backend {FAULTY} --no-explain --record {{}}/faulty"),
    );
    for (file, rows) in [
        (
            "short.jsonl.zst",
            "/head/0 lowest | /head/1 game 1, piece 2",
        ),
        (
            "four",
            "/boards/0/picture/columns 7 | /head/1 game 1, move 2",
        ),
        ("five", "/boards/0/picture/columns 15"),
    ] {
        let served = Served::start(&place, &format!("view {{}}/{file} --listen :0"));
        let event = served.events().next().expect("the state");
        members(
            &event,
            &format!("/about/title {file} | /about/is_recorded true | /about/progress/first 1"),
        );
        members(&served.decision(2), rows);
        served.running.kill();
    }
    let served = Served::start(&place, "view {}/faulty --listen localhost:0");
    let event = served.events().next().expect("the state");
    members(
        &event,
        "/about/divergent/0 1 | /about/progress/divergences 1 | \
         /decisions/0/boards/0/differs false | /decisions/0/boards/1/differs true",
    );
    served.running.kill();
}

#[test]
fn view_wrong_use_is_refused() {
    let place = Place::new();
    place.put(
        "empty",
        text("fixtures/records/lowest.jsonl")
            .lines()
            .next()
            .expect("a header"),
    );
    let busy = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = busy.local_addr().expect("an address");
    place.refuses(&format!(
        "
        play --view {busy} --record {{}}/new => --view {busy} | another program listens there; port 0
        replay fixtures/records --view 65536 => expected HOST:PORT or a port from 0 to 65535 | '65536'
        replay fixtures/records/lowest.jsonl --recorded --view 0 => cannot be used with
        view fixtures/records/lowest.jsonl --listen {busy} => --listen {busy} | port 0 picks a free one
        view fixtures/records/lowest.jsonl --listen 192.0.2.1:0 => --listen 192.0.2.1:0 | 127.0.0.1
        view fixtures/records/lowest.jsonl --listen '' => expected HOST:PORT
        view {{}}/missing --listen 0 => missing
        view {{}}/empty --listen 0 => holds no decisions
    "
    ));
    assert_eq!(place.names(), ["empty"]);
}

#[test]
fn view_on_every_address_warns() {
    let place = Place::new();
    let served = Served::start(
        &place,
        "view fixtures/records/lowest.jsonl --listen 0.0.0.0:0",
    );
    // A browser on another machine cannot connect to that.
    assert!(!served.address.starts_with("0.0.0.0"), "{}", served.address);
    // It has the names that the network gives it.
    let (status, text) = served.ask("GET / HTTP/1.0\r\nHost: lab-3.example\r\n\r\n");
    assert_eq!(status, 200, "{text}");
    served.running.interrupt();
    let warning = served.running.end().2;
    has(&warning, "warning: everybody who can connect to 0.0.0.0:");
}

/// The page in a browser, which the script fills.
#[test]
fn view_page_shows_divergence_in_chromium() {
    let place = Place::new();
    let line = format!("play --backend software --backend {FAULTY} --no-explain --record {{}}/new");
    place.exits(1, &line);
    let served = Served::start(&place, "view {}/new --listen 0");
    let page = format!("http://{}/#d1", served.address);
    if let Some(dom) = dom(&place, &["--virtual-time-budget=3000", &page]) {
        has(
            &dom,
            "lockstep new</title> | dt-20, game 1, piece 1, line 2 of the record</h1> | <figure class=\"differs\" | \
             >≠&nbsp;sim:fault= | aria-label=\"board of software, | differs in | <td class=\"differs\">≠&nbsp; \
             | <a href=\"#d1\">decision 1</a> | ≠ 1 diverged | id=\"back\" title=\"key: ←\" disabled",
        );
    }
    served.running.kill();
}
