//! Sixteen lanes as two 256-bit registers.

use super::avx2::{Avx2, Rows, V8};
use super::{Lanes, Wide, Word};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// Lanes 0 to 7 and 8 to 15; masks are as in [`V8`].
#[derive(Clone, Copy)]
pub(in super::super) struct V16(V8, V8);

/// Operators, applied to both registers.
macro_rules! pair_operators {
    ($($Trait:ident $method:ident;)+) => {$(
        impl $Trait for V16 {
            type Output = V16;
            #[inline(always)]
            fn $method(self, other: V16) -> V16 {
                V16(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )+};
}

pair_operators! { Add add; Sub sub; BitAnd bitand; BitOr bitor; }

/// Methods, applied to both registers.
macro_rules! pairwise {
    ($($method:ident($($other:ident),*);)+) => {$(
        #[inline(always)]
        fn $method(self $(, $other: V16)*) -> V16 {
            V16(self.0.$method($($other.0),*), self.1.$method($($other.1),*))
        }
    )+};
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

/// A mask of the first `n` lanes; the vector shows that the CPU has the instructions.
#[inline(always)]
fn leading(_: V8, n: i32) -> __m256i {
    op!(_mm256_cmpgt_epi32(
        _mm256_set1_epi32(n),
        _mm256_loadu_si256(RAMP.as_ptr().cast())
    ))
}

impl V16 {
    /// The columns of 32 rows: bit r of column c is bit c of row r.
    #[inline(always)]
    pub(in super::super) fn columns(_: Avx2, rows: &[u16; 32]) -> [u32; 16] {
        let mut columns = [0; 16];
        op!({
            let rows = rows.as_ptr().cast::<__m256i>();
            let (first, last) = (_mm256_loadu_si256(rows), _mm256_loadu_si256(rows.add(1)));
            let low = _mm256_set1_epi16(0xff);
            let halves = [
                (_mm256_and_si256(first, low), _mm256_and_si256(last, low)),
                (_mm256_srli_epi16(first, 8), _mm256_srli_epi16(last, 8)),
            ];
            for ((first, last), columns) in halves.into_iter().zip(columns.chunks_mut(8)) {
                // A byte of each row; packing swaps the middle quarters.
                let packed = _mm256_packus_epi16(first, last);
                let mut bytes = _mm256_permute4x64_epi64(packed, 0b11_01_10_00);
                for column in columns.iter_mut().rev() {
                    *column = _mm256_movemask_epi8(bytes) as u32;
                    bytes = _mm256_add_epi8(bytes, bytes);
                }
            }
        });
        columns
    }
}

impl Lanes for V16 {
    type Token = Avx2;
    type Mask = V16;
    type Rows = Rows;

    pairwise! {
        clear_in(other);
        clear_in_both(a, b);
        half();
        shl_by(count);
        shr_by(count);
        max(other);
        mul(other);
        mul_small(other);
        ones();
        ones_of_bytes();
        height();
        height31();
        gt(other);
        differs(other);
        has(bit);
        lacks(bit);
        add_if(mask, other);
        select(mask, other);
        full_half();
    }

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
    fn store<W: Word>(self, to: &mut [W; 16]) {
        let at = to.as_mut_ptr();
        op!({
            _mm256_storeu_si256(at.cast(), self.0.0);
            _mm256_storeu_si256(at.add(8).cast(), self.1.0);
        });
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
    fn any(self) -> bool {
        (self.0 | self.1).any()
    }

    #[inline(always)]
    fn bits(mask: V16) -> u32 {
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
    fn load<W: Word>(_: Avx2, from: &[W; 16]) -> V16 {
        let at: *const W = from.as_ptr();
        op!(V16(
            V8(_mm256_loadu_si256(at.cast())),
            V8(_mm256_loadu_si256(at.add(8).cast()))
        ))
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
