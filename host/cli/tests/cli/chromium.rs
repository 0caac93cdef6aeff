//! Pages in headless Chromium, where it is installed.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use super::running::{HANGS, Running};
use super::*;

const OPTIONS: [&str; 3] = ["--headless=new", "--no-sandbox", "--disable-gpu"];

/// A page once it is loaded; `None` if Chromium does not run, so that a test skips it.
pub fn dom(place: &Place, arguments: &[&str]) -> Option<String> {
    let profile = format!("--user-data-dir={}", place.file("profile"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec chromium \"$@\" --dump-dom", "sh"]);
    shell.args(OPTIONS).arg(profile).args(arguments);
    match Running::spawn(&mut shell).end() {
        (Some(127), _, error) => {
            eprintln!("skipped, as chromium does not run: {error}");
            None
        }
        (_, dom, _) => Some(dom),
    }
}

/// A page in Chromium, which is driven through its debugging pipe.
pub struct Driven {
    pub chromium: Running,
    requests: File,
    replies: BufReader<File>,
    session: Value,
}

impl Driven {
    /// `None` if Chromium does not run.
    pub fn open(place: &Place, url: &str) -> Option<Self> {
        let [requests, replies] = ["requests", "replies"].map(|name| place.file(name));
        let made = Command::new("mkfifo").args([&requests, &replies]).status();
        assert!(made.expect("mkfifo runs").success());
        let script = format!(
            "exec chromium {} --remote-debugging-pipe \"$0\" \"$1\" 3<\"$2\" 4>\"$3\"",
            OPTIONS.join(" ")
        );
        let profile = format!("--user-data-dir={}", place.file("driven"));
        let mut shell = Command::new("sh");
        let chromium =
            Running::spawn(shell.args(["-c", &script, &profile, url, &requests, &replies]));
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
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let mut result = self.ask("Runtime.evaluate", params).expect("a result");
        result["result"]["value"].take()
    }

    /// Waits until a condition holds on the page.
    pub fn wait_until(&mut self, condition: &str) {
        let begun = Instant::now();
        while self.value(condition) != true {
            assert!(begun.elapsed() < HANGS, "{condition}");
        }
    }

    /// Presses a button with the mouse.
    pub fn click(&mut self, id: &str) {
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

    pub fn press_enter(&mut self) {
        for kind in ["keyDown", "keyUp"] {
            let params =
                json!({"type": kind, "key": "Enter", "text": "\r", "windowsVirtualKeyCode": 13});
            self.ask("Input.dispatchKeyEvent", params).expect("done");
        }
    }
}
