//! Generates `rtl/*_proto_pkg.sv` and the tables of `docs/wire.md` from the layout tables.

use std::error::Error;
use std::fs;
use std::path::Path;

use lockstep_protocol::{docgen, svgen};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("protocol/ lies in no folder")?;
    for (stem, text) in svgen::packages() {
        write(&root.join(format!("rtl/{stem}_proto_pkg.sv")), &text)?;
    }
    let path = root.join("docs/wire.md");
    let document = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = docgen::document(&document).map_err(|e| format!("docs/wire.md: {e}"))?;
    write(&path, &text)
}

/// Replaces a file atomically.
fn write(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    let new = path.with_extension("new");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, path))
        .map_err(|e| format!("{}: {e}", path.display()).into())
}
