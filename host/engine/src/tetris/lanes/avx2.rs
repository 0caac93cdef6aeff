//! Eight lanes as one 256-bit register, with AVX2 instructions.

use super::super::core::Path;
use super::{Lanes, Word};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// Proves that the machine has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(());

impl Avx2 {
    /// The token, if this machine has the instructions.
    pub(in super::super) fn new() -> Option<Avx2> {
        Path::Avx2.available().then_some(Avx2(()))
    }
}

/// Eight lanes in one register. A true lane of a mask has all bits set.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct V8(pub(super) __m256i);

/// Pairs of rows, by the lower row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(in super::super) struct Rows(pub(super) [i32; 32]);

operators! { V8:
    Add add _mm256_add_epi32;
    Sub sub _mm256_sub_epi32;
    BitAnd bitand _mm256_and_si256;
    BitOr bitor _mm256_or_si256;
}

/// Number of set bits of each value of four bits, once for each half of a register.
static NIBBLES: [u8; 32] = [
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
];

/// Number of set bits of each byte.
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
    type Mask = V8;
    type Rows = Rows;

    binary! {
        clear_in _mm256_andnot_si256;
        shl_by _mm256_sllv_epi32;
        shr_by _mm256_srlv_epi32;
        max _mm256_max_epi32;
        mul _mm256_mullo_epi32;
        mul_small _mm256_madd_epi16;
        gt _mm256_cmpgt_epi32;
    }

    #[inline(always)]
    fn splat(_: Avx2, value: i32) -> V8 {
        V8(op!(_mm256_set1_epi32(value)))
    }

    #[inline(always)]
    fn ramp(_: Avx2) -> V8 {
        V8(op!(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
    }

    #[inline(always)]
    fn store<W: Word>(self, to: &mut [W; 16]) {
        op!(_mm256_storeu_si256(to.as_mut_ptr().cast(), self.0));
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
    fn ones(self) -> V8 {
        V8(op!({
            let pairs = _mm256_maddubs_epi16(byte_ones(self.0), _mm256_set1_epi8(1));
            _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
        }))
    }

    #[inline(always)]
    fn ones_of_bytes(self) -> V8 {
        // Bytes 1 and 3 are 0, so the bytes are 16-bit words already.
        V8(op!(_mm256_madd_epi16(
            byte_ones(self.0),
            _mm256_set1_epi16(1)
        )))
    }

    #[inline(always)]
    fn height(self) -> V8 {
        // With bit 31 set the float is negative; the height is 32 then.
        let top = V8(op!(_mm256_slli_epi32::<5>(_mm256_srli_epi32::<31>(self.0))));
        self.height31().max(top)
    }

    #[inline(always)]
    fn height31(self) -> V8 {
        V8(op!({
            // The exponent of the number as a float. Clearing the bit below each set bit avoids
            // rounding up to the next power of two.
            let leading = _mm256_andnot_si256(_mm256_srli_epi32::<1>(self.0), self.0);
            let float = _mm256_castps_si256(_mm256_cvtepi32_ps(leading));
            let exponent = _mm256_and_si256(_mm256_srli_epi32::<23>(float), _mm256_set1_epi32(255));
            let height = _mm256_sub_epi32(exponent, _mm256_set1_epi32(126));
            _mm256_max_epi32(height, _mm256_setzero_si256())
        }))
    }

    #[inline(always)]
    fn differs(self, other: V8) -> V8 {
        V8(op!(_mm256_xor_si256(
            _mm256_cmpeq_epi32(self.0, other.0),
            _mm256_set1_epi32(-1)
        )))
    }

    #[inline(always)]
    fn has(self, bit: V8) -> V8 {
        V8(op!(_mm256_cmpeq_epi32(
            _mm256_and_si256(self.0, bit.0),
            bit.0
        )))
    }

    #[inline(always)]
    fn lacks(self, bit: V8) -> V8 {
        V8(op!(_mm256_cmpeq_epi32(
            _mm256_and_si256(self.0, bit.0),
            _mm256_setzero_si256()
        )))
    }

    #[inline(always)]
    fn any(self) -> bool {
        op!(_mm256_testz_si256(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn add_if(self, mask: V8, other: V8) -> V8 {
        self + (other & mask)
    }

    #[inline(always)]
    fn select(self, mask: V8, other: V8) -> V8 {
        V8(op!(_mm256_blendv_epi8(other.0, self.0, mask.0)))
    }

    #[inline(always)]
    fn full_half(self) -> V8 {
        V8(op!({
            let halves = _mm256_cmpeq_epi16(self.0, _mm256_set1_epi32(-1));
            let either = _mm256_or_si256(halves, _mm256_slli_epi32::<16>(halves));
            _mm256_cmpgt_epi32(_mm256_setzero_si256(), either)
        }))
    }

    #[inline(always)]
    fn bits(mask: V8) -> u32 {
        op!(_mm256_movemask_ps(_mm256_castsi256_ps(mask.0))) as u32
    }

    #[inline(always)]
    fn row_pair(rows: &Rows, row: V8) -> V8 {
        V8(op!({
            // Keeps lanes that are not legal in bounds.
            let row = _mm256_and_si256(row.0, _mm256_set1_epi32(31));
            _mm256_i32gather_epi32::<4>(rows.0.as_ptr(), row)
        }))
    }
}
