//! The controllers of Connect Four by name.

use super::controller::{Controller, PRESETS};
use super::error::Connect4Error;
use super::game::Connect4;
use super::setup::Setup;
use crate::{BoxError, Catalog};

impl Catalog for Connect4 {
    const USUAL: &'static str = "windows";

    fn presets() -> Vec<&'static str> {
        PRESETS.iter().map(|(name, _)| *name).collect()
    }

    fn load(name: &str) -> Result<Option<Controller>, BoxError> {
        match Controller::load(name) {
            Ok(controller) => Ok(Some(controller)),
            Err(Connect4Error::Unknown { .. }) => Ok(None),
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
