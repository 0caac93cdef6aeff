//! Which features a controller needs, as types: code for each combination that
//! matters is compiled on its own.

/// Landing height, row and column transitions and holes are always evaluated.
pub(super) trait Formulas {
    /// Cumulative wells.
    const CUMULATIVE: bool;
    /// Hole depth and rows with holes.
    const COVER: bool;
    /// Well sums and diversity.
    const SUMS: bool;
    /// Aggregate height, bumpiness and max height.
    const SILHOUETTE: bool;
}

macro_rules! formulas {
    ($($(#[$doc:meta])* $name:ident: $cumulative:literal $cover:literal $sums:literal $silhouette:literal;)*) => {
        $(
            $(#[$doc])*
            pub(super) struct $name;

            impl Formulas for $name {
                const CUMULATIVE: bool = $cumulative;
                const COVER: bool = $cover;
                const SUMS: bool = $sums;
                const SILHOUETTE: bool = $silhouette;
            }
        )*
    };
}

formulas! {
    /// Dellacherie, El-Tetris.
    Core: true false false false;
    /// BCTS.
    Covered: true true false false;
    /// DT-10, DT-20.
    Summed: false true true false;
    /// All of these.
    Research: true true true false;
    /// Everything.
    All: true true true true;
}

/// The smallest of the above that has what a controller needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// [`Core`].
    Core,
    /// [`Covered`].
    Covered,
    /// [`Summed`].
    Summed,
    /// [`Research`].
    Research,
    /// [`All`].
    All,
}
