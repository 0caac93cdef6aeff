//! Checks and writes the files on the command line.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use lockstep_lab::files::{self, check, target};

/// The name that stands for standard output.
pub const STDOUT: &str = "-";

/// Fails if a file cannot be created under its name.
pub fn check_writable(option: &str, file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    if file == Path::new(STDOUT) {
        bail!("{option} -: expected a file; name one");
    }
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|f| !f.is_dir()) {
        let folder = folder.display();
        bail!("{option} {name}: there is no folder {folder}; create it first");
    }
    if file.is_dir() {
        bail!("{option} {name}: it is a folder; name a file in it");
    }
    Ok(())
}

/// Fails before any work if a file that is kept between runs cannot be used.
///
/// It must be an ordinary file; see [`check_outputs`]. `kept`: options and files; `json`: the file
/// of the result; `input`: a file that is read, or the name of a built-in controller.
pub fn check_kept(
    kept: &[(&str, &Path)],
    json: Option<&Path>,
    input: Option<&Path>,
) -> anyhow::Result<()> {
    for (option, file) in kept {
        check_writable(option, file)?;
        check(file).map_err(|why| anyhow!("{option} {}: {why}", file.display()))?;
    }
    let json = json.map(|file| ("--json", file)).into_iter();
    let outputs: Vec<_> = json.chain(kept.iter().copied()).collect();
    let input = input.filter(|input| input.exists());
    check_outputs(&outputs, input.as_slice())
}

/// Fails if an output, named with its option, cannot be written, or is an input or another output.
pub fn check_outputs(outputs: &[(&str, &Path)], inputs: &[&Path]) -> anyhow::Result<()> {
    for (index, (option, file)) in outputs.iter().enumerate() {
        let mut others = outputs[..index].iter();
        if let Some((other, _)) = others.find(|(_, other)| is_same(file, other)) {
            bail!("{other} and {option} name the same file; give each its own");
        }
        check_output(option, file, inputs)?;
    }
    Ok(())
}

/// Fails if a result cannot be written to a file. No file is created or changed.
pub fn try_writing(option: &str, file: &Path) -> anyhow::Result<()> {
    check_writable(option, file)?;
    // A device or a pipe: opening one may have effects.
    if is_device(file) {
        return Ok(());
    }
    check(file).with_context(|| format!("{option} {}", file.display()))
}

/// Writes a result to a file, completely or not at all.
pub fn write(option: &str, file: &Path, text: &str) -> anyhow::Result<()> {
    match is_device(file) {
        true => fs::write(file, text).with_context(|| format!("{option} {}", file.display())),
        false => files::write(file, text.as_bytes()).map_err(|why| anyhow!("{option} {why}")),
    }
}

/// Whether two names belong to one ordinary file, also through links, and even before it exists.
pub fn is_same(a: &Path, b: &Path) -> bool {
    // A device takes what both write; comparing files opens them, and a pipe waits for a writer.
    if is_device(a) || is_device(b) {
        return false;
    }
    match same_file::is_same_file(a, b) {
        Ok(same) => same,
        Err(_) => matches!((target(a), target(b)), (Ok(a), Ok(b)) if a == b),
    }
}

/// Fails if a result cannot be written to a file, or the file is one of the inputs.
pub fn check_output(option: &str, file: &Path, inputs: &[&Path]) -> anyhow::Result<()> {
    if let Some(input) = inputs.iter().find(|input| is_same(file, input)) {
        let (file, input) = (file.display(), input.display());
        bail!("{option} {file}: it is the input {input}; name another file");
    }
    try_writing(option, file)
}

fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}
