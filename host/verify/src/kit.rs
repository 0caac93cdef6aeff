//! The modules of `rtl/kit/`, from which readers are built.

pub mod loader;
pub mod sender;
pub mod setting;
