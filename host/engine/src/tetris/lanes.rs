//! The SIMD paths: score all placements of a rotation at once; lane x is the placement at column x.
//!
//! [`Lanes`] is a vector of 32-bit lanes of some instruction set, [`Wide`] one of sixteen lanes.
//! [`kernel`] is written once for all of them. A vector can only be created with a token, and a
//! token only on a machine that has the instructions, so every operation on vectors is safe.
//!
//! Order to read: [`context`] (the values that rotations share), [`kernel`], [`dt_features`]
//! (scores), [`pick`] (the best placement) and [`play`] (whole games), then
//! the instruction sets.

/// Wraps intrinsics in an `unsafe` block.
macro_rules! op {
    ($body:expr) => {
        // SAFETY: a value or a token exists only where the `Path` of its module is available, that
        // is with all features the intrinsics need; memory operands are references to arrays of
        // the size read or written.
        unsafe { $body }
    };
}

/// Implements operators of a vector, each as one intrinsic.
macro_rules! operators {
    ($V:ident: $($Trait:ident $method:ident $intrinsic:ident;)+) => {$(
        impl $Trait for $V {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(op!($intrinsic(self.0, other.0)))
            }
        }
    )+};
}

/// Methods of two vectors, each one intrinsic.
macro_rules! binary {
    ($($method:ident $intrinsic:ident;)+) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            Self(op!($intrinsic(self.0, other.0)))
        }
    )+};
}

/// Methods of two vectors that return a mask, each one intrinsic.
macro_rules! compare {
    ($($method:ident $intrinsic:ident;)+) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self::Mask {
            op!($intrinsic(self.0, other.0))
        }
    )+};
}

/// The modules of intrinsics.
macro_rules! intrinsics {
    ($($module:ident)+) => {$(
        #[allow(
            unsafe_code,
            reason = "intrinsics; a token proves that the processor has them"
        )]
        mod $module;
    )+};
}

intrinsics! { avx2 avx2_wide avx512 avx512_wide }
mod context;
mod dt_features;
mod kernel;
mod pick;
mod play;

pub(super) use avx2::Avx2;
pub(super) use avx2_wide::V16 as Avx2Lanes;
pub(super) use avx512::Avx512;
pub(super) use avx512_wide::V16 as Avx512Lanes;
pub(super) use pick::{Places, View, choose, choose_any, clear};
pub(super) use play::{Outcome, Task, run};

use super::scale::Formulas;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// The properties of controller and board for which code is compiled.
pub(super) trait Plan: Formulas {
    /// The formulas alone, for code that depends on nothing else.
    type Formulas: Formulas;
    /// Whether any of the features of [`dt_features`] count.
    const DT_FEATURES: bool = Self::COVER || Self::SUMS;
    /// Whether the lane weights are small, see [`Scale`](super::scale::Scale).
    const SMALL: bool;
    /// Whether the board has at most ten columns: a piece of three columns has at most eight
    /// placements.
    const NARROW: bool;
}

/// A [`Plan`] of formulas and its two flags.
pub(super) struct Planned<F, const SMALL: bool, const NARROW: bool>(PhantomData<F>);

impl<F: Formulas, const SMALL: bool, const NARROW: bool> Formulas for Planned<F, SMALL, NARROW> {
    const CUMULATIVE: bool = F::CUMULATIVE;
    const COVER: bool = F::COVER;
    const SUMS: bool = F::SUMS;
    const SILHOUETTE: bool = F::SILHOUETTE;
}

impl<F: Formulas, const SMALL: bool, const NARROW: bool> Plan for Planned<F, SMALL, NARROW> {
    type Formulas = F;
    const SMALL: bool = SMALL;
    const NARROW: bool = NARROW;
}

/// An integer type of 32 bits.
pub(super) trait Word: Copy {}
impl Word for i32 {}
impl Word for u32 {}

/// A vector of 32-bit lanes.
pub(super) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// Proof that the machine has the instructions.
    type Token: Copy;
    /// One boolean for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask>;
    /// Rows of a board, for look-up by row number.
    type Rows: Copy;

    /// The same value in every lane.
    fn splat(token: Self::Token, value: i32) -> Self;
    /// 0, 1, 2 and so on.
    fn ramp(token: Self::Token) -> Self;
    /// Stores lane i to element i; elements after the last lane are unchanged.
    fn store<W: Word>(self, to: &mut [W; 16]);
    /// `!self & other`.
    fn clear_in(self, other: Self) -> Self;
    /// `a & b & !self`.
    #[inline(always)]
    fn clear_in_both(self, a: Self, b: Self) -> Self {
        self.clear_in(a & b)
    }
    /// Logical shift left by a constant.
    fn shl<const N: u32>(self) -> Self;
    /// Logical shift right by a constant.
    fn shr<const N: u32>(self) -> Self;
    /// Arithmetic shift right by one.
    fn half(self) -> Self;
    /// Logical shift left lane by lane; 0 for counts outside 0..32.
    fn shl_by(self, count: Self) -> Self;
    /// Logical shift right lane by lane; 0 for counts outside 0..32.
    fn shr_by(self, count: Self) -> Self;
    /// Signed maximum.
    fn max(self, other: Self) -> Self;
    /// Low 32 bits of the product.
    fn mul(self, other: Self) -> Self;
    /// Product of two signed 16-bit numbers; the upper half of `other` is 0, even if it is
    /// negative.
    fn mul_small(self, other: Self) -> Self;
    /// Number of set bits.
    fn ones(self) -> Self;
    /// Number of set bits where only the low eight bits of each half may be set.
    #[inline(always)]
    fn ones_of_bytes(self) -> Self {
        self.ones()
    }
    /// Index of the highest set bit + 1, 0 without one.
    fn height(self) -> Self;
    /// [`Self::height`] of lanes whose bit 31 is clear.
    #[inline(always)]
    fn height31(self) -> Self {
        self.height()
    }
    /// Signed `self > other`.
    fn gt(self, other: Self) -> Self::Mask;
    /// `self != other`.
    fn differs(self, other: Self) -> Self::Mask;
    /// Whether the single bit of `bit` is set.
    fn has(self, bit: Self) -> Self::Mask;
    /// Whether the single bit of `bit` is clear.
    fn lacks(self, bit: Self) -> Self::Mask;
    /// Whether any lane is not 0.
    fn any(self) -> bool;
    /// `self + other` where the mask holds, `self` elsewhere.
    fn add_if(self, mask: Self::Mask, other: Self) -> Self;
    /// `self` where the mask holds, `other` elsewhere.
    fn select(self, mask: Self::Mask, other: Self) -> Self;
    /// Whether one of the two 16-bit halves has all bits set.
    fn full_half(self) -> Self::Mask;
    /// The mask as an integer, lane i at bit i.
    fn bits(mask: Self::Mask) -> u32;
    /// For each lane, rows `row` (low half) and `row` + 1 (high half), `row` being 0 to 31.
    ///
    /// The high half is unspecified for row 31.
    fn row_pair(rows: &Self::Rows, row: Self) -> Self;
}

/// Maps each element; unlike `array::map` it is compiled for the instruction set of its caller.
#[inline(always)]
fn map_lanes<A: Copy, B: Copy, const N: usize>(from: &[A; N], to: impl Fn(A) -> B) -> [B; N] {
    let mut all = [to(from[0]); N];
    for (all, from) in all.iter_mut().zip(from) {
        *all = to(*from);
    }
    all
}

/// A vector of sixteen lanes.
pub(super) trait Wide: Lanes {
    /// A vector of eight lanes.
    type Narrow: Lanes<Token = Self::Token, Rows = Self::Rows>;
    /// The lanes of one register; the kernel runs register by register.
    type Part: Lanes<Token = Self::Token, Rows = Self::Rows>;
    /// One value for each register; there are one or two registers.
    type Each<T>: AsRef<[T]>;

    /// One value for each register; `last` is ignored if there is one register.
    fn each<T>(first: T, last: T) -> Self::Each<T>;
    /// The first register.
    fn first_part(self) -> Self::Part;
    /// The last register.
    fn last_part(self) -> Self::Part;
    /// The lanes of these registers; the second is ignored if there is one register.
    fn of_parts(parts: [Self::Part; 2]) -> Self;
    /// The first eight lanes of the first register.
    fn narrow(part: Self::Part) -> Self::Narrow;

    /// The lanes of `low`, then the last eight lanes of `self`.
    fn with_low(self, low: Self::Narrow) -> Self;
    /// Loads lane i from element i.
    fn load<W: Word>(token: Self::Token, from: &[W; 16]) -> Self;
    /// Rotates: lane i from lane i + `N`, cyclic; `N` is below 8.
    fn turn<const N: i32>(self) -> Self;
    /// Shifts: lane i from lane i + `N`, 0 after the last.
    fn down<const N: i32>(self) -> Self;
    /// Shifts: lane i from lane i - `N`, 0 before the first.
    fn up<const N: i32>(self) -> Self;
    /// The largest lane, in every lane.
    fn largest(self) -> Self;
    /// Lane 0.
    fn first(self) -> i32;
    /// Bitwise or of all lanes.
    fn union(self) -> i32;
    /// Prepares rows for look-up; element r is row r.
    fn rows(token: Self::Token, rows: &[u16; 40]) -> Self::Rows;
    /// Adds the rows of a piece, shifted left by `shift`.
    fn add_rows(token: Self::Token, rows: &mut [u16; 40], piece: &[u16; 32], shift: u32);
    /// Removes row `row`; the rows above fall, and the topmost row becomes `empty`.
    fn drop_row(token: Self::Token, rows: &mut [u16; 40], row: u32, empty: u16);
}
