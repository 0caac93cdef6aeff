//! `challenge` in a browser, with and without Chromium.

use super::challenge::{COLUMN_6, place};
use super::chromium::{Driven, dom};
use super::view::{Events, Served};
use super::*;

/// A game in a browser, and its address with the token.
struct Browser {
    served: Served,
    token: String,
}

impl Browser {
    fn start(place: &Place, line: &str) -> Self {
        let mut running = place.start(&format!("challenge {line} --view 0"));
        let line = running.error_line();
        let token = line.trim_end().rsplit('#').next().expect("a token").into();
        let served = Served::of(running);
        Self { served, token }
    }

    /// Posts a command; returns the status and the response.
    fn post(&self, headers: &str, command: &str) -> (u16, String) {
        let length = command.len();
        self.served.ask(&format!(
            "POST /command HTTP/1.0\r\nContent-Length: {length}\r\n{headers}\r\n\r\n{command}"
        ))
    }

    fn own(&self, command: &str) {
        let Self { served, token } = self;
        let origin = format!("Origin: http://{0}\r\nHost: {0}", served.address);
        let (status, text) = self.post(&format!("{origin}\r\nX-Lockstep-Token: {token}"), command);
        assert_eq!(status, 204, "{text}");
    }

    /// Drops a stone into a column once `moves` moves are played.
    fn drop_in(&self, column: usize, moves: usize) {
        self.own(&format!(
            "{{\"play\":{{\"at\":[{column},0],\"moves\":{moves}}}}}"
        ));
    }
}

/// Waits for an event with a member of that value.
fn wait_for(viewer: &mut Events, pointer: &str, value: impl Into<Value>) -> Value {
    let value = value.into();
    loop {
        let event = viewer.next().expect("an event");
        if event.pointer(pointer) == Some(&value) {
            return event;
        }
    }
}

/// Its results survive that it is killed, and the part of a line that it may have written.
#[test]
fn challenge_in_browser_is_played_and_survives_kill() {
    let place = place();
    let browser = Browser::start(&place, COLUMN_6);
    let mut viewer = browser.served.events();
    let first = viewer.next().expect("the state");
    members(
        &first,
        "/state Your turn | /aim column | /sign Y | /choices/6/at/0 6",
    );
    for moves in [0, 2, 4] {
        browser.drop_in(3, moves);
        wait_for(&mut viewer, "/moves", moves + 2);
        // A second click on the old board plays nothing.
        browser.drop_in(0, moves);
    }
    browser.drop_in(3, 6);
    wait_for(&mut viewer, "/is_over", true);
    let late = browser.served.events().next().expect("the state");
    members(
        &late,
        "/state You win | /is_over true | /statistics/1/4 \"1\" | /choices []",
    );
    browser.own("{\"new\":{\"first\":true}}");
    browser.drop_in(3, 0);
    wait_for(&mut viewer, "/moves", 2);
    browser.served.running.kill();
    let games = place.text("games");
    place.put("games", games.clone() + &games[..30]);
    for game in ["", "--game connect4"] {
        let shown = place.ok(&format!("challenge --show {game} --statistics {{}}/games"));
        has(&shown, "first         1    1     0      0          0");
    }
    let shown = place.ok("challenge --show --game gomoku --statistics {}/games");
    has(&shown, "no finished games of gomoku in ");
}

#[test]
fn challenge_in_browser_obeys_only_its_own_page() {
    let place = place();
    let browser = Browser::start(&place, COLUMN_6);
    let Browser { served, token } = &browser;
    let own = format!("X-Lockstep-Token: {token}");
    let play = "{\"play\":{\"at\":[3,0],\"moves\":0}}";
    let mut wrong = Vec::new();
    for (status, headers, command) in [
        (403, "Host: localhost".into(), play),
        (403, "Host: localhost\r\nX-Lockstep-Token: 0".into(), play),
        (403, format!("Host: evil.example\r\n{own}"), play),
        (
            403,
            format!("Host: localhost\r\nOrigin: http://evil.example\r\n{own}"),
            play,
        ),
        (
            403,
            format!("Host: localhost\r\nOrigin: null\r\n{own}"),
            play,
        ),
        (400, format!("Host: localhost\r\n{own}"), "\"quit\""),
        (400, format!("Host: localhost\r\n{own}"), "x"),
        // No legal move: nothing is played.
        (
            204,
            format!("Host: localhost\r\n{own}"),
            "{\"play\":{\"at\":[7,0],\"moves\":0}}",
        ),
        (204, format!("Host: localhost\r\n{own}"), "\"take_back\""),
    ] {
        let (found, text) = browser.post(&headers, command);
        if found != status || status == 400 && !text.contains("expected the command play,") {
            wrong.push(format!("{headers} {command}: {text}"));
        }
    }
    none(&wrong);
    let (status, _) = served.get("/command");
    assert_eq!(status, 405);
    let mut viewer = served.events();
    let event = viewer.next().expect("the state");
    members(&event, "/moves 0 | /has_ended false");
    served.running.interrupt();
    wait_for(&mut viewer, "/has_ended", true);
    assert_eq!(browser.served.running.end().0, Some(0));
}

/// The page in a browser, with and without the token.
#[test]
fn challenge_page_shows_game_in_chromium() {
    let place = place();
    let browser = Browser::start(&place, &format!("{COLUMN_6} --second"));
    let mut viewer = browser.served.events();
    wait_for(&mut viewer, "/moves", 1);
    for (hash, parts) in [
        (
            &*browser.token,
            "<h1 id=\"state\" aria-live=\"polite\">Your turn</h1> | you are red, yellow is exec: | \
             aria-label=\"column 6, row 0, yellow, last move\" aria-disabled=\"false\" | \
             <span class=\"number\" aria-hidden=\"true\">6</span> | \
             class=\"cell r aimed open\" | id=\"watching\" hidden | Press a column to drop",
        ),
        (
            "",
            "id=\"first\" title=\"key: 1\" hidden | <p id=\"watching\">You are watching.",
        ),
    ] {
        let page = format!("http://{}/#{hash}", browser.served.address);
        if let Some(dom) = dom(&place, &[&page]) {
            has(&dom, parts);
        }
    }
    browser.served.running.kill();
}

/// Enter drops the piece although a button was pressed with the mouse; a finished game offers no
/// moves.
#[test]
fn challenge_page_enter_after_mouse_drops_piece() {
    let place = place();
    let line = "--backend software --statistics {}/games --max-pieces 1";
    let browser = Browser::start(&place, line);
    let page = format!("http://{}/#{}", browser.served.address, browser.token);
    match Driven::open(&place, &page) {
        None => {}
        Some(mut driven) => {
            driven.wait_until(
                "typeof choice === 'object' && choice?.at[1] === 0 && !get('falling').hidden",
            );
            // A press of a board's button, as an event of the server brings it.
            driven.value("before = choice.at[0]");
            driven.value("events.dispatchEvent(new MessageEvent('press', {data: 'ArrowLeft'}))");
            driven.wait_until("choice.at[0] === before - 1");
            driven.click("turn");
            driven.wait_until("choice.at[1] === 1");
            driven.press_enter();
            driven.wait_until("shown.is_over && get('falling').hidden && get('back').hidden");
            driven.chromium.kill();
        }
    }
    browser.served.running.kill();
}
