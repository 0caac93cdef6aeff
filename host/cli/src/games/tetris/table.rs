//! Decisions of Tetris as columns of a table, typed as whoever analyses them wants them.

use anyhow::{Context as _, bail};
use lockstep_games::tetris::score::UNIT;
use lockstep_games::tetris::{Piece, Placement, Position, Score};
use serde_json::json;

use crate::commands::record::Column;

pub fn columns() -> Vec<Column> {
    vec![
        Column::whole("board_columns"),
        Column::lists("board"),
        Column::text("piece"),
        Column::text("next").optional(),
        Column::whole("rotation").optional(),
        Column::whole("column").optional(),
        Column::whole("row").optional(),
        Column::whole("rows_cleared").optional(),
        Column::real("score").optional(),
    ]
}

/// Adds a row; `false` where its numbers are too large for their columns.
pub fn put(position: &Position, decision: &Option<Placement>, columns: &mut [Column]) -> bool {
    let mut columns = columns.iter_mut();
    let board = &position.board;
    if let Some(column) = columns.next() {
        column.put_whole(i64::try_from(board.columns()).ok());
    }
    if let Some(column) = columns.next() {
        column.put_list(board.to_rows().into_iter().map(|row| row as u32));
    }
    let letter = |piece: Piece| piece.letter().to_string();
    for (piece, column) in [Some(position.piece), position.next]
        .into_iter()
        .zip(&mut columns)
    {
        column.put_text(piece.map(letter));
    }
    let placement = decision.as_ref();
    let fields: [fn(&Placement) -> usize; 4] =
        [|p| p.rotation, |p| p.column, |p| p.row, |p| p.rows_cleared];
    for (field, column) in fields.into_iter().zip(&mut columns) {
        column.put_whole(placement.and_then(|p| i64::try_from(field(p)).ok()));
    }
    if let Some(column) = columns.next() {
        column.put_real(placement.map(|p| p.score.0 as f64 / UNIT as f64));
    }
    placement.is_none_or(|p| {
        let small = |field: fn(&Placement) -> usize| i64::try_from(field(p)).is_ok();
        fields.into_iter().all(small) && score(p.score.0 as f64 / UNIT as f64) == p.score
    })
}

/// Reads the next row.
pub fn take(columns: &mut [Column]) -> anyhow::Result<(Position, Option<Placement>)> {
    let mut columns = columns.iter_mut();
    let mut column = || columns.next().context("columns are missing");
    let size = column()?
        .take_whole()
        .context("there is no board_columns")?;
    let rows = column()?.take_list();
    let mut position = json!({"board": rows, "size": format!("{size}x{}", rows.len())});
    position["piece"] = column()?.take_text().into();
    if let Some(next) = column()?.take_text() {
        position["next"] = next.into();
    }
    let mut fields = [None; 4];
    for field in &mut fields {
        *field = column()?.take_whole();
    }
    let decision = match (fields, column()?.take_real()) {
        ([Some(rotation), Some(column), Some(row), Some(rows_cleared)], Some(real)) => {
            Some(Placement {
                rotation: rotation.try_into()?,
                column: column.try_into()?,
                row: row.try_into()?,
                rows_cleared: rows_cleared.try_into()?,
                score: score(real),
            })
        }
        ([None, None, None, None], None) => None,
        _ => bail!("a decision lacks some of its fields"),
    };
    Ok((serde_json::from_value(position)?, decision))
}

/// As it is read from JSON.
fn score(value: f64) -> Score {
    Score((value * UNIT as f64).round() as i64)
}
