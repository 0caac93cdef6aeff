//! Lists the boards, the folders of `rtl/top/` with a table `board.txt`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let top = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../rtl/top");
    println!("cargo::rerun-if-changed={}", top.display());
    let mut tables = Vec::new();
    for folder in std::fs::read_dir(top)? {
        let table = folder?.path().join("board.txt");
        if table.exists() {
            tables.push(table.canonicalize()?);
        }
    }
    tables.sort();
    let mut boards = String::from("&[\n");
    for table in tables {
        let folder = table.parent().and_then(Path::file_name);
        let name = folder.unwrap_or_default().to_string_lossy();
        writeln!(
            boards,
            "Board {{ name: {name:?}, table: include_str!({table:?}) }},"
        )?;
    }
    boards += "]";
    std::fs::write(
        Path::new(&std::env::var("OUT_DIR")?).join("boards.rs"),
        boards,
    )?;
    Ok(())
}
