//! What a decision was chosen from, as text.

use lockstep::compare::Difference;
use lockstep_games::{Explain, Field, Trace};

use super::table::plain;

/// Where another trace differs first from this one, and in what.
pub fn sentence<G: Explain>(difference: &Difference, from: &Trace<G>) -> String {
    let Difference {
        weighed,
        field,
        expected,
        got,
    } = difference;
    let place = weighed.and_then(|number| Some((number, from.candidates.get(number)?)));
    let place = place.map_or("in the decision".into(), |(number, candidate)| {
        let (one, label) = (G::CANDIDATE.one, G::label(candidate));
        format!("at {one} {number} ({label})")
    });
    format!("{place}: {field} is {got}, not {expected}")
}

/// All that was weighed, the chosen one with a star.
pub fn table<G: Explain>(trace: &Trace<G>) -> String {
    let rows: Vec<Vec<Field>> = trace.candidates.iter().map(G::candidate_fields).collect();
    // One that is not legal has dashes.
    let shown = |field: &&Field| field.name != "legal";
    let header = rows.first().into_iter().flatten().filter(shown);
    let header = header.map(|field| field.name.replace('_', "\n"));
    let chosen = G::chosen(&trace.candidates, &trace.decision);
    let row = |(number, fields): (usize, &Vec<Field>)| -> Vec<String> {
        let mark = if chosen == Some(number) { "*" } else { "" };
        let values = fields.iter().filter(shown).map(|f| f.value.to_string());
        std::iter::once(mark.to_owned()).chain(values).collect()
    };
    plain(
        std::iter::once(String::new())
            .chain(header)
            .collect::<Vec<_>>(),
        rows.iter().enumerate().map(row),
        1..,
    )
}
