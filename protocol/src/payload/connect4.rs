//! Connect Four: weights, positions, progress and results, as the tables have them.

pub use crate::layout::connect4::{Candidate, Found, Progress, Search, Weights};

#[cfg(test)]
mod tests {
    use super::*;

    /// Each field lies where docs/wire.md says, the lowest byte first, negative values too.
    #[test]
    fn fields_encoded_in_wire_order() {
        let found = Found {
            parts: 0x0201,
            cancelled: 3,
            column: 4,
            value: -2,
            depth: 5,
            nodes: 6 << 56,
            cycles: 7,
        };
        let bytes = [
            1, 2, 3, 4, 0xfe, 0xff, 5, 0, 0, 0, 0, 0, 0, 0, 6, 7, 0, 0, 0, 0, 0, 0, 0,
        ];
        assert_eq!(found.encode().as_ref(), bytes);
        assert_eq!(Found::decode(&bytes), Ok(found));

        let candidate = Candidate {
            part: 1,
            column: 2,
            legal: 1,
            value: i16::MIN,
            nodes: 3,
        };
        let bytes = [1, 0, 2, 1, 0, 0x80, 3, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(candidate.encode().as_ref(), bytes);
        assert_eq!(Candidate::decode(&bytes), Ok(candidate));
        assert!(Candidate::decode(&bytes[1..]).is_err());
    }
}
