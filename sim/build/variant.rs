//! The models to build: a game's core with so many lanes, a seeded fault or none.

use crate::fault::Fault;

/// Clock the RTL is told it runs at: the Nexys4's oscillator.
pub(crate) const CLOCK_HZ: u32 = 100_000_000;

/// Clock cycles without a good frame after which a model's line comes back to
/// its base rate: ten milliseconds of its clock, a second of a host's, which has
/// to wait for it.
pub(crate) const RATE_HOLD: u32 = 1 << 20;

/// Candidates that a core evaluates side by side.
pub(crate) const LANES: u8 = 1;

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
    /// Its netlist instead of its RTL.
    pub(crate) netlist: bool,
    /// The seeded fault's number, 0 for none.
    number: u32,
    name: String,
    /// What is special about it, in one line.
    pub(crate) summary: String,
    /// The modules that the fault is in.
    pub(crate) modules: Vec<String>,
}

impl Variant {
    /// Every game's core as it is meant to be.
    pub(crate) fn designed() -> Vec<Self> {
        let designed = |game| Self {
            game,
            lanes: LANES,
            netlist: false,
            number: 0,
            name: String::new(),
            summary: "the RTL as designed".into(),
            modules: Vec::new(),
        };
        GAMES.iter().map(designed).collect()
    }

    /// The netlist of a core that `designed` gave: as it is, then with each of the look-up
    /// tables inverted.
    pub(crate) fn netlists(designed: &Self, faults: &[String]) -> Vec<Self> {
        let netlist = |number, name, summary| Self {
            game: designed.game,
            lanes: designed.lanes,
            netlist: true,
            number,
            name,
            summary,
            modules: Vec::new(),
        };
        let right = netlist(0, String::new(), "the netlist of the RTL".into());
        let inverted = faults.iter().zip(1..).map(|(cell, number)| {
            let summary = format!("the look-up table {cell} is inverted");
            netlist(number, format!("lut-{number}"), summary)
        });
        std::iter::once(right).chain(inverted).collect()
    }

    /// Every game's core with each of the seeded faults.
    pub(crate) fn seeded(faults: &[Fault]) -> Vec<Self> {
        let with = |fault: &Fault, game| Self {
            game,
            lanes: LANES,
            netlist: false,
            number: fault.number,
            name: fault.name.clone(),
            summary: fault.summary.clone(),
            modules: fault.modules().into_iter().map(String::from).collect(),
        };
        let faults = faults.iter();
        faults
            .flat_map(|fault| GAMES.iter().map(move |game| with(fault, game)))
            .collect()
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

    /// Prefix of the classes of the model that can write a waveform.
    pub(crate) fn traced_prefix(&self) -> String {
        format!("Vlockstep_{}_{}_waves", self.game.name, self.lanes)
    }

    /// C symbol of that model's function table; all faults of a core share it.
    pub(crate) fn traced_symbol(&self) -> String {
        format!("lockstep_waves_{}_{}", self.game.name, self.lanes)
    }

    /// Number of the seeded fault, which the model is told; 0 for none.
    pub(crate) fn fault_number(&self) -> u32 {
        self.number
    }

    /// Whether its model counts how often each line is reached: that of the RTL as designed,
    /// where it is asked for.
    pub(crate) fn covered(&self) -> bool {
        !self.netlist && self.number == 0 && std::env::var_os("CARGO_FEATURE_COVERAGE").is_some()
    }

    /// Names its model: all faults of a core's RTL are in one, those of a netlist in its own.
    fn label(&self) -> String {
        let kind = match (self.netlist, self.number) {
            (true, _) => "_netlist",
            (false, 0) if self.covered() => "_coverage",
            (false, 0) => "",
            (false, _) => "_faults",
        };
        format!("{}_{}{kind}", self.game.name, self.lanes)
    }

    /// What Verilator is told of the RTL beside the file list and the flags.
    pub(crate) fn arguments(&self) -> Vec<String> {
        vec![
            "--top-module".into(),
            self.game.top.into(),
            format!("-GClkHz=32'd{CLOCK_HZ}"),
            format!("-GLanes={}", self.lanes),
        ]
    }
}
