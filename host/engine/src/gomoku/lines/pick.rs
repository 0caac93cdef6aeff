//! The candidates of a node, the one with the highest key first.

use crate::gomoku::geometry::SPOTS;

use super::effect::KEY;

/// The candidates that were not picked.
///
/// Each has a number: its key, then 255 less its spot; 0 is none.
pub struct Picks([u16; 256]);

impl Picks {
    /// The spots whose words have a bit of `mask`.
    #[inline]
    pub fn new(words: &[u32; 256], mask: u32) -> Self {
        let mut picks = [0; 256];
        for (spot, (pick, &word)) in picks.iter_mut().zip(words).enumerate() {
            let number = (word >> KEY << 8) as u16 | (255 - spot as u16);
            *pick = if word & mask != 0 { number } else { 0 };
        }
        Self(picks)
    }

    /// Picks the spot with the highest key, of equal ones the lowest spot.
    #[inline]
    pub fn next(&mut self) -> Option<usize> {
        let highest = self.0[..SPOTS]
            .iter()
            .fold(0, |highest, &pick| pick.max(highest));
        let spot = 255 - usize::from(highest & 255);
        self.0[spot] = 0;
        (highest != 0).then_some(spot)
    }
}
