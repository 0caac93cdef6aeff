//! A match in which both seats have both implementations in software.

use std::collections::BTreeSet;
use std::io;

use lockstep::event::Seat;
use lockstep::report::Totals;
use lockstep::session::Start;
use lockstep::{Event, Header, Listeners, Session, Sink, Stop};
use lockstep_games::connect4::{Connect4, Setup};

use super::preset;
use crate::support::block_on;

/// The different outcomes of the games.
#[derive(Default)]
struct Outcomes(BTreeSet<String>);

impl Sink<Connect4> for Outcomes {
    fn take(&mut self, event: &Event<Connect4>) -> io::Result<()> {
        if let Event::GameEnded(ended) = event {
            self.0.insert(format!("{:?}", ended.outcome));
        }
        Ok(())
    }
}

#[test]
fn match_of_software_and_engine_agrees_over_30_games() {
    let seat = |name, depth, backends| Seat {
        controller: preset(name, depth),
        backends,
    };
    let seats = vec![
        seat("windows", 3, vec![0, 1]),
        seat("centre", 4, vec![1, 0]),
    ];
    let (mut totals, mut outcomes) = (Totals::default(), Outcomes::default());
    block_on(async {
        let registry = lockstep_backends::table::connect4();
        let mut backends = Vec::new();
        for name in ["software", "engine"] {
            let spec = registry.parse(name).expect("a backend's name");
            let opened = registry.open(&spec, 1).await;
            backends.push(opened.unwrap_or_else(|e| panic!("{name}: {e}")));
        }
        let mut session = Session::new(backends, Stop::never());
        session.take_seats(seats.clone()).await.expect("seated");
        let setup = Setup::standard(11);
        let mut header = Header::new(session.identities(), seats[0].controller.clone());
        (header.seats, header.setup) = (seats, Some(setup));
        let mut listeners = Listeners::new().with(&mut totals).with(&mut outcomes);
        let played = session.play(&header, &setup, Start::default(), 30, 42, &mut listeners);
        played.await.expect("played");
    });
    assert_eq!((totals.games, totals.diverged), (30, Some(0)));
    assert!(totals.decisions > 300, "{}", totals.decisions);
    assert_eq!(totals.agreed, Some(totals.decisions));
    let kinds = outcomes.0;
    assert!(kinds.len() > 1, "more than one seat wins: {kinds:?}");
}
