//! The netlist for an ECP5, simulated cell by cell: it answers as the RTL from any power-up state,
//! and does not with an inverted look-up table.

use lockstep::compare::deviations;
use lockstep::{Backend, BackendError, BackendRegistry, Session, Stop};
use lockstep_games::gomoku::{Black, Board, Position, White};
use lockstep_games::stones::Setup;
use lockstep_games::tetris::board::Board as Field;
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{Piece, Run};
use lockstep_games::{Codec, Game, Match as _, Rules};
use lockstep_verify::line::{LineErrors, talk};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use protocol::Frame;
use protocol::layout::link;
use sim::{Depth, Variant};

use crate::agreement::{games_agree, random_positions_agree};
use crate::connect4::preset;
use crate::frames::simulated::{Core as Simulated, SILENCE};
use crate::frames::{converse, conversed};
use crate::gomoku;
use crate::play::{golden_run, random_games_agree};
use crate::records::recorded_games_agree;
use crate::support::{any_position, block_on, controller, missed, session};

fn netlist() -> &'static Variant {
    sim::netlist("tetris", None).expect("the netlist")
}

#[test]
fn netlist_has_the_build_id_of_its_rtl() {
    let rtl = sim::variant("tetris", None).expect("the RTL as designed");
    assert_eq!(netlist().build_id, rtl.build_id);
    assert!(netlist().netlist && !rtl.netlist);
    let opened = block_on(session(&["sim-netlist"], &controller("probe")));
    let identity = &opened.identities()[0];
    let description = identity.description.raw();
    assert!(description.contains("netlist"), "{identity:?}");
}

#[test]
fn netlist_answers_golden_frames() {
    for power_up in 0..2 {
        converse(netlist(), Depth::Bytes, power_up);
    }
    let (baud, skew_ppm) = (12_000_000, 20_000);
    converse(netlist(), Depth::Pins { baud, skew_ppm }, 2);
}

/// At random power-up states, with bad stop bits, glitches and breaks on the line.
#[test]
fn netlist_answers_on_a_bad_line() {
    for seed in 0..4 {
        let [good, ..] = talk(netlist(), 12_000_000, LineErrors::Errors, 20, seed)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(good > 0, "seed {seed}");
    }
}

#[test]
fn netlist_plays_whole_games_as_its_rtl() {
    games_agree("sim-netlist", "lowest", 2, u64::MAX);
}

#[test]
fn netlist_agrees_on_random_positions() {
    random_positions_agree("sim-netlist", 1, 40);
}

#[test]
fn netlist_self_play_agrees() {
    random_games_agree("sim-netlist", 1);
}

#[test]
fn netlist_decides_as_recorded() {
    recorded_games_agree("sim-netlist");
}

/// Whether a core says what it is. One that does not would cost the host's timeouts, which take
/// half a minute to simulate.
fn answers(variant: &'static Variant) -> bool {
    let (seq, kind, payload) = (1, link::INFO.id, &[][..]);
    let request = protocol::frame::encode(&Frame { seq, kind, payload }).expect("no payload");
    let mut core = Simulated::powered_up(variant, Depth::Bytes, 0);
    let got = core.exchange(request.as_ref(), 1, SILENCE);
    got.is_ok_and(|got| got.len() == 1)
}

/// Whether an inverted look-up table shows when the netlist answers the golden frames, plays a few
/// pieces, or decides a few positions.
async fn shows(inverted: &'static Variant) -> bool {
    let (wrong, _) = conversed(inverted, Depth::Bytes, 0, 1);
    if !wrong.is_empty() {
        return true;
    }
    let registry = lockstep_backends::table::tetris();
    let spec = registry.parse(&named(inverted));
    let opened = registry.open(&spec.expect("a backend's name"), 1).await;
    // A netlist that does not answer shows it, too.
    let Ok(mut broken) = opened else { return true };
    let probe = controller("probe");
    if broken.configure(&probe).await.is_err() {
        return true;
    }
    let run = Run {
        board: Field::new(10, 20),
        pieces: Piece::ALL.to_vec(),
    };
    let expected = golden_run(&probe, &run, Core::SERIAL);
    match broken.play(&[run]).await.as_deref() {
        Ok([got]) if deviations(&expected, got).is_empty() => {}
        _ => return true,
    }
    let backends = vec![crate::support::open("software").await, broken];
    let mut session = Session::new(backends, Stop::never());
    if session.configure(&probe).await.is_err() {
        return true;
    }
    let mut runner = TestRunner::deterministic();
    let positions = prop::collection::vec(any_position(), 30).new_tree(&mut runner);
    let positions = positions.expect("positions").current();
    let Ok(rows) = session.ask(&positions).await else {
        return true;
    };
    rows.iter().any(|answers| !answers.mismatches().is_empty())
}

#[test]
fn netlist_with_inverted_table_differs() {
    all_differ("tetris", |inverted| block_on(shows(inverted)));
}

/// Fails if a netlist of the game with an inverted look-up table answers, and does not differ.
fn all_differ(game: &str, differs: impl Fn(&'static Variant) -> bool + Sync) {
    let own = sim::netlists().iter().filter(|v| v.game == game);
    let faults: Vec<&str> = own.filter_map(|v| v.fault).collect();
    assert!(faults.len() > 5, "{game}: {faults:?}");
    let right = sim::netlist(game, None).expect("a netlist");
    assert!(answers(right), "{game}: no answer without a fault");
    let missed = missed(faults.into_iter(), |fault| {
        let inverted = sim::netlist(game, Some(fault)).expect("it is listed");
        !answers(inverted) || differs(inverted)
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// Its name as a backend.
fn named(inverted: &Variant) -> String {
    let fault = inverted.fault.expect("a table is inverted");
    format!("sim-netlist:fault={fault}")
}

/// A netlist beside the RTL, both with a controller.
struct Pair<G: Game>([Box<dyn Backend<G>>; 2]);

impl<G: Codec + Rules> Pair<G> {
    async fn open(
        registry: &BackendRegistry<G>,
        netlist: &str,
        controller: &G::Controller,
    ) -> Result<Self, BackendError> {
        let open = async |name: &str| {
            let spec = registry.parse(name).expect("a backend's name");
            let mut backend = registry.open(&spec, 1).await?;
            backend.configure(controller).await?;
            Ok::<_, BackendError>(backend)
        };
        Ok(Self([open("sim").await?, open(netlist).await?]))
    }

    /// Lets both decide a position. An error says what differs: trace, decision, notes, clock
    /// cycles, or bytes sent and received so far.
    async fn decide(&mut self, position: G::Position) -> Result<G::Decision, String> {
        let position = [position];
        // A broken search may go on for ever; a trace may not.
        let (mut traces, mut answers) = (Vec::new(), Vec::new());
        for backend in &mut self.0 {
            traces.extend(backend.trace(&position).await.map_err(|e| e.to_string())?);
        }
        if traces[0] != traces[1] {
            return Err(format!("expected {:?}, got {:?}", traces[0], traces[1]));
        }
        for backend in &mut self.0 {
            answers.extend(backend.decide(&position).await.map_err(|e| e.to_string())?);
        }
        let fields = answers.iter().map(|a| (&a.decision, &a.notes, a.cycles));
        let fields: Vec<_> = fields.collect();
        if fields[0] != fields[1] {
            return Err(format!("expected and got: {fields:?}"));
        }
        let bytes = self.0.each_ref().map(|backend| {
            let link = backend.link().map(|report| report.link);
            link.map(|link| (link.sent, link.received))
        });
        match bytes[0] == bytes[1] {
            true => Ok(answers.remove(0).decision),
            false => Err(format!("bytes expected and got: {bytes:?}")),
        }
    }

    async fn play(&mut self, setup: &G::Setup) -> Result<(), String> {
        let mut game = G::deal(setup, 0);
        loop {
            let decision = self.decide(game.position()).await?;
            if !game.apply(&decision).expect("by the rules") {
                return Ok(());
            }
        }
    }
}

/// The first difference of a netlist from the RTL in a game of Connect Four.
async fn connect4_difference(netlist: &str) -> Result<(), String> {
    let registry = lockstep_backends::table::connect4();
    let pair = Pair::open(&registry, netlist, &preset("windows", 3)).await;
    let mut pair = pair.map_err(|e| e.to_string())?;
    pair.play(&Setup::new(3, 2)).await
}

/// Boards on which White has one move to five: each point of the middle row, of the middle column.
fn boards_with_a_five() -> impl Iterator<Item = Board> {
    let points = [|i| 7 * 15 + i, |i| 15 * i + 7];
    let fives = points.map(|point| {
        (0..15_usize).map(move |five| {
            let mut board = Board::default();
            let first = five.saturating_sub(2).min(10);
            for i in first.saturating_sub(1)..15.min(first + 6) {
                let stone = if (first..first + 5).contains(&i) {
                    White
                } else {
                    Black
                };
                if i != five {
                    board.put(point(i), stone);
                }
            }
            board
        })
    });
    fives.into_iter().flatten()
}

/// The first difference in a game of each profile of Gomoku, on boards without a candidate, and on
/// boards with a five.
async fn gomoku_difference(netlist: &str) -> Result<(), String> {
    let registry = lockstep_backends::table::gomoku();
    for (profile, depth) in [("lines", 2), ("wujian", 1)] {
        let controller = gomoku::preset(profile, depth);
        let pair = Pair::open(&registry, netlist, &controller).await;
        let mut pair = pair.map_err(|e| e.to_string())?;
        for empty in [[3, 112], [3, 40]] {
            let (board, to_move) = (gomoku::dead_board(&empty), White);
            pair.decide(Position { board, to_move }).await?;
        }
        for board in boards_with_a_five() {
            let to_move = White;
            pair.decide(Position { board, to_move }).await?;
        }
        pair.play(&Setup::new(5, 3)).await?;
    }
    Ok(())
}

#[test]
fn netlists_of_searches_agree_with_their_rtl_to_the_cycle() {
    assert_eq!(block_on(connect4_difference("sim-netlist")), Ok(()));
    assert_eq!(block_on(gomoku_difference("sim-netlist")), Ok(()));
}

#[test]
fn connect4_netlist_with_inverted_table_differs() {
    let differs = |netlist| block_on(connect4_difference(&named(netlist))).is_err();
    all_differ("connect4", differs);
}

#[test]
fn gomoku_netlist_with_inverted_table_differs() {
    let differs = |netlist| block_on(gomoku_difference(&named(netlist))).is_err();
    all_differ("gomoku", differs);
}
