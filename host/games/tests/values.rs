//! Whole values of the games: fields, runs, payloads, capabilities, rules, and texts of errors.

use lockstep_games::connect4::{self, Connect4};
use lockstep_games::gomoku::{self, Gomoku};
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::source::{PieceSource, Pieces};
use lockstep_games::tetris::{Controller, Piece, Position, Run, SelfPlay, Setup, Sums, Tetris};
use lockstep_games::{
    BoardSize, Boards, Capabilities, Catalog, Codec as _, Field, Game, Golden as _, Rules as _,
};
use protocol::layout::tetris as wire;
use protocol::payload::link::Info;
use serde_json::json;

#[path = "../../session/tests/toy/a_hang.rs"]
mod a_hang;

fn controller(name: &str) -> Controller {
    Controller::load(name).unwrap_or_else(|e| panic!("{e}"))
}

fn shown(fields: Vec<Field>) -> String {
    let fields = fields
        .iter()
        .map(|field| format!("{} {}", field.name, field.value));
    fields.collect::<Vec<_>>().join(", ")
}

/// The fields of a decision and of a candidate, with the candidate's label.
fn fields<G: Catalog>(position: &G::Position, name: &str, candidate: usize) -> [String; 3] {
    let controller = G::load(name).unwrap_or_else(|e| panic!("{e}"));
    let trace = G::trace(&controller, position).expect("a position");
    let trace = trace.expect("it traces");
    let candidate = &trace.candidates[candidate];
    let fields = [G::fields(&trace.decision), G::candidate_fields(candidate)];
    let [decision, fields] = fields.map(shown);
    [decision, G::label(candidate), fields]
}

fn stack() -> Board {
    Board::from_rows(10, &[0x3fe, 0x2f3, 0x001, 0x003]).expect("ten columns")
}

#[test]
fn fields_show_decision_and_candidate() {
    let position = Position {
        board: stack(),
        piece: Piece::L,
        next: None,
    };
    let expected = [
        "legal yes, rotation 1, column 2, row 1, rows_cleared 0, score -139.13",
        "rotation 0, column 2",
        "rotation 0, column 2, legal yes, row 2, landing_height 2.5, eroded_cells 0, \
         rows_cleared 0, row_transitions 14, column_transitions 18, holes 4, \
         cumulative_wells 3, well_sums 3, hole_depth 6, rows_with_holes 3, diversity 4, \
         aggregate_height 27, bumpiness 6, max_height 4, score -181.67",
    ];
    assert_eq!(fields::<Tetris>(&position, "dt-20", 2), expected);
    assert_eq!(Tetris::class(&position), "L");
    let [_, label, illegal] = fields::<Tetris>(&position, "dt-20", 0);
    assert_eq!(label, "rotation 0, column 0");
    assert!(illegal.starts_with("rotation 0, column 0, legal no, row -, landing_height -"));
    let setup = connect4::Setup::new(3, 9);
    let position = setup.opening::<Connect4>(1);
    let expected = [
        "column 0, value -9996",
        "column 2",
        "column 2, legal yes, value -9998",
    ];
    assert_eq!(fields::<Connect4>(&position, "windows", 1), expected);
    assert_eq!(
        (Connect4::class(&position), Connect4::seat(&position)),
        ("red", 1)
    );
    let position = gomoku::Setup::new(3, 3).opening::<Gomoku>(1);
    let expected = [
        "x 4, y 6, value -760, nodes 1437",
        "ply 4, x 7, y 9",
        "ply 4, x 7, y 9, value 290",
    ];
    assert_eq!(fields::<Gomoku>(&position, "lines", 1), expected);
    let seats = [2, 3].map(|stones| {
        let position = gomoku::Setup::new(3, stones).opening::<Gomoku>(1);
        (Gomoku::class(&position), Gomoku::seat(&position))
    });
    assert_eq!(seats, [("black", 0), ("white", 1)]);
}

/// A core plays the same (tests/play.rs), so these numbers must never change.
#[test]
fn runs_and_self_plays_are_stable() {
    let lowest = controller("lowest");
    let pieces = Pieces::from_seed(PieceSource::Uniform, 7).take(160);
    let run = Run {
        board: Board::new(10, 20),
        pieces: pieces.collect(),
    };
    let played = Tetris::play(&lowest, &run)
        .expect("a board")
        .expect("it plays runs");
    assert_eq!(played.moves.len(), 132);
    let sums = "pieces 133, games 1, rows_cleared 36, score -1056.5, cycles -, \
                signature 3397a9706f204f90, board_crc c3baa491";
    let show = |sums: &Sums| shown(<Tetris as lockstep_games::Batches>::sums_fields(sums));
    assert_eq!(show(&played.sums), sums);
    let self_play = SelfPlay {
        board: Board::new(10, 20),
        games: 1,
        pieces: 100,
        spacing: 30,
        generator: 7,
        signature: 1,
    };
    let play = |most: usize| {
        let mut checkpoints = Vec::new();
        let mut take = |sums| {
            checkpoints.push(sums);
            checkpoints.len() < most
        };
        let end = Tetris::self_play(&lowest, &self_play, &mut take).expect("a board");
        (checkpoints, end.expect("it plays by itself"))
    };
    let (checkpoints, end) = play(99);
    let pieces: Vec<_> = checkpoints.iter().map(|sums| sums.pieces).collect();
    assert_eq!(pieces, [30, 60, 90]);
    let second = "pieces 60, games 0, rows_cleared 17, score -253.5, cycles -, \
                  signature cd2c58780aba6341, board_crc -";
    assert_eq!(show(&checkpoints[1]), second);
    let last = "pieces 100, games 0, rows_cleared 30, score -600.5, cycles -, \
                signature f8c13be41a815805, board_crc 6460d4fe";
    assert_eq!(show(&end), last);
    let (checkpoints, end) = play(2);
    assert_eq!(
        (checkpoints.len(), end.pieces),
        (2, 60),
        "it is not to go on"
    );
}

/// The capabilities of linear controllers with and without lookahead, and of programs.
#[test]
fn capabilities_follow_the_controller() {
    let boards = Boards::UpTo(BoardSize::new(128, 128));
    let [dt, deep] = [1, 2].map(|depth| controller("dt-20").with_search(depth, None));
    let [dt, deep] = [dt, deep].map(|controller| controller.expect("a depth"));
    let able = |known_next, averaged_next, plays| Capabilities {
        known_next,
        averaged_next,
        batch: plays,
        self_play: plays,
        trace: plays,
        ..Capabilities::plain(boards)
    };
    let program = controller("hidamari");
    for (controller, expected) in [
        (None, able(true, true, true)),
        (Some(&dt), able(false, false, true)),
        (Some(&deep), able(true, true, false)),
        (Some(&program), able(true, false, false)),
    ] {
        assert_eq!(Tetris::capabilities(controller), expected);
    }
    let names = "lookahead with the next known, lookahead averaged, batches, self-play, \
                 trace of every candidate";
    assert_eq!(Tetris::capabilities(None).names().join(", "), names);
    let searches = Connect4::capabilities(None);
    for searching in [&searches, &Gomoku::capabilities(None)] {
        let names = ["trace of every candidate", "progress of a search"];
        assert_eq!(searching.names(), names);
    }
    assert_eq!(
        [boards, searches.boards].map(|b| b.to_string()),
        ["up to 128x128", "7x6"]
    );
    assert_eq!(
        [deep.looks_ahead(), dt.looks_ahead(), program.looks_ahead()],
        [true, false, true]
    );
}

#[test]
fn requests_and_replies_have_their_fields() {
    let playing = Tetris::PLAYING.expect("it plays");
    let rows = [stack().to_rows(), vec![0; 16]].concat();
    let board = Board::from_rows(10, &rows).expect("ten columns");
    let pieces = vec![Piece::L, Piece::O, Piece::T];
    let run = Run {
        board: board.clone(),
        pieces,
    };
    let [serial, lanes] = [0, 4].map(|lanes| Info {
        lanes,
        ..Info::default()
    });
    let payload = (playing.play.encode)(&run, &serial).expect("it fits");
    let fields = wire::PlayFields::decode(payload.as_ref()).expect("a run");
    let number = |piece: Piece| piece.number();
    let [l, o, t] = [Piece::L, Piece::O, Piece::T].map(number);
    assert_eq!(
        (fields.pieces, &fields.numbers[..3]),
        (3, &[l | o << 4, t, 0][..])
    );
    assert_eq!(Some(fields.board), board.wire_bytes());
    assert_eq!(
        ((playing.play.max_parts)(&run), (playing.play.max_gap)(&run)),
        (1, 3)
    );
    let run = Run {
        pieces: vec![Piece::L; 65],
        ..run
    };
    assert_eq!(
        ((playing.play.max_parts)(&run), (playing.play.max_gap)(&run)),
        (3, 32)
    );
    let self_play = SelfPlay {
        board: board.clone(),
        games: 16,
        pieces: 70,
        spacing: 30,
        generator: 7,
        signature: 8,
    };
    let payload = (playing.self_play.encode)(&self_play, &lanes).expect("it fits");
    let fields = wire::SelfPlayFields::decode(payload.as_ref()).expect("a self-play");
    let numbers = (
        fields.pieces,
        fields.spacing,
        fields.generator,
        fields.signature,
    );
    assert_eq!((fields.games, numbers), (16, (70, 30, 7, 8)));
    for (games, core, why) in [
        (0, &lanes, "0 games side by side, expected 1 to 16"),
        (17, &lanes, "17 games side by side, expected 1 to 16"),
        (17, &serial, "17 games side by side, expected 1 to 16"),
        (
            2,
            &serial,
            "2 games side by side, but this core plays one game at a time; leave --games out",
        ),
    ] {
        let games = SelfPlay {
            games,
            ..self_play.clone()
        };
        let refused = (playing.self_play.encode)(&games, core).expect_err("too many");
        assert_eq!(refused.to_string(), why);
    }
    let one = SelfPlay {
        games: 1,
        ..self_play.clone()
    };
    assert!((playing.self_play.encode)(&one, &serial).is_ok());
    let limits = (playing.self_play.max_parts, playing.self_play.max_gap);
    assert_eq!(((limits.0)(&self_play), (limits.1)(&self_play)), (2, 30));
    let short = SelfPlay {
        pieces: 20,
        ..self_play
    };
    assert_eq!(((limits.0)(&short), (limits.1)(&short)), (0, 20));

    let played = wire::PlayedFields {
        pieces: 2,
        games: 3,
        rows_cleared: 4,
        score: -5,
        cycles: 6,
        signature: 7,
        board_crc: 8,
        ..Default::default()
    };
    let sums = (playing.play.end)(played.encode().as_ref()).expect("sums");
    let expected = "pieces 2, games 3, rows_cleared 4, score -0.000005, cycles 6, \
                    signature 0000000000000007, board_crc 00000008";
    let show = |sums: &Sums| shown(<Tetris as lockstep_games::Batches>::sums_fields(sums));
    assert_eq!(show(&sums), expected);
    let mut moves = wire::MovesFields {
        count: 2,
        ..Default::default()
    };
    (moves.moves[0], moves.moves[1]) = (0x25, 0x09);
    let moves = (playing.play.part)(moves.encode().as_ref()).expect("moves");
    let moves = moves
        .iter()
        .map(<Tetris as lockstep_games::Batches>::move_fields);
    let expected = ["rotation 2, column 5", "rotation 0, column 9"];
    assert!(moves.map(shown).eq(expected));
    let decision = wire::DecisionFields {
        legal: 1,
        rotation: 2,
        column: 3,
        row: 4,
        rows_cleared: 1,
        score: -6,
        cycles: 7,
    };
    let (found, cycles) = Tetris::decode_decision(decision.encode().as_ref()).expect("found");
    let expected = "legal yes, rotation 2, column 3, row 4, rows_cleared 1, score -0.000006";
    assert_eq!(
        (shown(Tetris::fields(&found.decision)).as_str(), cycles),
        (expected, 7)
    );
}

#[test]
fn rules_name_themselves_seed_and_generator() {
    let named = |rules: lockstep_games::RulesDescription| {
        json!([rules.rules.name, rules.seed, rules.generator.name])
    };
    let bag = Setup {
        piece_source: PieceSource::Bag,
        ..Setup::standard(9)
    };
    assert_eq!(
        named(Tetris::describe(&Setup::standard(9))),
        json!(["common", 9, "uniform"])
    );
    assert_eq!(named(Tetris::describe(&bag)), json!(["common", 9, "bag"]));
    let four = connect4::Setup::new(3, 9);
    assert_eq!(
        named(Connect4::describe(&four)),
        json!(["plain", 3, "opening"])
    );
    let integers = Tetris::integers(&controller("dt-20"));
    let named = ["landing_height", "holes", "depth"].map(|name| integers[name]);
    assert_eq!((integers.len(), named), (15, [-1_340_000, 2_030_000, 1]));
    let beam = controller("dt-20").with_search(3, None).expect("a depth");
    assert_eq!(Tetris::integers(&beam)["beam"], 8);
    assert!(Tetris::integers(&controller("hidamari")).is_empty());
    let windows = connect4::Controller::load("windows").expect("built in");
    let integers = Connect4::integers(&windows);
    assert_eq!(
        (
            integers.len(),
            integers["depth"],
            integers["column_3_row_2"]
        ),
        (43, 4, 13)
    );
    let integers = |name| {
        let controller = gomoku::Controller::load(name).expect("built in");
        Gomoku::integers(&controller)
    };
    let lines = integers("lines");
    let names = [
        "profile", "width", "extend", "attack_5", "defend_7", "key_6",
    ];
    assert_eq!(lines.len(), 4 + 3 * 7);
    assert_eq!(names.map(|name| lines[name]), [1, 16, 1, 220, 2000, 24]);
    let wujian = integers("wujian");
    assert_eq!(
        (wujian.len(), wujian["profile"], wujian["depth"]),
        (2, 0, 3)
    );
}

/// The size of a board, the number of its rows and the first ones; the error.
const POSITIONS: &str = r#"
            | 20 |           |
    | 16 | | expected 20 rows of the board, got 16; another size needs "size", such as "10x16"
    "10x16" | 16 |           |
    "10x16" | 20 |           | expected 16 rows of the board, got 20
    "33x20" | 20 |           | the board has 33 columns, expected at most 32
    "32x4"  | 4  |           |
    "10x4"  | 1  | 1024      | expected 4 rows of the board, got 1
    "10x4"  | 4  | 0 1024    | row 1 is 1024, expected at most 1023 on a board of 10 columns
"#;

/// A position or controller in JSON, and the error of reading it.
#[test]
fn texts_that_are_none_name_the_mistake() {
    for row in POSITIONS.trim().lines() {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let [size, count, first, why] = cells[..] else {
            panic!("{row}");
        };
        let mut board: Vec<u64> = first.split_whitespace().flat_map(str::parse).collect();
        board.resize(count.parse().expect("a number"), 0);
        let mut position = json!({"board": board, "piece": "T"});
        match size {
            "" => position["next"] = json!("L"),
            size => position["size"] = serde_json::from_str(size).expect("a text"),
        }
        let read = serde_json::from_value::<Position>(position.clone());
        let error = read
            .as_ref()
            .err()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert_eq!(error, why);
        if let Ok(read) = read {
            assert_eq!(json!(read), position);
        }
    }
    let folder = env!("CARGO_MANIFEST_DIR");
    let page = format!("{folder}/src/tetris/README.md");
    for (name, why) in [
        (folder, "it is a folder; name a file in it"),
        (&page, "expected a JSON value (line 1, column 1)"),
        ("/dev/null", "it is not an ordinary file; name one"),
    ] {
        let error = connect4::Controller::load(name).expect_err(name);
        assert_eq!(error.to_string(), format!("controller {name}: {why}"));
    }
    let error = connect4::Controller::load("nobody").expect_err("nobody");
    let why = "no controller is called 'nobody' and there is no such file; the built-in ones are ";
    assert!(error.to_string().starts_with(why), "{error}");
}

/// The engine decides the same (tests/engine.rs): the best placement of two pieces, the second one
/// known or averaged over all.
#[test]
fn lookahead_scores_are_stable() {
    let rows = [vec![0x3fe, 0x3fe, 0x1ff], vec![0; 17]].concat();
    let board = Board::from_rows(10, &rows).expect("ten columns");
    let (t, o) = (Some(Piece::T), Some(Piece::O));
    for (name, piece, next, [column, row, cleared], score) in [
        ("dt-20", Piece::L, t, [5, 3, 0], "-187.74"),
        ("dt-20", Piece::J, None, [7, 2, 1], "-175.552858"),
        ("el-tetris", Piece::I, o, [9, 2, 1], "-255.942082"),
        ("el-tetris", Piece::J, None, [7, 2, 1], "-250.264355"),
    ] {
        let deep = controller(name).with_search(2, None).expect("a depth");
        let board = board.clone();
        let position = Position { board, piece, next };
        let decision = Tetris::decide(&deep, &position).expect("a board");
        let fields = shown(Tetris::fields(&decision));
        let expected = format!("column {column}, row {row}, rows_cleared {cleared}, score {score}");
        assert!(fields.ends_with(&expected), "{fields}");
    }
}
