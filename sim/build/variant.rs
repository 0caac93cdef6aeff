//! The models to build: one RTL, with its parameters and seeded faults.

use std::fs;
use std::path::Path;

use crate::Result;

/// Top module.
pub(crate) const TOP: &str = "cosim_core";
/// Clock the RTL is told it runs at: the Nexys4's oscillator.
pub(crate) const CLOCK_HZ: u32 = 100_000_000;

/// One model.
pub(crate) struct Variant {
    /// The seeded fault's number, 0 for none.
    number: u32,
    name: String,
    /// What is special about it, in one line.
    pub(crate) summary: String,
}

impl Variant {
    /// The RTL as it is meant to be.
    pub(crate) fn plain() -> Self {
        Self {
            number: 0,
            name: String::new(),
            summary: "the RTL as designed".into(),
        }
    }

    /// Kebab-case name of the seeded fault.
    pub(crate) fn fault_name(&self) -> Option<&str> {
        (self.number > 0).then_some(self.name.as_str())
    }

    /// Prefix of the generated C++ classes.
    pub(crate) fn prefix(&self) -> String {
        format!("Vlockstep_{}", self.number)
    }

    /// C symbol of the model's function table.
    pub(crate) fn symbol(&self) -> String {
        format!("lockstep_model_{}", self.number)
    }

    /// What Verilator is told beside the file list and the flags.
    pub(crate) fn arguments(&self) -> Vec<String> {
        vec![
            format!("-DLOCKSTEP_FAULT={}", self.number),
            format!("-GClkHz=32'd{CLOCK_HZ}"),
        ]
    }
}

/// The seeded faults, read from the list at the head of `fault_pkg.sv`: lines
/// of `//  7 kebab-case-name   what it breaks`.
pub(crate) fn faults(rtl: &Path) -> Result<Vec<Variant>> {
    let file = rtl.join("fault_pkg.sv");
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let faults: Vec<Variant> = text.lines().filter_map(fault).collect();
    let numbered = faults.iter().map(|f| f.number).eq(1..=faults.len() as u32);
    if faults.is_empty() || !numbered {
        return Err(format!(
            "{}: the list of faults at its head is empty or not numbered from 1",
            file.display()
        ));
    }
    Ok(faults)
}

fn fault(line: &str) -> Option<Variant> {
    let mut words = line.strip_prefix("//")?.split_whitespace();
    let number = words.next()?.parse().ok().filter(|n| *n > 0)?;
    let name = words.next()?.to_owned();
    Some(Variant {
        number,
        name,
        summary: words.collect::<Vec<_>>().join(" "),
    })
}
