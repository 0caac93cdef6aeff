//! The supported boards.

use std::fmt;

/// A supported board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// ULX3S with an ECP5 LFE5U-85F.
    Ulx3s,
    /// Digilent Nexys4 with an Artix-7 XC7A100T.
    Nexys4,
}

impl Board {
    /// All boards.
    pub const ALL: [Self; 2] = [Self::Ulx3s, Self::Nexys4];

    /// Its name, as in `rtl/top/`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ulx3s => "ulx3s",
            Self::Nexys4 => "nexys4",
        }
    }

    /// The board with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|board| board.name() == name)
    }

    /// Name of its FPGA.
    pub(crate) const fn fpga(self) -> &'static str {
        match self {
            Self::Ulx3s => "LFE5U-85F",
            Self::Nexys4 => "XC7A100T",
        }
    }

    /// The arguments of openFPGALoader, which does not know every board by name.
    pub(crate) const fn loader_arguments(self) -> &'static [&'static str] {
        match self {
            Self::Ulx3s => &["-b", "ulx3s"],
            Self::Nexys4 => &["-c", "digilent", "--fpga-part", "xc7a100tcsg324"],
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
