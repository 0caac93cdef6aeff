//! Reads a core's netlist, which `make netlist` writes to `out/netlist/`; `sim/netlist/` has the
//! models of its cells.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::design::Design;
use crate::tops::Top;
use crate::variant::{CLOCK_HZ, RATE_HOLD};

const REMEDY: &str = "`make netlist` writes the netlist of the present RTL";

/// Folder below the workspace.
const FOLDER: &str = "out/netlist";

/// A netlist of the present RTL.
pub(crate) struct Netlist {
    pub(crate) file: PathBuf,
    /// The list of the cells' models; its key covers the netlist, too.
    pub(crate) cells: Design,
    /// Names of the look-up tables that a fault may invert; fault 1 inverts the first.
    pub(crate) faults: Vec<String>,
}

impl Netlist {
    /// Reads the netlist of a game's core.
    ///
    /// # Errors
    /// When it is missing or has other RTL or parameters; the text names the remedy.
    pub(crate) fn of(workspace: &Path, top: &Top, rtl: &Design) -> Result<Self> {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(FOLDER).display()
        );
        let folder = workspace.join(FOLDER).join(top.netlist());
        let file = folder.join("netlist.v");
        let text = read(&file)?;
        let parameters = top.parameters.iter();
        let parameters: String = parameters
            .map(|(n, value)| format!("{n}={value} "))
            .collect();
        let head = format!(
            "// {} {parameters}ClkHz={CLOCK_HZ} RateHold={RATE_HOLD} ByteLink=1 of RTL {}",
            top.name,
            rtl.key.key(),
        );
        if text.lines().next() != Some(&*head) {
            return Err(format!("{} is of other RTL: {REMEDY}", file.display()));
        }
        let mut cells = Design::of(&workspace.join("sim/netlist"), "files.f")?;
        cells.key.add("netlist", text.as_bytes());
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
            faults.ok_or_else(|| format!("{} cannot be parsed: {REMEDY}", listed.display()))?;
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
