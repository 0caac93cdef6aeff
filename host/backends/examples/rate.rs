//! Measures how many decisions a second of simulated time a core makes at 12 Mbaud, and
//! writes `docs/rate.md`.
//!
//! Each kind of request is measured twice: at the pins, where bytes take their time on the line,
//! and without the UART, where a byte takes one clock cycle, which gives the core's own rate. The
//! line's limit follows from the number of bytes in the busier direction.

use std::path::Path;

use lockstep::Backend;
use lockstep_backends::table;
use lockstep_games::Golden;
use lockstep_games::tetris::playing::{Player, Sums};
use lockstep_games::tetris::timing::Core;
use lockstep_games::tetris::{
    Board, Controller, Move, PieceSource, Pieces, Position, Run, SelfPlay, Size, Tetris, lookahead,
};

const BAUD: u32 = 12_000_000;
/// Bits of a byte on the line, with start and stop bit.
const BITS: f64 = 10.0;
/// Pieces of the game, and of a game with lookahead.
const DECISIONS: usize = 3_200;
const DECISIONS_AHEAD: usize = 400;
/// Pieces of a batch, the most that fit.
const BATCH: usize = 160;
/// Pieces from one checkpoint to the next.
const SPACING: u32 = 1_000;
/// Games side by side.
const GAMES: u8 = 16;
const CONTROLLER: &str = "dt-20";
const SEED: u64 = 1;

type Failure = Box<dyn std::error::Error>;

/// A game: its positions, the same pieces in batches, and the golden model's moves.
struct Game {
    controller: Controller,
    positions: Vec<Position>,
    runs: Vec<Run>,
    moves: Vec<Move>,
}

/// The measurement of one kind of request.
struct Measured {
    /// Clock cycles, from the first byte sent to the last one received.
    cycles: u64,
    /// Bytes in the busier direction.
    bytes: u64,
    /// Clock cycles of the decisions themselves.
    deciding: u64,
}

#[derive(Clone, Copy)]
enum Mode {
    Single(Ahead),
    Batch,
    /// With this number of games side by side.
    SelfPlay(u8),
}

#[derive(Clone, Copy, PartialEq)]
enum Ahead {
    None,
    Known,
    Averaged,
}

/// A core's name in the options of its backends.
const SERIAL: &str = "core=";
const LANES: &str = "core=lanes";

const KINDS: [(&str, Mode, &str); 9] = [
    (SERIAL, Mode::Single(Ahead::None), "one by one (`decide`)"),
    (SERIAL, Mode::Batch, "batches of 160 (`play`)"),
    (SERIAL, Mode::SelfPlay(1), "self-play (`self_play`)"),
    (LANES, Mode::Single(Ahead::None), "4 lanes, one by one"),
    (LANES, Mode::Batch, "4 lanes, batches of 160"),
    (LANES, Mode::SelfPlay(1), "4 lanes, self-play"),
    (
        LANES,
        Mode::SelfPlay(GAMES),
        "4 lanes, self-play of 16 games",
    ),
    (
        LANES,
        Mode::Single(Ahead::Known),
        "4 lanes, next piece known",
    ),
    (
        LANES,
        Mode::Single(Ahead::Averaged),
        "4 lanes, next piece averaged",
    ),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let game = Game::new(Ahead::None)?;
    let (known, averaged) = (Game::new(Ahead::Known)?, Game::new(Ahead::Averaged)?);
    let variant = sim::variant("tetris", None).ok_or("there is no model of the core")?;
    let clock = f64::from(variant.clock_hz);
    let (mut rows, mut between) = (String::new(), 0.0);
    for (core, mode, about) in KINDS {
        let game = match mode {
            Mode::Single(Ahead::Known) => &known,
            Mode::Single(Ahead::Averaged) => &averaged,
            _ => &game,
        };
        let decisions = game.moves.len() as f64;
        let pins = measured(&format!("sim-uart:baud={BAUD},{core}"), game, mode).await?;
        let bytes = measured(&format!("sim:{core}"), game, mode).await?;
        let rate = clock * decisions / pins.cycles as f64;
        let line = f64::from(BAUD) * decisions / (BITS * pins.bytes as f64);
        let limit = clock * decisions / bytes.cycles as f64;
        // The rate as a part of the lower limit.
        let percent = 100.0 * rate / line.min(limit);
        println!("{about}: {rate:.0} a second, {percent:.1} %");
        let [rate, line, limit] = [rate, line, limit].map(thousands);
        rows += &format!("| {about} | {rate} | {line} | {limit} | {percent:.1} % |\n");
        if core == SERIAL && matches!(mode, Mode::SelfPlay(_)) {
            between = (bytes.cycles - bytes.deciding) as f64 / decisions;
        }
    }
    let mut lanes = String::new();
    for count in [0, 1, 2, 4, 8] {
        lanes += &lanes_row(count, clock, [&game, &known, &averaged])?;
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let document = document(&rows, between, &lanes, variant.build_id);
    Ok(std::fs::write(docs.join("rate.md"), document)?)
}

/// A row of the table of lanes: clock cycles a decision and decisions a second, alone, of games
/// side by side, and with lookahead.
fn lanes_row(lanes: u8, clock: f64, games: [&Game; 3]) -> Result<String, Failure> {
    let core = match lanes {
        0 => Core::SERIAL,
        _ => Core::with_lanes(lanes),
    };
    let [alone, known, averaged] = games;
    let mean = |game: &Game, cycles: &dyn Fn(&Position) -> Option<u32>| {
        let cycles: Option<u32> = game.positions.iter().map(cycles).sum();
        cycles.map(|sum| f64::from(sum) / game.positions.len() as f64)
    };
    let played = alone.played(if lanes == 0 { 1 } else { GAMES }, core)?;
    let columns = [
        mean(alone, &|position| Some(core.cycles(position))),
        played.cycles.map(|sum| sum as f64 / DECISIONS as f64),
        mean(known, &|position| core.cycles_ahead(position)),
        mean(averaged, &|position| core.cycles_ahead(position)),
    ];
    let columns = columns.map(|cycles| match cycles {
        Some(cycles) => format!("{cycles:.2} | {}", thousands(clock / cycles)),
        None => "– | –".into(),
    });
    Ok(format!("| {lanes} | {} |\n", columns.join(" | ")))
}

impl Game {
    fn new(ahead: Ahead) -> Result<Self, Failure> {
        let mut controller = Controller::load(CONTROLLER)?;
        let mut decisions = DECISIONS;
        if ahead != Ahead::None {
            controller = controller.with_search(2, None)?;
            decisions = DECISIONS_AHEAD;
        }
        let pieces = Pieces::from_seed(PieceSource::Uniform, SEED);
        let pieces: Vec<_> = pieces.take(decisions + 1).collect();
        let mut board = Board::of_size(Size::STANDARD);
        let (mut positions, mut runs, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for (number, pair) in pieces.windows(2).enumerate() {
            if number.is_multiple_of(BATCH) {
                runs.push(Run {
                    board: board.clone(),
                    pieces: Vec::new(),
                });
            }
            let position = Position {
                board: board.clone(),
                piece: pair[0],
                next: (ahead == Ahead::Known).then_some(pair[1]),
            };
            let linear = controller.linear().ok_or("it is not a linear controller")?;
            let best = lookahead::best(&board, position.piece, position.next, linear);
            let (best, _) = best.ok_or("the game is lost")?;
            board = best.after;
            moves.push(Move {
                rotation: best.rotation,
                column: best.column,
            });
            runs.last_mut().ok_or("no run")?.pieces.push(position.piece);
            positions.push(position);
        }
        Ok(Self {
            controller,
            positions,
            runs,
            moves,
        })
    }

    /// What the golden model makes of a self-play, and the clock cycles of a core.
    fn played(&self, games: u8, core: Core) -> Result<Sums, Failure> {
        let player = Player::with_games(games, Board::of_size(Size::STANDARD), 0);
        let mut player = player.counting_cycles(core);
        let pieces = Pieces::from_seed(PieceSource::Uniform, SEED);
        for (number, piece) in (1..=DECISIONS).zip(pieces) {
            let decision =
                player.step(piece, |p| <Tetris as Golden>::decide(&self.controller, p))?;
            decision.ok_or("a game is lost")?;
            if (number as u32).is_multiple_of(SPACING) {
                player.sums();
            }
        }
        Ok(player.end())
    }
}

async fn measured(name: &str, game: &Game, mode: Mode) -> Result<Measured, Failure> {
    let registry = table::tetris();
    let mut core = registry.open(&registry.parse(name)?, 1).await?;
    core.configure(&game.controller).await?;
    let before = passed(&*core)?;
    let deciding = ask(&mut *core, game, mode).await?;
    let after = passed(&*core)?;
    let [cycles, sent, received] = [0, 1, 2].map(|i| after[i] - before[i]);
    let lost = core.link().map_or(0, |link| link.counts.lost);
    if lost > 0 {
        return Err(format!("{lost} requests were lost").into());
    }
    Ok(Measured {
        cycles,
        bytes: sent.max(received),
        deciding,
    })
}

/// Clock cycles, bytes sent and bytes received so far.
fn passed(core: &dyn Backend<Tetris>) -> Result<[u64; 3], Failure> {
    let link = core.link().ok_or("a core has a link")?.link;
    let cycles = link.simulated_cycles.ok_or("it is not simulated")?;
    Ok([cycles, link.sent, link.received])
}

/// Plays the whole game and compares every move with the golden model's; returns the clock cycles
/// of the decisions.
async fn ask(core: &mut dyn Backend<Tetris>, game: &Game, mode: Mode) -> Result<u64, Failure> {
    let (right, cycles) = match mode {
        Mode::Single(_) => {
            let answers = core.decide(&game.positions).await?;
            let moves = answers.iter().map(|answer| {
                answer.decision.map(|placement| Move {
                    rotation: placement.rotation,
                    column: placement.column,
                })
            });
            let right = moves.eq(game.moves.iter().copied().map(Some));
            let cycles = answers.iter().filter_map(|answer| answer.cycles);
            (right, cycles.sum())
        }
        Mode::Batch => {
            let played = core.play(&game.runs).await?;
            let moves = played.iter().flat_map(|played| played.moves.iter());
            let cycles = played.iter().filter_map(|played| played.sums.cycles);
            (moves.eq(game.moves.iter()), cycles.sum())
        }
        Mode::SelfPlay(games) => {
            let runs = [SelfPlay {
                board: Board::of_size(Size::STANDARD),
                games,
                pieces: DECISIONS as u32,
                spacing: SPACING,
                generator: SEED,
                signature: 0,
            }];
            let ends = core.self_play(&runs, &mut |_, _| {}).await?;
            let end = ends.first().ok_or("it has no end")?;
            let expected = game.played(games, Core::SERIAL)?;
            (end.signature == expected.signature, end.cycles.unwrap_or(0))
        }
    };
    match right {
        true => Ok(cycles),
        false => Err("the core's moves differ from the golden model's".into()),
    }
}

fn document(rows: &str, between: f64, lanes: &str, build_id: u32) -> String {
    let counts = [DECISIONS, DECISIONS_AHEAD, SPACING as usize];
    let [decisions, ahead, spacing] = counts.map(|n| thousands(n as f64));
    format!(
        "\
# Decisions a second

Written by `make rate`, of RTL build {build_id:08x} and that with lanes. All of it is simulated: a
second is one of simulated time, 100,000,000 clock cycles. No board was measured. The host costs
nothing here: what it sends is on the line at once, where a real one takes the time of its program
and its adapter.

Each kind of request is measured on a core of its own, from the first byte sent to the last one
received, with the first {decisions} pieces of a game of `{CONTROLLER}` (seed {SEED}; {ahead} with
lookahead). Every move is checked. Positions that go one by one fill the window; a self-play has a
checkpoint every {spacing} pieces.

- *12 Mbaud*: the core at its pins (`sim-uart:baud={BAUD}`; a bit is 8.33 clock cycles).
- *The line's limit*: at that rate, ten bits a byte, by the bytes in the busier direction.
- *The core's limit*: the same with bytes that take one clock cycle (`sim`).
- The last column is the rate as a part of the lower limit.

| requests | 12 Mbaud | the line's limit | the core's limit | of the lower one |
|---|---:|---:|---:|---:|
{rows}
In self-play of the core without lanes {between:.1} clock cycles pass on average from the end of a
decision to the beginning of the next one: the piece is placed, full rows are removed, the next piece
is drawn.

## Lanes

Clock cycles of a decision, and decisions a second at 100 MHz, without the link. The cycles come from
the model (`host/games/src/tetris/timing.rs`), which the RTL equals in every test. *Side by side* is
self-play of {GAMES} games, or of one without lanes.

| lanes | alone | a second | side by side | a second | next known | a second | averaged | a second |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|
{lanes}"
    )
}

/// A whole number with commas between thousands.
fn thousands(value: f64) -> String {
    let digits = (value.round() as u64).to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}
