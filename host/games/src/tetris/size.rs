//! How large a board is.

use std::fmt;
use std::str::FromStr;

use protocol::layout::tetris::{COLUMNS, ROWS};
use serde::{Deserialize, Serialize};

/// Columns and rows of a board, as text `10x20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size {
    columns: u8,
    rows: u8,
}

/// Not the size of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// The text is not two numbers.
    #[error("'{0}' is not a board size; write columns x rows, such as 10x20")]
    Text(String),
    /// Too small for a standing or lying I, or too large.
    #[error(
        "a board of {columns}x{rows} cannot be had; from {min}x{min} to {max}x{max} can",
        min = Size::MIN,
        max = Size::MAX
    )]
    Range {
        /// Columns asked for.
        columns: usize,
        /// Rows asked for.
        rows: usize,
    },
}

impl Size {
    /// The research standard and the wire's: 10 columns, 20 rows.
    pub const STANDARD: Self = Self {
        columns: COLUMNS as u8,
        rows: ROWS as u8,
    };

    /// Least number of columns and of rows: an I fits either way.
    pub const MIN: usize = 4;

    /// Largest number of columns and of rows.
    pub const MAX: usize = 128;

    /// A size of that many columns and rows.
    ///
    /// # Errors
    /// [`SizeError::Range`] outside 4 to 128.
    pub const fn new(columns: usize, rows: usize) -> Result<Self, SizeError> {
        if !Self::allowed(columns, rows) {
            return Err(SizeError::Range { columns, rows });
        }
        Ok(Self::known(columns, rows))
    }

    const fn allowed(columns: usize, rows: usize) -> bool {
        columns >= Self::MIN && columns <= Self::MAX && rows >= Self::MIN && rows <= Self::MAX
    }

    /// A size known to be one when this is compiled.
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
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let wrong = || SizeError::Text(text.into());
        let (columns, rows) = text.split_once(['x', '×']).ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        Self::new(number(columns)?, number(rows)?)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.columns, self.rows))
    }
}

impl TryFrom<String> for Size {
    type Error = SizeError;

    fn try_from(text: String) -> Result<Self, SizeError> {
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
    fn sizes_are_columns_by_rows() {
        let size: Size = "12x22".parse().unwrap();
        assert_eq!((size.columns(), size.rows()), (12, 22));
        assert_eq!(size.to_string(), "12x22");
        assert_eq!(Size::STANDARD.to_string(), "10x20");
    }

    #[test]
    fn what_is_no_size_is_named() {
        let error = |text: &str| text.parse::<Size>().unwrap_err().to_string();
        assert!(error("10").contains("'10' is not a board size"));
        assert!(error("10x").contains("such as 10x20"));
        assert!(error("3x20").contains("a board of 3x20 cannot be had"));
        assert!(error("10x129").contains("to 128x128"));
    }
}
