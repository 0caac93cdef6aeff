//! The variants of a game's core: as designed, with a seeded fault, or as a netlist.

use crate::Result;
use crate::fault::Fault;
use crate::tops::{Top, Tops};

/// The RTL's parameter for its clock, in hertz: the Nexys4's oscillator.
pub(crate) const CLOCK_HZ: u32 = 100_000_000;

/// Clock cycles without a good frame after which a model's line returns to its base rate: ten
/// milliseconds of its clock, which take a second to simulate.
pub(crate) const RATE_HOLD: u32 = 1 << 20;

pub(crate) struct Variant<'a> {
    /// The game's core.
    pub(crate) top: &'a Top,
    /// Whether it is the netlist instead of the RTL.
    pub(crate) netlist: bool,
    /// The seeded fault's number, 0 for none.
    number: u32,
    name: String,
    /// A description in one line.
    pub(crate) summary: String,
    pub(crate) modules: Vec<String>,
    /// The game whose files the fault changes, or [`LINK`].
    pub(crate) fault_in: String,
}

/// `fault_in` of a fault in the link, which every game's core has.
const LINK: &str = "link";

impl<'a> Variant<'a> {
    /// Every game's core without a fault.
    pub(crate) fn designed(tops: &'a Tops) -> Vec<Self> {
        let designed = |top| Self {
            top,
            netlist: false,
            number: 0,
            name: String::new(),
            summary: "the RTL as designed".into(),
            modules: Vec::new(),
            fault_in: String::new(),
        };
        tops.cores().map(designed).collect()
    }

    /// The netlist of a core: without a fault, then with each of its look-up tables inverted.
    pub(crate) fn netlists(designed: &Self, faults: &[String]) -> Vec<Self> {
        let netlist = |number, name, summary| Self {
            top: designed.top,
            netlist: true,
            number,
            name,
            summary,
            modules: Vec::new(),
            fault_in: designed.top.game.clone(),
        };
        let right = netlist(0, String::new(), "the netlist of the RTL".into());
        let inverted = faults.iter().zip(1..).map(|(cell, number)| {
            let summary = format!("the look-up table {cell} is inverted");
            netlist(number, format!("lut-{number}"), summary)
        });
        std::iter::once(right).chain(inverted).collect()
    }

    /// With each seeded fault, a core of each game that has the files it changes: the one beside
    /// whose file list the fault stands, or the first one. A fault of the link is in all games.
    ///
    /// # Errors
    /// When a fault changes a file that no list contains.
    pub(crate) fn seeded(tops: &'a Tops, faults: &[Fault]) -> Result<Vec<Self>> {
        let mut variants = Vec::new();
        for fault in faults {
            let games = fault.games(tops)?;
            let fault_in = match fault.files().all(|file| tops.is_of_link(file)) {
                true => LINK,
                false => games.first().copied().unwrap_or_default(),
            };
            for game in games {
                let cores = || tops.cores().filter(|top| top.game == game);
                let holds = |top: &&Top| fault.files().all(|file| top.has(file));
                // No core has a file of a board.
                let of_list = cores().find(|top| fault.is_of_list(top));
                let top = of_list.or_else(|| cores().find(holds));
                let Some(top) = top.or_else(|| cores().next()) else {
                    continue;
                };
                variants.push(Self {
                    top,
                    netlist: false,
                    number: fault.number,
                    name: fault.name.clone(),
                    summary: fault.summary.clone(),
                    modules: fault.modules().into_iter().map(String::from).collect(),
                    fault_in: fault_in.into(),
                });
            }
        }
        Ok(variants)
    }

    /// Whether it is the first core of its game.
    pub(crate) fn is_first(&self) -> bool {
        self.top.core.as_deref() == Some("")
    }

    /// Kebab-case name of the seeded fault.
    pub(crate) fn fault_name(&self) -> Option<&str> {
        (self.number > 0).then_some(self.name.as_str())
    }

    /// C symbol of the model's function table.
    pub(crate) fn symbol(&self) -> String {
        format!("lockstep_model_{}", self.label())
    }

    /// C symbol of the function table of the model with waveforms, which all faults share.
    pub(crate) fn traced_symbol(&self) -> String {
        format!("lockstep_waves_{}", self.core())
    }

    /// Number of the seeded fault, an argument of the model; 0 for none.
    pub(crate) fn fault_number(&self) -> u32 {
        self.number
    }

    /// Whether its model counts coverage: the RTL as designed, with the feature `coverage`.
    pub(crate) fn covered(&self) -> bool {
        !self.netlist && self.number == 0 && std::env::var_os("CARGO_FEATURE_COVERAGE").is_some()
    }

    /// Name of its model, which all faults of the RTL share, and all faults of the netlist.
    fn label(&self) -> String {
        let kind = match (self.netlist, self.number) {
            (true, _) => "_netlist",
            (false, 0) if self.covered() => "_coverage",
            (false, 0) => "",
            (false, _) => "_faults",
        };
        format!("{}{kind}", self.core())
    }

    /// Name of its game with the parameters.
    fn core(&self) -> String {
        let mut name = self.top.game.clone();
        for (parameter, value) in &self.top.parameters {
            name += &format!("_{parameter}_{value}");
        }
        name
    }

    /// Verilator's arguments that are part of the build id.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![
            "--top-module".into(),
            self.top.name.clone(),
            format!("-GClkHz=32'd{CLOCK_HZ}"),
        ];
        let parameters = self.top.parameters.iter();
        arguments.extend(parameters.map(|(name, value)| format!("-G{name}={value}")));
        arguments
    }
}
