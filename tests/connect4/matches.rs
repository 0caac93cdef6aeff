//! Matches of two seats, in one process.

use std::fs;
use std::path::Path;

use lockstep::event::Seat;
use lockstep::record::{Ending, Follow, Head, Origin, Reader, ResumePlan, Resumed};
use lockstep::report::Totals;
use lockstep::{Backend, Event, Header, Listeners, Session, Sink as _, Stop};
use lockstep_games::connect4::{Connect4, Setup};

use super::preset;
use crate::support::block_on;

async fn opened(names: &[&str]) -> Vec<Box<dyn Backend<Connect4>>> {
    let openers = lockstep_lab::backends::connect4();
    let mut backends = Vec::new();
    for name in names {
        let spec = openers.parse(name).expect("a backend's name");
        let opened = openers.open(&spec, 1).await;
        backends.push(opened.unwrap_or_else(|e| panic!("{name}: {e}")));
    }
    backends
}

/// Seats by controller, depth and indices of backends.
type Seats = [(&'static str, u64, &'static [usize]); 2];

/// Plays games on `software` and `engine` into a record, or goes on with it.
fn play(path: &Path, seats: Seats, games: u64) -> (Totals, Vec<String>) {
    let seats = seats.map(|(name, depth, backends)| Seat {
        controller: preset(name, depth),
        backends: backends.to_vec(),
    });
    block_on(async {
        let mut session = Session::new(opened(&["software", "engine"]).await, Stop::never());
        session.take_seats(seats.to_vec()).await.expect("seated");
        let setup = Setup::standard(11);
        let header = Header {
            backends: session.identities(),
            controller: seats[0].controller.clone(),
            seats: seats.to_vec(),
            setup: Some(setup),
            planned: None,
            move_time: None,
        };
        let wanted = ResumePlan {
            head: Head::of(&header, Origin::default(), Default::default()),
            games,
            max_moves: 42,
        };
        let mut totals = Totals::default();
        let mut outcomes = Vec::new();
        let mut tell = |event: &Event<Connect4>| {
            if let Event::GameEnded(ended) = event {
                outcomes.push(format!("{:?}", ended.outcome));
            }
        };
        let started = Event::Started(header.clone());
        totals.take(&started).expect("counted");
        let mut past = |event| {
            totals.take(&event).expect("counted");
            tell(&event);
        };
        let resumed = Resumed::open(path, &wanted, |_| Ok(()), &mut past, &Stop::never());
        let resumed = resumed.unwrap_or_else(|e| panic!("{e}"));
        let recorder = resumed.recorder.expect("more is to be played");
        let mut rest = Totals::default();
        let mut heard = Outcomes(&mut tell);
        let listeners = Listeners::new().with(&mut rest).with(&mut heard);
        let mut listeners = listeners.on_thread("record", recorder).expect("a thread");
        let played = session.play_on(&header, &setup, resumed.start, games, 42, &mut listeners);
        played.await.expect("played");
        drop(listeners);
        totals.merge(rest);
        (totals, outcomes)
    })
}

struct Outcomes<'a>(&'a mut dyn FnMut(&Event<Connect4>));

impl lockstep::Sink<Connect4> for Outcomes<'_> {
    fn take(&mut self, event: &Event<Connect4>) -> std::io::Result<()> {
        (self.0)(event);
        Ok(())
    }
}

const MATCH: Seats = [("windows", 3, &[0]), ("flat", 2, &[1])];

#[test]
fn match_of_two_seats_is_recorded_verified_and_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("match.jsonl");
    let (totals, outcomes) = play(&path, MATCH, 4);
    assert_eq!((totals.games, outcomes.len()), (4, 4));
    assert!(
        outcomes.iter().all(|outcome| outcome != "None"),
        "{outcomes:?}"
    );

    let mut reader = Reader::<Connect4>::open(&path, &Stop::never()).expect("a record");
    let head = reader.head().clone();
    let seats = head.seats.iter();
    let seats: Vec<_> = seats
        .map(|s| (s.seat.as_str(), s.controller.depth, &*s.backends))
        .collect();
    assert_eq!(seats, [("yellow", 3, &[0][..]), ("red", 2, &[1][..])]);
    let mut follow = Follow::new(&head);
    let mut ends = 0;
    for entry in reader.by_ref() {
        let entry = entry.expect("a decision");
        follow.entry(&entry).unwrap_or_else(|e| panic!("{e}"));
        // The engine promises its nodes, the golden model its depth alone.
        let red = entry.seat.as_deref() == Some("red");
        let noted = entry.notes.values().next().map(|notes| notes.len());
        assert_eq!(noted, Some(if red { 2 } else { 1 }));
        ends += u64::from(entry.outcome.is_some());
    }
    assert_eq!((reader.ending(), ends), (Ending::Complete, 4));

    // Cut within a line of the third game: what is played anew is what was there.
    let whole = fs::read_to_string(&path).expect("text");
    let third = whole.find(r#"{"game":3,"move":5"#).expect("a fifth move");
    fs::write(&path, &whole[..third + 30]).expect("written");
    let (resumed, again) = play(&path, MATCH, 4);
    assert_eq!(fs::read_to_string(&path).expect("text"), whole);
    assert_eq!(again, outcomes);
    let numbers = |totals: &Totals| serde_json::to_value(totals).expect("JSON");
    assert_eq!(numbers(&resumed), numbers(&totals));

    // An outcome that the rules do not bring about is found.
    let won = ["yellow", "red", "draw"].map(|name| format!(r#""outcome":"{name}""#));
    let [last, other] = match won.iter().position(|won| whole.contains(won)) {
        Some(index) => [&won[index], &won[(index + 1) % 3]],
        None => panic!("no outcome"),
    };
    fs::write(&path, whole.replacen(last, other, 1)).expect("written");
    let mut follow = Follow::new(&head);
    let mut reader = Reader::<Connect4>::open(&path, &Stop::never()).expect("a record");
    let wrong = reader.find_map(|entry| follow.entry(&entry.expect("a decision")).err());
    assert!(wrong.is_some_and(|why| why.contains("by the rules the outcome is")));
}

#[test]
fn both_seats_on_both_backends_agree_over_30_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("both.jsonl");
    let both: Seats = [("windows", 3, &[0, 1]), ("centre", 4, &[1, 0])];
    let (totals, outcomes) = play(&path, both, 30);
    assert_eq!((totals.games, totals.diverged), (30, Some(0)));
    assert!(totals.decisions > 300, "{}", totals.decisions);
    assert_eq!(totals.agreed, Some(totals.decisions));
    let mut kinds = outcomes;
    kinds.sort();
    kinds.dedup();
    assert!(kinds.len() > 1, "more than one seat wins: {kinds:?}");
}
