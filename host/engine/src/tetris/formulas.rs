//! The sets of features that controllers need, as types, so that code is compiled for each set.

/// The features that are evaluated beside landing height, transitions and holes.
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
    /// The features of Dellacherie's controller and of El-Tetris.
    Core: true false false false;
    /// The features of BCTS.
    Covered: true true false false;
    /// The features of DT-10 and DT-20.
    Summed: false true true false;
    /// The features of all controllers above.
    Research: true true true false;
    /// All features.
    All: true true true true;
}

/// The smallest of these sets that has all features of a controller.
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
