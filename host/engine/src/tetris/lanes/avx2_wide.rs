//! Sixteen lanes as two 256-bit registers.

use super::avx2::{Avx2, M8, Rows, V8, op};
use super::{Lanes, Wide};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// Lanes 0..8 and 8..16.
#[derive(Clone, Copy)]
pub(in super::super) struct V16(V8, V8);

/// Masks of lanes 0..8 and 8..16.
#[derive(Clone, Copy)]
pub(in super::super) struct M16(M8, M8);

impl Add for V16 {
    type Output = V16;
    #[inline(always)]
    fn add(self, other: V16) -> V16 {
        V16(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for V16 {
    type Output = V16;
    #[inline(always)]
    fn sub(self, other: V16) -> V16 {
        V16(self.0 - other.0, self.1 - other.1)
    }
}

impl BitAnd for V16 {
    type Output = V16;
    #[inline(always)]
    fn bitand(self, other: V16) -> V16 {
        V16(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for V16 {
    type Output = V16;
    #[inline(always)]
    fn bitor(self, other: V16) -> V16 {
        V16(self.0 | other.0, self.1 | other.1)
    }
}

impl BitAnd for M16 {
    type Output = M16;
    #[inline(always)]
    fn bitand(self, other: M16) -> M16 {
        M16(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for M16 {
    type Output = M16;
    #[inline(always)]
    fn bitor(self, other: M16) -> M16 {
        M16(self.0 | other.0, self.1 | other.1)
    }
}

static RAMP: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Lane i from lane i + `n`, cyclic.
#[inline(always)]
fn turned(v: V8, n: i32) -> __m256i {
    op!(_mm256_permutevar8x32_epi32(
        v.0,
        _mm256_add_epi32(
            _mm256_loadu_si256(RAMP.as_ptr().cast()),
            _mm256_set1_epi32(n)
        )
    ))
}

/// All ones in the first `n` lanes; any value proves the instructions.
#[inline(always)]
fn leading(_: V8, n: i32) -> __m256i {
    op!(_mm256_cmpgt_epi32(
        _mm256_set1_epi32(n),
        _mm256_loadu_si256(RAMP.as_ptr().cast())
    ))
}

impl Lanes for V16 {
    type Token = Avx2;
    type Mask = M16;
    type Rows = Rows;

    #[inline(always)]
    fn splat(token: Avx2, value: i32) -> V16 {
        V16(V8::splat(token, value), V8::splat(token, value))
    }

    #[inline(always)]
    fn ramp(token: Avx2) -> V16 {
        let low = V8::ramp(token);
        V16(low, low + V8::splat(token, 8))
    }

    #[inline(always)]
    fn store(self, to: &mut [i32; 16]) {
        let at = to.as_mut_ptr();
        op!({
            _mm256_storeu_si256(at.cast(), self.0.0);
            _mm256_storeu_si256(at.add(8).cast(), self.1.0);
        });
    }

    #[inline(always)]
    fn clear_in(self, other: V16) -> V16 {
        V16(self.0.clear_in(other.0), self.1.clear_in(other.1))
    }

    #[inline(always)]
    fn clear_in_both(self, a: V16, b: V16) -> V16 {
        V16(
            self.0.clear_in_both(a.0, b.0),
            self.1.clear_in_both(a.1, b.1),
        )
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> V16 {
        V16(self.0.shl::<N>(), self.1.shl::<N>())
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> V16 {
        V16(self.0.shr::<N>(), self.1.shr::<N>())
    }

    #[inline(always)]
    fn half(self) -> V16 {
        V16(self.0.half(), self.1.half())
    }

    #[inline(always)]
    fn shl_by(self, count: V16) -> V16 {
        V16(self.0.shl_by(count.0), self.1.shl_by(count.1))
    }

    #[inline(always)]
    fn shr_by(self, count: V16) -> V16 {
        V16(self.0.shr_by(count.0), self.1.shr_by(count.1))
    }

    #[inline(always)]
    fn max(self, other: V16) -> V16 {
        V16(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn mul(self, other: V16) -> V16 {
        V16(self.0.mul(other.0), self.1.mul(other.1))
    }

    #[inline(always)]
    fn mul_small(self, other: V16) -> V16 {
        V16(self.0.mul_small(other.0), self.1.mul_small(other.1))
    }

    #[inline(always)]
    fn ones(self) -> V16 {
        V16(self.0.ones(), self.1.ones())
    }

    #[inline(always)]
    fn ones_of_bytes(self) -> V16 {
        V16(self.0.ones_of_bytes(), self.1.ones_of_bytes())
    }

    #[inline(always)]
    fn height(self) -> V16 {
        V16(self.0.height(), self.1.height())
    }

    #[inline(always)]
    fn height31(self) -> V16 {
        V16(self.0.height31(), self.1.height31())
    }

    #[inline(always)]
    fn gt(self, other: V16) -> M16 {
        M16(self.0.gt(other.0), self.1.gt(other.1))
    }

    #[inline(always)]
    fn differs(self, other: V16) -> M16 {
        M16(self.0.differs(other.0), self.1.differs(other.1))
    }

    #[inline(always)]
    fn has(self, bit: V16) -> M16 {
        M16(self.0.has(bit.0), self.1.has(bit.1))
    }

    #[inline(always)]
    fn lacks(self, bit: V16) -> M16 {
        M16(self.0.lacks(bit.0), self.1.lacks(bit.1))
    }

    #[inline(always)]
    fn add_if(self, mask: M16, other: V16) -> V16 {
        V16(
            self.0.add_if(mask.0, other.0),
            self.1.add_if(mask.1, other.1),
        )
    }

    #[inline(always)]
    fn select(self, mask: M16, other: V16) -> V16 {
        V16(
            self.0.select(mask.0, other.0),
            self.1.select(mask.1, other.1),
        )
    }

    #[inline(always)]
    fn full_half(self) -> M16 {
        M16(self.0.full_half(), self.1.full_half())
    }

    #[inline(always)]
    fn any(self) -> bool {
        (self.0 | self.1).any()
    }

    #[inline(always)]
    fn bits(mask: M16) -> u32 {
        V8::bits(mask.0) | V8::bits(mask.1) << 8
    }

    #[inline(always)]
    fn row_pair(rows: &Rows, row: V16) -> V16 {
        V16(V8::row_pair(rows, row.0), V8::row_pair(rows, row.1))
    }
}

impl Wide for V16 {
    type Narrow = V8;
    type Part = V8;
    type Each<T> = [T; 2];

    #[inline(always)]
    fn each<T>(first: T, last: T) -> [T; 2] {
        [first, last]
    }

    #[inline(always)]
    fn first_part(self) -> V8 {
        self.0
    }

    #[inline(always)]
    fn last_part(self) -> V8 {
        self.1
    }

    #[inline(always)]
    fn of_parts(parts: [V8; 2]) -> V16 {
        V16(parts[0], parts[1])
    }

    #[inline(always)]
    fn narrow(part: V8) -> V8 {
        part
    }

    #[inline(always)]
    fn with_low(self, low: V8) -> V16 {
        V16(low, self.1)
    }

    #[inline(always)]
    fn load(_: Avx2, from: &[i32; 16]) -> V16 {
        let at = from.as_ptr();
        op!(V16(
            V8(_mm256_loadu_si256(at.cast())),
            V8(_mm256_loadu_si256(at.add(8).cast()))
        ))
    }

    #[inline(always)]
    fn load_bits(_: Avx2, from: &[u32; 16]) -> V16 {
        let at = from.as_ptr();
        op!(V16(
            V8(_mm256_loadu_si256(at.cast())),
            V8(_mm256_loadu_si256(at.add(8).cast()))
        ))
    }

    #[inline(always)]
    fn store_bits(self, to: &mut [u32; 16]) {
        let at = to.as_mut_ptr();
        op!({
            _mm256_storeu_si256(at.cast(), self.0.0);
            _mm256_storeu_si256(at.add(8).cast(), self.1.0);
        });
    }

    #[inline(always)]
    fn turn<const N: i32>(self) -> V16 {
        let (low, high) = (turned(self.0, N), turned(self.1, N));
        let stays = leading(self.0, 8 - N);
        op!(V16(
            V8(_mm256_blendv_epi8(high, low, stays)),
            V8(_mm256_blendv_epi8(low, high, stays)),
        ))
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> V16 {
        let (low, high) = (turned(self.0, N), turned(self.1, N));
        let stays = leading(self.0, 8 - N % 8);
        op!({
            let kept = V8(_mm256_and_si256(high, stays));
            if N >= 8 {
                V16(kept, V8(_mm256_setzero_si256()))
            } else {
                V16(V8(_mm256_blendv_epi8(high, low, stays)), kept)
            }
        })
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> V16 {
        let (low, high) = (turned(self.0, -N), turned(self.1, -N));
        let enters = leading(self.0, N % 8);
        op!({
            let kept = V8(_mm256_andnot_si256(enters, low));
            if N >= 8 {
                V16(V8(_mm256_setzero_si256()), kept)
            } else {
                V16(kept, V8(_mm256_blendv_epi8(high, low, enters)))
            }
        })
    }

    #[inline(always)]
    fn largest(self) -> V16 {
        let v = self.0.max(self.1).0;
        op!({
            let v = _mm256_max_epi32(v, _mm256_permute2x128_si256::<0x01>(v, v));
            let v = _mm256_max_epi32(v, _mm256_shuffle_epi32::<0x4e>(v));
            let v = V8(_mm256_max_epi32(v, _mm256_shuffle_epi32::<0xb1>(v)));
            V16(v, v)
        })
    }

    #[inline(always)]
    fn first(self) -> i32 {
        op!(_mm256_cvtsi256_si32(self.0.0))
    }

    #[inline(always)]
    fn union(self) -> i32 {
        let v = (self.0 | self.1).0;
        op!({
            let v = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            let v = _mm_or_si128(v, _mm_shuffle_epi32::<0x4e>(v));
            _mm_cvtsi128_si32(_mm_or_si128(v, _mm_shuffle_epi32::<0xb1>(v)))
        })
    }

    #[inline(always)]
    fn rows(_: Avx2, rows: &[u16; 40]) -> Rows {
        let mut pairs = Rows([0; 32]);
        for q in [0, 8, 16, 24] {
            op!({
                let at = rows.as_ptr().add(q);
                let low = _mm256_cvtepu16_epi32(_mm_loadu_si128(at.cast()));
                let high = _mm256_cvtepu16_epi32(_mm_loadu_si128(at.add(1).cast()));
                let pair = _mm256_or_si256(low, _mm256_slli_epi32::<16>(high));
                _mm256_storeu_si256(pairs.0.as_mut_ptr().add(q).cast(), pair);
            });
        }
        pairs
    }

    #[inline(always)]
    fn add_rows(_: Avx2, rows: &mut [u16; 40], piece: &[u16; 32], shift: u32) {
        let (to, from) = (rows.as_mut_ptr(), piece.as_ptr());
        for q in [0, 16] {
            op!({
                let piece = _mm256_loadu_si256(from.add(q).cast());
                let piece = _mm256_sll_epi16(piece, _mm_cvtsi32_si128(shift as i32));
                let old = _mm256_loadu_si256(to.add(q).cast());
                _mm256_storeu_si256(to.add(q).cast(), _mm256_or_si256(old, piece));
            });
        }
    }

    #[inline(always)]
    fn drop_row(_: Avx2, rows: &mut [u16; 40], row: u32, _: u16) {
        let to = rows.as_mut_ptr();
        for q in [0, 16] {
            op!({
                // Row 32 is always empty.
                let old = _mm256_loadu_si256(to.add(q).cast());
                let above = _mm256_loadu_si256(to.add(q + 1).cast());
                let ramp = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                let place = _mm256_add_epi16(ramp, _mm256_set1_epi16(q as i16));
                let stays = _mm256_cmpgt_epi16(_mm256_set1_epi16(row as i16), place);
                let new = _mm256_blendv_epi8(above, old, stays);
                _mm256_storeu_si256(to.add(q).cast(), new);
            });
        }
    }
}
