//! Tests that every game of stones must pass.

use super::*;
use crate::Shrink;
use crate::connect4::{self, Connect4};
use crate::gomoku::{self, Gomoku};

fn column(column: usize) -> connect4::Decision {
    connect4::Decision { column, value: 0 }
}

fn point((x, y): (usize, usize)) -> gomoku::Decision {
    gomoku::Decision::only(x, y)
}

/// Plays decisions from an empty board; returns the state and the last result.
fn played<G: Stones>(
    decisions: impl IntoIterator<Item = G::Decision>,
) -> (State<G>, Result<bool, GameError>) {
    let mut state = State::at(Position::empty(), 0);
    let mut goes_on = Ok(true);
    for decision in decisions {
        goes_on = state.apply(&decision);
    }
    (state, goes_on)
}

/// Checks the state after decisions; with an outcome the last one ends the game.
fn ends<G: Stones>(decisions: Vec<G::Decision>, outcome: Option<Outcome>) {
    let (state, goes_on) = played::<G>(decisions.clone());
    assert_eq!(goes_on.ok(), Some(outcome.is_none()), "{decisions:?}");
    assert_eq!(state.outcome(), outcome, "{decisions:?}");
    let counts = (decisions.len() as u64, None);
    assert_eq!((state.moves(), state.score()), counts);
}

#[test]
fn match_end_has_outcome() {
    // Moves that fill the board without four in a row.
    let draw = [
        0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3, 4, 5, 4, 5, 5, 4,
        5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6,
    ];
    for (columns, outcome) in [
        (&[3, 3, 3][..], None),
        (&[0, 1, 0, 1, 0, 1, 0], Some(Outcome::Won(0))),
        (&[0, 1, 0, 1, 0, 1, 2, 1], Some(Outcome::Won(1))),
        (&draw[..41], None),
        (&draw, Some(Outcome::Draw)),
    ] {
        ends::<Connect4>(columns.iter().copied().map(column).collect(), outcome);
    }
    let pairs = || (0..4).flat_map(|y| [(0, y), (14, y)]);
    let black_wins: Vec<_> = pairs().chain([(0, 4)]).collect();
    let white_wins: Vec<_> = pairs().chain([(7, 7), (14, 4)]).collect();
    // No four stones of a colour are adjacent.
    let is_black = |&(x, y): &(usize, usize)| (x + 2 * y) % 4 < 2;
    let all = (0..15).flat_map(|y| (0..15).map(move |x| (x, y)));
    let (black, white): (Vec<_>, Vec<_>) = all.partition(is_black);
    let pairs = black.iter().zip(&white).flat_map(|(b, w)| [*b, *w]);
    let draw: Vec<_> = pairs.chain([black[112]]).collect();
    for (points, outcome) in [
        (&black_wins[..8], None),
        (&black_wins, Some(Outcome::Won(0))),
        (&white_wins, Some(Outcome::Won(1))),
        (&draw[..224], None),
        (&draw, Some(Outcome::Draw)),
    ] {
        ends::<Gomoku>(points.iter().copied().map(point).collect(), outcome);
    }
}

/// Checks that the last of these decisions is refused, and changes nothing.
fn refuses_last<G: Stones>(decisions: Vec<G::Decision>, why: &str) {
    let (state, result) = played::<G>(decisions.clone());
    assert_eq!(result.expect_err("illegal").to_string(), why);
    let (before, _) = played::<G>(decisions[..decisions.len() - 1].to_vec());
    assert_eq!(state.position(), before.position());
    assert_eq!(state.outcome(), before.outcome());
}

#[test]
fn match_illegal_move_errs_without_change() {
    for (columns, why) in [
        (&[7][..], "the column is 7, expected 0 to 6"),
        (&[2; 7], "there is no room at column 2"),
        (&[0, 1, 0, 1, 0, 1, 0, 1], Connect4::OVER),
    ] {
        refuses_last::<Connect4>(columns.iter().copied().map(column).collect(), why);
    }
    let row = (0..5).flat_map(|x| [(x, 0), (x, 1)]);
    let over: Vec<_> = row.take(9).chain([(7, 7)]).collect();
    let (right, below) = ("the point is x 15, y 0", "the point is x 0, y 15");
    let expected = ", expected 0 to 14 and 0 to 14";
    for (points, why) in [
        (&[(15, 0)][..], format!("{right}{expected}")),
        (&[(0, 15)], format!("{below}{expected}")),
        (&[(3, 4), (3, 4)], "there is no room at x 3, y 4".into()),
        (&over, Gomoku::OVER.into()),
    ] {
        refuses_last::<Gomoku>(points.iter().copied().map(point).collect(), &why);
    }
}

/// Checks that openings follow from their seed, differ, and end no game; one of 255 stones has at
/// least `full`.
fn openings<G: Stones>(lengths: [u8; 5], full: usize) {
    let setup = |opening| Setup::new(7, opening);
    let first = setup(2).opening::<G>(0);
    assert!((1..49).any(|game| setup(2).opening::<G>(game) != first));
    for (game, length) in (0..100).flat_map(|game| lengths.map(|length| (game, length))) {
        let position = setup(length).opening::<G>(game);
        assert!(position == setup(length).opening::<G>(game) && !G::is_over(&position.board));
        let stones = position.cells().flatten().count();
        assert!(stones == usize::from(length) || length == 255 && stones >= full);
        assert_eq!(position.to_move.seat(), stones % 2);
    }
}

#[test]
fn opening_by_seed_repeats_and_ends_no_game() {
    openings::<Connect4>([0, 1, 2, 9, 255], 0);
    openings::<Gomoku>([0, 1, 3, 30, 255], 31);
    for game in 0..100 {
        let position = Setup::new(7, 255).opening::<Gomoku>(game);
        let middle = |point| (4..=10).contains(&(point % 15)) && (4..=10).contains(&(point / 15));
        let outside = position.board.empty_points().filter(|p| !middle(*p));
        assert_eq!(outside.count(), 225 - 49);
    }
}

/// Checks that a game is dealt at its own positions only: after that many moves, with that side to
/// move, and with the opening of its seed.
fn deals<G: Stones>(opening: u8, decision: impl Fn(usize) -> G::Decision) {
    let setup = |seed| Setup::new(seed, opening);
    let mut state = G::deal(&setup(1), 4);
    for moves in 0..6 {
        let position = state.position();
        let refused = |moves, position: &_| G::deal_at(&setup(1), 4, moves, position).is_none();
        assert!(!refused(moves, &position));
        assert!(refused(moves + 1, &position) && refused(moves + 2, &position));
        assert!(refused(moves.wrapping_sub(1), &position));
        let to_move = position.to_move.other();
        assert!(refused(
            moves,
            &Position {
                to_move,
                ..position
            }
        ));
        let played = state.apply(&decision(moves as usize));
        assert!(played.is_ok_and(|goes_on| goes_on));
    }
    let games = (0..20).map(|game| setup(1).opening::<G>(game));
    let other = games.filter(|p| G::deal_at(&setup(2), 0, 0, p).is_none());
    assert!(other.count() > 10, "an opening of another game is refused");
}

#[test]
fn deal_at_other_position_is_none() {
    deals::<Connect4>(2, column);
    deals::<Gomoku>(3, |x| point((x, 0)));
}

/// Checks that simpler positions have fewer stones, or the other side to move, are not over, and
/// lead to the empty board.
fn simpler_is_smaller<G: Stones + Shrink>(single: usize) {
    let stones = |position: &Position<G>| position.cells().flatten().count();
    let measure = |position: &Position<G>| (stones(position), position.to_move.seat());
    for position in (0..20).map(|game| Setup::new(3, 15).opening::<G>(game)) {
        let simpler = G::simpler(&position);
        assert_eq!(simpler.first().map(stones), Some(0));
        for other in &simpler {
            assert!(measure(other) < measure(&position) && !G::is_over(&other.board));
        }
        let singles = simpler.iter().filter(|left| stones(left) == 14);
        assert!(singles.count() >= single, "a stone can be left out");
        let mut last = position;
        while let Some(next) = G::simpler(&last).pop() {
            assert!(measure(&next) < measure(&last));
            last = next;
        }
        assert_eq!(measure(&last), (0, 0));
    }
}

#[test]
fn simpler_position_is_smaller() {
    // A stone that falls may end the game.
    simpler_is_smaller::<Connect4>(5);
    simpler_is_smaller::<Gomoku>(15);
}

#[test]
fn simpler_position_has_halves_of_board() {
    let mut position = gomoku::Position::empty();
    for point in [0, 14, 112, 210, 224] {
        position.board.put(point, Stone::First);
    }
    let simpler = Gomoku::simpler(&position);
    let stones = simpler[1..5].iter().map(|p| p.board.stones());
    assert_eq!(stones.collect::<Vec<_>>(), [2, 2, 3, 3]);
}

/// With swapped sides each opening is that of two games, which differ in the side that moves
/// first alone.
fn swaps<G: Stones>() {
    let once = Setup::new(5, 3);
    let twice = Setup { swap: true, ..once };
    for game in 0..20 {
        let first = twice.opening::<G>(2 * game);
        let second = twice.opening::<G>(2 * game + 1);
        assert_eq!(first, once.opening::<G>(game));
        assert_eq!([first, second].map(|p| p.to_move.seat()), [1, 0]);
        let swapped = first.cells().map(|cell| cell.map(Stone::other));
        assert!(swapped.eq(second.cells()));
        assert_eq!(first.cells().flatten().count(), 3);
        assert!(G::deal_at(&twice, 2 * game + 1, 0, &second).is_some());
        assert!(G::deal_at(&twice, 2 * game, 0, &second).is_none());
    }
    let generator = |setup| G::describe(setup).generator.about;
    assert_ne!(generator(&once), generator(&twice));
}

#[test]
fn second_game_of_an_opening_has_sides_swapped() {
    swaps::<Connect4>();
    swaps::<Gomoku>();
}

#[test]
fn setup_without_swap_is_written_as_before() {
    for (swap, text) in [
        (false, r#"{"seed":1,"opening":2}"#),
        (true, r#"{"seed":1,"opening":2,"swap":true}"#),
    ] {
        let setup = Setup {
            swap,
            ..Setup::new(1, 2)
        };
        assert_eq!(serde_json::to_string(&setup).expect("JSON"), text);
        assert_eq!(serde_json::from_str::<Setup>(text).expect("JSON"), setup);
    }
}

const EMPTY: &str = "...............";

#[test]
fn position_json_round_trips() {
    let text = concat!(
        r#"{"board":[".......",".......",".......",".......","...R...","..YY..."],"#,
        r#""to_move":"red"}"#
    );
    let position: connect4::Position = serde_json::from_str(text).expect("a position");
    assert_eq!(position.board.stone(3, 1), Some(Stone::Second));
    assert_eq!(position.to_move, Stone::Second);
    assert_eq!(serde_json::to_string(&position).expect("JSON"), text);
    let mut rows = [EMPTY; 15];
    rows[0] = ".B.............";
    rows[14] = "..............W";
    let text = serde_json::json!({"board": rows, "to_move": "white"}).to_string();
    let position: gomoku::Position = serde_json::from_str(&text).expect("a position");
    assert_eq!(position.board.stone(1), Some(Stone::First));
    assert_eq!(position.board.stone(224), Some(Stone::Second));
    assert_eq!(serde_json::to_string(&position).expect("JSON"), text);
}

/// Reads the text of an empty board with one line changed, and checks why it is refused.
fn refuses_line<G: Stones>(index: usize, line: &str, why: &str) {
    let mut board = vec![".".repeat(G::SIZE.columns); G::SIZE.rows];
    board[index] = line.into();
    refuses::<G>(&board, G::SEATS[0], why);
}

fn refuses<G: Stones>(board: &[String], to_move: &str, why: &str) {
    let json = serde_json::json!({"board": board, "to_move": to_move});
    let read = serde_json::from_value::<Position<G>>(json);
    assert_eq!(read.expect_err("refused").to_string(), why);
}

#[test]
fn position_bad_row_errs() {
    for (index, line, why) in [
        (5, "......", r#"row 0, "......": 6 cells, expected 7"#),
        (0, "........", r#"row 5, "........": 8 cells, expected 7"#),
        (
            5,
            "..y....",
            r#"row 0, "..y....": the cell is 'y', expected Y, R or ."#,
        ),
        (
            3,
            "....R..",
            r#"row 2, "....R..": the stone in column 4 has an empty cell below it"#,
        ),
        (5, "..YYYY.", Connect4::OVER),
    ] {
        refuses_line::<Connect4>(index, line, why);
    }
    let sign = r#"row 13, "......b........": the cell is 'b', expected B, W or ."#;
    refuses_line::<Gomoku>(13, "......b........", sign);
    refuses_line::<Gomoku>(7, "...WWWWW.......", Gomoku::OVER);
    let rows = vec![EMPTY.to_owned(); 15];
    refuses::<Gomoku>(&rows[1..], "black", "expected 15 rows of the board, got 14");
    let to_move = "to_move is \"Black\", expected black or white";
    refuses::<Gomoku>(&rows, "Black", to_move);
}

/// Checks a line of the picture of a decision, and its colour where it is marked.
fn draws<G: Stones>(
    position: &Position<G>,
    decision: &G::Decision,
    (index, line): (usize, &str),
    marked: Option<Colour>,
) {
    let picture = G::picture(position, Some(decision));
    let signs = picture.lines().nth(index).expect("a line");
    assert_eq!(signs.iter().map(|cell| cell.sign).collect::<String>(), line);
    let cells = picture.lines().flatten().filter(|cell| cell.marked);
    assert!(cells.map(|cell| cell.colour).eq(marked));
    let seat = G::SEATS[position.to_move.seat()];
    let note = format!("{seat} plays {}", G::place_name(decision));
    assert_eq!(picture.notes, [note]);
    assert_eq!(
        G::picture(position, None).notes,
        [format!("{seat} to move")]
    );
}

#[test]
fn picture_marks_stone_of_decision() {
    let red = Some(Colour::Red);
    let mut position = connect4::Position::empty();
    position.board.drop(3, Stone::First);
    position.to_move = Stone::Second;
    for (at, line, marked) in [
        (3, "...R...", red),
        (0, ".......", red),
        (7, ".......", None),
    ] {
        draws::<Connect4>(&position, &column(at), (4, line), marked);
    }
    let mut position = gomoku::Position::empty();
    position.board.put(16, Stone::First);
    position.to_move = Stone::Second;
    for (at, line, marked) in [
        ((2, 1), ".BW............", Some(Colour::White)),
        ((1, 1), ".B.............", None),
        ((15, 1), ".B.............", None),
    ] {
        draws::<Gomoku>(&position, &point(at), (1, line), marked);
    }
}
