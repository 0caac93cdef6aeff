//! What a game has for Python: positions as arrays, numbered actions, controllers by name.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lockstep::{BackendRegistry, Spec};
use lockstep_backends::table;
use lockstep_engine::tetris::Path;
use lockstep_games::connect4::{self, Connect4};
use lockstep_games::gomoku::{self, Gomoku};
use lockstep_games::stones::{Position, Stone, Stones};
use lockstep_games::tetris::{Board, Linear, Piece, Placement, Score, Size, Tetris};
use lockstep_games::{Catalog, SelfPlay, tetris};
use numpy::{PyArray1, PyArrayMethods as _, PyReadonlyArrayDyn, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pythonize::{depythonize, pythonize};
use serde_json::Value;

use crate::failed;

/// A game for Python.
pub trait PyGame: Catalog {
    /// The fields that are real numbers, NaN where there is none. Others are whole, and then -1.
    const REAL: &'static [&'static str];

    fn backends() -> BackendRegistry<Self>;

    /// The positions of arrays; see the documentation of `Backend.decide`.
    fn positions(arrays: &Arrays) -> PyResult<Vec<Self::Position>>;

    /// The board of a position as numbers, row by row, with their shape.
    fn cells(position: &Self::Position) -> (Vec<u16>, Vec<usize>);

    /// Number of actions on such a board, legal or not.
    fn actions(position: &Self::Position) -> usize;

    /// The decision that plays an action; `None` if it is not legal.
    fn decision(position: &Self::Position, action: usize) -> Option<Self::Decision>;

    /// Self-play of this many pieces from an empty board; `None` if the game has none.
    fn self_play_of(_size: &str, _pieces: u32, _seed: u64) -> PyResult<Option<SelfPlay<Self>>> {
        Ok(None)
    }

    /// The controller and the path of the fast engine, if the backend is one.
    fn engine(_spec: &Spec, _controller: &Self::Controller) -> Option<(Linear, Path)> {
        None
    }
}

pub const LENGTHS: &str =
    "the arrays have different lengths, expected one element for each position";

/// Positions as arrays.
pub struct Arrays<'py> {
    pub boards: Bound<'py, PyAny>,
    pub to_move: Bound<'py, PyAny>,
    pub next: Option<Bound<'py, PyAny>>,
    pub columns: usize,
}

/// An array of that type, without a copy.
pub fn array<'py, T: numpy::Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
    shape: &str,
    dimensions: usize,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let dtype = numpy::dtype::<T>(array.py());
    let wrong = |_| {
        failed(format!(
            "{name}: expected a numpy array of {dtype}, shape {shape}, in C order; \
         numpy.ascontiguousarray({name}, dtype='{dtype}') makes one"
        ))
    };
    let found: PyReadonlyArrayDyn<T> = array.extract().map_err(|_| wrong(()))?;
    match found.ndim() == dimensions && found.is_c_contiguous() {
        true => Ok(found),
        false => Err(wrong(())),
    }
}

impl<'py> Arrays<'py> {
    pub fn to_move(&self) -> PyResult<PyReadonlyArrayDyn<'py, u8>> {
        array("to_move", &self.to_move, "(positions,)", 1)
    }

    pub fn next(&self) -> PyResult<Option<PyReadonlyArrayDyn<'py, u8>>> {
        let next = self.next.as_ref();
        next.map(|next| array("next", next, "(positions,)", 1))
            .transpose()
    }

    pub fn rows(&self) -> PyResult<PyReadonlyArrayDyn<'py, u16>> {
        array("boards", &self.boards, "(positions, rows)", 2)
    }

    /// The size of the boards of Tetris.
    pub fn size(&self) -> PyResult<Size> {
        Size::new(self.columns, self.rows()?.shape()[1]).map_err(failed)
    }
}

impl PyGame for Tetris {
    const REAL: &'static [&'static str] = &["score", "landing_height"];

    fn backends() -> BackendRegistry<Self> {
        table::tetris()
    }

    fn positions(arrays: &Arrays) -> PyResult<Vec<tetris::Position>> {
        let (rows, to_move, next) = (arrays.rows()?, arrays.to_move()?, arrays.next()?);
        let size = arrays.size()?;
        let pieces = to_move.as_slice()?;
        let next = next.as_ref().map(|next| next.as_slice()).transpose()?;
        if rows.shape()[0] != pieces.len() || next.is_some_and(|next| next.len() != pieces.len()) {
            return Err(failed(LENGTHS));
        }
        let piece = |number: u8| {
            let why = || failed(format!("the piece is {number}, expected 0 to 6 (IOTSZJL)"));
            Piece::from_number(number).ok_or_else(why)
        };
        let boards = rows.as_slice()?.chunks_exact(size.rows());
        boards
            .zip(pieces)
            .enumerate()
            .map(|(at, (rows, number))| {
                let rows: Vec<u64> = rows.iter().map(|row| u64::from(*row)).collect();
                Ok(tetris::Position {
                    board: Board::from_rows(size.columns(), &rows)
                        .map_err(|why| failed(format!("position {at}: {why}")))?,
                    piece: piece(*number)?,
                    next: next.map(|next| piece(next[at])).transpose()?,
                })
            })
            .collect()
    }

    fn cells(position: &tetris::Position) -> (Vec<u16>, Vec<usize>) {
        let rows = position.board.to_rows();
        let rows: Vec<u16> = rows.iter().map(|row| *row as u16).collect();
        let count = rows.len();
        (rows, vec![count])
    }

    /// Action `rotation * columns + column`, four rotations for every piece.
    fn actions(position: &tetris::Position) -> usize {
        4 * position.board.columns()
    }

    fn decision(position: &tetris::Position, action: usize) -> Option<Option<Placement>> {
        let mut board = position.board.clone();
        let (rotation, column) = (action / board.columns(), action % board.columns());
        let cells = position.piece.rotations().get(rotation)?;
        let row = board.landing_row(cells, column)?;
        board.place(cells, column, row);
        let rows_cleared = board.clear_full_rows().len();
        let score = Score::default();
        Some(Some(Placement {
            rotation,
            column,
            row,
            rows_cleared,
            score,
        }))
    }

    fn self_play_of(size: &str, pieces: u32, seed: u64) -> PyResult<Option<tetris::SelfPlay>> {
        let size: Size = size.parse().map_err(failed)?;
        Ok(Some(tetris::SelfPlay {
            board: Board::of_size(size),
            games: 1,
            pieces: pieces.max(1),
            spacing: pieces.max(1),
            generator: seed,
            signature: lockstep_engine::tetris::EngineGame::FIRST_SIGNATURE,
        }))
    }

    fn engine(spec: &Spec, controller: &tetris::Controller) -> Option<(Linear, Path)> {
        let path = spec
            .option("path")
            .map_or(Some(Path::best()), |path| Path::named(path).ok())?;
        let linear = controller.linear().filter(|_| spec.factory() == "engine")?;
        Some((linear.clone(), path))
    }
}

/// The positions of a game of stones.
fn stones<G: Stones>(arrays: &Arrays) -> PyResult<Vec<Position<G>>> {
    let shape = format!("(positions, {}, {})", G::SIZE.rows, G::SIZE.columns);
    let boards = array::<u8>("boards", &arrays.boards, &shape, 3)?;
    let to_move = arrays.to_move()?;
    let sides = to_move.as_slice()?;
    if *boards.shape() != [sides.len(), G::SIZE.rows, G::SIZE.columns] {
        let found = boards.shape();
        return Err(failed(format!(
            "boards have the shape {found:?}, expected {shape} and a side to move for each"
        )));
    }
    let side = |number: u8| match number {
        0 => Some(Stone::First),
        1 => Some(Stone::Second),
        _ => None,
    };
    let cells = boards
        .as_slice()?
        .chunks_exact(G::SIZE.rows * G::SIZE.columns);
    cells
        .zip(sides)
        .enumerate()
        .map(|(at, (cells, number))| {
            let wrong = |why: String| failed(format!("position {at}: {why}"));
            let mut board = G::Board::default();
            for (cell, number) in cells.iter().enumerate().filter(|(_, number)| **number != 0) {
                let (column, row) = (cell % G::SIZE.columns, cell / G::SIZE.columns);
                let stone = side(number - 1).ok_or_else(|| {
                    wrong(format!("a cell is {number}, expected 0 (empty), 1 or 2"))
                })?;
                if G::put(&mut board, column, row, stone) != Some(row) {
                    return Err(wrong(format!(
                        "the stone in column {column}, row {row} has an empty cell below it"
                    )));
                }
            }
            if G::is_over(&board) {
                return Err(wrong(G::OVER.into()));
            }
            let to_move = side(*number)
                .ok_or_else(|| wrong(format!("the side to move is {number}, expected 0 or 1")))?;
            Ok(Position { board, to_move })
        })
        .collect()
}

/// The board of a game of stones: 0 for an empty cell, 1 and 2 for the sides.
fn stones_board<G: Stones>(position: &Position<G>) -> (Vec<u16>, Vec<usize>) {
    let number = |stone: Option<Stone>| stone.map_or(0, |stone| stone.seat() as u16 + 1);
    (
        position.cells().map(number).collect(),
        vec![G::SIZE.rows, G::SIZE.columns],
    )
}

macro_rules! stones {
    ($($Game:ty: $backends:path, $actions:expr, $decision:expr;)+) => {$(
        impl PyGame for $Game {
            const REAL: &'static [&'static str] = &["value"];

            fn backends() -> BackendRegistry<Self> {
                $backends()
            }

            fn positions(arrays: &Arrays) -> PyResult<Vec<Self::Position>> {
                stones(arrays)
            }

            fn cells(position: &Self::Position) -> (Vec<u16>, Vec<usize>) {
                stones_board(position)
            }

            fn actions(_: &Self::Position) -> usize {
                $actions
            }

            fn decision(position: &Self::Position, action: usize) -> Option<Self::Decision> {
                let decision = $decision(action);
                position.play(&decision).is_ok().then_some(decision)
            }
        }
    )+};
}

stones! {
    Connect4: table::connect4, Connect4::SIZE.columns, |column| connect4::Decision { column, value: 0 };
    Gomoku: table::gomoku, Gomoku::SIZE.columns * Gomoku::SIZE.rows,
        |point| gomoku::Decision::only(point % Gomoku::SIZE.columns, point / Gomoku::SIZE.columns);
}

/// Runs an expression with `$G` as the game of that name.
macro_rules! by_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            "tetris" => {
                type $G = lockstep_games::tetris::Tetris;
                $body
            }
            "connect4" => {
                type $G = lockstep_games::connect4::Connect4;
                $body
            }
            "gomoku" => {
                type $G = lockstep_games::gomoku::Gomoku;
                $body
            }
            other => Err(crate::games::unknown(other)),
        }
    };
}
pub(crate) use by_game;

pub fn unknown(name: &str) -> PyErr {
    failed(format!(
        "no game is called '{name}'; there are {}",
        games().join(", ")
    ))
}

/// The controller of that name or file, or with those members.
pub fn load<G: PyGame>(controller: Option<&Bound<'_, PyAny>>) -> PyResult<G::Controller> {
    let Some(given) = controller.filter(|given| !given.is_none()) else {
        return G::load(G::DEFAULT).map_err(failed);
    };
    match given.extract::<PathBuf>() {
        Ok(name) => G::load(&name.to_string_lossy()).map_err(failed),
        Err(_) => depythonize(given).map_err(|why| failed(format!("controller: {why}"))),
    }
}

/// Names of the games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    vec!["tetris", "connect4", "gomoku"]
}

/// Names of the game's built-in controllers.
#[pyfunction]
pub fn controllers(game: &str) -> PyResult<Vec<&'static str>> {
    by_game!(game, G => Ok(<G as Catalog>::presets()))
}

/// The members of a controller, given by its name or file.
#[pyfunction]
pub fn controller<'py>(game: &str, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    by_game!(game, G => Ok(pythonize(name.py(), &load::<G>(Some(name))?)?))
}

/// How games are dealt: the default for the seed, with these members changed.
pub fn setup<G: PyGame>(
    seed: u64,
    changed: Option<&Bound<'_, PyAny>>,
    swap: bool,
) -> PyResult<G::Setup> {
    let mut setup = serde_json::to_value(G::default_setup(seed)).map_err(failed)?;
    if let Some(changed) = changed {
        let changed: BTreeMap<String, Value> = depythonize(changed)?;
        for (name, value) in changed {
            match setup.get_mut(&name) {
                Some(member) => *member = value,
                None => {
                    let known: Vec<_> = setup
                        .as_object()
                        .into_iter()
                        .flat_map(|s| s.keys())
                        .collect();
                    return Err(failed(format!(
                        "setup has no member '{name}', only {known:?}"
                    )));
                }
            }
        }
    }
    if swap {
        setup["swap"] = true.into();
    }
    serde_json::from_value(setup).map_err(|why| failed(format!("setup: {why}")))
}

/// Numbers as an array of that shape.
pub fn shaped<'py>(
    py: Python<'py>,
    (numbers, shape): (Vec<u16>, Vec<usize>),
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any())
}
