//! Files named on the command line, looked at before anything is written.

use std::path::Path;

use anyhow::bail;
use lockstep_lab::files::write::target;

/// Standard output as the name of a file.
pub const STDOUT: &str = "-";

/// Fails when a file cannot be created where it is named.
pub fn check_writable(option: &str, file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|f| !f.is_dir()) {
        let folder = folder.display();
        bail!("{option} {name}: there is no folder {folder}; create it first");
    }
    if file.is_dir() {
        bail!("{option} {name}: that is a folder; name a file in it");
    }
    Ok(())
}

/// Whether two names are those of one file, also through links, and also when
/// it does not exist yet.
pub fn is_same(a: &Path, b: &Path) -> bool {
    match same_file::is_same_file(a, b) {
        Ok(same) => same,
        Err(_) => matches!((target(a), target(b)), (Ok(a), Ok(b)) if a == b),
    }
}
