//! How often each pair of backends agrees, as text.

use std::io::{self, Write};

use indicatif::HumanCount;
use lockstep::report::Tally;
use lockstep::report::tally::Agreement;
use lockstep_games::Game;

use super::table;

/// Writes how often each pair of backends agrees, and below a pair that differs the fields and the
/// classes of positions in which it does.
pub fn agreement<G: Game>(out: &mut dyn Write, tally: &Tally<G>) -> io::Result<()> {
    let pairs = tally.pairs.iter().filter(|pair| pair.all.compared > 0);
    let pairs: Vec<_> = pairs.collect();
    if pairs.iter().all(|pair| pair.all.diverged() == 0) && tally.diverged() == 0 {
        return match pairs.len() {
            0 | 1 => Ok(()),
            pairs => writeln!(out, "all {pairs} pairs agree"),
        };
    }
    let row = |name: String, of: &Agreement| {
        let counts = [of.compared, of.agreed, of.diverged()];
        let [compared, agreed, diverged] = counts.map(|n| HumanCount(n).to_string());
        [name, compared, agreed, diverged]
    };
    let mut rows = Vec::new();
    for pair in pairs {
        rows.push(row(format!("{} – {}", pair.first, pair.second), &pair.all));
        for (field, n) in &pair.all.fields {
            let n = HumanCount(*n).to_string();
            rows.push([format!("  field {field}"), String::new(), String::new(), n]);
        }
        let classes = pair.classes.iter().filter(|(_, of)| of.diverged() > 0);
        rows.extend(classes.map(|(name, of)| row(format!("  {} {name}", tally.class), of)));
    }
    let header = ["pair", "compared", "agreed", "diverged"];
    write!(out, "{}", table::plain(header, rows, 1..))
}
