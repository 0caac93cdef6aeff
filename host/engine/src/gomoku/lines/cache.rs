//! The effects of stones, kept by the cells around them.

use super::effect::{Effect, Weights};

/// Number of effects that are kept, as a power of two.
const BITS: u32 = 14;

/// Effects by the cells around the stone and its side.
pub struct Cache {
    weights: Weights,
    effects: Box<[Effect; 1 << BITS]>,
}

impl Cache {
    pub fn new(weights: &Weights) -> Self {
        Self {
            weights: weights.clone(),
            effects: boxed(),
        }
    }

    /// The effect of a stone of a side between these cells.
    #[inline]
    pub fn effect(&mut self, cells: u64, side: usize) -> &Effect {
        let key = cells | (side as u64) << 20;
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS);
        let index = hash as usize & ((1 << BITS) - 1);
        if self.effects[index].key != key {
            self.effects[index] = missing(&self.weights, cells, side, key);
        }
        &self.effects[index]
    }
}

/// As many effects of no stone, made on the heap.
fn boxed() -> Box<[Effect; 1 << BITS]> {
    let effects = vec![Effect::NONE; 1 << BITS].into_boxed_slice();
    // The length is that of the array.
    effects
        .try_into()
        .unwrap_or_else(|_| Box::new([Effect::NONE; 1 << BITS]))
}

#[cold]
#[inline(never)]
fn missing(weights: &Weights, cells: u64, side: usize, key: u64) -> Effect {
    Effect::new(weights, cells, side, key)
}
