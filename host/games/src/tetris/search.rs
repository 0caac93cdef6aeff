//! The search of a controller: depth and beam.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::GameError;

/// The depth and beam of a controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Json", into = "Json")]
pub struct Search {
    depth: u8,
    beam: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a depth")]
struct Json {
    depth: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beam: Option<u16>,
}

impl Search {
    /// Depth 1: the piece to place alone.
    pub const ONE: Self = Self {
        depth: 1,
        beam: Self::ALL,
    };

    /// The width that keeps all placements.
    const ALL: u16 = u16::MAX;

    /// The default beam at depth 3.
    const BEAM: u16 = 8;

    /// A search of `depth` pieces, 1 to 3, with the piece to place.
    ///
    /// The `beam` best placements of every piece but the last, by their own scores, are searched;
    /// by default all at depth 2 and 8 at depth 3.
    ///
    /// # Errors
    /// When the depth or the beam is out of range, or depth 1 has a beam.
    pub fn new(depth: u8, beam: Option<u16>) -> Result<Self, GameError> {
        let beam = match (depth, beam) {
            (1 | 2, None) => Ok(Self::ALL),
            (_, Some(beam @ (0 | 256..))) => {
                Err(format!("the beam is {beam}, expected 1 to 255 placements"))
            }
            (1, Some(_)) => Err("depth 1 has no beam; leave the beam out".into()),
            (3, None) => Ok(Self::BEAM),
            (2 | 3, Some(beam)) => Ok(beam),
            _ => Err(format!("the depth is {depth}, expected 1, 2 or 3 pieces")),
        };
        let beam = beam.map_err(GameError)?;
        Ok(Self { depth, beam })
    }

    /// Number of pieces searched, 1 to 3.
    pub fn depth(self) -> usize {
        self.depth.into()
    }

    /// Number of placements of a piece that are searched.
    pub fn beam(self) -> usize {
        self.beam.into()
    }

    /// The width of the beam; `None` if all placements are searched.
    pub fn width(self) -> Option<u16> {
        (self.beam != Self::ALL).then_some(self.beam)
    }

    /// Whether the search uses the next piece.
    pub fn looks_ahead(self) -> bool {
        self.depth > 1
    }
}

/// Displays as `depth 3, beam 8`.
impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth {}", self.depth)?;
        match self.beam {
            Self::ALL => Ok(()),
            beam => write!(f, ", beam {beam}"),
        }
    }
}

impl Default for Search {
    fn default() -> Self {
        Self::ONE
    }
}

impl TryFrom<Json> for Search {
    type Error = GameError;

    fn try_from(json: Json) -> Result<Self, GameError> {
        Self::new(json.depth, json.beam)
    }
}

impl From<Search> for Json {
    fn from(search: Search) -> Self {
        let default = Search::new(search.depth, None).map(|s| s.beam);
        Self {
            depth: search.depth,
            beam: (Ok(search.beam) != default).then_some(search.beam),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_new_checks_depth_and_beam() {
        let width = |depth, beam| match Search::new(depth, beam) {
            Ok(search) => format!("{:?}", search.width()),
            Err(why) => why.to_string(),
        };
        for (depth, beam, expected) in [
            (1, None, "None"),
            (2, None, "None"),
            (3, None, "Some(8)"),
            (2, Some(255), "Some(255)"),
            (0, None, "the depth is 0, expected 1, 2 or 3 pieces"),
            (4, None, "the depth is 4, expected 1, 2 or 3 pieces"),
            (1, Some(3), "depth 1 has no beam; leave the beam out"),
            (2, Some(0), "the beam is 0, expected 1 to 255 placements"),
            (
                3,
                Some(256),
                "the beam is 256, expected 1 to 255 placements",
            ),
        ] {
            assert_eq!(width(depth, beam), expected);
        }
    }

    #[test]
    fn search_json_has_another_beam_than_the_default() {
        for (depth, beam, text) in [
            (3, None, r#"{"depth":3}"#),
            (3, Some(8), r#"{"depth":3}"#),
            (3, Some(9), r#"{"depth":3,"beam":9}"#),
            (2, Some(255), r#"{"depth":2,"beam":255}"#),
        ] {
            let search = Search::new(depth, beam).expect("valid");
            assert_eq!(serde_json::to_string(&search).expect("JSON"), text);
            assert_eq!(serde_json::from_str::<Search>(text).expect("JSON"), search);
        }
    }
}
