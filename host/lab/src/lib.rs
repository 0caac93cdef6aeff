//! What is measured around lockstep.
//!
//! - [`backends`]: the backends this program has for each game; [`engine`]: the fast one,
//!   which also plays by itself.
//! - [`speed`], [`signature`]: how fast decisions come, and a long game's moves
//!   in one number; [`soak`]: a backend that plays by itself, compared with the engine.
//! - [`strength`]: how well a controller plays; [`train`]: weights from games.
//! - [`turns`], [`threads`], [`files`], [`journal`]: shared by these: games that can be stopped,
//!   threads, files that are whole or absent, and a command's state in a file.
//! - `signals`: those of a core that are worth looking at in a waveform.

pub mod backends;
pub mod engine;
pub mod files;
pub mod journal;
#[cfg(feature = "sim")]
pub mod signals;
pub mod signature;
pub mod soak;
pub mod speed;
pub mod strength;
pub mod threads;
pub mod train;
pub mod turns;
