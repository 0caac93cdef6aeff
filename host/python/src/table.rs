//! A running game, for environments.

use std::sync::Mutex;

use lockstep::record::outcome_name;
use lockstep_games::Match as _;
use pyo3::prelude::*;
use pythonize::{depythonize, pythonize};

use crate::failed;
use crate::games::{PyGame, by_game, shaped};

/// A running game of any game.
trait Running: Send {
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn seat(&self) -> usize;
    fn legal(&self) -> Vec<bool>;
    fn play(&mut self, action: usize) -> PyResult<bool>;
    fn apply(&mut self, decision: &Bound<'_, PyAny>) -> PyResult<bool>;
    fn moves(&self) -> u64;
    fn score(&self) -> Option<u64>;
    fn outcome(&self) -> Option<&'static str>;
}

struct Of<G: PyGame>(G::Match);

impl<G: PyGame> Running for Of<G> {
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.position())?)
    }

    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        shaped(py, G::cells(&self.0.position()))
    }

    fn seat(&self) -> usize {
        G::seat(&self.0.position())
    }

    fn legal(&self) -> Vec<bool> {
        let position = self.0.position();
        let actions = 0..G::actions(&position);
        let is_over = self.0.outcome().is_some();
        actions
            .map(|action| !is_over && G::decision(&position, action).is_some())
            .collect()
    }

    fn play(&mut self, action: usize) -> PyResult<bool> {
        let decision = G::decision(&self.0.position(), action);
        let decision = decision.ok_or_else(|| {
            failed(format!(
                "action {action} is not legal here; legal has those that are"
            ))
        })?;
        self.0.apply(&decision).map_err(failed)
    }

    fn apply(&mut self, decision: &Bound<'_, PyAny>) -> PyResult<bool> {
        let decision = depythonize(decision).map_err(|why| failed(format!("decision: {why}")))?;
        self.0.apply(&decision).map_err(failed)
    }

    fn moves(&self) -> u64 {
        self.0.moves()
    }

    fn score(&self) -> Option<u64> {
        self.0.score()
    }

    fn outcome(&self) -> Option<&'static str> {
        self.0.outcome().map(outcome_name::<G>)
    }
}

/// A running game: game `number` of a session with that seed.
///
/// `setup` changes how it is dealt: in Tetris `board`, `piece_source` and `next_known`, in the other
/// games `opening`, the number of random stones.
#[pyclass]
pub struct Game(Mutex<Box<dyn Running>>);

impl Game {
    fn with<T>(&self, act: impl FnOnce(&mut dyn Running) -> PyResult<T>) -> PyResult<T> {
        let mut game = self.0.lock().map_err(failed)?;
        act(&mut **game)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game, seed=1, number=1, setup=None))]
    fn new(game: &str, seed: u64, number: u64, setup: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        by_game!(game, G => {
            let setup = crate::games::setup::<G>(seed, setup, false)?;
            let dealt = <G as lockstep_games::Rules>::deal(&setup, number.saturating_sub(1));
            Ok(Self(Mutex::new(Box::new(Of::<G>(dealt)))))
        })
    }

    /// The position, as a dict.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.with(|game| game.position(py))
    }

    /// The board: in Tetris a number for each row, bit c is column c; otherwise the cells, 0 if empty.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.with(|game| game.board(py))
    }

    /// Index of the seat to move.
    #[getter]
    fn seat(&self) -> PyResult<usize> {
        self.with(|game| Ok(game.seat()))
    }

    /// Which actions are legal, an array of booleans.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray1<bool>>> {
        self.with(|game| Ok(numpy::PyArray1::from_vec(py, game.legal())))
    }

    /// Plays an action; returns whether the game goes on. In Tetris `rotation * columns + column`, in
    /// Connect Four the column, in Gomoku `15 y + x`.
    ///
    /// Raises `Error` if the action is not legal.
    fn play(&self, action: usize) -> PyResult<bool> {
        self.with(|game| game.play(action))
    }

    /// Plays a decision of a backend; returns whether the game goes on.
    ///
    /// Raises `Error` if the rules forbid it.
    fn apply(&self, decision: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.with(|game| game.apply(decision))
    }

    /// Number of moves played.
    #[getter]
    fn moves(&self) -> PyResult<u64> {
        self.with(|game| Ok(game.moves()))
    }

    /// Score so far; None in games without scores.
    #[getter]
    fn score(&self) -> PyResult<Option<u64>> {
        self.with(|game| Ok(game.score()))
    }

    /// Name of the seat that won, `draw`, or None.
    #[getter]
    fn outcome(&self) -> PyResult<Option<&'static str>> {
        self.with(|game| Ok(game.outcome()))
    }
}
