//! Tests of the contracts of a game's traits, the same for every game.

use std::fmt::Debug;

use protocol::layout::{PART, REPLY};
use protocol::payload::PayloadError;
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

/// Checks that replies are decoded or refused: a reply a line, its fields that are not 0, and the
/// error, if any. An array is written as a little-endian number.
pub fn check_replies<G: Catalog>(table: &str) {
    for row in table.trim().lines() {
        let [name, fields, expected] = cells(row);
        let message = G::WIRE.messages.iter().find(|m| m.name == name);
        let message = message.expect(row);
        let mut payload = vec![0; message.bytes()];
        for field in fields.split_whitespace() {
            let (name, value) = field.split_once('=').expect(row);
            let bytes = value.parse::<u64>().expect(row).to_le_bytes();
            let slot = message.slot(name).expect(row);
            let field = payload[slot.start..][..slot.len].iter_mut();
            field.zip(bytes).for_each(|(to, byte)| *to = byte);
        }
        let error = decoded::<G>(message.id, &payload).err();
        let error = error.map_or(String::new(), |why| why.to_string());
        assert_eq!(error, expected, "{row}");
    }
}

/// Checks that files of controllers are refused: a member of the default one's file, its value
/// (empty: removed) and the error.
pub fn check_bad_files<G: Catalog>(table: &str) {
    for row in table.trim().lines() {
        let [member, value, expected] = cells(row);
        let mut file = serde_json::to_value(default::<G>()).expect("JSON");
        match value {
            "" => drop(file.as_object_mut().expect("an object").remove(member)),
            value => {
                let place = file.pointer_mut(&format!("/{member}")).expect(row);
                *place = serde_json::from_str(value).expect(row);
            }
        }
        let error = serde_json::from_value::<G::Controller>(file).map(drop);
        assert_eq!(error.expect_err(row).to_string(), expected, "{row}");
    }
}

/// The cells of a row in a table of cases.
fn cells(row: &str) -> [&str; 3] {
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    cells.try_into().unwrap_or_else(|_| panic!("{row}"))
}

/// Decodes a reply by the number of its message.
fn decoded<G: Catalog>(id: u8, payload: &[u8]) -> Result<(), PayloadError> {
    let (request, is_part) = (id & !(REPLY | PART), id & PART != 0);
    let is_of = |message: &protocol::layout::Message| message.id == request;
    let searching = const { &G::SEARCHING }.as_ref();
    let tracing = const { &G::TRACING }.as_ref();
    let playing = const { &G::PLAYING }.as_ref();
    match (searching, tracing, playing) {
        (Some(search), ..) if is_of(G::DECIDE) && is_part => (search.progress)(payload).map(drop),
        _ if is_of(G::DECIDE) => G::decode_decision(payload).map(drop),
        (_, Some(trace), _) if is_of(trace.request) && is_part => {
            (trace.candidate)(payload).map(drop)
        }
        (_, Some(trace), _) if is_of(trace.request) => (trace.decision)(payload).map(drop),
        (.., Some(playing)) if is_part => (playing.play.part)(payload).map(drop),
        (.., Some(playing)) => (playing.play.end)(payload).map(drop),
        _ => panic!("no stream has a reply {id:#x}"),
    }
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
