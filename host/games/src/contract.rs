//! Tests of the contracts of a game's traits, the same for every game.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Catalog, Match as _};

/// Number of games played.
const GAMES: u64 = 3;
/// Maximum number of moves of a game.
const MOVES: usize = 60;
/// Number of steps after which shrinking counts as endless.
const STEPS: usize = 10_000;

/// Plays games of a setup with a controller and checks each position.
fn check<G: Catalog<Controller: PartialEq>>(setup: &G::Setup, controller: G::Controller) {
    assert!(G::presets().contains(&G::DEFAULT));
    for preset in G::presets() {
        let loaded = G::load(preset).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(G::name(&loaded), preset);
        survives_json(&loaded);
    }
    for name in G::NOTES.iter().copied().chain(["cycles"]) {
        assert!(G::definition(name).is_some(), "{name} has no definition");
    }
    assert_eq!(G::definition("colour"), None);
    for game in 0..GAMES {
        let mut state = G::deal(setup, game);
        assert_eq!(
            G::deal(setup, game).position(),
            state.position(),
            "the same game dealt twice"
        );
        for moves in 0..MOVES {
            let before = state.position();
            let entered = G::deal_at(setup, game, moves as u64, &before);
            let mut entered = entered.unwrap_or_else(|| panic!("deal_at({moves}): {before:?}"));
            assert_eq!(
                (entered.position(), entered.moves()),
                (before.clone(), moves as u64)
            );
            let decision = decides::<G>(&controller, &before);
            let goes_on = state.apply(&decision).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(entered.apply(&decision).ok(), Some(goes_on));
            if !goes_on {
                break;
            }
            let after = state.position();
            assert_eq!(
                entered.position(),
                after,
                "deal_at({moves}) continues differently"
            );
            assert_eq!(G::follows(&before, &decision, &after).ok(), Some(true));
            assert_eq!(G::follows(&before, &decision, &before).ok(), Some(false));
        }
        shrinks(state.position(), G::simpler);
    }
    shrinks(controller, G::simpler_controllers);
    assert_eq!(
        G::capabilities(None).search,
        const { &G::SEARCHING }.is_some(),
        "the golden model and the wire both search, or neither does"
    );
}

/// The golden model's decision, after all checks of a position.
fn decides<G: Catalog>(controller: &G::Controller, position: &G::Position) -> G::Decision {
    survives_json(position);
    let encoded = G::encode_position(controller, position);
    encoded.unwrap_or_else(|e| panic!("{position:?}: {e}"));
    let decision = G::decide(controller, position).unwrap_or_else(|e| panic!("{e}"));
    survives_json(&decision);
    let trace = G::trace(controller, position).unwrap_or_else(|e| panic!("{e}"));
    let candidates = match &trace {
        Some(trace) => {
            assert_eq!(trace.decision, decision, "traced");
            let choice = G::choice(&trace.candidates);
            assert_eq!(choice, G::chosen(&trace.candidates, &decision), "{trace:?}");
            trace
                .candidates
                .iter()
                .flat_map(G::candidate_fields)
                .collect()
        }
        None => Vec::new(),
    };
    for field in G::fields(&decision).iter().chain(&candidates) {
        let name = field.name;
        assert!(G::definition(name).is_some(), "{name} has no definition");
    }
    decision
}

fn survives_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(item: &T) {
    let text = serde_json::to_string(item).unwrap_or_else(|e| panic!("{item:?}: {e}"));
    let read: T = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(&read, item);
}

/// Shrinking terminates, even if each step takes the last and least simple case.
fn shrinks<T: PartialEq + Debug>(first: T, simpler: fn(&T) -> Vec<T>) {
    let mut item = first;
    for _ in 0..STEPS {
        let mut next = simpler(&item);
        assert!(!next.contains(&item), "{item:?} is simpler than itself");
        match next.pop() {
            Some(next) => item = next,
            None => return,
        }
    }
    panic!("shrinking does not end within {STEPS} steps: {item:?}");
}

fn default<G: Catalog>() -> G::Controller {
    G::load(G::DEFAULT).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn tetris_traits_keep_contract() {
    use crate::tetris::Tetris;
    check::<Tetris>(&Tetris::default_setup(7), default::<Tetris>());
}

#[test]
fn connect4_traits_keep_contract() {
    use crate::connect4::Connect4;
    check::<Connect4>(&Connect4::default_setup(7), default::<Connect4>());
}

#[test]
fn gomoku_traits_keep_contract() {
    use crate::gomoku::Gomoku;
    // At its own depth, 4, the golden model takes half a minute.
    let controller = default::<Gomoku>().with_depth(2).expect("a depth");
    check::<Gomoku>(&Gomoku::default_setup(7), controller);
}
