//! Gomoku's controllers by name.

use super::controller::{Controller, PRESETS};
use super::game::Gomoku;
use crate::stones::Setup;
use crate::{Catalog, LoadError};

impl Catalog for Gomoku {
    const DEFAULT: &'static str = "lines";

    fn presets() -> Vec<&'static str> {
        PRESETS.iter().map(|(name, _)| *name).collect()
    }

    fn load(name: &str) -> Result<Controller, LoadError> {
        Controller::load(name)
    }

    fn name(controller: &Controller) -> &str {
        &controller.name
    }

    fn default_setup(seed: u64) -> Setup {
        Setup::new(seed, 3)
    }
}
