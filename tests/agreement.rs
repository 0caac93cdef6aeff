//! The RTL and the golden model agree on random positions and in whole games.

use std::sync::Mutex;

use lockstep::event::Header;
use lockstep::report::totals::Totals;
use lockstep::session::Start;
use lockstep::{Listeners, Session};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::controller::linear_presets;
use lockstep_games::tetris::{
    Controller, Linear, Piece, PieceSource, Position, Rule, Search, Setup, Tetris,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::support::{any_piece, any_position, block_on, controller, session};

/// Configuration of a property; `LOCKSTEP_CASES` sets another number of cases for soaks.
pub fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("LOCKSTEP_CASES")
        .ok()
        .and_then(|n| n.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(default),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Checks a property in so many random cases.
pub fn check_cases<S: Strategy>(
    count: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let result = TestRunner::new(cases(count)).run(strategy, test);
    result.unwrap_or_else(|e| panic!("{e}"));
}

fn agree(session: &Mutex<Session<Tetris>>, positions: &[Position]) -> Result<(), TestCaseError> {
    let mut session = session.lock().unwrap_or_else(|e| e.into_inner());
    let rows = block_on(session.ask(positions)).map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(rows.len(), positions.len());
    for (position, answers) in positions.iter().zip(&rows) {
        prop_assert_eq!(answers.answers.len(), session.identities().len());
        let found = answers.mismatches();
        prop_assert!(found.is_empty(), "{position:?}\n{found:#?}");
    }
    Ok(())
}

/// A property over random positions on software and a simulated core.
pub fn random_positions(backend: &str, controller: &Controller, count: u32) {
    let session = Mutex::new(block_on(session(&["software", backend], controller)));
    let batches = prop::collection::vec(any_position(), 1..16);
    check_cases(count, &batches, |positions| agree(&session, &positions));
}

#[test]
fn random_positions_agree_on_all_features() {
    random_positions("sim", &controller("probe"), 120);
}

#[test]
fn random_positions_agree_with_lanes() {
    random_positions("sim:core=lanes", &controller("probe"), 120);
}

#[test]
fn random_positions_agree_at_the_pins() {
    random_positions("sim-uart:baud=12000000", &controller("bcts"), 12);
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

/// A property over random positions under random weights.
pub fn random_weights(backend: &str, count: u32) {
    let batches = prop::collection::vec(any_position(), 8);
    let session = Mutex::new(block_on(session(
        &["software", backend],
        &controller("probe"),
    )));
    let all = (any_controller(), batches);
    check_cases(count, &all, |(controller, positions)| {
        let mut locked = session.lock().unwrap_or_else(|e| e.into_inner());
        block_on(locked.configure(&controller)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        drop(locked);
        agree(&session, &positions)
    });
}

#[test]
fn random_weights_agree() {
    random_weights("sim", 40);
    random_weights("sim:core=lanes", 40);
}

/// Lookahead to the next piece, known or averaged, in the core with lanes.
#[test]
fn random_weights_agree_a_piece_ahead() {
    let session = block_on(session(
        &["software", "sim:core=lanes"],
        &controller("probe"),
    ));
    let session = Mutex::new(session);
    let positions = prop::collection::vec((any_position(), prop::option::of(any_piece())), 4);
    check_cases(
        20,
        &(any_controller(), positions),
        |(mut controller, positions)| {
            let Rule::Linear(linear) = &mut controller.rule else {
                unreachable!("it is linear");
            };
            linear.search = Search::new(2, None).expect("a depth");
            let mut locked = session.lock().unwrap_or_else(|e| e.into_inner());
            block_on(locked.configure(&controller))
                .map_err(|e| TestCaseError::fail(e.to_string()))?;
            drop(locked);
            let positions: Vec<_> = positions
                .into_iter()
                .map(|(position, next)| Position { next, ..position })
                .collect();
            agree(&session, &positions)
        },
    );
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
    let session = Mutex::new(block_on(session(
        &["software", "sim", "sim:core=lanes"],
        &controller("probe"),
    )));
    agree(&session, &positions).unwrap_or_else(|e| panic!("{e}"));
    let mut session = session.into_inner().expect("not poisoned");
    let rows = block_on(session.ask(&positions)).expect("answers");
    let none = rows
        .iter()
        .filter(|row| row.answers[0].decision.is_none())
        .count();
    assert!(
        (7..70).contains(&none),
        "{none} positions without a placement"
    );
}

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
        let mut listeners = Listeners::new().with(&mut totals);
        session
            .play(
                &header,
                &setup,
                Start::default(),
                games,
                most,
                &mut listeners,
            )
            .await
            .expect("played");
    });
    totals
}

/// Plays to the end of the game on the RTL and on another backend that simulates it.
pub fn whole_games_agree(other: &str, controller: &str, games: u64) {
    let totals = both_depths_agree(other, controller, games, 100_000);
    assert_eq!((totals.games, totals.interrupted), (games, false));
}

fn both_depths_agree(other: &str, controller: &str, games: u64, most: u64) -> Totals {
    let all = ["software", "sim", other, "sim:core=lanes"];
    let totals = play(&all, controller, PieceSource::Uniform, games, most);
    assert_eq!(totals.diverged, Some(0), "{:#?}", totals.first_divergence);
    assert!(totals.decisions >= 100, "{totals:#?}");
    let cycles = |i: usize| totals.backends[i].cycles.total;
    assert_eq!(cycles(0), None);
    assert!(cycles(1).is_some());
    assert_eq!(cycles(1), cycles(2), "the same RTL takes the same cycles");
    totals
}

#[test]
fn whole_games_agree_at_both_depths_by_one_feature() {
    whole_games_agree("sim-uart:baud=12000000", "lowest", 1);
}

#[test]
fn long_game_agrees_at_both_depths_by_all_features() {
    both_depths_agree("sim-uart:baud=12000000", "probe", 1, 100);
}

#[test]
fn long_games_of_every_controller_agree() {
    for name in linear_presets().filter(|name| !["lowest", "probe"].contains(name)) {
        let totals = play(
            &["software", "sim", "sim:core=lanes"],
            name,
            PieceSource::Bag,
            1,
            150,
        );
        assert_eq!(
            totals.diverged,
            Some(0),
            "{name}: {:#?}",
            totals.first_divergence
        );
        assert!(totals.decisions > 100, "{name}");
    }
}
