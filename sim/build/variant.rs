//! The models to build: a game's core with so many lanes, a seeded fault or none.

use std::fs;
use std::path::Path;

use crate::Result;

/// Clock the RTL is told it runs at: the Nexys4's oscillator.
pub(crate) const CLOCK_HZ: u32 = 100_000_000;

/// Clock cycles without a good frame after which a model's line comes back to
/// its base rate: ten milliseconds of its clock, a second of a host's, which has
/// to wait for it.
pub(crate) const RATE_HOLD: u32 = 1 << 20;

/// A game that a core can be simulated of.
pub(crate) struct Game {
    /// Name, as in the layout tables.
    pub(crate) name: &'static str,
    /// Top module.
    pub(crate) top: &'static str,
}

/// One line a game.
const GAMES: &[Game] = &[Game {
    name: "tetris",
    top: "cosim_tetris",
}];

/// One model.
pub(crate) struct Variant {
    pub(crate) game: &'static Game,
    /// Candidates evaluated side by side.
    pub(crate) lanes: u8,
    /// The seeded fault's number, 0 for none.
    number: u32,
    name: String,
    /// What is special about it, in one line.
    pub(crate) summary: String,
}

impl Variant {
    /// Every game's core as it is meant to be.
    pub(crate) fn designed() -> Vec<Self> {
        let designed = |game| Self {
            game,
            lanes: 1,
            number: 0,
            name: String::new(),
            summary: "the RTL as designed".into(),
        };
        GAMES.iter().map(designed).collect()
    }

    /// Kebab-case name of the seeded fault.
    pub(crate) fn fault_name(&self) -> Option<&str> {
        (self.number > 0).then_some(self.name.as_str())
    }

    /// Prefix of the generated C++ classes.
    pub(crate) fn prefix(&self) -> String {
        format!("Vlockstep_{}", self.label())
    }

    /// C symbol of the model's function table.
    pub(crate) fn symbol(&self) -> String {
        format!("lockstep_model_{}", self.label())
    }

    /// Number of the seeded fault, which the model is told; 0 for none.
    pub(crate) fn fault_number(&self) -> u32 {
        self.number
    }

    /// Names its model: all faults of a core are in one.
    fn label(&self) -> String {
        let faults = if self.number > 0 { "_faults" } else { "" };
        format!("{}_{}{faults}", self.game.name, self.lanes)
    }

    /// What Verilator is told beside the file list and the flags.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![
            "--top-module".into(),
            self.game.top.into(),
            format!("-GClkHz=32'd{CLOCK_HZ}"),
            format!("-GLanes={}", self.lanes),
        ];
        if self.number > 0 {
            arguments.push("-DLOCKSTEP_FAULTS".into());
        }
        arguments
    }
}

/// The seeded faults, read from the list at the head of `fault_pkg.sv`: lines
/// of `//  7 kebab-case-name   game: what it breaks`.
pub(crate) fn faults(rtl: &Path) -> Result<Vec<Variant>> {
    let file = rtl.join("fault_pkg.sv");
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let faults: Option<Vec<Variant>> = text.lines().filter_map(fault).collect();
    let faults = faults.ok_or_else(|| {
        format!(
            "{}: a fault at its head does not say which game it is of",
            file.display()
        )
    })?;
    let numbered = faults.iter().map(|f| f.number).eq(1..=faults.len() as u32);
    if faults.is_empty() || !numbered {
        return Err(format!(
            "{}: the list of faults at its head is empty or not numbered from 1",
            file.display()
        ));
    }
    Ok(faults)
}

/// `None`: the line is no fault. `Some(None)`: it is one of no game.
fn fault(line: &str) -> Option<Option<Variant>> {
    let mut words = line.strip_prefix("//")?.split_whitespace();
    let number = words.next()?.parse().ok().filter(|n| *n > 0)?;
    let name = words.next()?.to_owned();
    let summary = words.collect::<Vec<_>>().join(" ");
    let of = |game: &&Game| summary.split_once(':').is_some_and(|(s, _)| s == game.name);
    let game = GAMES.iter().find(of);
    Some(game.map(|game| Variant {
        game,
        lanes: 1,
        number,
        name,
        summary,
    }))
}
