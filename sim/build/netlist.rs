//! A core's netlist, as `make netlist` leaves it in `out/netlist/`, and the models of the chip's
//! cells in `sim/netlist/`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::design::Design;
use crate::tops::Top;
use crate::variant::{CLOCK_HZ, RATE_HOLD};

const REMEDY: &str = "`make netlist` makes it of the RTL as it is now";

/// Below the workspace.
const FOLDER: &str = "out/netlist";

/// A netlist that is that of the RTL.
pub(crate) struct Netlist {
    pub(crate) file: PathBuf,
    /// The list of the cells' models, and the key of everything it is simulated from.
    pub(crate) cells: Design,
    /// The look-up tables that may be inverted, the first one number 1.
    pub(crate) faults: Vec<String>,
}

impl Netlist {
    /// The netlist of a game's core.
    ///
    /// # Errors
    /// When there is none, or it was made of other RTL or with other parameters; the text
    /// names the remedy.
    pub(crate) fn of(workspace: &Path, top: &Top, rtl: &Design) -> Result<Self> {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(FOLDER).display()
        );
        let folder = workspace.join(FOLDER).join(&top.name);
        let file = folder.join("netlist.v");
        let text = read(&file)?;
        let parameters = top.parameters.iter();
        let parameters: String = parameters
            .map(|(n, value)| format!("{n}={value} "))
            .collect();
        let head = format!(
            "// {} {parameters}ClkHz={CLOCK_HZ} RateHold={RATE_HOLD} ByteLink=1 of RTL {}",
            top.name,
            rtl.key(),
        );
        if text.lines().next() != Some(&*head) {
            return Err(format!("{} is of other RTL: {REMEDY}", file.display()));
        }
        let mut cells = Design::of(&workspace.join("sim/netlist"), "files.f")?;
        cells.add("netlist", text.as_bytes());
        let listed = folder.join("faults.txt");
        let faults = read(&listed)?;
        let faults: Option<Vec<String>> = faults
            .lines()
            .zip(1..)
            .map(|(line, number): (&str, u32)| {
                let cell = line.strip_prefix(&format!("{number} "))?;
                Some(cell.to_owned())
            })
            .collect();
        let faults =
            faults.ok_or_else(|| format!("{} is not understood: {REMEDY}", listed.display()))?;
        Ok(Self {
            file,
            cells,
            faults,
        })
    }
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|e| format!("{}: {e}. {REMEDY}", file.display()))
}
