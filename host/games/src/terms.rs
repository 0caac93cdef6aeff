//! What a session's games are played by, in words that need no program to be read.

use serde::{Deserialize, Serialize};

/// What somebody has to know to deal and judge the same games by other means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The rules.
    pub rules: Named,
    /// Seed of the session.
    pub seed: u64,
    /// What draws from the seed what chance brings.
    pub generator: Named,
}

/// Something with a name, and what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
}

impl Named {
    /// That name for that.
    pub fn new(name: &str, about: &str) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
        }
    }
}
