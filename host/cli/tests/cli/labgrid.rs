//! Boards that several people share: places of labgrid, and TCP ports.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use super::*;
use crate::running::{HANGS, Running};

/// A stand-in for labgrid's client, which keeps the holder of the one place in a file.
/// `make cluster` tries the real one.
const CLIENT: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
fail() { echo "labgrid-client: Error: $1" >&2; exit 1; }
[ "$1 $2" = "-p demo" ] || fail "place pattern $2 matches nothing"
case $3 in
acquire) set -C; echo "$LG_HOSTNAME/$LG_USERNAME" 2>/dev/null >held || {
    fail "Place demo is already acquired by $(cat held). To work simultaneously, ask"; } ;;
show) printf "  {'cls': 'NetworkSerialPort',\n 'params': {'host': '127.0.0.1',\n"
    printf " 'port': %s,\n 'protocol': 'raw'}}\n" "$(cat port)" ;;
release-from) [ "$(cat held)" = "$4" ] && rm held ;;
esac
"#;

/// A virtual board, and the stand-in that exports it.
struct Lab {
    place: Place,
    port: String,
    board: Running,
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.board.signal("KILL");
    }
}

impl Lab {
    fn new() -> Self {
        let place = Place::new();
        let mut board = place.start("serve --listen 127.0.0.1:0 -q");
        let address = board.next_line();
        let (_, port) = address.rsplit_once(':').expect("an address");
        place.put("port", port);
        let client = place.put("labgrid-client", CLIENT);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(client, mode).expect("executable");
        Self {
            port: port.into(),
            place,
            board,
        }
    }

    fn play(&self, user: &str, more: &str) -> std::process::Command {
        let mut command = self.place.command(&format!(
            "play --backend software --no-explain --controller lowest {more}"
        ));
        let path = std::env::var("PATH").expect("a path");
        command.env("PATH", format!("{}:{path}", self.place.file("")));
        command.env("LG_HOSTNAME", "desk").env("LG_USERNAME", user);
        command
    }

    fn holder(&self) -> Option<String> {
        std::fs::read_to_string(self.place.file("held")).ok()
    }

    fn wait(&self, what: &str, holds: impl Fn(Option<String>) -> bool) {
        let begun = Instant::now();
        while !holds(self.holder()) {
            assert!(begun.elapsed() < HANGS, "{what}: {:?}", self.holder());
            std::thread::yield_now();
        }
    }
}

#[test]
fn labgrid_place_is_acquired_and_released() {
    let lab = Lab::new();
    let short = "--backend labgrid:demo --max-pieces 5";
    let output = lab.play("anna", short).output().expect("it runs");
    has(&ended(0, &output), "5 agreed | labgrid:demo");
    assert_eq!(lab.holder(), None);

    let long = "--backend labgrid:demo --games 100000";
    let first = Running::spawn(&mut lab.play("anna", long));
    let has_it = |user: &'static str| {
        move |holder: Option<String>| holder.is_some_and(|holder| holder.contains(user))
    };
    lab.wait("acquired", has_it("desk/anna-"));
    let output = lab.play("bert", short).output().expect("it runs");
    refused(
        &output,
        &["labgrid:demo", "in use by desk/anna-", "wait=SECONDS"],
    );
    let mut queued = Running::spawn(&mut lab.play(
        "bert",
        &format!("{long} -v").replace("demo", "demo,wait=60"),
    ));
    while !queued.error_line().contains("waiting for labgrid:demo") {}
    // The killed run's place goes to the one that waits.
    first.kill();
    lab.wait("passed on", has_it("desk/bert-"));
    queued.interrupted();
    assert_eq!(lab.holder(), None, "released at the end");
}

#[test]
fn labgrid_wrong_use_is_refused() {
    let lab = Lab::new();
    for (place, named) in [
        ("nowhere", "matches nothing"),
        ("demo,wait=soon", "whole number of seconds"),
    ] {
        let output = lab
            .play("anna", &format!("--backend labgrid:{place}"))
            .output();
        refused(&output.expect("it runs"), &["labgrid", named]);
    }
    lab.place
        .refuses("play --backend labgrid:demo => labgrid-client is not on the PATH | pip install");
}

#[test]
fn tcp_board_names_its_client_and_queues() {
    let lab = Lab::new();
    let board = format!("--backend tcp:127.0.0.1:{}", lab.port);
    let mut first = Running::spawn(&mut lab.play("anna", &format!("{board} --games 100000")));
    first.wait_for("game 1 of");
    let output = lab
        .play("bert", &format!("{board} --max-pieces 5"))
        .output();
    refused(&output.expect("it runs"), &["in use by 127.0.0.1:"]);
    let waiting = format!("{board},wait=60 --max-pieces 5");
    let mut queued = Running::spawn(&mut lab.play("bert", &waiting));
    while !queued.error_line().contains("in use by 127.0.0.1:") {}
    first.kill();
    let (status, text, error) = queued.end();
    assert_eq!(status, Some(0), "{error}");
    has(&text, "5 agreed");
}
