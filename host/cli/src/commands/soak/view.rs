//! The result of a soak as text.

use std::fmt::Write as _;

use indicatif::HumanCount;
use lockstep::compare::Deviation;
use lockstep::report::text::side_by_side;
use lockstep_backends::soak::{Finding, Recurrence, SoakState, WrongDecision};
use lockstep_games::tetris::{Move, Placement, Position, Score, Tetris, golden};
use lockstep_games::{Draw as _, Game as _};

use crate::output::{BAD, DECISIONS, GAMES, count, width};

/// The progress in two lines.
pub fn summary(place: &SoakState, compared: u64, seconds: f64) -> String {
    let sums = &place.sums;
    let rate = HumanCount((compared as f64 / seconds.max(1e-9)) as u64);
    let mut all = vec![
        count(sums.pieces, Tetris::WORDS.step),
        format!("{} lost", count(sums.games, GAMES)),
        count(sums.rows_cleared, Tetris::WORDS.score),
    ];
    all.extend(sums.score.map(|score| format!("score {}", Score(score))));
    let cycles = sums.cycles.map(HumanCount);
    all.extend(cycles.map(|cycles| format!("{cycles} clock cycles")));
    all.push(format!("signature {:016x}", sums.signature));
    format!(
        "{} compared and agreed in {seconds:.1} s, {rate} a second\n{}\n",
        count(compared, DECISIONS),
        all.join(", ")
    )
}

/// The divergence: its fields, its range of pieces, and the first wrong decision, if it was found.
pub fn divergence(finding: &Finding, backend: &str) -> String {
    let (from, to) = (HumanCount(finding.from), HumanCount(finding.to));
    let mut text = format!(
        "\n{BAD}DIVERGENCE{BAD:#} between piece {from} and {to}: {}\n",
        fields(&finding.differs)
    );
    if let Some(isolated) = &finding.decision {
        text += &decision(isolated, backend);
    }
    let recurs = match finding.shown {
        Recurrence::Never => "does not recur",
        Recurrence::Again | Recurrence::Decision => "recurs",
    };
    for piece in finding.tried.iter().map(|piece| HumanCount(*piece)) {
        let _ = writeln!(text, "it {recurs} if play starts at piece {piece}");
    }
    match &finding.unfinished {
        Some(why) => text += &format!("the search ended early: {why}\n"),
        None if finding.shown == Recurrence::Again => {
            text += "a search for the first wrong decision would take too long\n";
        }
        None => {}
    }
    text + "\n"
}

fn fields(differs: &[Deviation]) -> String {
    let fields = differs.iter().map(|d| d.difference.to_string());
    fields.collect::<Vec<_>>().join("; ")
}

fn decision(isolated: &WrongDecision, backend: &str) -> String {
    let WrongDecision {
        position,
        expected,
        played,
        mismatches,
        ..
    } = isolated;
    let (number, piece) = (HumanCount(isolated.number), position.piece.letter());
    let own = expected.map(|p| Move {
        rotation: p.rotation,
        column: p.column,
    });
    let drawn = match played.filter(|played| *played != own) {
        Some(moved) => Some(moved.and_then(|moved| placement(position, moved))),
        None => (!mismatches.is_empty()).then_some(isolated.asked_alone),
    };
    let mut pictures = vec![("expected", Tetris::picture(position, Some(expected)))];
    if let Some(drawn) = &drawn {
        pictures.push((backend, Tetris::picture(position, Some(drawn))));
    }
    let words = |played: &Option<Move>| match played {
        Some(Move { rotation, column }) => format!("rotation {rotation}, column {column}"),
        None => "no placement".to_owned(),
    };
    let got = match played {
        Some(played) => words(played),
        None => "a move that its signature does not determine".into(),
    };
    let mut text = format!(
        "first wrong decision: {number}, piece {piece}\n{}\nexpected {}, got {got}; {}\n",
        side_by_side(&pictures, width()),
        words(&own),
        fields(&isolated.differs)
    );
    for m in mismatches {
        let _ = writeln!(text, "for this position alone, its {}", m.difference);
    }
    if let Some(found) = &isolated.candidate {
        let place = found.candidate.map(|n| format!(", placement {n}"));
        let (place, difference) = (place.unwrap_or_default(), &found.difference);
        let _ = writeln!(
            text,
            "the first candidate that differs{place}: {difference}"
        );
    }
    match &isolated.asked_alone_error {
        Some(why) => text += &format!("for this position alone, it fails: {why}\n"),
        None if mismatches.is_empty() => {
            text += "for this position alone, its decision is right\n";
        }
        None => {}
    }
    if !isolated.alone {
        text += "it depends on earlier moves\n";
    }
    text
}

fn placement(position: &Position, played: Move) -> Option<Placement> {
    let mut all = golden::placements(&position.board, position.piece);
    let found = all.find(|c| (c.rotation, c.column) == (played.rotation, played.column));
    found.map(|candidate| Placement::of(&candidate, Score(0)))
}
