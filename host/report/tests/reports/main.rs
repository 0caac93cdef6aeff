//! The reports of a session: no text in it can break the page, the test results or the annotations.

mod page;
mod results;
mod why;

use std::path::Path;

use lockstep::backend::{Identity, Kind};
use lockstep::compare::compare;
use lockstep::report::{Tally, Totals};
use lockstep::{Answer, Event, Header, Round, Sink};
use lockstep_games::Golden as _;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::{Controller, Piece, Placement, Position, Score, Tetris};
use lockstep_report::html::{self, About};
use lockstep_report::{SessionReport, junit};

/// Names that do harm if they are not escaped.
const FILE: &str = "a,b:c%<script>alert(1)</script>\"'&\n::error::no.jsonl";
const BACKEND: &str = "sim:fault=<b>|*_`]&amp;\u{1}";

fn identity(name: &str, kind: Kind) -> Identity {
    Identity {
        name: name.into(),
        kind,
        description: "a <stand-in> & more".into(),
        capabilities: Tetris::capabilities(None),
        core: None,
    }
}

fn placement(column: usize) -> Option<Placement> {
    Some(Placement {
        rotation: 0,
        column,
        row: 0,
        rows_cleared: 0,
        score: Score::default(),
    })
}

/// A decision on a piece; the second backend puts it into `column`.
fn round(line: u64, piece: Piece, column: usize) -> Round<Tetris> {
    let answer = |column, cycles| Answer {
        cycles,
        ..Answer::plain(placement(column))
    };
    let answers = vec![answer(0, None), answer(column, Some(100 + line))];
    let recorded = placement(0);
    Round {
        game: 2,
        step: line,
        line: Some(line),
        position: Position {
            board: Board::new(10, 20),
            piece,
            next: None,
        },
        took: Vec::new(),
        mismatches: compare(&recorded, &[0, 1], &answers),
        recorded: Some(recorded),
        asked: vec![0, 1],
        answers,
        score: None,
        outcome: None,
    }
}

/// The sums of these rounds.
fn summed(rounds: impl IntoIterator<Item = Round<Tetris>>) -> (Totals, Tally<Tetris>) {
    let controller = Controller::load("dt-20").expect("built in");
    let backends = vec![
        identity("software", Kind::Golden),
        identity(BACKEND, Kind::Simulated),
        identity("third", Kind::Simulated),
        identity("fourth", Kind::Simulated),
    ];
    let mut rounds = rounds.into_iter().peekable();
    let count = rounds.peek().map_or(0, |round| round.answers.len());
    let backends = backends.into_iter().take(count).collect();
    let started = Event::Started(Header::new(backends, controller));
    let ended = Event::Ended {
        interrupted: false,
        error: None,
        links: vec![None, None],
    };
    let rounds = rounds.map(Event::Decided);
    let (mut totals, mut tally) = (Totals::default(), Tally::default());
    tally.next_record(FILE);
    for event in [started].into_iter().chain(rounds).chain([ended]) {
        totals.take(&event).expect("counted");
        tally.take(&event).expect("counted");
    }
    (totals, tally)
}

fn report<'a>(totals: &Totals, tally: &'a Tally<Tetris>) -> SessionReport<'a, Tetris> {
    SessionReport {
        command: "replay",
        controllers: vec!["dt-<20>".into()],
        totals: totals.clone(),
        tally,
        records: &[],
        apart: None,
        explained: None,
    }
}

fn html_of(report: &SessionReport<'_, Tetris>) -> String {
    let about = About {
        page: Path::new("out/page.html"),
        call: "lockstep replay '<x>'",
        version: "lockstep 0",
        at: "2026-01-01 00:00 UTC",
    };
    html::html(report, &about)
}

/// The test results of a report, as text and read back.
fn written(report: &SessionReport<'_, Tetris>) -> (String, quick_junit::Report) {
    let text = junit::junit(report).expect("written");
    let read = quick_junit::Report::deserialize_from_str(&text).expect("read");
    (text, read)
}

/// Thirty decisions; those on a T differ.
fn diverged() -> (Totals, Tally<Tetris>) {
    let piece = |line| if line % 3 == 0 { Piece::T } else { Piece::O };
    let column = |line| if line % 3 == 0 { 5 } else { 0 };
    summed((2..32).map(|line| round(line, piece(line), column(line))))
}
