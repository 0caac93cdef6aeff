//! Draws pictures as text.

use lockstep_games::Picture;

use crate::text::printable;

/// Columns between two pictures.
const GAP: &str = "    ";

/// Draws pictures of one game side by side, each under its label, with as many in a row as fit into
/// `width` columns. Empty lines above the topmost cell in use are left out. Rows and columns are
/// numbered as the game counts them.
pub fn side_by_side(pictures: &[(impl AsRef<str>, Picture)], width: usize) -> String {
    let empty = pictures.iter().map(|(_, picture)| empty_lines(picture));
    let skip = empty.min().unwrap_or(0);
    let mut blocks = Vec::new();
    let mut line: Vec<Labelled<'_>> = Vec::new();
    let pictures = pictures.iter();
    for labelled in pictures.map(|(label, picture)| (printable(label.as_ref()), picture)) {
        let wide: usize = line.iter().map(|l| span(l) + GAP.len()).sum();
        if !line.is_empty() && MARGIN + wide + span(&labelled) > width {
            blocks.push(block(&line, skip));
            line.clear();
        }
        line.push(labelled);
    }
    if !line.is_empty() {
        blocks.push(block(&line, skip));
    }
    blocks.join("\n")
}

/// Adds a picture with its label; equal pictures are one, with all their labels.
pub fn add(pictures: &mut Vec<(String, Picture)>, label: &str, picture: Picture) {
    match pictures.iter_mut().find(|(_, other)| *other == picture) {
        Some((labels, _)) => *labels += &format!(", {label}"),
        None => pictures.push((label.into(), picture)),
    }
}

/// Draws one picture with all its lines, without label and numbers.
pub fn plain(picture: &Picture) -> String {
    let line = |cells: &[lockstep_games::picture::Cell]| -> String {
        cells.iter().map(|cell| cell.sign).collect()
    };
    picture.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Columns of the row numbers.
const MARGIN: usize = 5;

/// A picture under its label.
type Labelled<'a> = (String, &'a Picture);

/// Columns that a picture takes with its walls and its label.
fn span((label, picture): &Labelled<'_>) -> usize {
    label.chars().count().max(picture.columns() + 2)
}

/// Number of empty lines at the top that are left out; one is kept.
pub fn empty_lines(picture: &Picture) -> usize {
    let used = |line: &[lockstep_games::picture::Cell]| {
        line.iter()
            .any(|cell| *cell != lockstep_games::picture::Cell::EMPTY)
    };
    let first = picture.lines().position(used);
    let first = first.unwrap_or(picture.rows());
    if picture.bottom_up {
        first.saturating_sub(1)
    } else {
        0
    }
}

fn block(pictures: &[Labelled<'_>], skip: usize) -> String {
    let mut lines = Vec::new();
    let mut add = |margin: &str, text: &dyn Fn(&Labelled<'_>) -> String| {
        let mut line = format!("{margin:<MARGIN$}");
        for labelled in pictures {
            line += &format!("{:<1$}{GAP}", text(labelled), span(labelled));
        }
        lines.push(line.trim_end().to_owned());
    };
    add("", &|(label, _)| label.clone());
    let rows = pictures.iter().map(|(_, picture)| picture.rows()).max();
    for at in skip..rows.unwrap_or(0) {
        let number = pictures.first().map_or(at, |(_, p)| p.row_of_line(at));
        add(&format!("{number:>4} "), &|(_, picture)| {
            let cells = picture.lines().nth(at).unwrap_or_default();
            let signs: String = cells.iter().map(|cell| cell.sign).collect();
            format!("|{signs}|")
        });
    }
    add("", &|(_, picture)| {
        let digits: String = (0..picture.columns())
            .map(|c| (c % 10).to_string())
            .collect();
        format!(" {digits}")
    });
    if pictures
        .iter()
        .any(|(_, picture)| !picture.notes.is_empty())
    {
        add("", &|(_, picture)| picture.notes.join(", "));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use lockstep_games::picture::{Cell, Colour};

    use super::*;

    fn picture(columns: usize, at: &[(usize, usize)]) -> Picture {
        let mut picture = Picture::empty(columns, 4);
        picture.bottom_up = true;
        for &(column, row) in at {
            if let Some(cell) = picture.cell(column, row) {
                *cell = Cell::new('#', Colour::Grey);
            }
        }
        picture
    }

    #[test]
    fn side_by_side_skips_empty_rows() {
        let drawn = side_by_side(
            &[
                ("software", picture(3, &[(0, 0), (1, 1)])),
                ("sim", picture(3, &[(2, 0)])),
            ],
            80,
        );
        let expected = "     software    sim\n\
                        \x20  2 |...|       |...|\n\
                        \x20  1 |.#.|       |...|\n\
                        \x20  0 |#..|       |..#|\n\
                        \x20     012         012";
        assert_eq!(drawn, expected);
    }

    /// Two pictures of 7 columns, which are 9 with their walls, take 5 + 9 + 4 + 9 columns.
    #[test]
    fn side_by_side_wraps_at_the_width() {
        let mut other = picture(7, &[(0, 3)]);
        (other.bottom_up, other.notes) = (false, vec!["next L".into(), "red".into()]);
        let two = [("a", other.clone()), ("b", other.clone())];
        let rows = |width| side_by_side(&two, width).matches("0 |").count();
        assert_eq!([26, 27].map(rows), [2, 1]);
        let expected = "     a\n\
                        \x20  0 |#......|\n\
                        \x20  1 |.......|\n\
                        \x20  2 |.......|\n\
                        \x20  3 |.......|\n\
                        \x20     0123456\n\
                        \x20    next L, red";
        assert_eq!(side_by_side(&two[..1], 0), expected);
        assert_eq!(
            side_by_side(&two, 26),
            [expected, &expected.replace('a', "b")].join("\n")
        );
        assert_eq!(plain(&other), "#......\n.......\n.......\n.......");
    }
}
