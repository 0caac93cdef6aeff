//! How far a controller looks.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How far a controller looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Json", into = "Json")]
pub struct Search {
    depth: u8,
    beam: u16,
}

/// Not a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// Too shallow or too deep.
    #[error("depth {0}: a controller looks 1, 2 or 3 pieces ahead")]
    Depth(u8),
    /// Not a width.
    #[error("beam {0}: a beam is from 1 to 255 placements wide")]
    Beam(u16),
    /// At depth 1 there is nothing to look into.
    #[error("there is no beam at depth 1; leave it out")]
    NoBeam,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a depth")]
struct Json {
    depth: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beam: Option<u16>,
}

impl Search {
    /// The piece to place and nothing else.
    pub const ONE: Self = Self {
        depth: 1,
        beam: Self::ALL,
    };

    /// Width that keeps every placement: more than there are on any board.
    const ALL: u16 = u16::MAX;

    /// Placements kept at depth 3 unless another width is named.
    pub const BEAM: u16 = 8;

    /// `depth` pieces: 1 the piece alone, 2 one piece more, 3 two. Of the
    /// placements of every piece but the last, the `beam` best by their own
    /// score are looked into: all at depth 2 and [`Self::BEAM`] at depth 3
    /// unless it is named.
    ///
    /// # Errors
    /// [`SearchError`] for another depth, or a beam of no width or without use.
    pub fn new(depth: u8, beam: Option<u16>) -> Result<Self, SearchError> {
        let beam = match (depth, beam) {
            (1, None) => return Ok(Self::ONE),
            (_, Some(beam @ (0 | 256..))) => return Err(SearchError::Beam(beam)),
            (1, Some(_)) => return Err(SearchError::NoBeam),
            (2, None) => Self::ALL,
            (3, None) => Self::BEAM,
            (2 | 3, Some(beam)) => beam,
            _ => return Err(SearchError::Depth(depth)),
        };
        Ok(Self { depth, beam })
    }

    /// Pieces it places in thought: 1, 2 or 3.
    pub fn depth(self) -> usize {
        self.depth.into()
    }

    /// Placements of a piece it looks into.
    pub fn beam(self) -> usize {
        self.beam.into()
    }

    /// The width of its beam; `None` when every placement is looked into.
    pub fn width(self) -> Option<u16> {
        (self.beam != Self::ALL).then_some(self.beam)
    }

    /// Whether it is worth its while to know the next piece.
    pub fn looks_ahead(self) -> bool {
        self.depth > 1
    }
}

/// As people say it: `depth 3, beam 8`.
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
    type Error = SearchError;

    fn try_from(json: Json) -> Result<Self, SearchError> {
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
    fn searches_have_depths_and_widths() {
        let width = |depth, beam| Search::new(depth, beam).map(Search::width);
        assert_eq!(width(1, None), Ok(None));
        assert_eq!(width(2, None), Ok(None));
        assert_eq!(width(3, None), Ok(Some(8)));
        assert_eq!(width(2, Some(255)), Ok(Some(255)));
        assert_eq!(width(0, None), Err(SearchError::Depth(0)));
        assert_eq!(width(4, None), Err(SearchError::Depth(4)));
        assert_eq!(width(1, Some(3)), Err(SearchError::NoBeam));
        assert_eq!(width(2, Some(0)), Err(SearchError::Beam(0)));
        assert_eq!(width(3, Some(256)), Err(SearchError::Beam(256)));
    }
}
