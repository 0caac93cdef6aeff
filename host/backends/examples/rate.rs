//! Measures how many decisions a second of simulated time a core makes at 12 Mbaud, and
//! writes `docs/rate.md`.
//!
//! Each kind of request is measured twice: at the pins, where bytes take their time on the line,
//! and without the UART, where a byte takes one clock cycle, which gives the core's own rate. The
//! line's limit follows from the number of bytes in the busier direction.

use std::path::Path;

use lockstep::Backend;
use lockstep_backends::table;
use lockstep_games::tetris::playing::signed;
use lockstep_games::tetris::{
    Board, Controller, Move, PieceSource, Pieces, Position, Run, SelfPlay, Size, Tetris, lookahead,
};

const BAUD: u32 = 12_000_000;
/// Bits of a byte on the line, with start and stop bit.
const BITS: f64 = 10.0;
/// Pieces of the game.
const DECISIONS: u32 = 3_200;
/// Pieces of a batch, the most that fit.
const BATCH: usize = 160;
/// Pieces from one checkpoint to the next.
const SPACING: u32 = 1_000;
const CONTROLLER: &str = "dt-20";
const SEED: u64 = 1;

type Failure = Box<dyn std::error::Error>;

/// The game: its positions, the same pieces in batches, and the golden model's moves.
struct Game {
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
    Single,
    Batch,
    SelfPlay,
}

const MODES: [(Mode, &str); 3] = [
    (Mode::Single, "one by one (`decide`, the window full)"),
    (Mode::Batch, "batches of 160 (`play`)"),
    (
        Mode::SelfPlay,
        "self-play (`self_play`, a checkpoint every 1,000)",
    ),
];

fn main() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(write())
}

async fn write() -> Result<(), Failure> {
    let controller = Controller::load(CONTROLLER)?;
    let game = game(&controller)?;
    let variant = sim::variant("tetris", None).ok_or("there is no model of the core")?;
    let clock = f64::from(variant.clock_hz);
    let decisions = f64::from(DECISIONS);
    let (mut rows, mut between) = (String::new(), 0.0);
    for (mode, about) in MODES {
        let pins = format!("sim-uart:baud={BAUD}");
        let pins = measured(&pins, &controller, &game, mode).await?;
        let bytes = measured("sim", &controller, &game, mode).await?;
        let rate = clock * decisions / pins.cycles as f64;
        let line = f64::from(BAUD) * decisions / (BITS * pins.bytes as f64);
        let core = clock * decisions / bytes.cycles as f64;
        // The rate as a part of the lower limit.
        let percent = 100.0 * rate / line.min(core);
        println!("{about}: {rate:.0} a second, {percent:.1} %");
        let [rate, line, core] = [rate, line, core].map(thousands);
        rows += &format!("| {about} | {rate} | {line} | {core} | {percent:.1} % |\n");
        if matches!(mode, Mode::SelfPlay) {
            between = (bytes.cycles - bytes.deciding) as f64 / decisions;
        }
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let document = document(&rows, between, variant.build_id);
    Ok(std::fs::write(docs.join("rate.md"), document)?)
}

fn game(controller: &Controller) -> Result<Game, Failure> {
    let linear = controller.linear().ok_or("it is no linear controller")?;
    let mut board = Board::of_size(Size::STANDARD);
    let (mut positions, mut runs, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    let pieces = Pieces::from_seed(PieceSource::Uniform, SEED);
    let pieces: Vec<_> = pieces.take(DECISIONS as usize).collect();
    for batch in pieces.chunks(BATCH) {
        runs.push(Run {
            board: board.clone(),
            pieces: batch.to_vec(),
        });
        for &piece in batch {
            let best = lookahead::best(&board, piece, None, linear);
            let (best, _) = best.ok_or("the game is lost")?;
            positions.push(Position {
                board: std::mem::replace(&mut board, best.after),
                piece,
                next: None,
            });
            moves.push(Move {
                rotation: best.rotation,
                column: best.column,
            });
        }
    }
    Ok(Game {
        positions,
        runs,
        moves,
    })
}

async fn measured(
    name: &str,
    controller: &Controller,
    game: &Game,
    mode: Mode,
) -> Result<Measured, Failure> {
    let registry = table::tetris();
    let mut core = registry.open(&registry.parse(name)?, 1).await?;
    core.configure(controller).await?;
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
        Mode::Single => {
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
        Mode::SelfPlay => {
            let runs = [SelfPlay {
                board: Board::of_size(Size::STANDARD),
                games: 1,
                pieces: DECISIONS,
                spacing: SPACING,
                generator: SEED,
                signature: 0,
            }];
            let ends = core.self_play(&runs, &mut |_, _| {}).await?;
            let end = ends.first().ok_or("it has no end")?;
            let columns = Size::STANDARD.columns();
            let signature = game.moves.iter().fold(0, |signature, played| {
                signed(signature, columns, Some(*played))
            });
            (end.signature == signature, end.cycles.unwrap_or(0))
        }
    };
    match right {
        true => Ok(cycles),
        false => Err("the core's moves differ from the golden model's".into()),
    }
}

fn document(rows: &str, between: f64, build_id: u32) -> String {
    let decisions = thousands(f64::from(DECISIONS));
    format!(
        "\
# Decisions a second

Written by `make rate`, of RTL build {build_id:08x}. All of it is simulated: a second is one of
simulated time, 100,000,000 clock cycles. No board was measured. The host costs nothing here: what
it sends is on the line at once, where a real one takes the time of its program and its adapter.

The first {decisions} pieces of a game of `{CONTROLLER}` (seed {SEED}), each kind of request on a core of
its own, from the first byte sent to the last one received; every move is checked.

- *12 Mbaud*: the core at its pins (`sim-uart:baud={BAUD}`; a bit is 8.33 clock cycles).
- *The line's limit*: at that rate, ten bits a byte, by the bytes in the busier direction.
- *The core's limit*: the same with bytes that take one clock cycle (`sim`).
- The last column is the rate as a part of the lower limit.

| asked | 12 Mbaud | the line's limit | the core's limit | of the lower one |
|---|---|---|---|---|
{rows}
In self-play {between:.1} clock cycles pass on average from the end of a decision to the beginning of
the next one: the piece is put, full rows are removed, the next piece is drawn.
"
    )
}

/// A whole number with commas between thousands.
fn thousands(value: f64) -> String {
    let digits = (value.round() as u64).to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}
