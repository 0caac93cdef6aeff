//! `challenge`: games of a person in the terminal and in a browser, and their statistics.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use super::pty::Terminal;
use super::running::{HANGS, Running};
use super::view::{Events, Served};
use super::*;

/// A backend that drops all its stones into column 6.
const COLUMN_6: &str = "--game connect4 --statistics {}/games --backend 'exec:sh {}/six'";
/// A backend that never answers.
const SILENT: &str = "--game connect4 --statistics {}/games --backend 'exec:sleep 1000'";

fn place() -> Place {
    let place = Place::new();
    let six = "while read -r position; do echo '{\"column\":6,\"value\":0}'; done";
    place.put("six", six);
    place
}

fn challenge(place: &Place, line: &str) -> Terminal {
    Terminal::start((24, 80), &place.words(&format!("challenge {line}")), &[])
}

/// Number of stones with that sign on the board, which is at the left.
fn stones(lines: &[String], sign: char) -> usize {
    let board = lines.iter().skip_while(|line| !line.contains('┌'));
    let rows = board.skip(1).take(6);
    let cells = rows.flat_map(|line| line.chars().skip(4).step_by(2).take(7));
    cells.filter(|cell| *cell == sign).count()
}

/// Plays until the person, who drops into column 3, has so many stones and has been answered.
fn drop_until(terminal: &mut Terminal, own: usize) {
    terminal.press("\r");
    terminal.wait_until(|lines| stones(lines, 'Y') == own && stones(lines, 'R') == own);
}

/// The signs of the marked cells on the screen.
fn marked(terminal: &Terminal) -> String {
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cells = cells.filter_map(|(row, column)| screen.cell(row, column));
    let marked = cells.filter(|cell| cell.inverse());
    marked.map(|cell| cell.contents().to_owned()).collect()
}

#[test]
fn challenge_in_terminal_is_won_and_counted() {
    let place = place();
    let mut terminal = challenge(&place, COLUMN_6);
    terminal.wait_for("connect4: you are yellow, red is exec:sh ");
    for own in 1..4 {
        drop_until(&mut terminal, own);
    }
    terminal.wait_for(" 3│ · · ·[y]· · · │");
    terminal.wait_for(" 0│ · · · Y · · R │");
    terminal.wait_for("  └─0─1─2─3─4─5─6─┘");
    assert_eq!(marked(&terminal), "R");
    terminal.wait_for("take your move back");
    terminal.press("\r");
    terminal.wait_for("You win");
    terminal.wait_for("you moved first: 1 won,");
    assert_eq!(marked(&terminal), "YYYY");
    terminal.wait_until(|lines| {
        !lines
            .iter()
            .any(|line| line.contains("take your move back"))
    });
    terminal.press("u");
    terminal.wait_for("the game is over and counted");
    // The next game is lost.
    terminal.press("2");
    terminal.wait_for("you are red, yellow is exec:");
    for (moved, aim) in ["\x1b[D", "\x1b[D", "\x1b[D"].iter().enumerate() {
        terminal.wait_until(|lines| stones(lines, 'Y') == moved + 1);
        terminal.press(&format!("{aim}\r"));
    }
    terminal.wait_for(" wins");
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(0));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(
        after,
        "you move  games  won  lost | first         1    1     0 | second        1    0     1",
    );
    let games = lines(&place.text("games"));
    let members_of = "/game connect4 | /controller windows:4 | /moves 7 | /takebacks 0 | /result";
    members(&games[0], &format!("{members_of} won | /moved_first true"));
    members(&games[1], "/result lost | /moved_first false | /advice 0");
}

#[test]
fn challenge_takes_back_and_counts_help_apart() {
    let place = place();
    let line = format!("{COLUMN_6} --advice software --record {{}}/game");
    let mut terminal = challenge(&place, &line);
    terminal.wait_for("a       advice of software");
    terminal.press("u");
    terminal.wait_for("you have not moved yet");
    drop_until(&mut terminal, 1);
    terminal.press("u");
    terminal.wait_until(|lines| stones(lines, 'Y') == 0 && stones(lines, 'R') == 0);
    terminal.press("a");
    terminal.wait_for("software advises the marked move");
    for own in 1..4 {
        drop_until(&mut terminal, own);
    }
    terminal.press("\r");
    terminal.wait_for("0 lost, 0 drawn, 1 with help");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    members(&lines(&place.text("games"))[0], "/takebacks 1 | /advice 1");
    // The record has the game without what was taken back, and a replay skips the person.
    let shown = place.ok("record show {}/game");
    has(&shown, "person: column 3 | exec:sh | game 1, move 7");
    has(&place.ok("record verify {}/game"), "7 decisions");
    let again = place.json(0, "replay {}/game --backend 'exec:sh {}/six'");
    members(&again, "/agreed 3 | /decisions 3 | /cut []");
}

/// The keys work although the backend never answers.
#[test]
fn challenge_quits_and_takes_back_while_backend_thinks() {
    let place = place();
    let mut terminal = challenge(&place, SILENT);
    terminal.wait_for("Your turn");
    terminal.press("\r");
    terminal.wait_for("exec:sleep 1000 is thinking (1 s)");
    terminal.press("u");
    terminal.wait_for("Your turn");
    terminal.press("\r");
    terminal.wait_for(" is thinking");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    // A signal ends it as any command, and gives the terminal back.
    for name in ["INT", "QUIT"] {
        let mut terminal = challenge(&place, &format!("{SILENT} --second"));
        terminal.wait_for(" is thinking");
        terminal.signal(name);
        let (status, text) = terminal.end();
        assert!(
            status == Some(130) && text.contains("\x1b[?1049l"),
            "{name}"
        );
    }
    assert_eq!(place.names(), ["six"]);
}

#[test]
fn challenge_leaves_game_in_progress_only_when_confirmed() {
    let place = place();
    let mut terminal = challenge(&place, COLUMN_6);
    terminal.wait_for("Your turn");
    drop_until(&mut terminal, 1);
    terminal.press("1");
    terminal.wait_for("1 again leaves it");
    terminal.press("q");
    terminal.wait_for("q again leaves it");
    terminal.press("?");
    terminal.wait_for("a stone falls to the lowest empty cell");
    terminal.press("qq");
    terminal.wait_for("q again leaves it");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
}

#[test]
fn challenge_backend_error_ends_with_message() {
    let place = place();
    let line = "--game connect4 --statistics {}/games --backend exec:false";
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn");
    terminal.press("\r");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(2));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(after, "error: | the program ended");
    // It plays a column that does not exist.
    place.put("nine", place.text("six").replace('6', "9"));
    let mut terminal = challenge(&place, &line.replace("exec:false", "'exec:sh {}/nine'"));
    terminal.wait_for("Your turn");
    terminal.press("\r");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(2));
    has(
        &text,
        "game 1, move 2: the rules forbid the decision of exec:",
    );
}

/// The person sees the result, and the error comes at the end.
#[test]
fn challenge_unwritable_result_is_shown_and_reported() {
    let place = place();
    let line = "--backend software --statistics {}/games --max-pieces 1";
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn");
    std::fs::create_dir(place.file("games")).expect("a folder in its place");
    terminal.press("\r");
    terminal.wait_for("A draw: 0 lines to 0");
    terminal.wait_for("the result is not");
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status, Some(2));
    let (_, after) = text.split_once("\x1b[?1049l").expect("the screen before");
    has(after, "tetris | --statistics | directory");
}

/// Every game, on terminals that are too small, without colours.
#[test]
fn challenge_shows_every_game_on_any_terminal() {
    for (size, line, shown) in [
        (
            (24, 80),
            "--second --max-pieces 1",
            "Your turn: piece 1 of 1",
        ),
        ((24, 80), "--game gomoku --second --depth 2", "arrows  aim"),
        ((24, 80), "--game gomoku", "14│ · · ·"),
        ((24, 20), "--game connect4", "Your turn"),
        (
            (24, 80),
            "--game connect4 --second --depth 2",
            "drop your stone",
        ),
        ((9, 30), "--game gomoku", "┌gomoku"),
        ((2, 5), "", "tetri"),
        ((1, 1), "", "t"),
    ] {
        let line = format!("challenge --backend engine --statistics {{}}/games {line}");
        let place = Place::new();
        let words = place.words(&line);
        let mut terminal = Terminal::start(size, &words, &[("NO_COLOR", "1")]);
        terminal.wait_for(shown);
        terminal.press("\x03");
        let (status, text) = terminal.end();
        assert_eq!(status, Some(0), "{line}");
        assert!(!text.contains("\x1b[38;5;"), "{line}");
    }
}

/// Both boards, rotating, and lines at the end.
#[test]
fn challenge_in_tetris_compares_lines() {
    let place = place();
    let line = "--backend software --statistics {}/games --seed 3 --max-pieces 2";
    let line = &format!("{line} --record {{}}/game");
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn: piece 1 of 2");
    terminal.wait_for("┌you: 0 lines──");
    terminal.wait_for("┌opponent: 0 lines─");
    let before = terminal.wait_until(|lines| lines.iter().any(|line| line.contains("next ")));
    let all = before.join(" ");
    let (_, next) = all.split_once("next ").expect("the next piece");
    let next = next[..1].to_lowercase();
    terminal.press("\x1b[A");
    terminal.wait_until(|lines| lines[2..23] != before[2..23]);
    terminal.press("\r");
    terminal.wait_for("Your turn: piece 2 of 2");
    terminal.wait_for(&format!("[{next}"));
    terminal.press(" ");
    terminal.wait_for("A draw: 0 lines to 0");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    let game = &lines(&place.text("games"))[0];
    members(
        game,
        "/game tetris | /result drawn | /moves 4 | /scores/0 0 | /scores/1 0",
    );
    place.ok("record verify {}/game");
    let again = place.json(0, "replay {}/game --backend engine");
    members(&again, "/agreed 2 | /decisions 2");
}

/// The buttons of the opponent's board press keys.
#[test]
fn challenge_takes_presses_of_boards_buttons() {
    let place = place();
    let mut served = place.start("serve --pty {}/board --board nexys4 --buttons");
    let mut buttons = served.input.take().expect("piped");
    served.wait_for("board");
    let line = "--backend serial:{}/board --statistics {}/games --max-pieces 1";
    let mut terminal = challenge(&place, line);
    terminal.wait_for("Your turn: piece 1 of 1");
    let mut before = terminal.wait_until(|lines| lines.iter().any(|line| line.contains('[')));
    for name in ["left", "up", "right"] {
        writeln!(buttons, "{name}").expect("pressed");
        let seen = terminal.wait_until(|lines| lines[2..23] != before[2..23]);
        before = seen;
    }
    writeln!(buttons, "centre").expect("pressed");
    terminal.wait_for("A draw: 0 lines to 0");
    terminal.press("q");
    assert_eq!(terminal.end().0, Some(0));
    served.kill();
}

#[test]
fn challenge_wrong_use_is_refused() {
    let place = place();
    place.put("record", text("fixtures/records/lowest.jsonl"));
    place.refuses_after(
        "challenge",
        "
        --second => not a terminal | --view 8080
        --record {}/record => --record | record: the file exists; name another one
        --record {}/games --statistics {}/games => name the same file
        --statistics {}/record => --statistics | record: line 1 is not a game of | name another file
        --statistics {}/nowhere/games => there is no folder
        --controller led-tetris --view 0 => own rules | --rules common
        --backend nonsense => no backend is called
        --game gomoku --view 192.0.2.1:0 => --view 192.0.2.1:0 | 127.0.0.1
    ",
    );
    let shown = place.ok("challenge --show --statistics {}/none");
    has(&shown, "no finished games in ");
}

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

    /// Drops a stone into a column when so many moves are played.
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
        let profile = format!("--user-data-dir={}", place.file("profile"));
        let chromium = Command::new("chromium")
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", &profile])
            .args(["--dump-dom", &page])
            .output();
        match chromium {
            Err(error) => eprintln!("skipped, as chromium does not run: {error}"),
            Ok(output) => has(&stdout(&output), parts),
        }
    }
    browser.served.running.kill();
}

/// A page in Chromium, which is driven through its debugging pipe.
struct Driven {
    chromium: Running,
    requests: File,
    replies: BufReader<File>,
    session: Value,
}

impl Driven {
    /// `None` if Chromium does not run.
    fn open(place: &Place, url: &str) -> Option<Self> {
        let [requests, replies] = ["requests", "replies"].map(|name| place.file(name));
        let made = Command::new("mkfifo").args([&requests, &replies]).status();
        assert!(made.expect("mkfifo runs").success());
        let script = "exec chromium --headless=new --no-sandbox --disable-gpu \
                      --remote-debugging-pipe \"$0\" \"$1\" 3<\"$2\" 4>\"$3\"";
        let profile = format!("--user-data-dir={}", place.file("driven"));
        let mut shell = Command::new("sh");
        let chromium =
            Running::spawn(shell.args(["-c", script, &profile, url, &requests, &replies]));
        let mut driven = Self {
            chromium,
            requests: File::options().write(true).open(requests).expect("opened"),
            replies: BufReader::new(File::open(replies).expect("opened")),
            session: Value::Null,
        };
        loop {
            let targets = driven.ask("Target.getTargets", json!({}))?;
            let mut targets = targets["targetInfos"].as_array().expect("targets").iter();
            if let Some(page) = targets.find(|target| target["type"] == "page") {
                let page = json!({"targetId": page["targetId"], "flatten": true});
                driven.session = driven.ask("Target.attachToTarget", page)?["sessionId"].take();
                return Some(driven);
            }
        }
    }

    /// The result of a request; `None` if Chromium has ended.
    fn ask(&mut self, method: &str, params: Value) -> Option<Value> {
        let mut request = json!({"id": 1, "method": method, "params": params});
        if !self.session.is_null() {
            request["sessionId"] = self.session.clone();
        }
        let request = format!("{request}\0");
        self.requests.write_all(request.as_bytes()).ok()?;
        loop {
            let mut reply = Vec::new();
            self.replies.read_until(0, &mut reply).expect("read");
            let mut reply = json(std::str::from_utf8(reply.strip_suffix(&[0])?).expect("text"));
            if reply["id"] == 1 {
                return Some(reply["result"].take());
            }
        }
    }

    /// The value of an expression on the page.
    fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let mut result = self.ask("Runtime.evaluate", params).expect("a result");
        result["result"]["value"].take()
    }

    /// Waits until a condition holds on the page.
    fn wait_until(&mut self, condition: &str) {
        let begun = Instant::now();
        while self.value(condition) != true {
            assert!(begun.elapsed() < HANGS, "{condition}");
        }
    }

    /// Presses a button with the mouse.
    fn click(&mut self, id: &str) {
        let box_of = format!("JSON.stringify(get('{id}').getBoundingClientRect())");
        let place = json(self.value(&box_of).as_str().expect("JSON"));
        let at = |start: &str, size: &str| {
            place[start]
                .as_f64()
                .zip(place[size].as_f64())
                .map(|(start, size)| start + size / 2.0)
        };
        let (x, y) = (at("x", "width"), at("y", "height"));
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", params).expect("done");
        }
    }

    fn press_enter(&mut self) {
        for kind in ["keyDown", "keyUp"] {
            let params =
                json!({"type": kind, "key": "Enter", "text": "\r", "windowsVirtualKeyCode": 13});
            self.ask("Input.dispatchKeyEvent", params).expect("done");
        }
    }
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
        None => eprintln!("skipped, as chromium does not run"),
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
