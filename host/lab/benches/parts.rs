//! The parts a decision is made of, each timed alone: `make bench`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lockstep_engine::tetris::{Engine, Game as FastGame, Path};
use lockstep_games::tetris::{Controller, Piece, Position, Setup, Size, Tetris};
use lockstep_games::{Golden as _, Match as _, Rules as _};
use protocol::frame::{self, Decoder, Frame};

/// Positions of a game of dt-20, as they come.
fn positions(n: usize) -> (Controller, Vec<Position>) {
    let controller = Controller::load("dt-20").expect("a preset");
    let setup = Setup::standard(1);
    let mut state = Tetris::deal(&setup, 0);
    let positions = (0..n)
        .map(|_| {
            let position = state.position();
            let decision = Tetris::decide(&controller, &position).expect("a decision");
            state.apply(&decision).expect("by the rules");
            position
        })
        .collect();
    (controller, positions)
}

fn golden(c: &mut Criterion) {
    let (controller, positions) = positions(256);
    let mut group = c.benchmark_group("decide 256 positions");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("golden model", |b| {
        b.iter(|| {
            for position in &positions {
                let _ = black_box(Tetris::decide(&controller, black_box(position)));
            }
        });
    });
    #[cfg(feature = "sim")]
    for name in ["sim", "sim-uart", "sim-uart:baud=12000000"] {
        simulated(&mut group, name, &controller, &positions);
    }
    group.finish();
}

#[cfg(feature = "sim")]
fn simulated(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    name: &str,
    controller: &Controller,
    positions: &[Position],
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let openers = lockstep_lab::backends::tetris();
    let spec = openers.parse(name).expect("a backend");
    let mut backend = runtime.block_on(openers.open(&spec, 1)).expect("opened");
    runtime
        .block_on(backend.configure(controller))
        .expect("configured");
    group.sample_size(10);
    group.bench_function(name, |b| {
        b.iter(|| {
            runtime
                .block_on(backend.decide(black_box(positions)))
                .expect("answers")
        });
    });
}

/// The engine's own loop, and a decision asked of it, on every path.
fn engine(c: &mut Criterion) {
    const PIECES: u64 = 10_000;
    let paths = Path::ALL.into_iter().filter(|path| path.available());
    let paths: Vec<Path> = paths.collect();
    for name in ["dellacherie", "bcts", "dt-20"] {
        let controller = Controller::load(name).expect("a preset");
        let linear = controller.linear().expect("linear");
        let mut group = c.benchmark_group(format!("{name} plays 10000 pieces"));
        group.throughput(Throughput::Elements(PIECES));
        for path in &paths {
            let engine = Engine::new(linear, Size::STANDARD, *path).expect("available");
            let mut game = FastGame::deal(&Setup::standard(1), 0);
            group.bench_function(path.to_string(), |b| {
                b.iter(|| engine.play(black_box(&mut game), PIECES));
            });
        }
        group.finish();
    }
    let (controller, positions) = positions(256);
    let mut group = c.benchmark_group("engine decides 256 positions");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for depth in [1, 2] {
        let controller = controller
            .clone()
            .with_search(depth, None)
            .expect("a depth");
        let linear = controller.linear().expect("linear");
        let engine = Engine::new(linear, Size::STANDARD, Path::best()).expect("available");
        let next = (depth > 1).then_some(Piece::T);
        group.bench_function(format!("depth {depth}"), |b| {
            b.iter(|| {
                for position in &positions {
                    black_box(engine.decide(&position.board, position.piece, next));
                }
            });
        });
    }
    group.finish();
}

fn frames(c: &mut Criterion) {
    let payload: Vec<u8> = (0..27).collect();
    let request = Frame {
        seq: 7,
        kind: 0x12,
        payload: &payload,
    };
    let mut group = c.benchmark_group("frame of a decide request");
    group.bench_function("encode", |b| b.iter(|| frame::encode(black_box(&request))));
    let wire = frame::encode(&request).expect("fits");
    group.bench_function("decode", |b| {
        let mut decoder = Decoder::new();
        b.iter(|| {
            for byte in black_box(wire.as_ref()) {
                black_box(decoder.push(*byte).is_some());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, golden, engine, frames);
criterion_main!(benches);
