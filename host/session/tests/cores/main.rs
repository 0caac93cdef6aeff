//! Tests of backends and links with the games' own cores: simulated ones, and a fake one for Tetris.

#[path = "../toy/a_hang.rs"]
mod a_hang;
mod compare;
#[path = "../toy/fake.rs"]
mod fake;
#[path = "../toy/limit.rs"]
mod limit;
mod links;
mod names;
mod positions;
mod simulated;
mod streams;

use std::time::Duration;

/// Much longer than any test takes.
#[track_caller]
fn block_on<T>(future: impl Future<Output = T>) -> T {
    limit::block_on(Duration::from_secs(120), future)
}

/// The cells of a row in a table of cases.
#[track_caller]
fn cells<const N: usize>(row: &str) -> [&str; N] {
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    cells.try_into().unwrap_or_else(|_| panic!("{row}"))
}
