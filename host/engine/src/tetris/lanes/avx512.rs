//! Eight lanes as one 256-bit register, with AVX-512 instructions.

use super::super::core::Path;
use super::{Lanes, Word};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// Proves that the machine has AVX-512 F, VL, BW, CD and VPOPCNTDQ.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx512(());

impl Avx512 {
    /// The token, if this machine has the instructions.
    pub(in super::super) fn new() -> Option<Avx512> {
        Path::Avx512.available().then_some(Avx512(()))
    }
}

/// Eight lanes in one register.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct V8(pub(super) __m256i);

/// Pairs of rows: rows 0 to 15, and rows 16 to 31.
#[derive(Clone, Copy)]
pub(in super::super) struct Rows(pub(super) __m512i, pub(super) __m512i);

/// Methods of vectors of either width, given their intrinsics.
macro_rules! by_width {
    (
        splat $splat:ident;
        store $store:ident;
        clear_in_both $ternary:ident;
        shl $shl:ident;
        shr $shr:ident;
        half $half:ident;
        ones $ones:ident;
        height $sub:ident $leading:ident;
        any $test:ident;
        add_if $add_if:ident;
        select $select:ident;
        full_half $add:ident $clear_in:ident;
    ) => {
        #[inline(always)]
        fn splat(_: Avx512, value: i32) -> Self {
            Self(op!($splat(value)))
        }

        #[inline(always)]
        fn store<W: Word>(self, to: &mut [W; 16]) {
            op!($store(to.as_mut_ptr().cast(), self.0));
        }

        #[inline(always)]
        fn clear_in_both(self, a: Self, b: Self) -> Self {
            Self(op!($ternary::<0x08>(self.0, a.0, b.0)))
        }

        #[inline(always)]
        fn shl<const N: u32>(self) -> Self {
            Self(op!($shl(self.0, _mm_cvtsi32_si128(N as i32))))
        }

        #[inline(always)]
        fn shr<const N: u32>(self) -> Self {
            Self(op!($shr(self.0, _mm_cvtsi32_si128(N as i32))))
        }

        #[inline(always)]
        fn half(self) -> Self {
            Self(op!($half::<1>(self.0)))
        }

        #[inline(always)]
        fn ones(self) -> Self {
            Self(op!($ones(self.0)))
        }

        #[inline(always)]
        fn height(self) -> Self {
            Self(op!($sub($splat(32), $leading(self.0))))
        }

        #[inline(always)]
        fn any(self) -> bool {
            op!($test(self.0, self.0)) != 0
        }

        #[inline(always)]
        fn add_if(self, mask: Self::Mask, other: Self) -> Self {
            Self(op!($add_if(self.0, mask, self.0, other.0)))
        }

        #[inline(always)]
        fn select(self, mask: Self::Mask, other: Self) -> Self {
            Self(op!($select(other.0, mask, self.0)))
        }

        #[inline(always)]
        fn full_half(self) -> Self::Mask {
            // A half with all bits set loses its top bit when 1 is added.
            op!({
                let carried = $add(self.0, $splat(0x0001_0001));
                let tops = $clear_in(carried, self.0);
                $test(tops, $splat(0x8000_8000u32 as i32))
            })
        }

        #[inline(always)]
        fn bits(mask: Self::Mask) -> u32 {
            u32::from(mask)
        }
    };
}
pub(super) use by_width;

operators! { V8:
    Add add _mm256_add_epi32;
    Sub sub _mm256_sub_epi32;
    BitAnd bitand _mm256_and_si256;
    BitOr bitor _mm256_or_si256;
}

impl Lanes for V8 {
    type Token = Avx512;
    type Mask = __mmask8;
    type Rows = Rows;

    by_width! {
        splat _mm256_set1_epi32;
        store _mm256_storeu_si256;
        clear_in_both _mm256_ternarylogic_epi32;
        shl _mm256_sll_epi32;
        shr _mm256_srl_epi32;
        half _mm256_srai_epi32;
        ones _mm256_popcnt_epi32;
        height _mm256_sub_epi32 _mm256_lzcnt_epi32;
        any _mm256_test_epi32_mask;
        add_if _mm256_mask_add_epi32;
        select _mm256_mask_mov_epi32;
        full_half _mm256_add_epi32 _mm256_andnot_si256;
    }

    binary! {
        clear_in _mm256_andnot_si256;
        shl_by _mm256_sllv_epi32;
        shr_by _mm256_srlv_epi32;
        max _mm256_max_epi32;
        mul _mm256_mullo_epi32;
        mul_small _mm256_madd_epi16;
    }

    compare! {
        gt _mm256_cmpgt_epi32_mask;
        differs _mm256_cmpneq_epi32_mask;
        has _mm256_test_epi32_mask;
        lacks _mm256_testn_epi32_mask;
    }

    #[inline(always)]
    fn ramp(_: Avx512) -> V8 {
        V8(op!(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))
    }

    #[inline(always)]
    fn row_pair(rows: &Rows, row: V8) -> V8 {
        V8(op!({
            let row = _mm512_castsi256_si512(row.0);
            _mm512_castsi512_si256(_mm512_permutex2var_epi32(rows.0, row, rows.1))
        }))
    }
}
