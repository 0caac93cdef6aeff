//! The rules and the generator of a session's games, in words.

use serde::{Deserialize, Serialize};

/// The rules and random draws of a session's games, for programs that deal the same games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesDescription {
    /// The rules.
    pub rules: Named,
    /// The seed of the session.
    pub seed: u64,
    /// The generator of the random draws.
    pub generator: Named,
}

/// A name with a description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The description, in a sentence.
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
