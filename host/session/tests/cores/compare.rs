//! Comparing traces and runs.

use lockstep::compare::{columns, deviations, first_difference};
use lockstep_games::tetris::Tetris;
use lockstep_games::{Golden as _, RunResult, Trace};

use crate::positions::{controller, positions};
use crate::streams::games;

/// A field of a placement, the number of placements, or the decision.
#[test]
fn differences_have_both_values() {
    let right = Tetris::trace(&controller("probe"), &positions(1)[0]);
    let right = right.expect("a board").expect("it traces");
    let (parts, last) = (right.candidates.len(), right.candidates.len() - 1);
    let fewer = [parts, last].map(|n| n.to_string());
    type Change = fn(&mut Trace<Tetris>);
    let holes: Change = |t| {
        for candidate in [3, 5] {
            let evaluated = t.candidates[candidate].evaluated.as_mut().expect("legal");
            evaluated.features.landing_height_doubled += 2;
        }
        t.candidates[3]
            .evaluated
            .as_mut()
            .expect("legal")
            .features
            .holes += 5;
    };
    let column: Change = |t| t.candidates[0].column += 1;
    let missing: Change = |t| t.candidates.truncate(t.candidates.len() - 1);
    let both = "landing_height 3 5, holes 3";
    let fewer = fewer.each_ref().map(|n| &**n);
    for (change, candidate, field, values, fields) in [
        (holes, Some(3), "landing_height", ["0.5", "1.5"], both),
        (column, Some(0), "column", ["0", "1"], "column 0"),
        (missing, None, "parts", fewer, ""),
        (|t| t.decision = None, None, "legal", ["yes", "no"], ""),
        (|_| {}, None, "", ["", ""], ""),
    ] {
        let mut other = right.clone();
        change(&mut other);
        let first = first_difference(&right, &other);
        let expected = [
            first.as_ref().map(|d| d.difference.expected.clone()),
            first.as_ref().map(|d| d.difference.got.clone()),
        ];
        let shown = expected.map(|value| value.map_or(String::new(), |v| v.to_string()));
        assert_eq!(shown, values, "{field}");
        assert_eq!(first.as_ref().map_or("", |d| d.difference.field), field);
        assert_eq!(first.and_then(|d| d.candidate), candidate, "{field}");
        let columns = columns(&right, &other);
        let columns = columns.iter().map(|column| {
            let numbers = column
                .differs
                .iter()
                .map(|(number, ..)| format!(" {number}"));
            format!("{}{}", column.field, numbers.collect::<String>())
        });
        assert_eq!(columns.collect::<Vec<_>>().join(", "), fields);
    }
}

/// The first move that differs, a move too few, or the sums that both know.
#[test]
fn deviations_are_of_the_first_move_or_the_sums() {
    let right = Tetris::play(&controller("lowest"), &games().0);
    let right = right.expect("a board").expect("it plays runs");
    let moves = right.moves.len();
    type Change = fn(&mut RunResult<Tetris>);
    let moved: Change = |r| (r.moves[2].rotation, r.moves[4].column) = (9, 9);
    let fewer: Change = |r| r.moves.truncate(r.moves.len() - 1);
    let sums: Change = |r| (r.sums.games, r.sums.signature, r.sums.score) = (77, 78, None);
    for (change, expected) in [
        ((|_| {}) as Change, &[][..]),
        (moved, &[(Some(2), "rotation")]),
        (fewer, &[(Some(moves - 1), "move")]),
        (sums, &[(None, "games"), (None, "signature")]),
    ] {
        let mut other = right.clone();
        change(&mut other);
        let found = deviations(&right, &other);
        let found: Vec<_> = found.iter().map(|d| (d.step, d.difference.field)).collect();
        assert_eq!(found, expected);
    }
}
