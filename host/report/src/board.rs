//! A position as SVG, with the choices of several backends on one board.

use std::collections::BTreeMap;

use lockstep::report::text::empty_lines;
use lockstep_games::picture::{Colour, Picture};
use maud::{Markup, html};

/// Largest width of a board, and width of a cell, in pixels.
const WIDTH: usize = 384;
const CELL: usize = 24;
/// Units left of the cells and below them, for numbers; a cell has ten units.
const MARGIN: usize = 12;

/// Draws a position without its empty topmost rows.
///
/// Each choice, a picture with the letters of those who made it, has an outline of its own (solid,
/// dashed, dotted), and its letters in its cells. `name` is the label for screen readers.
pub fn svg(position: &Picture, choices: &[(String, Picture)], name: &str) -> Markup {
    let pictures = || choices.iter().map(|(_, picture)| picture);
    let skip = pictures().chain([position]).map(empty_lines).min();
    let skip = skip.unwrap_or(0);
    let (columns, rows) = (position.columns(), position.rows() - skip);
    let mut fills: BTreeMap<(bool, [u8; 3]), String> = BTreeMap::new();
    let mut letters: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let choices = choices
        .iter()
        .map(|(names, picture)| (names.replace(", ", ""), picture, true));
    for (names, picture, is_choice) in [(String::new(), position, false)]
        .into_iter()
        .chain(choices)
    {
        for (x, y, colour) in cells(picture, skip, is_choice) {
            let fill = fills.entry((is_choice, colour.rgb())).or_default();
            *fill += &format!("M{} {}h10v10h-10z", 10 * x, 10 * y);
            *letters.entry((x, y)).or_default() += &names;
        }
    }
    let (width, height) = (10 * columns, 10 * rows);
    html! {
        svg.board viewBox=(format!("-{MARGIN} -1 {} {}", width + MARGIN + 1, height + MARGIN))
            width=((columns * CELL + CELL).min(WIDTH)) role="img" aria-label=(name) {
            rect.field x="0" y="0" width=(width) height=(height) {}
            @for ((is_choice, [red, green, blue]), cells) in &fills {
                path.chosen[*is_choice] d=(cells) fill=(format!("#{red:02x}{green:02x}{blue:02x}")) {}
            }
            @for column in 0..columns {
                path.grid d=(format!("M{} 0v{height}", 10 * column)) {}
                text.axis x=(10 * column + 5) y=(height + MARGIN - 3) { (column) }
            }
            @for row in 0..rows {
                path.grid d=(format!("M0 {}h{width}", 10 * row)) {}
                text.axis.row x="-3" y=(10 * row + 7) { (position.row_of_line(row + skip)) }
            }
            @for (index, picture) in pictures().enumerate() {
                path class=(format!("mark m{}", index % 3)) d=(frames(picture, index, skip)) {}
            }
            @for ((x, y), letters) in letters.iter().filter(|(_, letters)| !letters.is_empty()) {
                text.letter x=(10 * x + 5) y=(10.0 * *y as f64 + 6.5) { (letters) }
            }
        }
    }
}

/// The outline of a choice, as in a board's legend.
pub fn swatch(index: usize) -> Markup {
    html! {
        svg.swatch viewBox="0 0 10 10" width="16" height="16" aria-hidden="true" {
            path class=(format!("mark m{}", index % 3)) d="M1 1h8v8h-8z" {}
        }
    }
}

/// The cells of a picture that are in use, with column, line and colour; only the `marked` ones.
fn cells(picture: &Picture, skip: usize, marked: bool) -> Vec<(usize, usize, Colour)> {
    let lines = picture.lines().skip(skip).enumerate();
    let cells = lines.flat_map(|(y, line)| line.iter().enumerate().map(move |cell| (y, cell)));
    let used = cells.filter(|(_, (_, c))| c.colour != Colour::Empty && c.marked >= marked);
    used.map(|(y, (x, cell))| (x, y, cell.colour)).collect()
}

/// Frames around the cells of a choice; those of another choice are larger or smaller.
fn frames(picture: &Picture, index: usize, skip: usize) -> String {
    let inset = 1.0 + 1.5 * (index % 3) as f64;
    let size = 10.0 - 2.0 * inset;
    let frame = |(x, y, _)| {
        let [x, y]: [f64; 2] = [x, y].map(|at: usize| 10.0 * at as f64 + inset);
        format!("M{x} {y}h{size}v{size}h-{size}z")
    };
    cells(picture, skip, true).into_iter().map(frame).collect()
}
