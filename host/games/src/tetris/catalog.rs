//! Tetris' controllers by name.

use super::controller::presets;
use super::{Controller, Setup, Tetris};
use crate::{Catalog, LoadError};

impl Catalog for Tetris {
    const DEFAULT: &'static str = "dt-20";

    fn presets() -> Vec<&'static str> {
        presets().collect()
    }

    fn load(name: &str) -> Result<Controller, LoadError> {
        Controller::load(name)
    }

    fn name(controller: &Controller) -> &str {
        &controller.name
    }

    fn default_setup(seed: u64) -> Setup {
        Setup::standard(seed)
    }
}
