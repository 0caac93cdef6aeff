//! How fast decisions come, of every backend in one run.
//!
//! Runs of all contestants are interleaved, so that a busy machine slows all
//! alike; of each the median run counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use lockstep::{Backend, BackendError};
use lockstep_engine::tetris::{self, Engine, EngineError, Path};
use lockstep_games::tetris::piece::width;
use lockstep_games::tetris::source::Pieces;
use lockstep_games::tetris::{Linear, Piece, PieceSource, Position, Size, Tetris};
use lockstep_games::{Explain, Game, Golden, Match as _, Rules};

use crate::threads::{self, ThreadsError};
use crate::turns;

/// A result, as `lockstep bench --json` lists it.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name on the command line.
    pub backend: String,
    /// Name of the controller.
    pub controller: String,
    /// Dispatch path; `None` for all but the engine.
    pub path: Option<String>,
    /// Threads deciding at the same time.
    pub threads: usize,
    /// Decisions a second, median of the runs.
    pub decisions_per_s: f64,
    /// What one of those is called that a decision chooses from.
    pub candidate: &'static str,
    /// Nanoseconds for each of them.
    pub ns_per_candidate: f64,
    /// Runs that count.
    pub runs: usize,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("backend", &self.backend)?;
        map.serialize_entry("controller", &self.controller)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("threads", &self.threads)?;
        map.serialize_entry("decisions_per_s", &self.decisions_per_s)?;
        let per = format!("ns_per_{}", self.candidate);
        map.serialize_entry(&per, &self.ns_per_candidate)?;
        map.serialize_entry("runs", &self.runs)?;
        map.end()
    }
}

/// Positions to be decided in turn.
pub struct Positions<G: Game> {
    all: Vec<G::Position>,
    /// What there is to choose from at one of them, in the mean.
    candidates: f64,
}

/// Something to be timed.
pub struct Contestant<G: Game> {
    backend: String,
    controller: String,
    player: Player<G>,
    /// What there is to choose from at a position, in the mean.
    candidates: f64,
    /// Decisions a second, by run.
    rates: Vec<f64>,
}

enum Player<G: Game> {
    /// The engine in its own loop, a game a thread.
    Engine {
        engine: Arc<Engine>,
        games: Vec<tetris::EngineGame>,
        /// So many threads and no more, also for what one decision spreads.
        pool: Arc<ThreadPool>,
    },
    /// A backend asked the same positions over and over.
    Backend {
        backend: Box<dyn Backend<G>>,
        positions: Vec<G::Position>,
        /// Where it was stopped.
        at: usize,
    },
}

/// Why nothing can be timed.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    /// The engine cannot be had.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The threads cannot be had.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A run did not end.
    #[error(transparent)]
    Run(#[from] tokio::task::JoinError),
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Positions a backend is asked in turn.
const POSITIONS: usize = 1024;

/// Positions asked at a time: enough to keep a window of requests full.
const BATCH: usize = 64;

impl Contestant<Tetris> {
    /// The engine on `threads` threads.
    ///
    /// # Errors
    /// When this machine cannot run the path or the threads.
    pub fn engine(
        name: &str,
        linear: &Linear,
        path: Path,
        threads: usize,
    ) -> Result<Self, SpeedError> {
        let pool = threads::pool(threads)?;
        let engine = Engine::new(linear, Size::STANDARD, path)?;
        let game = |thread| {
            let pieces = Pieces::new(PieceSource::Uniform, 42, thread as u64);
            tetris::EngineGame::new(Size::STANDARD, pieces)
        };
        Ok(Self {
            backend: "engine".into(),
            controller: name.into(),
            player: Player::Engine {
                engine: Arc::new(engine),
                games: (0..threads).map(game).collect(),
                pool: Arc::new(pool),
            },
            candidates: placements(Size::STANDARD),
            rates: Vec::new(),
        })
    }
}

impl<G: Explain> Contestant<G> {
    /// A backend that has its controller, asked these positions.
    pub fn backend(name: &str, positions: Positions<G>, backend: Box<dyn Backend<G>>) -> Self {
        Self {
            backend: backend.identity().name.to_string(),
            controller: name.into(),
            player: Player::Backend {
                backend,
                positions: positions.all,
                at: 0,
            },
            candidates: positions.candidates,
            rates: Vec::new(),
        }
    }

    /// One run of about that long.
    ///
    /// # Errors
    /// The backend's.
    pub async fn run(&mut self, span: Duration) -> Result<(), SpeedError> {
        let start = Instant::now();
        let decisions = match &mut self.player {
            Player::Engine {
                engine,
                games,
                pool,
            } => {
                let before = total(games);
                let (engine, pool) = (Arc::clone(engine), Arc::clone(pool));
                let mut playing = std::mem::take(games);
                // Beside the thread that listens for an interrupt.
                let run = move || {
                    pool.install(|| {
                        let games = playing.par_iter_mut().with_max_len(1);
                        games.for_each(|game| play(&engine, game, span));
                    });
                    playing
                };
                *games = tokio::task::spawn_blocking(run).await?;
                total(games) - before
            }
            Player::Backend {
                backend,
                positions,
                at,
            } => {
                let mut decisions = 0;
                while start.elapsed() < span {
                    let batch = &positions[*at..positions.len().min(*at + BATCH)];
                    decisions += backend.decide(batch).await?.len() as u64;
                    *at = (*at + batch.len()) % positions.len();
                    // Lets the interrupt be heard.
                    tokio::task::yield_now().await;
                }
                decisions
            }
        };
        self.rates
            .push(decisions as f64 / start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Runs it had.
    pub fn runs(&self) -> usize {
        self.rates.len()
    }

    /// The median of its runs; `None` before the first.
    pub fn row(&self) -> Option<Row> {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        let decisions_per_s = *rates.get(rates.len() / 2)?;
        let (path, threads) = match &self.player {
            Player::Engine { engine, games, .. } => (Some(engine.path().to_string()), games.len()),
            Player::Backend { .. } => (None, 1),
        };
        Some(Row {
            backend: self.backend.clone(),
            controller: self.controller.clone(),
            path,
            threads,
            decisions_per_s,
            candidate: G::CANDIDATE.one,
            ns_per_candidate: 1e9 / (decisions_per_s * self.candidates),
            runs: rates.len(),
        })
    }
}

/// Plays for about that long, game after game.
fn play(engine: &Engine, game: &mut tetris::EngineGame, span: Duration) {
    let start = Instant::now();
    // Some ten microseconds between looks at the clock; lookahead takes longer.
    let pieces = engine.chunk().min(100);
    turns::play(
        None,
        |_| start.elapsed() < span,
        |_| turns::series(engine, game, pieces),
    );
}

fn total(games: &[tetris::EngineGame]) -> u64 {
    games.iter().map(|game| game.totals().pieces).sum()
}

impl<G: Rules + Golden> Positions<G> {
    /// The first positions of games dealt so, as the golden model plays them; `None` of a
    /// controller that it does not play.
    pub fn of(controller: &G::Controller, setup: &G::Setup) -> Option<Self> {
        /// Fewer than of the engine: a golden model may search for long.
        const MOST: usize = 64;
        let (mut all, mut candidates) = (Vec::new(), 0);
        for game in 0..MOST as u64 {
            let mut game = G::deal(setup, game);
            loop {
                let position = game.position();
                let Ok(decision) = G::decide(controller, &position) else {
                    break;
                };
                let trace = G::trace(controller, &position).ok().flatten();
                candidates += trace.map_or(1, |trace| trace.candidates.len());
                all.push(position);
                if all.len() == MOST || !game.apply(&decision).unwrap_or(false) {
                    break;
                }
            }
            if all.is_empty() || all.len() == MOST {
                break;
            }
        }
        (!all.is_empty()).then(|| Self {
            candidates: candidates as f64 / all.len() as f64,
            all,
        })
    }
}

impl Positions<Tetris> {
    /// The first positions of a game, as the controller plays it with the engine.
    pub fn by_engine(linear: &Linear) -> Self {
        Self {
            all: positions(linear),
            candidates: placements(Size::STANDARD),
        }
    }
}

fn positions(linear: &Linear) -> Vec<Position> {
    let now = Linear {
        search: lockstep_games::tetris::Search::ONE,
        ..linear.clone()
    };
    let mut pieces = Pieces::new(PieceSource::Uniform, 42, 0);
    let mut game = tetris::EngineGame::new(Size::STANDARD, pieces.clone());
    let Ok(engine) = Engine::new(&now, Size::STANDARD, Path::Portable) else {
        return Vec::new();
    };
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        positions.push(Position {
            board: game.board(),
            piece: pieces.draw(),
            next: None,
        });
        engine.play(&mut game, 1);
    }
    positions
}

/// Placements of a piece between the walls, the mean over the seven: 162 / 7 on
/// ten columns.
pub fn placements(size: Size) -> f64 {
    let of_piece = |piece: &Piece| -> usize {
        let widths = piece.rotations().iter().map(width);
        widths.map(|w| size.columns() - w + 1).sum()
    };
    Piece::ALL.iter().map(of_piece).sum::<usize>() as f64 / 7.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_162_placements_on_ten_columns() {
        assert_eq!(placements(Size::STANDARD), 162.0 / 7.0);
    }

    #[test]
    fn the_median_of_the_runs_counts() {
        let linear = lockstep_games::tetris::Controller::load("dt-20").unwrap();
        let linear = linear.linear().unwrap();
        let mut contestant = Contestant::engine("dt-20", linear, Path::Portable, 2).unwrap();
        assert!(contestant.row().is_none(), "nothing is known yet");
        contestant.rates = vec![7.0, 1.0, 4.0e6];
        let row = contestant.row().unwrap();
        assert_eq!((row.threads, row.decisions_per_s, row.runs), (2, 7.0, 3));
        assert_eq!(row.ns_per_candidate, 1e9 / 162.0);
    }
}
