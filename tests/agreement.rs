//! The RTL and the golden model agree on random positions and in whole games.

use std::cell::RefCell;

use lockstep::event::Header;
use lockstep::report::totals::Totals;
use lockstep::session::Start;
use lockstep::{Listeners, Session};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::controller::linear_presets;
use lockstep_games::tetris::{
    Controller, Linear, Piece, PieceSource, Placement, Position, Rule, Search, Setup, Tetris,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::support::{any_piece, any_position, block_on, controller, session};

/// Configuration of a property; `LOCKSTEP_CASES` sets another number of cases for soaks.
fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("LOCKSTEP_CASES")
        .ok()
        .and_then(|n| n.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(default),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Checks a property in `count` random cases; a failure panics.
pub fn check_cases<S: Strategy>(count: u32, strategy: &S, test: impl Fn(S::Value)) {
    let test = |value| {
        test(value);
        Ok(())
    };
    let result = TestRunner::new(cases(count)).run(strategy, test);
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// Checks that all backends decide alike; returns the decisions.
fn agree(session: &mut Session<Tetris>, positions: &[Position]) -> Vec<Option<Placement>> {
    let rows = block_on(session.ask(positions)).expect("answers");
    assert_eq!(rows.len(), positions.len());
    for (position, answers) in positions.iter().zip(&rows) {
        assert_eq!(answers.answers.len(), session.identities().len());
        let found = answers.mismatches();
        assert!(found.is_empty(), "{position:?}\n{found:#?}");
    }
    rows.iter().map(|row| row.answers[0].decision).collect()
}

/// Weights of every size.
pub fn any_controller() -> impl Strategy<Value = Controller> {
    let weight = prop_oneof![
        4 => -20_000_000i32..20_000_000,
        1 => any::<i32>(),
        1 => Just(i32::MIN), 1 => Just(i32::MAX), 2 => Just(0),
    ];
    prop::collection::vec(weight, 14).prop_map(|weights| Controller {
        name: "random".into(),
        source: "proptest".into(),
        rule: Rule::Linear(Linear {
            weights: weights.try_into().expect("fourteen"),
            search: Search::ONE,
        }),
    })
}

/// A property over random positions under random weights, on software and a simulated core, which
/// looks ahead to the next piece, known or averaged, at depth 2.
pub fn random_positions_agree(backend: &str, depth: u8, count: u32) {
    let session = block_on(session(&["software", backend], &controller("probe")));
    let session = RefCell::new(session);
    let position = (any_position(), prop::option::of(any_piece()));
    let position = position.prop_map(move |(position, next)| Position {
        next: next.filter(|_| depth > 1),
        ..position
    });
    let all = (any_controller(), prop::collection::vec(position, 1..12));
    check_cases(count, &all, |(controller, positions)| {
        let mut session = session.borrow_mut();
        let controller = controller.with_search(depth, None).expect("a depth");
        block_on(session.configure(&controller)).expect("configured");
        agree(&mut session, &positions);
    });
}

#[test]
fn random_positions_agree_behind_the_uart() {
    random_positions_agree("sim", 1, 160);
    random_positions_agree("sim:core=lanes", 1, 160);
    random_positions_agree("sim:core=lanes", 2, 20);
}

#[test]
fn random_positions_agree_at_the_pins() {
    random_positions_agree("sim-uart:baud=12000000", 1, 12);
}

/// Boards on which no placement or hardly any is legal.
#[test]
fn boards_at_the_edge_agree() {
    let mut positions = Vec::new();
    let boards = [
        vec![0; 20],
        vec![1023; 20],
        vec![511; 20],
        vec![1022; 20],
        [vec![1023; 19], vec![0]].concat(),
        [vec![1023; 16], vec![0; 4]].concat(),
        [vec![0; 19], vec![1023]].concat(),
        [vec![0; 19], vec![1]].concat(),
        [vec![0b1010101010; 18], vec![0; 2]].concat(),
        [vec![0b0101010101; 16], vec![0; 4]].concat(),
        [vec![0; 18], vec![0b1111011111, 0b1111011111]].concat(),
    ];
    for rows in boards {
        for piece in Piece::ALL {
            let board = Board::from_rows(10, &rows).expect("ten columns");
            positions.push(Position {
                board,
                piece,
                next: None,
            });
        }
    }
    let backends = ["software", "sim", "sim:core=lanes"];
    let mut session = block_on(session(&backends, &controller("probe")));
    let decisions = agree(&mut session, &positions);
    let none = decisions.iter().filter(|d| d.is_none()).count();
    assert!(
        (7..70).contains(&none),
        "{none} positions without a placement"
    );
}

/// Plays games of at most that many moves, in which all backends agree.
fn play(backends: &[&str], name: &str, source: PieceSource, games: u64, most: u64) -> Totals {
    let controller = controller(name);
    let setup = Setup {
        piece_source: source,
        ..Setup::standard(20)
    };
    let mut totals = Totals::default();
    block_on(async {
        let mut session = session(backends, &controller).await;
        let mut header = Header::new(session.identities(), controller.clone());
        header.setup = Some(setup);
        let mut listeners = Listeners::new(session.stop()).with(&mut totals);
        let playing = session.play(
            &header,
            &setup,
            Start::default(),
            games,
            most,
            &mut listeners,
        );
        playing.await.expect("played");
    });
    assert_eq!(totals.diverged, Some(0), "{:#?}", totals.first_divergence);
    assert!(totals.decisions >= 100, "{name}: {totals:#?}");
    assert_eq!((totals.games, totals.interrupted), (games, false));
    totals
}

/// Plays on the RTL behind its UART, on its lanes and on another backend that simulates it.
pub fn games_agree(other: &str, controller: &str, games: u64, most: u64) {
    let all = ["software", "sim", other, "sim:core=lanes"];
    let totals = play(&all, controller, PieceSource::Uniform, games, most);
    let cycles = |i: usize| totals.backends[i].cycles.total;
    assert_eq!(cycles(0), None);
    assert!(cycles(1).is_some());
    assert_eq!(cycles(1), cycles(2), "the same RTL takes the same cycles");
}

#[test]
fn games_agree_at_both_depths() {
    games_agree("sim-uart:baud=12000000", "lowest", 1, u64::MAX);
    games_agree("sim-uart:baud=12000000", "probe", 1, 100);
}

#[test]
fn long_games_of_every_controller_agree() {
    for name in linear_presets().filter(|name| !["lowest", "probe"].contains(name)) {
        let backends = ["software", "sim", "sim:core=lanes"];
        play(&backends, name, PieceSource::Bag, 1, 150);
    }
}
