//! Faults on the line, as clients see them.

use std::io;
use std::time::Duration;

use lockstep_board::{LineFaultCounts, Options};
use serialport::{SerialPort as _, TTYPort};

use crate::support::{BAUD, Client, faults, power, until};
use crate::terminal::{Served, try_open};

fn with(kinds: &[&str]) -> impl FnOnce(Options) -> Options {
    let faults = faults(kinds);
    move |options| Options { faults, ..options }
}

/// A client that reopens a lost port and repeats requests after a timeout.
struct Stubborn<'a> {
    served: &'a Served,
    client: Option<Client<TTYPort>>,
    reopened: u64,
}

impl<'a> Stubborn<'a> {
    fn new(served: &'a Served) -> Self {
        Self {
            served,
            client: None,
            reopened: 0,
        }
    }

    fn ask<T>(&mut self, mut ask: impl FnMut(&mut Client<TTYPort>) -> io::Result<T>) -> T {
        until(|| {
            let path = &self.served.path;
            if self.client.is_none() {
                let mut client = try_open(path, BAUD)?;
                // A reply may be lost.
                client.stream.set_timeout(Duration::from_millis(100)).ok()?;
                self.client = Some(client);
            }
            let answer = ask(self.client.as_mut()?);
            if let Err(error) = &answer
                && error.kind() != io::ErrorKind::TimedOut
            {
                // The board has hung up.
                self.client = None;
                self.reopened += 1;
            }
            answer.ok()
        })
    }
}

#[test]
fn fault_rebuild_board_returns_with_new_build_id() {
    let served = Served::start(with(&["rebuild=0.01"]));
    let designed = power().variant.build_id;
    let mut client = Stubborn::new(&served);
    let mut builds = vec![designed];
    while builds.len() < 3 {
        let build = client.ask(Client::info).build_id;
        if builds.last() != Some(&build) {
            builds.push(build);
        }
    }
    assert!(builds.is_sorted() && client.reopened > 0, "{builds:x?}");
    drop(client);
    let counts = served.stop().faults;
    assert!(
        counts.rebuild >= 2 && counts.bytes.hang_up == 0,
        "{counts:?}"
    );
}

#[test]
fn fault_reset_clears_statistics_and_keeps_port() {
    let served = Served::start(with(&["reset=0.01"]));
    let mut client = Stubborn::new(&served);
    let mut counts = vec![client.ask(Client::stats).frames_good];
    while !counts.windows(2).any(|two| two[1] < two[0]) {
        counts.push(client.ask(Client::stats).frames_good);
    }
    assert_eq!(client.reopened, 0, "the port stays");
    drop(client);
    assert!(served.stop().faults.reset > 0);
}

/// Each request is answered in the end.
#[test]
fn faults_of_every_kind_occur_and_are_counted() {
    let kinds = [
        "noise=0.01",
        "stall=0.003",
        "hang-up=0.003",
        "reset=0.003",
        "rebuild=0.003",
    ];
    let served = Served::start(with(&kinds));
    let mut client = Stubborn::new(&served);
    for _ in 0..60 {
        client.ask(Client::ping);
    }
    drop(client);
    let passed = served.stop();
    let names: Vec<_> = passed
        .faults
        .named()
        .iter()
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(
        names,
        [
            "flip", "drop", "double", "insert", "stall", "hang-up", "reset", "rebuild"
        ],
        "{passed:?}"
    );
}

#[test]
fn fault_clean_to_damages_bytes_only_above_rate() {
    let served = Served::start(with(&["clean-to=6000000"]));
    let mut client = Stubborn::new(&served);
    for _ in 0..20 {
        client.ask(Client::ping);
    }
    drop(client);
    assert_eq!(served.stop().faults, LineFaultCounts::default());

    let served = Served::start(with(&["clean-to=5999999"]));
    let mut client = Stubborn::new(&served);
    // Repeated until a frame passes undamaged.
    client.ask(Client::ping);
    drop(client);
    let dirty = served.stop().faults.dirty;
    assert!(dirty > 0);
}
