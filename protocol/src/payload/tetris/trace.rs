//! A traced decision: its placements one by one, and its end.

use super::{Decision, Payload, PayloadError, WEIGHTS};
use crate::layout::tetris::{PlacementFields, TracedFields};

/// [`crate::layout::tetris::PLACEMENT`]: a placement on the way to a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracedPlacement {
    /// Number of the part, that of the placement.
    pub part: u16,
    /// Rotation number, 0 to 3.
    pub rotation: u8,
    /// Leftmost column of the piece.
    pub column: u8,
    /// What it comes to; `None` if it is not legal.
    pub evaluated: Option<Evaluated>,
}

/// What a core finds of a legal placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluated {
    /// Landing row: the piece's bottom row.
    pub row: u8,
    /// Features, in the order of [`crate::layout::tetris::WEIGHT_FIELDS`].
    pub features: [u16; WEIGHTS],
    /// Score in millionths.
    pub score: i64,
}

/// The table's names once more, so that each feature goes to its own.
macro_rules! features {
    ($($name:ident)+) => {
        impl From<TracedPlacement> for PlacementFields {
            fn from(placement: TracedPlacement) -> Self {
                let nothing = Evaluated { row: 0, features: [0; WEIGHTS], score: 0 };
                let Evaluated { row, features: [$($name),+], score } =
                    placement.evaluated.unwrap_or(nothing);
                Self {
                    part: placement.part,
                    rotation: placement.rotation,
                    column: placement.column,
                    legal: placement.evaluated.is_some().into(),
                    row,
                    $($name,)+
                    score,
                }
            }
        }

        impl From<PlacementFields> for Evaluated {
            fn from(PlacementFields { row, $($name,)+ score, .. }: PlacementFields) -> Self {
                Self { row, features: [$($name),+], score }
            }
        }
    };
}

features! {
    landing_height eroded_cells rows_cleared row_transitions column_transitions holes
    cumulative_wells well_sums hole_depth rows_with_holes diversity aggregate_height bumpiness
    max_height
}

impl TracedPlacement {
    /// The payload.
    pub fn encode(&self) -> Payload {
        PlacementFields::from(*self).encode()
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong, `legal` is neither 0 nor 1, or it is 0 and something
    /// follows all the same.
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let fields = PlacementFields::decode(bytes)?;
        let legal = fields.legal;
        let evaluated = match legal {
            0 => None,
            _ => Some(Evaluated::from(fields)),
        };
        let placement = Self {
            part: fields.part,
            rotation: fields.rotation,
            column: fields.column,
            evaluated,
        };
        if placement.encode().as_ref() == bytes {
            return Ok(placement);
        }
        Err(PayloadError::Value {
            payload: "placement",
            field: "legal",
            expected: match legal {
                0 => "consistent with what follows it",
                _ => "0 or 1",
            },
            got: legal.into(),
        })
    }
}

/// [`crate::layout::tetris::TRACED`]: the end of a traced decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traced {
    /// Parts sent before.
    pub parts: u16,
    /// What it came to, its cycles those of the whole trace; `None` if it was cancelled.
    pub decision: Option<Decision>,
}

impl Traced {
    /// The payload.
    pub fn encode(&self) -> Payload {
        let mut payload = Payload::EMPTY;
        payload.append(&self.parts.to_le_bytes());
        payload.append(&[self.decision.is_none().into()]);
        let none = Payload::of(&crate::layout::tetris::DECISION);
        let decision = self.decision.map_or(none, |decision| decision.encode());
        payload.append(decision.as_ref());
        payload
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When the length is wrong, `cancelled` is neither 0 nor 1, or it is 1 and a decision
    /// follows all the same; and as [`Decision::decode`].
    pub fn decode(bytes: &[u8]) -> Result<Self, PayloadError> {
        let TracedFields {
            parts, cancelled, ..
        } = TracedFields::decode(bytes)?;
        let rest = &bytes[bytes.len() - crate::layout::tetris::DECISION.bytes()..];
        let reject = |expected| PayloadError::Value {
            payload: "traced",
            field: "cancelled",
            expected,
            got: cancelled.into(),
        };
        let decision = match cancelled {
            0 => Some(Decision::decode(rest)?),
            1 if rest.iter().all(|byte| *byte == 0) => None,
            1 => return Err(reject("consistent with the decision sent")),
            _ => return Err(reject("0 or 1")),
        };
        Ok(Self { parts, decision })
    }
}
