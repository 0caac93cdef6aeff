//! The result of a soak as text.

use std::fmt::Write as _;

use indicatif::HumanCount;
use lockstep::compare::Deviation;
use lockstep::report::text::side_by_side;
use lockstep_backends::soak::{Finding, Recurrence, SoakState, WrongDecision};
use lockstep_games::tetris::{Move, Placement, Position, Score, Tetris, golden};
use lockstep_games::{Draw as _, Game as _};

use crate::output::numbers::Short;
use crate::output::{BAD, DECISIONS, GAMES, count, width};

/// The progress in two lines.
pub fn summary(place: &SoakState, compared: u64, seconds: f64) -> String {
    let sums = &place.sums;
    let decisions = count(compared, DECISIONS);
    let rate = Short(compared as f64 / seconds.max(1e-9));
    let all = count(sums.pieces, Tetris::WORDS.step);
    let (games, lines) = (count(sums.games, GAMES), HumanCount(sums.rows_cleared));
    let lost = format!("{games} lost, {lines} {}", Tetris::WORDS.score.many);
    let score = sums
        .score
        .map_or(String::new(), |score| format!(", score {}", Score(score)));
    let cycles = sums.cycles.map_or(String::new(), |cycles| {
        format!(", {} clock cycles", HumanCount(cycles))
    });
    format!(
        "{decisions} compared and agreed in {seconds:.1} s, {rate} a second\n\
         {all}, {lost}{score}{cycles}, signature {:016x}\n",
        sums.signature
    )
}

/// The divergence: its fields, its range of pieces, and the first wrong decision, if it was found.
pub fn divergence(finding: &Finding, backend: &str) -> String {
    let (from, to) = (HumanCount(finding.from), HumanCount(finding.to));
    let mut text = format!("\n{BAD}DIVERGENCE{BAD:#} between piece {from} and {to}: ");
    text += &fields(&finding.differs);
    let tried: Vec<_> = finding
        .tried
        .iter()
        .map(|n| HumanCount(*n).to_string())
        .collect();
    let tried = tried.join(", ");
    let again = format!("it recurs if play starts at piece {tried}");
    match (&finding.decision, finding.shown) {
        (Some(isolated), _) => text += &decision(isolated, backend, &tried),
        (None, Recurrence::Never) if tried.is_empty() => {}
        (None, Recurrence::Never) => {
            let _ = writeln!(
                text,
                "it does not recur if play starts at piece {tried}: it depends on earlier moves, \
                 or on chance"
            );
        }
        (None, _) if finding.unfinished.is_some() => text += &(again + "\n"),
        (None, _) => {
            text += &again;
            text += "; a search for the first wrong decision from there would take too long\n";
        }
    }
    if let Some(why) = &finding.unfinished {
        let _ = writeln!(text, "the search ended early: {why}");
    }
    text + "\n"
}

/// The fields that differ, in one line.
fn fields(differs: &[Deviation]) -> String {
    let fields = differs.iter().map(|d| d.difference.to_string());
    let fields: Vec<_> = fields.collect();
    fields.join("; ") + "\n"
}

/// The first wrong decision; `begin` is the state from which it recurs.
fn decision(isolated: &WrongDecision, backend: &str, begin: &str) -> String {
    let WrongDecision {
        number,
        position,
        expected,
        played,
        mismatches,
        ..
    } = isolated;
    let (number, piece) = (HumanCount(*number), position.piece.letter());
    let own = expected.map(|p| Move {
        rotation: p.rotation,
        column: p.column,
    });
    let mut text = match played {
        Some(played) if *played == own => {
            format!("first decision with wrong results: {number}, piece {piece}\n")
        }
        _ => format!("first wrong decision: {number}, piece {piece}\n"),
    };
    let moved = played.filter(|played| *played != own);
    let drawn = match (moved, mismatches.is_empty()) {
        (Some(moved), _) => Some(moved.and_then(|moved| placement(position, moved))),
        (None, false) => Some(isolated.asked_alone),
        (None, true) => None,
    };
    let mut pictures = vec![("expected", Tetris::picture(position, Some(expected)))];
    if let Some(drawn) = &drawn {
        pictures.push((backend, Tetris::picture(position, Some(drawn))));
    }
    text += &side_by_side(&pictures, width());
    text += "\n";
    let words = |played: &Option<Move>| match played {
        Some(Move { rotation, column }) => format!("rotation {rotation}, column {column}"),
        None => "no placement".to_owned(),
    };
    let _ = match played {
        Some(played) if *played == own => writeln!(
            text,
            "the move is right ({}), but its results are not: {}",
            words(&own),
            fields(&isolated.differs).trim_end()
        ),
        Some(played) => writeln!(text, "expected {}, got {}", words(&own), words(played)),
        None => writeln!(
            text,
            "its move does not follow from its signature; its results: {}",
            fields(&isolated.differs).trim_end()
        ),
    };
    for m in mismatches {
        let _ = writeln!(text, "for this position alone, its {}", m.difference);
    }
    if let Some(found) = &isolated.candidate {
        let place = found
            .candidate
            .map_or("the decision".into(), |n| format!("placement {n}"));
        let _ = writeln!(
            text,
            "the first candidate that differs is {place}: {}",
            found.difference
        );
    }
    if let Some(why) = &isolated.asked_alone_error {
        let _ = writeln!(text, "for this position alone, it fails: {why}");
    } else if mismatches.is_empty() {
        text += "for this position alone, its decision is right\n";
    }
    if !isolated.alone {
        let _ = writeln!(
            text,
            "it depends on earlier moves: it does not recur if play starts at this piece, but does \
             from piece {begin}"
        );
    }
    text
}

/// The legal placement of a move.
fn placement(position: &Position, played: Move) -> Option<Placement> {
    let mut all = golden::placements(&position.board, position.piece);
    let found = all.find(|c| (c.rotation, c.column) == (played.rotation, played.column));
    found.map(|candidate| Placement::of(&candidate, Score(0)))
}
