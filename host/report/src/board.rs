//! A position as SVG.

use std::collections::BTreeMap;

use lockstep_games::picture::{Colour, Picture};
use maud::{Markup, PreEscaped, html};

/// Draws a picture as SVG: each cell is a square of ten units, with a frame if it is marked. `name`
/// is the label for screen readers.
pub fn svg(picture: &Picture, name: &str) -> Markup {
    let mut fills: BTreeMap<[u8; 3], String> = BTreeMap::new();
    let mut frames = String::new();
    for (y, line) in picture.lines().enumerate() {
        for (x, cell) in line.iter().enumerate() {
            let (left, top) = (10 * x, 10 * y);
            if cell.colour != Colour::Empty {
                let fill = fills.entry(cell.colour.rgb()).or_default();
                *fill += &format!("M{left} {top}h10v10h-10z");
            }
            if cell.marked {
                frames += &format!("M{}.5 {}.5h7v7h-7z", left + 1, top + 1);
            }
        }
    }
    let (width, height) = (10 * picture.columns(), 10 * picture.rows());
    html! {
        svg.board viewBox=(format!("-1 -1 {} {}", width + 2, height + 2)) width=(width)
            height=(height) role="img" aria-label=(name) {
            rect.field x="0" y="0" width=(width) height=(height) {}
            @for ([red, green, blue], cells) in &fills {
                path d=(cells) fill=(format!("#{red:02x}{green:02x}{blue:02x}")) {}
            }
            (PreEscaped(lines(picture)))
            @if !frames.is_empty() { path.mark d=(frames) {} }
        }
    }
}

/// The grid between the cells.
fn lines(picture: &Picture) -> String {
    let (width, height) = (10 * picture.columns(), 10 * picture.rows());
    let mut path = String::new();
    for x in 1..picture.columns() {
        path += &format!("M{} 0v{height}", 10 * x);
    }
    for y in 1..picture.rows() {
        path += &format!("M0 {}h{width}", 10 * y);
    }
    format!("<path class=\"grid\" d=\"{path}\"/>")
}
