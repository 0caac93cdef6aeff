//! The golden model against answers of other programs.

use serde::Deserialize;

use super::super::board::{Board, place};
use super::super::controller::Controller;
use super::super::{Black, White};
use super::shape::{CellView, Neighbours};
use super::vectors::cases;
use super::{CENTRE, answer_of};

/// Checks all answers of at most `most` nodes, and that there are `expected` of these.
///
/// With `LOCKSTEP_CASES` all answers are checked: 160 million nodes of wujian and lines.
fn check(profile: &str, most: u64, expected: usize) {
    let all = std::env::var_os("LOCKSTEP_CASES").is_some();
    let (mut checked, mut wrong) = (0, Vec::new());
    for case in cases(profile).filter(|case| all || case.nodes <= most) {
        checked += 1;
        let found = answer_of(&case.board, White, &case.controller);
        if (found.point, found.value, found.nodes) != (case.point, case.value, case.nodes) {
            wrong.push(format!("{}: {found:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all || checked == expected, "{checked} answers");
}

#[test]
fn lines_reproduces_vectors() {
    check("lines", 200, 1_162);
}

#[test]
fn wujian_reproduces_vectors() {
    check("wujian", 2_000, 676);
}

/// The four stones of a side of a line, the nearest first, from its code of five bits.
fn side(code: usize) -> [CellView; 4] {
    let free = code.ilog2() as usize;
    [0, 1, 2, 3].map(|distance| match distance {
        distance if distance >= free => CellView::Blocked,
        distance if code >> distance & 1 == 1 => CellView::Own,
        _ => CellView::Empty,
    })
}

#[test]
fn shapes_reproduce_table() {
    #[derive(Deserialize)]
    struct Row {
        side: usize,
        shapes: Vec<u8>,
    }
    let text = include_str!("../../../../../fixtures/gomoku/shapes.jsonl");
    let rows = text.lines().map(serde_json::from_str);
    let rows: Vec<Row> = rows.collect::<Result<_, _>>().expect("shapes");
    assert_eq!(rows.len(), 31);
    for row in rows {
        assert_eq!(row.shapes.len(), 31);
        for (&expected, code) in row.shapes.iter().zip(1..) {
            let [a, b, c, d] = side(row.side);
            let [e, f, g, h] = side(code);
            let mut neighbours = Neighbours::default();
            for cell in [d, c, b, a, e, f, g, h] {
                neighbours.add(cell);
            }
            assert_eq!(neighbours.shape(), expected, "{} {code}", row.side);
        }
    }
}

#[test]
fn answer_of_board_without_search_is_immediate() {
    let five: [u16; 15] = std::array::from_fn(|y| if y == 3 { 0x1f } else { 0 });
    let none = [0; 15];
    let board = |own, opponent| Board::from_rows(Black, own, opponent).expect("a board");
    let (mut black, mut white) = ([0; 15], [0; 15]);
    for point in 0..225 {
        let (x, y) = place(point);
        let rows = if (x + 2 * y) % 4 < 2 {
            &mut black
        } else {
            &mut white
        };
        rows[y as usize] |= 1 << x;
    }
    for (profile, win) in [("lines", 30_000), ("wujian", 100_000)] {
        let controller = Controller::load(profile).expect("a built-in controller");
        for (board, point, value) in [
            (board(five, none), None, win),
            (board(none, five), None, -win),
            (board(five, five.map(|row| row << 7)), None, win),
            (board(none, none), Some(CENTRE), 0),
            (board(black, white), None, 0),
        ] {
            let found = answer_of(&board, Black, &controller);
            let expected = super::Answer::immediate(point, value);
            assert_eq!(found, expected, "{profile}");
        }
    }
}
