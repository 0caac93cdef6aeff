//! A fast engine for Gomoku: alpha-beta search on lines of bits, with what each stone changes.
//!
//! It is written from the definitions (`host/games/src/gomoku/README.md`), not from the golden
//! model. `geometry` has spots and lines, `tree` what a search is, `wujian` and `lines` the profiles,
//! `progress` counts nodes and ends a search, `team` searches on several threads; this file
//! implements the traits of software that decides.

mod geometry;
mod lines;
mod progress;
mod team;
mod tree;
mod wujian;

use std::thread;

use lockstep_games::gomoku::{
    Answer, Board, Controller, Decision, Gomoku, Position, Profile, Stone,
};
use lockstep_games::stones::over;
use lockstep_games::{
    BoxError, Capabilities, Codec as _, Decider, Implementation, SearchControl, SearchProgress,
    SearchResult, Trace, Watch,
};

use geometry::Set;
use progress::{Ended, Progress};
use team::Team;

use crate::tetris::Path;

/// The centre of the board.
const CENTRE: usize = 112;

/// Maximum number of threads of a search.
pub const MAX_THREADS: usize = 64;

/// The engine of Gomoku.
#[derive(Debug, Clone, Copy)]
pub struct FastGomoku {
    path: Path,
    threads: usize,
}

impl Default for FastGomoku {
    /// The fastest path that this machine can run, and a thread for each of its cores.
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self {
            path: Path::best(),
            threads: threads.min(MAX_THREADS),
        }
    }
}

impl FastGomoku {
    /// The engine with a path and a number of threads as text; by default those of this machine.
    ///
    /// # Errors
    /// When this machine cannot run the path, or either text names none.
    pub fn named(path: Option<&str>, threads: Option<&str>) -> Result<Self, BoxError> {
        let mut engine = Self::default();
        if let Some(path) = path {
            engine.path = Path::named(path)?;
        }
        if let Some(text) = threads {
            let number = text.parse().ok();
            let number = number.filter(|threads| (1..=MAX_THREADS).contains(threads));
            engine.threads = number
                .ok_or_else(|| format!("threads is '{text}', expected 1 to {MAX_THREADS}"))?;
        }
        Ok(engine)
    }

    /// The engine with the instructions of another path.
    pub const fn with_path(self, path: Path) -> Self {
        Self { path, ..self }
    }

    /// The engine with this number of threads, at least one, for each deep search.
    pub const fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The engine with a controller.
    pub fn searcher(self, controller: &Controller) -> Searcher {
        Searcher::new(controller, self)
    }
}

impl Implementation<Gomoku> for FastGomoku {
    fn description(&self) -> String {
        let Self { path, threads } = self;
        let threads = match threads {
            1 => "1 thread".into(),
            _ => format!("{threads} threads"),
        };
        format!("fast engine, alpha-beta on lines of bits, path {path}, {threads}")
    }

    fn capabilities(&self, _: Option<&Controller>) -> Capabilities {
        Capabilities::searching(Gomoku::BOARD)
    }

    fn decider(&self, controller: &Controller) -> Result<Box<dyn Decider<Gomoku>>, BoxError> {
        Ok(Box::new(self.searcher(controller)))
    }
}

/// The engine with a controller.
pub struct Searcher {
    controller: Controller,
    options: FastGomoku,
    engine: Engine,
}

enum Engine {
    Wujian(Box<Team<wujian::Wujian>>),
    Lines(Box<Team<lines::Search>>),
}

impl Searcher {
    fn new(controller: &Controller, options: FastGomoku) -> Self {
        let FastGomoku { path, threads } = options;
        let depth = controller.depth.into();
        let engine = match &controller.profile {
            Profile::Wujian => {
                let search = wujian::Wujian::new(depth);
                Engine::Wujian(Box::new(Team::new(search, threads)))
            }
            Profile::Lines(weights) => {
                let picker = lines::Picker::new(path);
                let search = lines::Search::new(weights, depth, picker);
                Engine::Lines(Box::new(Team::new(search, threads)))
            }
        };
        Self {
            controller: controller.clone(),
            options,
            engine,
        }
    }

    /// The answer on any board for the side `own`, the game being over or not.
    pub fn answer(&mut self, board: &Board, own: Stone) -> Answer {
        let mut host = |_| SearchControl::Continue;
        let mut progress = Progress::new(&mut host);
        let found = self.run(board, own, &mut progress);
        found.unwrap_or_else(|Ended| progress.so_far())
    }

    /// Searches any board.
    fn run(
        &mut self,
        board: &Board,
        own: Stone,
        progress: &mut Progress<'_>,
    ) -> Result<Answer, Ended> {
        let [mine, theirs] = [own, own.other()].map(|side| Set::of(board, side));
        let win = match self.engine {
            Engine::Wujian(_) => wujian::WIN,
            Engine::Lines(_) => lines::WIN,
        };
        if mine.has_five() {
            return Ok(Answer::immediate(None, win));
        }
        if theirs.has_five() {
            return Ok(Answer::immediate(None, -win));
        }
        let taken = mine.or(theirs);
        if taken.is_empty() {
            return Ok(Answer::immediate(Some(CENTRE), 0));
        }
        match &mut self.engine {
            Engine::Wujian(team) => {
                let mut state = team.tree().state(board, own);
                team.search(&mut state, progress)?;
            }
            Engine::Lines(team) => {
                let mut state = team.with_cache(|lines, cache| lines.state(cache, board, own));
                if let Some((point, value)) = team.tree().win(&state) {
                    return Ok(Answer::immediate(Some(point), value));
                }
                team.search(&mut state, progress)?;
            }
        }
        let found = progress.so_far();
        if found.point.is_some() {
            return Ok(found);
        }
        // A full board, or one on which nobody can make five in a row any more.
        let point = match board.is_empty(CENTRE) {
            true => Some(CENTRE),
            false => board.empty_points().next(),
        };
        Ok(Answer::immediate(point, 0))
    }
}

/// Refuses a position in which the game is over.
fn check(position: &Position) -> Result<(), BoxError> {
    match position.board.is_over() {
        true => Err(Box::new(over::<Gomoku>())),
        false => Ok(()),
    }
}

impl Decider<Gomoku> for Searcher {
    fn decide(&mut self, position: &Position) -> Result<Decision, BoxError> {
        check(position)?;
        let answer = self.answer(&position.board, position.to_move);
        Ok(answer.decision().ok_or_else(over::<Gomoku>)?)
    }

    /// Finished early, it returns the best point completed so far, or before the first one the
    /// decision of depth 1.
    fn search(
        &mut self,
        position: &Position,
        watch: &mut dyn Watch<Gomoku>,
    ) -> Result<Option<SearchResult<Gomoku>>, BoxError> {
        check(position)?;
        let mut host = |best: Option<Decision>| {
            if best.is_some() {
                watch.progress(SearchProgress {
                    best,
                    notes: Vec::new(),
                    cycles: None,
                });
            }
            watch.control()
        };
        let mut progress = Progress::new(&mut host);
        let answer = match self.run(&position.board, position.to_move, &mut progress) {
            Ok(answer) => answer,
            Err(Ended) if progress.control == SearchControl::Abandon => return Ok(None),
            Err(Ended) => progress.so_far(),
        };
        let decision = match answer.decision() {
            Some(decision) => decision,
            None => {
                let shallow = self.controller.clone().with_depth(1)?;
                Self::new(&shallow, self.options).decide(position)?
            }
        };
        Ok(Some(SearchResult::plain(decision)))
    }

    fn trace(&mut self, position: &Position) -> Result<Option<Trace<Gomoku>>, BoxError> {
        check(position)?;
        let mut host = |_| SearchControl::Continue;
        let mut progress = Progress::new(&mut host).trace();
        let answer = self.run(&position.board, position.to_move, &mut progress);
        let decision = answer.ok().and_then(Answer::decision);
        let candidates = progress.into_trace();
        Ok(decision.map(|decision| Trace {
            candidates,
            decision,
        }))
    }
}
