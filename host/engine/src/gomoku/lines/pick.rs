//! The candidates of a node, in their order.

use crate::tetris::Path;

/// Words of the spots of a board.
pub type Words = [u32; 240];

/// Finds candidates with the instructions of a path.
#[derive(Clone, Copy)]
pub struct Picker(fn(&Words, u32, u32) -> u32);

impl Picker {
    /// The picker of a path; the portable one if this machine cannot run it.
    pub fn new(path: Path) -> Self {
        Self(match path {
            _ if !path.available() => next,
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => x86::avx512,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => x86::avx2,
            _ => next,
        })
    }

    /// The highest word below `last` that has a bit of `mask`; 0 if there is none.
    ///
    /// Words are ordered as candidates are, so this is the candidate after `last`.
    #[inline]
    pub fn next(self, words: &Words, mask: u32, last: u32) -> u32 {
        (self.0)(words, mask, last)
    }
}

#[inline(always)]
fn next(words: &Words, mask: u32, last: u32) -> u32 {
    let mut highest = 0;
    for &word in words {
        let is_left = (word & mask != 0) & (word < last);
        highest = highest.max(if is_left { word } else { 0 });
    }
    highest
}

/// The same function, compiled for more instructions.
#[cfg(target_arch = "x86_64")]
#[allow(
    unsafe_code,
    reason = "calls functions compiled for instructions whose presence was checked"
)]
mod x86 {
    use super::{Words, next};

    pub fn avx512(words: &Words, mask: u32, last: u32) -> u32 {
        #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled(words: &Words, mask: u32, last: u32) -> u32 {
            next(words, mask, last)
        }
        // SAFETY: `Picker::new` has checked that this machine has the instructions.
        unsafe { compiled(words, mask, last) }
    }

    pub fn avx2(words: &Words, mask: u32, last: u32) -> u32 {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled(words: &Words, mask: u32, last: u32) -> u32 {
            next(words, mask, last)
        }
        // SAFETY: `Picker::new` has checked that this machine has the instructions.
        unsafe { compiled(words, mask, last) }
    }
}
