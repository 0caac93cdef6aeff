//! Speeds for people.

use lockstep_lab::speed::Row;

use super::numbers::decimal;
use super::table::plain;

/// A row for each contestant, in columns.
pub fn table(rows: &[Row]) -> String {
    let candidate = rows.first().map_or("candidate", |row| row.candidate);
    let header = [
        "backend",
        "controller",
        "path",
        "threads",
        "decisions/s",
        &*format!("ns/{candidate}"),
        "ratio",
    ];
    let cells = rows.iter().map(|row| {
        // To the first row of the same controller.
        let first = rows.iter().find(|r| r.controller == row.controller);
        let ratio = first.map_or(1.0, |f| row.decisions_per_s / f.decisions_per_s);
        [
            row.backend.clone(),
            row.controller.clone(),
            row.path.clone().unwrap_or_else(|| "-".into()),
            row.threads.to_string(),
            decimal(row.decisions_per_s, 0),
            decimal(row.ns_per_candidate, 2),
            decimal(ratio, 3),
        ]
    });
    plain(header, cells, 3..)
}
