//! The rules of a session's games, in words.

use serde::{Deserialize, Serialize};

/// Enough to deal and judge the same games without this program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The rules.
    pub rules: Named,
    /// Seed of the session.
    pub seed: u64,
    /// The generator of the random draws.
    pub generator: Named,
}

/// A name with a description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its description, in a sentence.
    pub about: String,
}

impl Named {
    /// A name with a description.
    pub fn new(name: &str, about: &str) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
        }
    }
}
