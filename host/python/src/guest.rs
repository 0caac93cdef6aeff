//! Backends written in Python: an object with a method `decide`.

use std::sync::Arc;

use lockstep::backend::Kind;
use lockstep::backend::software::Software;
use lockstep::{Backend, BackendError};
use lockstep_games::{BoardSize, Boards, BoxError, Capabilities, Decider, Implementation};
use pyo3::prelude::*;
use pythonize::{depythonize, pythonize};

use crate::games::PyGame;

/// Maximum number of columns and rows of a board.
const LARGEST: usize = 128;

/// A backend written in Python.
pub struct Guest {
    name: String,
    object: Arc<Py<PyAny>>,
}

impl Guest {
    /// The backend of an object, named by its attribute `name` or by its class.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = match object.getattr_opt("name")? {
            Some(name) => name.extract()?,
            None => object.get_type().name()?.extract()?,
        };
        if !object.hasattr("decide")? {
            return Err(crate::failed(format!(
                "{name} is no backend: give it a method decide(position)"
            )));
        }
        let object = Arc::new(object.clone().unbind());
        Ok(Self { name, object })
    }

    /// Opens it.
    pub fn open<G: PyGame>(self) -> Result<Box<dyn Backend<G>>, BackendError> {
        let name = self.name.clone();
        let software = Software::new(&name, Kind::Program, Box::new(self))?;
        Ok(Box::new(software))
    }
}

impl<G: PyGame> Implementation<G> for Guest {
    fn description(&self) -> String {
        "written in Python".into()
    }

    fn capabilities(&self, _: Option<&G::Controller>) -> Capabilities {
        Capabilities {
            known_next: true,
            ..Capabilities::plain(Boards::UpTo(BoardSize::new(LARGEST, LARGEST)))
        }
    }

    fn decider(&self, controller: &G::Controller) -> Result<Box<dyn Decider<G>>, BoxError> {
        Ok(Box::new(Decides::<G> {
            object: Arc::clone(&self.object),
            controller: Some(controller.clone()),
        }))
    }
}

struct Decides<G: PyGame> {
    object: Arc<Py<PyAny>>,
    /// Until the object has it.
    controller: Option<G::Controller>,
}

impl<G: PyGame> Decider<G> for Decides<G> {
    /// Calls `configure(controller)` first, if the object has it: on the thread of its decisions.
    fn decide(&mut self, position: &G::Position) -> Result<G::Decision, BoxError> {
        // The program may end while a session plays.
        let decided = Python::try_attach(|py| {
            let object = self.object.bind(py);
            if let Some(controller) = self.controller.take()
                && object.hasattr("configure")?
            {
                object.call_method1("configure", (pythonize(py, &controller)?,))?;
            }
            let position = pythonize(py, position)?;
            let decision = object.call_method1("decide", (position,))?;
            depythonize(&decision).map_err(|why| {
                crate::failed(format!("decide returned {decision}, no decision: {why}"))
            })
        });
        decided.ok_or("Python has ended")?.map_err(in_words)
    }
}

/// The text of an exception; its traceback is printed.
fn in_words(why: PyErr) -> BoxError {
    let text = Python::try_attach(|py| {
        if !why.is_instance_of::<crate::Error>(py) {
            why.print(py);
        }
        why.to_string()
    });
    text.unwrap_or_else(|| "Python has ended".into()).into()
}
