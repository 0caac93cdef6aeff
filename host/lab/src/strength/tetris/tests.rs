//! Games of the strength measurement equal games of a session.

use super::*;
use crate::strength::EndReason;
use lockstep_games::tetris::{PieceSource, Rule, controller};

fn settings(controller: &str, setup: Setup, max_pieces: Option<u64>) -> GameSettings {
    GameSettings {
        controller: Controller::load(controller).unwrap(),
        setup,
        own_rules: false,
        max_pieces,
        arithmetic: Arithmetic::Fixed,
        written: None,
    }
}

/// The result of the game that a session plays with the golden model.
fn in_a_session(settings: &GameSettings, game: u64) -> GameResult {
    let mut state = Tetris::deal(&settings.setup, game);
    let end = loop {
        if settings.max_pieces == Some(state.moves()) {
            break EndReason::Cut;
        }
        let decision = Tetris::decide(&settings.controller, &state.position()).unwrap();
        if !state.apply(&decision).unwrap() {
            break EndReason::Lost;
        }
    };
    GameResult {
        pieces: state.moves(),
        lines: state.lines(),
        end,
    }
}

#[test]
fn strength_games_equal_session() {
    let uniform = Setup::standard(7);
    let bag = Setup {
        piece_source: PieceSource::Bag,
        ..uniform
    };
    let tall = Setup {
        board: "6x40".parse().unwrap(),
        ..uniform
    };
    let small = Setup {
        board: "6x8".parse().unwrap(),
        next_known: true,
        ..uniform
    };
    for (setup, depth) in [(uniform, 1), (bag, 1), (tall, 1), (small, 2)] {
        for (game, max) in [(0, None), (1, None), (5, None), (0, Some(9))] {
            let mut settings = settings("lowest", setup, max);
            settings.controller = settings.controller.with_search(depth, None).unwrap();
            let played = settings.player()(game, &|_| true);
            assert_eq!(played, in_a_session(&settings, game), "{setup:?} {game}");
            let end = max.map_or(EndReason::Lost, |_| EndReason::Cut);
            assert_eq!(played.end, end);
        }
    }
}

/// Integer weights are exact in floating point, too.
#[test]
fn float_with_exact_weights_plays_as_fixed_point() {
    let mut setup = Setup::standard(5);
    setup.board = "10x10".parse().unwrap();
    let fixed = settings("dellacherie", setup, Some(3_000));
    let written = controller::published_weights("dellacherie").unwrap();
    let float = GameSettings {
        arithmetic: Arithmetic::Float,
        written,
        ..fixed.clone()
    };
    let bits = GameSettings {
        arithmetic: Arithmetic::Bits(2),
        ..fixed.clone()
    };
    for game in 0..3 {
        let played = |settings: &GameSettings| settings.player()(game, &|_| true);
        assert_eq!(played(&float), played(&fixed));
        assert_ne!(played(&bits), played(&fixed), "two bits lose much");
    }
}

#[test]
fn program_plays_by_common_or_own_rules() {
    let common = settings("ece532-v2.5", Setup::standard(3), Some(500));
    let played = common.player()(0, &|_| true);
    assert_eq!(played, in_a_session(&common, 0));
    let own = GameSettings {
        own_rules: true,
        ..common
    };
    let policy = own.controller.policy().unwrap();
    let mut game = policy.own_game(3, 0).unwrap();
    while game.moves() < 500 && game.step().is_some() {}
    let played = own.player()(0, &|_| true);
    assert_eq!(played.lines, game.lines());
}

#[test]
fn game_stops_within_a_tick() {
    let settings = settings("dt-20", Setup::standard(1), None);
    let played = settings.player()(0, &|pieces| {
        assert!([0, 50_000].contains(&pieces), "{pieces}");
        pieces == 0
    });
    assert_eq!((played.pieces, played.end), (50_000, EndReason::Stopped));
}

#[test]
fn settings_differ_with_all_that_determines_game() {
    let one = settings("lowest", Setup::standard(1), None);
    let mut renamed = one.clone();
    renamed.controller.source = "elsewhere".into();
    assert_eq!(one.settings(), renamed.settings(), "plays the same");
    let mut others = vec![one.clone(); 8];
    others[0].setup.seed = 2;
    others[1].setup.piece_source = PieceSource::Bag;
    others[2].max_pieces = Some(5);
    others[3].setup.board = "10x10".parse().unwrap();
    if let Rule::Linear(linear) = &mut others[4].controller.rule {
        linear.weights[3] += 1;
    }
    others[5].setup.next_known = true;
    others[6].own_rules = true;
    others[7].arithmetic = Arithmetic::Bits(8);
    for other in others {
        assert_ne!(one.settings(), other.settings(), "{other:?}");
    }
}
