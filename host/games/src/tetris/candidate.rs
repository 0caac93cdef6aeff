//! Candidates: all placements, with their features and scores; the one that is chosen.

use serde::{Deserialize, Serialize};

use super::golden::{Landing, all_placements};
use super::linear::halves;
use super::{Board, FEATURES, Features, Linear, Piece, Score};
use crate::{Field, Value};

/// A placement of the piece, legal or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// The evaluation; `None` if the placement is not legal.
    pub evaluated: Option<Evaluated>,
}

/// The evaluation of a legal placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Evaluated {
    /// Landing row: the bottom row of the piece.
    pub row: usize,
    /// The features.
    pub features: Features,
    /// The score without lookahead.
    pub score: Score,
}

/// All placements of a piece, legal or not, in order, evaluated without lookahead.
pub fn all(board: &Board, piece: Piece, controller: &Linear) -> Vec<Candidate> {
    let evaluated = |landing: Landing| Evaluated {
        row: landing.row,
        features: landing.features,
        score: controller.score(&landing.features),
    };
    let placements = all_placements(board, piece);
    let candidates = placements.map(|([rotation, column], landing)| Candidate {
        rotation,
        column,
        evaluated: landing.map(evaluated),
    });
    candidates.collect()
}

impl Candidate {
    /// The fields, with the names and in the order of the wire's table.
    pub(super) fn fields(&self) -> Vec<Field> {
        let evaluated = self.evaluated.as_ref();
        let mut fields = vec![
            Field::new("rotation", self.rotation),
            Field::new("column", self.column),
            Field::new("legal", evaluated.is_some()),
            Field::new("row", evaluated.map(|e| e.row)),
        ];
        for (index, field) in protocol::layout::tetris::WEIGHT_FIELDS.iter().enumerate() {
            let value = evaluated.map(|e| feature(index, &e.features.to_array()));
            fields.push(Field::new(field.name, value));
        }
        fields.push(Field::new("score", evaluated.map(|e| e.score.to_string())));
        fields
    }
}

/// A feature in the unit of the definitions.
fn feature(index: usize, features: &[i64; FEATURES]) -> Value {
    let feature = features[index];
    match u64::try_from(feature) {
        Ok(whole) if halves(index) == 1.0 => Value::Number(whole),
        _ => Value::Text((feature as f64 / halves(index)).to_string()),
    }
}

/// A placement that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a placement")]
pub struct Placement {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Landing row: the bottom row of the piece.
    pub row: usize,
    /// Number of rows that it clears.
    pub rows_cleared: usize,
    /// The score.
    pub score: Score,
}

impl Placement {
    /// The cells that the piece occupies, [column, row] each; empty if it has no such rotation.
    pub fn cells(&self, piece: Piece) -> Vec<[usize; 2]> {
        let cells = piece.rotations().get(self.rotation);
        cells
            .into_iter()
            .flatten()
            // A record may contain any number.
            .map(|(c, r)| [self.column.saturating_add(*c), self.row.saturating_add(*r)])
            .collect()
    }

    /// The placement of a landing, with its score.
    pub fn of(landing: &Landing, score: Score) -> Self {
        Self {
            rotation: landing.rotation,
            column: landing.column,
            row: landing.row,
            rows_cleared: landing.features.rows_cleared as usize,
            score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidate_fields_have_names_of_wire() {
        let candidate = Candidate {
            rotation: 0,
            column: 0,
            evaluated: None,
        };
        let names: Vec<_> = candidate.fields().iter().map(|f| f.name).collect();
        let wire = protocol::layout::tetris::PLACEMENT.fields;
        // Without the part's number.
        let wire: Vec<_> = wire.iter().skip(1).map(|f| f.name).collect();
        assert_eq!(names, wire);
    }
}
