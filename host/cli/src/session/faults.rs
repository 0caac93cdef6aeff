//! Seeded faults by name.

use anyhow::bail;

use crate::games::CliGame;
use crate::games::options::game_option;
use crate::input::suggest::alike;

/// The seeded faults of a game's core; none if this build has no faults.
pub fn faults<G: CliGame>() -> impl Iterator<Item = (&'static str, &'static sim::Variant)> {
    let own = sim::variants().iter().filter(|v| v.game == G::NAME);
    own.filter_map(|variant| Some((variant.fault?, variant)))
}

/// Fails if a game's core has no seeded fault called `name`, and suggests similar names.
///
/// In a build without faults it succeeds.
pub fn check<G: CliGame>(name: &str) -> anyhow::Result<()> {
    let mut own = faults::<G>().map(|(fault, _)| fault).peekable();
    if own.peek().is_none() || own.any(|fault| fault == name) {
        return Ok(());
    }
    if let Some(other) = sim::variants().iter().find(|v| v.fault == Some(name)) {
        bail!(
            "the fault '{name}' is in {}, not in {}",
            other.fault_in,
            G::NAME
        );
    }
    let alike = alike(name, faults::<G>().map(|(fault, _)| fault));
    let alike = alike.iter().take(3).map(|fault| format!("'{fault}'"));
    let meant = match alike.collect::<Vec<_>>() {
        none if none.is_empty() => String::new(),
        names => format!("; did you mean {}?", names.join(" or ")),
    };
    let game = game_option::<G>();
    bail!("no fault is called '{name}'{meant} (`lockstep faults --list{game}` lists all)")
}
