//! The controllers of Tetris by name.

use super::controller::{Controller, ControllerError, presets};
use super::game::Tetris;
use super::setup::Setup;
use crate::{BoxError, Catalog};

impl Catalog for Tetris {
    const USUAL: &'static str = "dt-20";

    fn presets() -> Vec<&'static str> {
        presets().collect()
    }

    fn load(name: &str) -> Result<Option<Controller>, BoxError> {
        match Controller::load(name) {
            Ok(controller) => Ok(Some(controller)),
            Err(ControllerError::Unknown { .. }) => Ok(None),
            Err(why) => Err(why.into()),
        }
    }

    fn name(controller: &Controller) -> &str {
        &controller.name
    }

    fn usual(seed: u64) -> Setup {
        Setup::standard(seed)
    }
}
