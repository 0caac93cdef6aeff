//! Tables of text.

use std::ops::RangeBounds;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Row, Table};
use lockstep::text::printable;

/// Rows in columns, two spaces before and between them.
///
/// Columns of numbers are aligned to the right. Every line ends with a newline, and characters that
/// act on a terminal are escaped.
pub fn plain<R: Into<Row>>(
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    numbers: impl RangeBounds<usize>,
) -> String {
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((2, 0));
        if numbers.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines();
    lines
        .map(|line| printable(line.trim_end()) + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_two_spaces_apart_and_numbers_on_the_right() {
        let rows = [["engine", "1,234", "x"], ["sim", "5", ""]];
        let text = plain(["backend", "rate", "note"], rows, 1..2);
        let expected = "  backend   rate  note\n  engine   1,234  x\n  sim          5\n";
        assert_eq!(text, expected);
    }
}
