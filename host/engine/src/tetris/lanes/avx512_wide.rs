//! Sixteen lanes as one 512-bit register.

use super::avx512::{Avx512, Rows, V8, by_width};
use super::{Lanes, Wide, Word};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// Sixteen lanes in one register.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct V16(__m512i);

operators! { V16:
    Add add _mm512_add_epi32;
    Sub sub _mm512_sub_epi32;
    BitAnd bitand _mm512_and_si512;
    BitOr bitor _mm512_or_si512;
}

impl V16 {
    /// The columns of 32 rows: bit r of column c is bit c of row r.
    #[inline(always)]
    pub(in super::super) fn columns(_: Avx512, rows: &[u16; 32]) -> [u32; 16] {
        let mut columns = [0; 16];
        op!({
            let all = _mm512_loadu_si512(rows.as_ptr().cast());
            for (c, column) in columns.iter_mut().enumerate() {
                *column = _mm512_test_epi16_mask(all, _mm512_set1_epi16(1 << c));
            }
        });
        columns
    }
}

impl Lanes for V16 {
    type Token = Avx512;
    type Mask = __mmask16;
    type Rows = Rows;

    by_width! {
        splat _mm512_set1_epi32;
        store _mm512_storeu_si512;
        clear_in_both _mm512_ternarylogic_epi32;
        shl _mm512_sll_epi32;
        shr _mm512_srl_epi32;
        half _mm512_srai_epi32;
        ones _mm512_popcnt_epi32;
        height _mm512_sub_epi32 _mm512_lzcnt_epi32;
        any _mm512_test_epi32_mask;
        add_if _mm512_mask_add_epi32;
        select _mm512_mask_mov_epi32;
        full_half _mm512_add_epi32 _mm512_andnot_si512;
    }

    binary! {
        clear_in _mm512_andnot_si512;
        shl_by _mm512_sllv_epi32;
        shr_by _mm512_srlv_epi32;
        max _mm512_max_epi32;
        mul _mm512_mullo_epi32;
        mul_small _mm512_madd_epi16;
    }

    compare! {
        gt _mm512_cmpgt_epi32_mask;
        differs _mm512_cmpneq_epi32_mask;
        has _mm512_test_epi32_mask;
        lacks _mm512_testn_epi32_mask;
    }

    #[inline(always)]
    fn ramp(_: Avx512) -> V16 {
        V16(op!(_mm512_setr_epi32(
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        )))
    }

    #[inline(always)]
    fn row_pair(rows: &Rows, row: V16) -> V16 {
        V16(op!(_mm512_permutex2var_epi32(rows.0, row.0, rows.1)))
    }
}

impl Wide for V16 {
    type Narrow = V8;
    type Part = V16;
    type Each<T> = [T; 1];

    #[inline(always)]
    fn each<T>(first: T, _: T) -> [T; 1] {
        [first]
    }

    #[inline(always)]
    fn first_part(self) -> V16 {
        self
    }

    #[inline(always)]
    fn last_part(self) -> V16 {
        self
    }

    #[inline(always)]
    fn of_parts(parts: [V16; 2]) -> V16 {
        parts[0]
    }

    #[inline(always)]
    fn narrow(part: V16) -> V8 {
        V8(op!(_mm512_castsi512_si256(part.0)))
    }

    #[inline(always)]
    fn with_low(self, low: V8) -> V16 {
        V16(op!(_mm512_mask_mov_epi32(
            self.0,
            0xff,
            _mm512_castsi256_si512(low.0)
        )))
    }

    #[inline(always)]
    fn load<W: Word>(_: Avx512, from: &[W; 16]) -> V16 {
        V16(op!(_mm512_loadu_si512(from.as_ptr().cast())))
    }

    #[inline(always)]
    fn turn<const N: i32>(self) -> V16 {
        V16(op!(_mm512_alignr_epi32::<N>(self.0, self.0)))
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> V16 {
        V16(op!(_mm512_alignr_epi32::<N>(
            _mm512_setzero_si512(),
            self.0
        )))
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> V16 {
        V16(op!({
            let ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let from = _mm512_sub_epi32(ramp, _mm512_set1_epi32(N));
            _mm512_maskz_permutexvar_epi32(0xffff << N, from, self.0)
        }))
    }

    #[inline(always)]
    fn largest(self) -> V16 {
        V16(op!({
            let v = self.0;
            let v = _mm512_max_epi32(v, _mm512_shuffle_i64x2::<0x4e>(v, v));
            let v = _mm512_max_epi32(v, _mm512_shuffle_i64x2::<0xb1>(v, v));
            let v = _mm512_max_epi32(v, _mm512_shuffle_epi32::<0x4e>(v));
            _mm512_max_epi32(v, _mm512_shuffle_epi32::<0xb1>(v))
        }))
    }

    #[inline(always)]
    fn first(self) -> i32 {
        op!(_mm512_cvtsi512_si32(self.0))
    }

    #[inline(always)]
    fn union(self) -> i32 {
        op!(_mm512_reduce_or_epi32(self.0))
    }

    #[inline(always)]
    fn rows(_: Avx512, rows: &[u16; 40]) -> Rows {
        op!({
            let all = _mm512_loadu_si512(rows.as_ptr().cast());
            let ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            // Words (r, r + 1) for r from 0 to 15, then from 16 to 31.
            let low = _mm512_add_epi32(
                _mm512_or_si512(ramp, _mm512_slli_epi32::<16>(ramp)),
                _mm512_set1_epi32(0x0001_0000),
            );
            let high = _mm512_add_epi32(low, _mm512_set1_epi32(0x0010_0010));
            Rows(
                _mm512_permutexvar_epi16(low, all),
                _mm512_permutexvar_epi16(high, all),
            )
        })
    }

    #[inline(always)]
    fn add_rows(_: Avx512, rows: &mut [u16; 40], piece: &[u16; 32], shift: u32) {
        op!({
            let piece = _mm512_loadu_si512(piece.as_ptr().cast());
            let piece = _mm512_sll_epi16(piece, _mm_cvtsi32_si128(shift as i32));
            let old = _mm512_loadu_si512(rows.as_ptr().cast());
            _mm512_storeu_si512(rows.as_mut_ptr().cast(), _mm512_or_si512(old, piece));
        });
    }

    #[inline(always)]
    fn drop_row(_: Avx512, rows: &mut [u16; 40], row: u32, empty: u16) {
        op!({
            let old = _mm512_loadu_si512(rows.as_ptr().cast());
            let ramp = _mm512_loadu_si512(WORDS.as_ptr().cast());
            let above = _mm512_add_epi16(ramp, _mm512_set1_epi16(1));
            let moved = u32::MAX << row;
            let from = _mm512_mask_mov_epi16(ramp, moved, above);
            let new = _mm512_permutexvar_epi16(from, old);
            let new = _mm512_mask_set1_epi16(new, 1 << 31, empty as i16);
            _mm512_storeu_si512(rows.as_mut_ptr().cast(), new);
        });
    }
}

/// The numbers 0 to 31.
static WORDS: [u16; 32] = {
    let mut words = [0; 32];
    let mut i = 0;
    while i < 32 {
        words[i] = i as u16;
        i += 1;
    }
    words
};
