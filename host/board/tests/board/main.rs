//! Virtual boards as their clients see them.

mod alone;
mod faults;
mod support;
mod tcp;
#[cfg(target_os = "linux")]
mod terminal;
