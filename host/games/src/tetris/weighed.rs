//! The candidates of a decision: every placement, with its features and score.

use serde::Serialize;

use super::board::Board;
use super::features::{FEATURES, Features};
use super::golden::{Candidate, places};
use super::linear::{Linear, halves};
use super::piece::Piece;
use super::score::Score;
use crate::{Field, Value};

/// A candidate: a placement of the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Weighed {
    /// Rotation number.
    pub rotation: usize,
    /// Leftmost column of the piece.
    pub column: usize,
    /// Its evaluation; `None` if it is not legal.
    pub evaluated: Option<Evaluated>,
}

/// The evaluation of a legal placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Evaluated {
    /// Landing row: the piece's bottom row.
    pub row: usize,
    /// Its features.
    pub features: Features,
    /// Its score by itself.
    pub score: Score,
}

/// Every placement of a piece, legal or not, in order, each evaluated by itself.
pub fn all(board: &Board, piece: Piece, controller: &Linear) -> Vec<Weighed> {
    let evaluated = |candidate: Candidate| Evaluated {
        row: candidate.row,
        features: candidate.features,
        score: controller.score(&candidate.features),
    };
    let weighed = |([rotation, column], candidate): ([usize; 2], Option<Candidate>)| Weighed {
        rotation,
        column,
        evaluated: candidate.map(evaluated),
    };
    places(board, piece).map(weighed).collect()
}

impl Weighed {
    /// Field by field, under the names and in the order of the wire's table.
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

/// A feature as the definitions give it.
fn feature(index: usize, features: &[i64; FEATURES]) -> Value {
    let feature = features[index];
    match u64::try_from(feature) {
        Ok(whole) if halves(index) == 1.0 => Value::Number(whole),
        _ => Value::Text((feature as f64 / halves(index)).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a candidate have the names of a trace's part, without its number.
    #[test]
    fn candidate_fields_have_the_names_of_the_wire() {
        let place = Weighed {
            rotation: 0,
            column: 0,
            evaluated: None,
        };
        let names: Vec<_> = place.fields().iter().map(|f| f.name).collect();
        let wire = protocol::layout::tetris::PLACEMENT.fields;
        let wire: Vec<_> = wire.iter().skip(1).map(|f| f.name).collect();
        assert_eq!(names, wire);
    }
}
