//! Connect Four's controllers by name.

use super::controller::PRESETS;
use super::{Connect4, Controller, Setup};
use crate::{Catalog, LoadError};

impl Catalog for Connect4 {
    const DEFAULT: &'static str = "windows";

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
        Setup::standard(seed)
    }
}
