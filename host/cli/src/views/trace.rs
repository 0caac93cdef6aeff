//! What a decision was chosen from, as text.

use lockstep::compare::Difference;
use lockstep_games::tetris::{Tetris, Weighed};
use lockstep_games::{Field, Game as _, Trace};

use super::table::plain;

/// Where another trace differs first from this one, and in what.
pub fn sentence(difference: &Difference, from: &Trace<Tetris>) -> String {
    let Difference {
        weighed,
        field,
        expected,
        got,
    } = difference;
    let place = weighed.and_then(|number| Some((number, from.weighed.get(number)?)));
    let place = place.map_or("in the decision".into(), |(number, placement)| {
        let Weighed {
            rotation, column, ..
        } = placement;
        format!("at placement {number} (rotation {rotation}, column {column})")
    });
    format!("{place}: {field} is {got}, not {expected}")
}

/// All placements, the chosen one with a star.
pub fn table(trace: &Trace<Tetris>) -> String {
    let rows: Vec<Vec<Field>> = trace.weighed.iter().map(Tetris::weighed_fields).collect();
    // One that is not legal has dashes.
    let shown = |field: &&Field| field.name != "legal";
    let header = rows.first().into_iter().flatten().filter(shown);
    let header = header.map(|field| field.name.replace('_', "\n"));
    let chosen = trace.decision.map(|p| (p.rotation, p.column));
    let row = |(weighed, fields): (&Weighed, &Vec<Field>)| -> Vec<String> {
        let is_chosen = chosen == Some((weighed.rotation, weighed.column));
        let mark = if is_chosen { "*" } else { "" };
        let values = fields.iter().filter(shown).map(|f| f.value.to_string());
        std::iter::once(mark.to_owned()).chain(values).collect()
    };
    plain(
        std::iter::once(String::new())
            .chain(header)
            .collect::<Vec<_>>(),
        trace.weighed.iter().zip(&rows).map(row),
        1..,
    )
}
