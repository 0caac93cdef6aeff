//! Sizes of boards.

use std::fmt;
use std::str::FromStr;

use protocol::layout::tetris::{COLUMNS, ROWS};
use serde::{Deserialize, Serialize};

use crate::GameError;

/// Columns and rows of a board, as text `10x20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size {
    columns: u8,
    rows: u8,
}

impl Size {
    /// 10 columns and 20 rows: the size of research and of the wire.
    pub const STANDARD: Self = Self {
        columns: COLUMNS as u8,
        rows: ROWS as u8,
    };

    /// Minimum number of columns and of rows: an I fits in both rotations.
    pub const MIN: usize = 4;

    /// Maximum number of columns and of rows.
    pub const MAX: usize = 128;

    /// A size of `columns` columns and `rows` rows.
    ///
    /// # Errors
    /// When one of them is not 4 to 128.
    pub fn new(columns: usize, rows: usize) -> Result<Self, GameError> {
        if !Self::allowed(columns, rows) {
            let (min, max) = (Self::MIN, Self::MAX);
            return Err(GameError(format!(
                "the board is {columns}x{rows}, expected {min}x{min} to {max}x{max}"
            )));
        }
        Ok(Self::known(columns, rows))
    }

    const fn allowed(columns: usize, rows: usize) -> bool {
        columns >= Self::MIN && columns <= Self::MAX && rows >= Self::MIN && rows <= Self::MAX
    }

    /// A size that is checked at compile time.
    pub(super) const fn known(columns: usize, rows: usize) -> Self {
        assert!(Self::allowed(columns, rows));
        Self {
            columns: columns as u8,
            rows: rows as u8,
        }
    }

    /// Number of columns.
    #[inline]
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// Number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl FromStr for Size {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let numbers = text.split_once(['x', '×']);
        let numbers = numbers.and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
        let (columns, rows) = numbers.ok_or_else(|| {
            let expected = "expected columns x rows, such as 10x20";
            GameError(format!("'{text}' is not a board size, {expected}"))
        })?;
        Self::new(columns, rows)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.columns, self.rows))
    }
}

impl TryFrom<String> for Size {
    type Error = GameError;

    fn try_from(text: String) -> Result<Self, GameError> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_parses_columns_by_rows() {
        let size: Size = "12x22".parse().unwrap();
        assert_eq!((size.columns(), size.rows()), (12, 22));
        assert_eq!(size.to_string(), "12x22");
        assert_eq!(Size::STANDARD.to_string(), "10x20");
    }

    #[test]
    fn size_invalid_text_errs() {
        let error = |text: &str| text.parse::<Size>().unwrap_err().to_string();
        assert!(error("10").contains("'10' is not a board size"));
        assert!(error("10x").contains("such as 10x20"));
        assert!(error("3x20").contains("the board is 3x20, expected 4x4"));
        assert!(error("10x129").contains("to 128x128"));
    }
}
