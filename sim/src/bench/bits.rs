//! Values of any width.

/// The value of a port of any width.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Bits {
    /// The lowest word first; bits beyond the width are 0.
    words: Vec<u32>,
    width: u32,
}

impl Bits {
    /// Packs the members of a packed struct, (value, width) each, in the order of declaration.
    ///
    /// The first member has the highest bits. A width is at most 64, and values are truncated.
    pub fn packed(members: &[(u64, u32)]) -> Self {
        let mut bits = Self::default();
        for &(value, width) in members.iter().rev() {
            bits.push(value, width);
        }
        bits
    }

    /// Appends `width` bits, at most 64, above the present ones.
    pub fn push(&mut self, value: u64, width: u32) {
        for k in 0..width {
            let at = self.width as usize;
            if at.is_multiple_of(32) {
                self.words.push(0);
            }
            self.words[at / 32] |= ((value >> k & 1) as u32) << (at % 32);
            self.width += 1;
        }
    }

    /// Unpacks the members of a packed struct with these widths, in the order of declaration.
    pub fn members<const N: usize>(&self, widths: [u32; N]) -> [u64; N] {
        let mut low: u32 = widths.iter().sum();
        widths.map(|width| {
            low -= width;
            self.slice(low, width)
        })
    }

    /// `width` bits, at most 64, from bit `low` on; bits beyond the value are 0.
    pub fn slice(&self, low: u32, width: u32) -> u64 {
        let bit = |at: u32| {
            let word = self.words.get(at as usize / 32).copied().unwrap_or(0);
            u64::from(word >> (at % 32) & 1)
        };
        (0..width).fold(0, |value, k| value | bit(low + k) << k)
    }

    /// `width` bits from bit `low` on.
    pub(crate) fn part(&self, low: u32, width: u32) -> Self {
        let mut part = Self::default();
        (0..width).for_each(|k| part.push(self.slice(low + k, 1), 1));
        part
    }

    /// A copy in which `value` replaces `width` bits from bit `low` on.
    pub(crate) fn replaced(&self, low: u32, width: u32, value: &Self) -> Self {
        let mut bits = Self::default();
        for at in 0..self.width {
            let bit = match at.checked_sub(low).filter(|k| *k < width) {
                Some(k) => value.slice(k, 1),
                None => self.slice(at, 1),
            };
            bits.push(bit, 1);
        }
        bits
    }

    /// The lowest 64 bits.
    pub fn to_u64(&self) -> u64 {
        let word = |i: usize| u64::from(self.words.get(i).copied().unwrap_or(0));
        word(0) | word(1) << 32
    }

    pub(crate) fn from_words(words: Vec<u32>, width: u32) -> Self {
        Self { words, width }
    }

    /// The words of the value, truncated or zero-extended to `width` bits.
    pub(crate) fn words(mut self, width: u32) -> Vec<u32> {
        self.words.resize(width.div_ceil(32) as usize, 0);
        if let Some(last) = self.words.last_mut()
            && !width.is_multiple_of(32)
        {
            *last &= (1 << (width % 32)) - 1;
        }
        self.words
    }
}

impl From<u64> for Bits {
    fn from(value: u64) -> Self {
        Self::from_words(vec![value as u32, (value >> 32) as u32], 64)
    }
}

impl From<u32> for Bits {
    fn from(value: u32) -> Self {
        u64::from(value).into()
    }
}

impl From<i32> for Bits {
    /// Two's complement, sign extended.
    fn from(value: i32) -> Self {
        (i64::from(value) as u64).into()
    }
}

impl From<u8> for Bits {
    fn from(value: u8) -> Self {
        u64::from(value).into()
    }
}

impl From<bool> for Bits {
    fn from(value: bool) -> Self {
        u64::from(value).into()
    }
}
