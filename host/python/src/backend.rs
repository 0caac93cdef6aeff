//! Backends: decisions, traces and self-play.

use std::sync::{Mutex, MutexGuard};

use lockstep::{BackendError, Spec};
use lockstep_engine::tetris::{Engine, Path, Positions};
use lockstep_games::tetris::{Linear, Search};
use numpy::{PyArray1, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pythonize::{depythonize, pythonize};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::arrays::Columns;
use crate::games::{Arrays, LENGTHS, PyGame, by_game, load};
use crate::guest::Guest;
use crate::{failed, runtime, wait};

/// A backend of a game.
pub enum Given {
    Named(Spec),
    Python(Guest),
}

impl Given {
    pub fn new<G: PyGame>(backend: &Bound<'_, PyAny>) -> PyResult<Self> {
        match backend.extract::<String>() {
            Ok(name) => Ok(Self::Named(G::backends().parse(&name).map_err(failed)?)),
            Err(_) => Ok(Self::Python(Guest::new(backend)?)),
        }
    }

    /// Opens it; `index` is another one for each backend of a session.
    pub async fn open<G: PyGame>(
        self,
        index: u64,
    ) -> Result<Box<dyn lockstep::Backend<G>>, BackendError> {
        let nonce = u64::from(std::process::id()) << 8 | index;
        match self {
            Self::Named(spec) => G::backends().open(&spec, nonce).await,
            Self::Python(guest) => guest.open(),
        }
    }
}

type Tables<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>, Bound<'py, PyAny>);

/// An open backend of any game.
trait Opened: Send {
    fn identity(&self) -> Value;
    fn ask<'py>(&mut self, positions: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyAny>>;
    fn decide<'py>(&mut self, py: Python<'py>, arrays: &Arrays) -> PyResult<Bound<'py, PyDict>>;
    fn trace<'py>(&mut self, py: Python<'py>, arrays: &Arrays) -> PyResult<Tables<'py>>;
    fn self_play<'py>(
        &mut self,
        py: Python<'py>,
        size: &str,
        pieces: u32,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>>;
}

struct Of<G: PyGame> {
    runtime: Runtime,
    backend: Box<dyn lockstep::Backend<G>>,
}

impl<G: PyGame> Of<G> {
    fn check(&self, positions: &[G::Position]) -> PyResult<()> {
        let identities = || [self.backend.identity()];
        let mut checked = positions
            .iter()
            .map(|p| lockstep::session::check::<G>(identities(), p));
        checked
            .find(Result::is_err)
            .unwrap_or(Ok(()))
            .map_err(failed)
    }
}

impl<G: PyGame> Opened for Of<G> {
    fn identity(&self) -> Value {
        json!(self.backend.identity())
    }

    fn ask<'py>(&mut self, positions: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyAny>> {
        let asked: Vec<G::Position> =
            depythonize(positions).map_err(|why| failed(format!("positions: {why}")))?;
        self.check(&asked)?;
        let answers = wait(positions.py(), &self.runtime, self.backend.decide(&asked))?;
        Ok(pythonize(positions.py(), &answers.map_err(failed)?)?)
    }

    fn decide<'py>(&mut self, py: Python<'py>, arrays: &Arrays) -> PyResult<Bound<'py, PyDict>> {
        let positions = G::positions(arrays)?;
        self.check(&positions)?;
        let answers = wait(py, &self.runtime, self.backend.decide(&positions))?;
        let mut columns = Columns::new(G::REAL);
        for answer in answers.map_err(failed)? {
            columns.add(G::fields(&answer.decision));
        }
        columns.into_dict(py)
    }

    fn trace<'py>(&mut self, py: Python<'py>, arrays: &Arrays) -> PyResult<Tables<'py>> {
        let positions = G::positions(arrays)?;
        self.check(&positions)?;
        let traces = wait(py, &self.runtime, self.backend.trace(&positions))?;
        let (mut decisions, mut candidates) = (Columns::new(G::REAL), Columns::new(G::REAL));
        let (mut offsets, mut count) = (vec![0], 0);
        for trace in traces.map_err(failed)? {
            decisions.add(G::fields(&trace.decision));
            count += trace.candidates.len() as i64;
            offsets.push(count);
            for candidate in &trace.candidates {
                candidates.add(G::candidate_fields(candidate));
            }
        }
        let offsets = PyArray1::from_vec(py, offsets).into_any();
        Ok((decisions.into_dict(py)?, candidates.into_dict(py)?, offsets))
    }

    fn self_play<'py>(
        &mut self,
        py: Python<'py>,
        size: &str,
        pieces: u32,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = G::self_play_of(size, pieces, seed)?;
        let run = run.ok_or_else(|| failed(format!("{} has no self-play", G::NAME)))?;
        let runs = [run];
        let mut checkpoint = |_, _| ();
        let sums = wait(
            py,
            &self.runtime,
            self.backend.self_play(&runs, &mut checkpoint),
        )?;
        let sums = sums.map_err(failed)?;
        Ok(pythonize(py, &sums.first())?)
    }
}

/// The fast engine of Tetris, which decides arrays without conversion.
struct Fast {
    linear: Linear,
    path: Path,
}

/// Positions that the engine decides before Ctrl-C is noticed; the second with lookahead, which is slow.
const CHUNKS: [usize; 2] = [1 << 16, 1 << 6];

impl Fast {
    fn decide<'py>(
        &self,
        py: Python<'py>,
        arrays: &Arrays,
        scores: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (rows, pieces, next) = (arrays.rows()?, arrays.to_move()?, arrays.next()?);
        let (size, count) = (arrays.size()?, pieces.len());
        let (rows, pieces) = (rows.as_slice()?, pieces.as_slice()?);
        let next = next.as_ref().map_or(Ok(&[][..]), |next| next.as_slice())?;
        let mut placements = vec![[0; 4]; count];
        let mut millionths = vec![0; if scores { count } else { 0 }];
        let decided = py.detach(|| {
            let engine = Engine::new(&self.linear, size, self.path).map_err(failed)?;
            if rows.len() != count * size.rows() || ![0, count].contains(&next.len()) {
                return Err(failed(LENGTHS));
            }
            let chunk = CHUNKS[usize::from(self.linear.search != Search::ONE)];
            for from in (0..count).step_by(chunk) {
                let to = count.min(from + chunk);
                let part = Positions {
                    rows: &rows[from * size.rows()..to * size.rows()],
                    pieces: &pieces[from..to],
                    next: if next.is_empty() {
                        next
                    } else {
                        &next[from..to]
                    },
                };
                let scores = if scores {
                    &mut millionths[from..to]
                } else {
                    &mut []
                };
                let decided = engine.decide_all(&part, &mut placements[from..to], scores);
                decided.map_err(|mut wrong| {
                    wrong.at += from;
                    failed(wrong)
                })?;
                if to < count {
                    Python::attach(|py| py.check_signals())?;
                }
            }
            Ok(())
        });
        decided?;
        let dict = PyDict::new(py);
        if scores {
            let real = millionths
                .iter()
                .zip(&placements)
                .map(|(score, placed)| match placed[0] {
                    -1 => f64::NAN,
                    _ => *score as f64 / 1e6,
                });
            dict.set_item("score", PyArray1::from_iter(py, real))?;
        }
        let numbers = PyArray1::from_vec(py, placements.into_flattened()).reshape([count, 4])?;
        for (index, name) in ["rotation", "column", "row", "rows_cleared"]
            .into_iter()
            .enumerate()
        {
            dict.set_item(
                name,
                numbers.get_item((pyo3::types::PySlice::full(py), index))?,
            )?;
        }
        Ok(dict)
    }
}

/// An open backend with its controller; `lockstep.open` opens one.
///
/// Raises `Error` if there is no such backend, or it cannot be opened or play by the controller.
#[pyclass]
pub struct Backend {
    game: String,
    opened: Mutex<Box<dyn Opened>>,
    fast: Option<Fast>,
}

impl Backend {
    /// Fails instead of waiting: the thread that decides may need the GIL.
    fn opened(&self) -> PyResult<MutexGuard<'_, Box<dyn Opened>>> {
        let busy = "the backend decides for another thread; open one for each thread";
        self.opened.try_lock().map_err(|_| failed(busy))
    }
}

#[pymethods]
impl Backend {
    #[new]
    #[pyo3(signature = (backend, game, controller=None))]
    fn new(
        backend: &Bound<'_, PyAny>,
        game: &str,
        controller: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = backend.py();
        by_game!(game, G => {
            let given = Given::new::<G>(backend)?;
            let controller = load::<G>(controller)?;
            let fast = match &given {
                Given::Named(spec) => G::engine(spec, &controller),
                Given::Python(_) => None,
            };
            let runtime = runtime()?;
            let open = async {
                let mut backend = given.open::<G>(0).await?;
                backend.configure(&controller).await?;
                Ok::<_, BackendError>(backend)
            };
            let backend = wait(py, &runtime, open)?.map_err(failed)?;
            Ok(Self {
                game: game.into(),
                opened: Mutex::new(Box::new(Of::<G> { runtime, backend })),
                fast: fast.map(|(linear, path)| Fast { linear, path }),
            })
        })
    }

    /// Name of its game.
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    /// Name, kind, description, capabilities and build id.
    #[getter]
    fn identity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.opened()?.identity())?)
    }

    /// Decides positions given as dicts (`{"board": [0] * 20, "piece": "T"}`); returns an answer for
    /// each: `decision`, and of a core `cycles` and the expected clock cycles, `due`.
    fn ask<'py>(&self, positions: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyAny>> {
        self.opened()?.ask(positions)
    }

    /// Decides n positions given as arrays, which are not copied; returns an array of length n for
    /// each field of a decision.
    ///
    /// Tetris: `boards` is uint16 of shape (n, rows), row 0 first, bit c is column c of `columns`;
    /// `to_move` is uint8 of shape (n,), the piece's number in "IOTSZJL"; `next` likewise, the next
    /// piece, if it is known. Other games: `boards` is uint8 of shape (n, rows, columns), 0 for an
    /// empty cell, 1 and 2 for the sides; in Connect Four row 0 is the bottom row. `to_move` is 0 or 1.
    ///
    /// A whole number is -1 where there is none (no legal placement); a score or value is a float,
    /// in the unit of the definitions, then NaN. The engine of Tetris reports `score` only with
    /// `scores`: it takes longer than the decision.
    ///
    /// Raises `Error` for other arrays, and for the first position that is not valid. Another thread
    /// must not write to the arrays during the call: it releases the GIL.
    #[pyo3(signature = (boards, to_move, next=None, columns=10, scores=false))]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        boards: Bound<'py, PyAny>,
        to_move: Bound<'py, PyAny>,
        next: Option<Bound<'py, PyAny>>,
        columns: usize,
        scores: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let arrays = Arrays {
            boards,
            to_move,
            next,
            columns,
        };
        match &self.fast {
            Some(fast) => fast.decide(py, &arrays, scores),
            None => self.opened()?.decide(py, &arrays),
        }
    }

    /// Decides as `decide` and reports the candidates: returns decisions, candidates and offsets.
    ///
    /// The candidates of position i are the elements `offsets[i]` to `offsets[i + 1]` of the arrays
    /// of `candidates`, one array for each field (in Tetris the features and the score).
    #[pyo3(signature = (boards, to_move, next=None, columns=10))]
    fn trace<'py>(
        &self,
        py: Python<'py>,
        boards: Bound<'py, PyAny>,
        to_move: Bound<'py, PyAny>,
        next: Option<Bound<'py, PyAny>>,
        columns: usize,
    ) -> PyResult<Tables<'py>> {
        let arrays = Arrays {
            boards,
            to_move,
            next,
            columns,
        };
        self.opened()?.trace(py, &arrays)
    }

    /// Plays `pieces` pieces of Tetris by itself, game after game from an empty board; returns the
    /// totals: pieces, games lost, rows cleared, signature of the moves.
    #[pyo3(signature = (pieces, seed=1, board="10x20"))]
    fn self_play<'py>(
        &self,
        py: Python<'py>,
        pieces: u32,
        seed: u64,
        board: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.opened()?.self_play(py, board, pieces, seed)
    }
}
