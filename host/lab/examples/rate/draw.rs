//! The rates as bars.

use std::fmt::{Error, Write as _};

use super::{Row, thousands};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 100.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
/// Height of a row.
const ROW: f64 = 52.0;

/// Readable on a light page and on a dark one.
const STYLE: &str = "\
<style>
text { font: 13px sans-serif; fill: #1f2328 }
rect { fill: #3b6ea8 }
line { stroke-width: 3 }
.line { stroke: #b4552d }
.core { stroke: #2d8a57 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
rect { fill: #6ea3dd }
.line { stroke: #f0936b }
.core { stroke: #5cc98d }
}
</style>
";

/// An SVG: a bar for each rate, with a mark at either limit that is near.
///
/// # Errors
/// None that a `String` does not have.
pub fn svg(rows: &[Row]) -> Result<String, Error> {
    let most = rows.iter().map(|row| row.line.min(row.core).max(row.rate));
    let most = most.fold(1.0, f64::max) * 1.05;
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / most;
    let height = TOP + ROW * rows.len() as f64 + 36.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"Decisions a second of simulated time at 12 Mbaud\">\n{STYLE}"
    );
    words(
        &mut text,
        LEFT,
        22.0,
        "Decisions a second of simulated time at 12 Mbaud",
    )?;
    for (place, row) in rows.iter().enumerate() {
        let top = TOP + ROW * place as f64;
        let width = x(row.rate) - LEFT;
        writeln!(
            text,
            "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"24\"/>",
            top + 8.0
        )?;
        words(&mut text, 10.0, top + 18.0, row.name)?;
        words(&mut text, 10.0, top + 34.0, &thousands(row.rate))?;
        let near = [("line", row.line), ("core", row.core)];
        let near = near.into_iter().filter(|(_, limit)| *limit <= most);
        for (class, limit) in near {
            mark(&mut text, class, x(limit), top + 2.0, top + 38.0)?;
        }
    }
    let foot = height - 14.0;
    for (class, from, name) in [
        ("line", LEFT + 2.0, "the line's limit"),
        ("core", LEFT + 160.0, "the core's limit"),
    ] {
        mark(&mut text, class, from, foot - 13.0, foot + 3.0)?;
        words(&mut text, from + 8.0, foot, name)?;
    }
    writeln!(text, "</svg>")?;
    Ok(text)
}

fn words(text: &mut String, x: f64, y: f64, words: &str) -> Result<(), Error> {
    writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>")
}

fn mark(text: &mut String, class: &str, x: f64, from: f64, to: f64) -> Result<(), Error> {
    writeln!(
        text,
        "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{from:.1}\" y2=\"{to:.1}\"/>"
    )
}
