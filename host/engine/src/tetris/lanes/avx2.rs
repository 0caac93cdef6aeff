//! Eight lanes as one 256-bit register, with AVX2 instructions.

use super::super::path::Path;
use super::Lanes;
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// Proof that AVX2, BMI1, BMI2, LZCNT and POPCNT are there.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(());

impl Avx2 {
    /// The token, if this machine has the instructions.
    pub(in super::super) fn new() -> Option<Avx2> {
        Path::Avx2.available().then_some(Avx2(()))
    }
}

/// Eight lanes in one register.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct V8(pub(super) __m256i);

/// All ones in the lanes where the mask holds.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct M8(pub(super) V8);

/// Row pairs, by row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(in super::super) struct Rows(pub(super) [i32; 32]);

/// Wraps intrinsics: every value was made from a token.
macro_rules! op {
    ($body:expr) => {
        // SAFETY: a value or a token exists only where `Path::Avx2` is available,
        // that is with all features the intrinsics need; memory operands are
        // references to arrays of the size read or written.
        unsafe { $body }
    };
}
pub(super) use op;

impl Add for V8 {
    type Output = V8;
    #[inline(always)]
    fn add(self, other: V8) -> V8 {
        V8(op!(_mm256_add_epi32(self.0, other.0)))
    }
}

impl Sub for V8 {
    type Output = V8;
    #[inline(always)]
    fn sub(self, other: V8) -> V8 {
        V8(op!(_mm256_sub_epi32(self.0, other.0)))
    }
}

impl BitAnd for V8 {
    type Output = V8;
    #[inline(always)]
    fn bitand(self, other: V8) -> V8 {
        V8(op!(_mm256_and_si256(self.0, other.0)))
    }
}

impl BitOr for V8 {
    type Output = V8;
    #[inline(always)]
    fn bitor(self, other: V8) -> V8 {
        V8(op!(_mm256_or_si256(self.0, other.0)))
    }
}

impl BitAnd for M8 {
    type Output = M8;
    #[inline(always)]
    fn bitand(self, other: M8) -> M8 {
        M8(self.0 & other.0)
    }
}

impl BitOr for M8 {
    type Output = M8;
    #[inline(always)]
    fn bitor(self, other: M8) -> M8 {
        M8(self.0 | other.0)
    }
}

/// Set bits of each nibble value, twice.
static NIBBLES: [u8; 32] = [
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
];

/// Set bits of each byte.
#[inline(always)]
fn byte_ones(v: __m256i) -> __m256i {
    op!({
        let low = _mm256_set1_epi8(15);
        let table = _mm256_loadu_si256(NIBBLES.as_ptr().cast());
        _mm256_add_epi8(
            _mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
            _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32::<4>(v), low)),
        )
    })
}

impl Lanes for V8 {
    type Token = Avx2;
    type Mask = M8;
    type Rows = Rows;

    #[inline(always)]
    fn splat(_: Avx2, value: i32) -> V8 {
        V8(op!(_mm256_set1_epi32(value)))
    }

    #[inline(always)]
    fn ramp(_: Avx2) -> V8 {
        V8(op!(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
    }

    #[inline(always)]
    fn store(self, to: &mut [i32; 16]) {
        op!(_mm256_storeu_si256(to.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn clear_in(self, other: V8) -> V8 {
        V8(op!(_mm256_andnot_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn clear_in_both(self, a: V8, b: V8) -> V8 {
        self.clear_in(a & b)
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> V8 {
        V8(op!(_mm256_sll_epi32(self.0, _mm_cvtsi32_si128(N as i32))))
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> V8 {
        V8(op!(_mm256_srl_epi32(self.0, _mm_cvtsi32_si128(N as i32))))
    }

    #[inline(always)]
    fn half(self) -> V8 {
        V8(op!(_mm256_srai_epi32::<1>(self.0)))
    }

    #[inline(always)]
    fn shl_by(self, count: V8) -> V8 {
        V8(op!(_mm256_sllv_epi32(self.0, count.0)))
    }

    #[inline(always)]
    fn shr_by(self, count: V8) -> V8 {
        V8(op!(_mm256_srlv_epi32(self.0, count.0)))
    }

    #[inline(always)]
    fn max(self, other: V8) -> V8 {
        V8(op!(_mm256_max_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: V8) -> V8 {
        V8(op!(_mm256_mullo_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn mul_small(self, other: V8) -> V8 {
        V8(op!(_mm256_madd_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn ones(self) -> V8 {
        V8(op!({
            let pairs = _mm256_maddubs_epi16(byte_ones(self.0), _mm256_set1_epi8(1));
            _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
        }))
    }

    #[inline(always)]
    fn ones_of_bytes(self) -> V8 {
        // Bytes 1 and 3 are empty, so bytes are words already.
        V8(op!(_mm256_madd_epi16(
            byte_ones(self.0),
            _mm256_set1_epi16(1)
        )))
    }

    #[inline(always)]
    fn height(self) -> V8 {
        // Bit 31 makes the float negative: 32, whatever its exponent.
        let top = V8(op!(_mm256_slli_epi32::<5>(_mm256_srli_epi32::<31>(self.0))));
        self.height31().max(top)
    }

    #[inline(always)]
    fn height31(self) -> V8 {
        V8(op!({
            // The exponent of a float; clearing the bit below each set one avoids
            // rounding up to the next power of two.
            let leading = _mm256_andnot_si256(_mm256_srli_epi32::<1>(self.0), self.0);
            let float = _mm256_castps_si256(_mm256_cvtepi32_ps(leading));
            let exponent = _mm256_and_si256(_mm256_srli_epi32::<23>(float), _mm256_set1_epi32(255));
            let height = _mm256_sub_epi32(exponent, _mm256_set1_epi32(126));
            _mm256_max_epi32(height, _mm256_setzero_si256())
        }))
    }

    #[inline(always)]
    fn gt(self, other: V8) -> M8 {
        M8(V8(op!(_mm256_cmpgt_epi32(self.0, other.0))))
    }

    #[inline(always)]
    fn differs(self, other: V8) -> M8 {
        M8(V8(op!(_mm256_xor_si256(
            _mm256_cmpeq_epi32(self.0, other.0),
            _mm256_set1_epi32(-1)
        ))))
    }

    #[inline(always)]
    fn has(self, bit: V8) -> M8 {
        M8(V8(op!(_mm256_cmpeq_epi32(
            _mm256_and_si256(self.0, bit.0),
            bit.0
        ))))
    }

    #[inline(always)]
    fn lacks(self, bit: V8) -> M8 {
        M8(V8(op!(_mm256_cmpeq_epi32(
            _mm256_and_si256(self.0, bit.0),
            _mm256_setzero_si256()
        ))))
    }

    #[inline(always)]
    fn any(self) -> bool {
        op!(_mm256_testz_si256(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn add_if(self, mask: M8, other: V8) -> V8 {
        self + (other & mask.0)
    }

    #[inline(always)]
    fn select(self, mask: M8, other: V8) -> V8 {
        V8(op!(_mm256_blendv_epi8(other.0, self.0, mask.0.0)))
    }

    #[inline(always)]
    fn full_half(self) -> M8 {
        M8(V8(op!({
            let halves = _mm256_cmpeq_epi16(self.0, _mm256_set1_epi32(-1));
            let either = _mm256_or_si256(halves, _mm256_slli_epi32::<16>(halves));
            _mm256_cmpgt_epi32(_mm256_setzero_si256(), either)
        })))
    }

    #[inline(always)]
    fn bits(mask: M8) -> u32 {
        op!(_mm256_movemask_ps(_mm256_castsi256_ps(mask.0.0))) as u32
    }

    #[inline(always)]
    fn row_pair(rows: &Rows, row: V8) -> V8 {
        V8(op!({
            // In bounds also for lanes that are not legal.
            let row = _mm256_and_si256(row.0, _mm256_set1_epi32(31));
            _mm256_i32gather_epi32::<4>(rows.0.as_ptr(), row)
        }))
    }
}
