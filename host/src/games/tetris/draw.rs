//! Positions as text.

use super::Placement;
use super::position::Position;

/// Boards side by side, one a decision, each under its label: `#` filled, the
/// placed piece as its letter. Empty rows above it all are left out.
pub(super) fn boards(position: &Position, decisions: &[(&str, &Option<Placement>)]) -> String {
    let board = &position.board;
    let placed: Vec<Vec<[usize; 2]>> = decisions
        .iter()
        .map(|(_, d)| d.map_or(Vec::new(), |p| p.cells(position.piece)))
        .collect();
    let tallest = (0..board.columns()).map(|c| board.height(c)).max();
    let reach = placed
        .iter()
        .flatten()
        .map(|cell| cell[1].saturating_add(1))
        .max();
    let top = tallest.max(reach).unwrap_or(0).min(board.rows() - 1) + 1;
    let letter = format!("{:?}", position.piece);

    let width = |label: &str| label.len().max(board.columns() + 2);
    let gap = "    ";
    let mut text = String::from("     ");
    for (label, _) in decisions {
        text += &format!("{label:<width$}{gap}", width = width(label));
    }
    for row in (0..top).rev() {
        text = text.trim_end().to_owned() + &format!("\n  {row:2} ");
        for ((label, _), cells) in decisions.iter().zip(&placed) {
            text.push('|');
            for column in 0..board.columns() {
                text += match (cells.contains(&[column, row]), board.filled(column, row)) {
                    (true, _) => &letter,
                    (false, true) => "#",
                    (false, false) => ".",
                };
            }
            text.push('|');
            text += &" ".repeat(width(label) - board.columns() - 2);
            text += gap;
        }
    }
    text = text.trim_end().to_owned() + "\n     ";
    let columns: String = (0..board.columns()).map(|c| (c % 10).to_string()).collect();
    for (label, _) in decisions {
        text += &format!(" {columns:<width$}{gap}", width = width(label) - 1);
    }
    text.trim_end().to_owned()
}
