//! Measures the decisions a second of several backends in one run.
//!
//! Runs of all contestants are interleaved, so that a busy machine slows all alike; the result
//! of each is its median run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use lockstep::{Backend, BackendError};
use lockstep_engine::tetris::{Engine, EngineError, EngineGame, Path};
use lockstep_games::tetris::piece::width;
use lockstep_games::tetris::{Linear, Piece, PieceSource, Pieces, Position, Search, Size, Tetris};
use lockstep_games::{Explain, Game, Golden, Match as _, Rules};

use lockstep_lab::threads::{self, ThreadsError};
use lockstep_lab::ticking;

/// The result of a contestant, as `lockstep bench --json` lists it.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name on the command line.
    pub backend: String,
    /// Name of the controller.
    pub controller: String,
    /// Dispatch path of the engine.
    pub path: Option<String>,
    /// Threads that decide at the same time.
    pub threads: usize,
    /// Decisions a second, median of the runs.
    pub decisions_per_s: f64,
    /// The game's word for a candidate, such as `placement`.
    pub candidate: &'static str,
    /// Nanoseconds for each candidate.
    pub ns_per_candidate: f64,
    /// Number of runs.
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

/// The positions that a backend decides, again and again.
pub struct Positions<G: Game> {
    all: Vec<G::Position>,
    /// Mean number of candidates of a position, where a decision does not say how many it looked at.
    candidates: f64,
}

/// A backend or engine with a controller, to be timed.
pub struct Contestant<G: Game> {
    backend: String,
    controller: String,
    player: Player<G>,
    /// Mean number of candidates of a position, where a decision does not say how many it looked at.
    candidates: f64,
    /// Decisions and candidates a second, by run.
    rates: Vec<[f64; 2]>,
}

enum Player<G: Game> {
    /// The engine in its own loop, a game a thread.
    Engine {
        engine: Arc<Engine>,
        games: Vec<EngineGame>,
        /// Also limits the threads within one decision.
        pool: Arc<ThreadPool>,
    },
    /// A backend that decides the same positions over and over.
    Backend {
        backend: Box<dyn Backend<G>>,
        positions: Vec<G::Position>,
        /// Index of the next position.
        at: usize,
    },
}

/// Why a contestant cannot be timed.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    /// This machine cannot run the engine's path.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The thread of a run panicked.
    #[error(transparent)]
    Run(#[from] tokio::task::JoinError),
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Positions that the engine plays for a backend.
const POSITIONS: usize = 1024;

/// Maximum number of positions requested at a time: enough to keep the window of a core full that
/// queues them.
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
            EngineGame::new(Size::STANDARD, pieces)
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
    /// A backend, already configured with its controller, which decides these positions.
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

    /// Times one run of about `span`.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn run(&mut self, span: Duration) -> Result<(), SpeedError> {
        let start = Instant::now();
        let each = self.candidates;
        let counts = match &mut self.player {
            Player::Engine {
                engine,
                games,
                pool,
            } => {
                let before = total(games);
                let (engine, pool) = (Arc::clone(engine), Arc::clone(pool));
                let mut playing = std::mem::take(games);
                // On another thread: this one waits for an interrupt.
                let run = move || {
                    pool.install(|| {
                        let games = playing.par_iter_mut().with_max_len(1);
                        games.for_each(|game| play(&engine, game, span));
                    });
                    playing
                };
                *games = tokio::task::spawn_blocking(run).await?;
                let decisions = (total(games) - before) as f64;
                [decisions, decisions * each]
            }
            Player::Backend {
                backend,
                positions,
                at,
            } => {
                let [mut decisions, mut candidates] = [0.0; 2];
                // A call takes up to 100 microseconds more than its decisions.
                let mut batch = 1;
                while start.elapsed() < span {
                    let called = Instant::now();
                    let asked = &positions[*at..positions.len().min(*at + batch)];
                    for decided in backend.decide(asked).await? {
                        decisions += 1.0;
                        let looked_at = G::looked_at(&decided.decision);
                        candidates += looked_at.map_or(each, |count| count as f64);
                    }
                    *at = (*at + asked.len()) % positions.len();
                    if called.elapsed() * 4 < span {
                        batch = BATCH.min(batch * 2);
                    }
                    // Lets an interrupt end the run.
                    tokio::task::yield_now().await;
                }
                [decisions, candidates]
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        self.rates.push(counts.map(|count| count / seconds));
        Ok(())
    }

    /// Number of runs so far.
    pub fn runs(&self) -> usize {
        self.rates.len()
    }

    /// The result: the median of its runs; `None` before the first.
    pub fn row(&self) -> Option<Row> {
        let median = |of: usize| {
            let mut rates: Vec<f64> = self.rates.iter().map(|rates| rates[of]).collect();
            rates.sort_by(f64::total_cmp);
            rates.get(rates.len() / 2).copied()
        };
        let decisions_per_s = median(0)?;
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
            ns_per_candidate: 1e9 / median(1)?,
            runs: self.rates.len(),
        })
    }
}

/// Plays for about `span`, game after game.
fn play(engine: &Engine, game: &mut EngineGame, span: Duration) {
    let start = Instant::now();
    // Reads the clock about every ten microseconds; lookahead takes longer.
    let pieces = engine.chunk().min(100);
    ticking::play(
        None,
        |_| start.elapsed() < span,
        |_| ticking::engine_chunk(engine, game, pieces),
    );
}

fn total(games: &[EngineGame]) -> u64 {
    games.iter().map(|game| game.totals().pieces).sum()
}

impl<G: Rules + Golden> Positions<G> {
    /// The first positions of games that the golden model plays; `None` for a controller that it
    /// does not play.
    pub fn of(controller: &G::Controller, setup: &G::Setup) -> Option<Self> {
        /// Fewer than [`POSITIONS`]: a golden model may search for long.
        const LIMIT: usize = 64;
        let (mut all, mut candidates) = (Vec::new(), 0);
        for game in 0..LIMIT as u64 {
            let mut game = G::deal(setup, game);
            loop {
                let position = game.position();
                let Ok(decision) = G::decide(controller, &position) else {
                    break;
                };
                let trace = G::trace(controller, &position).ok().flatten();
                candidates += trace.map_or(1, |trace| trace.candidates.len());
                all.push(position);
                if all.len() == LIMIT || !game.apply(&decision).unwrap_or(false) {
                    break;
                }
            }
            if all.is_empty() || all.len() == LIMIT {
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
    /// The first positions of a game that the engine plays with the controller.
    pub fn by_engine(linear: &Linear) -> Self {
        let now = Linear {
            search: Search::ONE,
            ..linear.clone()
        };
        let mut pieces = Pieces::new(PieceSource::Uniform, 42, 0);
        let mut game = EngineGame::new(Size::STANDARD, pieces.clone());
        let engine = Engine::new(&now, Size::STANDARD, Path::Portable).ok();
        let next = |engine: &Engine| {
            let position = Position {
                board: game.board(),
                piece: pieces.draw(),
                next: None,
            };
            engine.play(&mut game, 1);
            position
        };
        Self {
            all: engine.iter().cycle().map(next).take(POSITIONS).collect(),
            candidates: placements(Size::STANDARD),
        }
    }
}

/// Mean number of placements of the seven pieces on an empty board: 162 / 7 on ten columns.
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
    fn placements_on_ten_columns_are_162() {
        assert_eq!(placements(Size::STANDARD), 162.0 / 7.0);
    }

    #[test]
    fn row_reports_median_of_runs() {
        let linear = lockstep_games::tetris::Controller::load("dt-20").unwrap();
        let linear = linear.linear().unwrap();
        let mut contestant = Contestant::engine("dt-20", linear, Path::Portable, 2).unwrap();
        assert!(contestant.row().is_none(), "before the first run");
        contestant.rates = [7.0, 1.0, 4.0e6].map(|rate| [rate, 9.0 * rate]).into();
        let row = contestant.row().unwrap();
        assert_eq!((row.threads, row.decisions_per_s, row.runs), (2, 7.0, 3));
        assert_eq!(row.ns_per_candidate, 1e9 / 63.0);
    }
}
