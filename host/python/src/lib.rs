//! The module `lockstep._lockstep`, on which the package in `python/lockstep/` is built.
//!
//! Read in this order:
//! - `games`: what a game has for Python: positions as arrays, numbered actions.
//! - `arrays`: fields as columns.
//! - `backend`: backends, and decisions, traces and self-play on them.
//! - `guest`: backends written in Python.
//! - `session`: a session in a thread of its own, as an iterator of events.
//! - `table`: a running game, for environments.
//! - `record`: records as lines.
//!
//! Positions, decisions, controllers and events are dicts with the members of their JSON. Every call
//! that takes long releases the GIL, and looks for Ctrl-C twenty times a second.

mod arrays;
mod backend;
mod games;
mod guest;
mod record;
mod session;
mod table;

use std::fmt::Display;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::{create_exception, exceptions::PyException};
use tokio::runtime::{Builder, Runtime};

create_exception!(
    lockstep,
    Error,
    PyException,
    "What went wrong, with the remedy."
);

/// An exception of that text.
fn failed(why: impl Display) -> PyErr {
    Error::new_err(why.to_string())
}

/// Interval at which Ctrl-C is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

fn runtime() -> Result<Runtime, PyErr> {
    let built = Builder::new_current_thread().enable_all().build();
    built.map_err(failed)
}

/// Waits for a future without the GIL; Ctrl-C drops it.
fn wait<T: Send>(
    py: Python<'_>,
    runtime: &Runtime,
    future: impl Future<Output = T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        runtime.block_on(async {
            let mut future = pin!(future);
            loop {
                match tokio::time::timeout(POLL_INTERVAL, &mut future).await {
                    Ok(result) => return Ok(result),
                    Err(_) => Python::attach(|py| py.check_signals())?,
                }
            }
        })
    })
}

#[pymodule]
fn _lockstep(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<Error>())?;
    module.add_class::<backend::Backend>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<table::Game>()?;
    module.add_function(wrap_pyfunction!(games::games, module)?)?;
    module.add_function(wrap_pyfunction!(games::controllers, module)?)?;
    module.add_function(wrap_pyfunction!(games::controller, module)?)?;
    module.add_function(wrap_pyfunction!(record::record_lines, module)?)?;
    module.add_function(wrap_pyfunction!(record::write_lines, module)?)?;
    module.add_function(wrap_pyfunction!(record::verify_record, module)?)
}
